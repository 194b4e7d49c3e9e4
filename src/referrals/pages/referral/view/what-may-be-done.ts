import { declineCanBeTakenBackUntil } from '../../../corrections/take-back-decline.ts';
import { mustSayWhoDecided } from '../../../model/person/agreement.ts';
import { isSent, openStatuses } from '../../../model/referral.ts';
import { type Action, actionsFor, endedUnhelped } from '../../../model/status/state-machine.ts';
import { isUsable } from '../../../model/status/usable.ts';
import type { FullReferral } from './full-referral.ts';

/** Which buttons and forms the page of a referral has for its reader. What they send is checked again where it is done. */
export function whatMayBeDone(full: FullReferral) {
  const { presented, referral, sides, gaveReason, isServiceHidden: isHidden } = full;
  const { status } = presented;
  const usable = isUsable(referral);
  const wasSent = isSent(referral);
  const isReferrer = sides.includes('referrer');
  const isOpen = wasSent && openStatuses.includes(referral.status);
  const isMistake = status === 'entered-in-error';
  const isOnUsableSide = usable && sides.length > 0;
  // A colleague from whom the service is hidden gives a reason first.
  const mayAct = isOnUsableSide && !isHidden;
  // Also while it is restricted: that the person agrees to less counts at once.
  const mayChangeAgreement = sides.length > 0 && wasSent && !isMistake && referral.erasedAt === null;
  const ofService = mayAct && isOpen && sides.includes('provider');
  const needsOtherHelp = usable && isReferrer && endedUnhelped(referral) && !referral.rerouted_to;
  const actions = mayAct ? actionsFor(referral, sides) : [];
  return {
    mayAct,
    canRead: usable && (sides.length > 0 || gaveReason),
    actions,
    mainAction: isHidden ? undefined : mainActionOf(actions),
    secondActions: isHidden ? [] : secondActionsOf(actions, wasSent),
    canChange: mayAct && isOpen,
    canContact: ofService,
    canAcceptToWait: actions.includes('accept'),
    canCancel: isReferrer && wasSent && actions.includes('cancel') && actions.includes('withdraw-as-error'),
    canTransfer: ofService && referral.deathReportedAt === null,
    canAttach: mayAct && !isMistake,
    canWrite: mayAct && referral.requested_at !== null && !isMistake,
    canMarkResolved: needsOtherHelp && !(referral.resolvedAt || referral.referred_again),
    // The page to re-route leaves out the services that were tried.
    canReroute: needsOtherHelp && !isHidden,
    // Those who cancelled it themselves have nothing more to do, but may still find another service.
    mustFindHelp: needsOtherHelp && !full.isCancelledByReferrer,
    // Nobody refers somebody who has died, or again what was sent by mistake.
    canReferAgain:
      mayAct &&
      isReferrer &&
      wasSent &&
      referral.service_id !== null &&
      !openStatuses.includes(status) &&
      !isMistake &&
      presented.status_reason?.code !== 'died' &&
      !full.isKnownDead,
    canUndoDeclineUntil:
      mayAct && sides.includes('provider') ? declineCanBeTakenBackUntil(referral, full.now) : null,
    canCheckEnding: mayAct && full.endingToCheck !== null,
    canReportDeath: isOpen && (mayAct || isLeftToOperator(full)),
    mustSayWhyDeathIsUndone: !isOnUsableSide,
    canChangeAgreement: mayChangeAgreement,
    canEndByAgreement: mayChangeAgreement && isOpen && !isHidden,
    mustSayWho: isSent(referral) && usable && mustSayWhoDecided(referral.content, full.today),
  };
}

/** A report of a death that an operator looks at first: see `leaveToOperators`. */
function isLeftToOperator({ sides, presented }: FullReferral): boolean {
  return (
    sides.length === 0 &&
    presented.prompts.some(({ kind, side }) => kind === 'may-have-died' && side === 'operators')
  );
}

/** What most people do next. The page has a button for it, and lists the rest under “More”. */
function mainActionOf(actions: readonly Action[]): Action | undefined {
  return (['accept', 'start', 'complete'] as const).find((action) => actions.includes(action));
}

/** What stands in view beside the main action. The button to cancel a referral that was sent leads to both ways of it (`canCancel`). */
function secondActionsOf(actions: readonly Action[], wasSent: boolean): Action[] {
  const wanted: readonly Action[] = wasSent ? ['reject'] : ['withdraw-as-error'];
  return wanted.filter((action) => actions.includes(action));
}
