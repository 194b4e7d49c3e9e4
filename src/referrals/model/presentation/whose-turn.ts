import { minuteMs } from '../../../platform/durations.ts';
import { dayInWords } from '../../../platform/html/index.ts';
import { type PresentedPrompt, promptKindsThatCanWait, promptWords } from '../attention/prompts.ts';
import { whenToTell } from '../attention/watches.ts';
import type { DeliveryStatus } from '../deliveries.ts';
import { londonDate } from '../due/dates.ts';
import type { WorkingDays } from '../due/working-time.ts';
import { type Draft, openStatuses, type Referral } from '../referral.ts';
import { type Side, unsuccessfulStatuses } from '../status/state-machine.ts';
import { nameOfService, type ShownService } from './words.ts';

/** Who must act next, in words. The pages decide by its kind, never by its words. */
export type Turn = {
  /** What somebody on the reader’s sides does next. `wait`: somebody else acts next. `nothing`: nobody has anything to do. */
  kind: 'answer' | 'question' | 'draft' | 'another-service' | 'contact' | 'other' | 'wait' | 'nothing';
  words: string;
};

const nothingMoreToDo = { kind: 'nothing', words: 'Nothing more to do' } as const;

type TurnState = Pick<Referral | Draft, 'status' | 'status_reason' | 'rerouted_to' | 'referred_again'> &
  ShownService & {
    restricted: boolean;
    erased_at: string | null;
    requested_at: string | null;
    death_reported: { at: string; may_undo: boolean } | null;
    urgency: Referral['urgency'];
    first_contact_at: string | null;
    seen_to: object | null;
    prompts: readonly PresentedPrompt[];
    seen: object | null;
    /** Nobody of the service has opened it in time, though it is urgent or somebody is at risk. */
    isUnseenLate?: boolean | undefined;
    /** The referrer's side itself took it back. */
    isCancelledByReferrer?: boolean | undefined;
    /** The service ended it by link, and the referrer can still say that this was a mistake. */
    isEndingToCheck?: boolean | undefined;
    /** The other side has asked the reader something. */
    hasQuestion?: boolean | undefined;
    gp_practice: { name: string } | null;
    deliveries: readonly { leg: string; purpose: string; status: DeliveryStatus }[];
    gp_actions?: readonly { status: string; by_date: string | null; asked_by_letter: boolean }[] | null;
    consent?: { share_with_gp?: unknown } | undefined;
  };

/** The day by which somebody says whether the person has died; undefined if nobody reported it. */
export function deathDecisionDue(
  settings: WorkingDays,
  { death_reported: death, urgency }: { death_reported: { at: string } | null } & Pick<TurnState, 'urgency'>,
): string | undefined {
  return death ? londonDate(whenToTell(settings, 'death', { urgency }, new Date(death.at))) : undefined;
}

/** Who must act next, for somebody on these sides, or on none. */
export function whoseTurn(settings: WorkingDays, state: TurnState, sides: readonly Side[], now: Date): Turn {
  const { status, death_reported, prompts } = state;
  if (state.restricted)
    return prompts.some(({ kind }) => kind === 'risk-to-act-on')
      ? { kind: 'wait', words: 'Restricted, and somebody may come to harm: ring the service' }
      : { kind: 'wait', words: 'Restricted: nobody may work with it for now' };
  // Nobody can act on what is left of it.
  if (state.erased_at) return { kind: 'nothing', words: 'Erased. Nothing to do' };
  if (death_reported) return turnWhileDeathReported(settings, { ...state, death_reported }, sides);
  if (mustTelephoneFirst(state, sides))
    return {
      kind: 'other',
      words: `Urgent: nobody at ${nameOfService(state)} has opened it. Telephone them`,
    };
  if (prompts[0]) return waitingForOwner(prompts[0], sides);
  if (state.hasQuestion) return { kind: 'question', words: 'Waiting for you to answer a question' };
  if (status === 'draft')
    return sides.includes('referrer')
      ? { kind: 'draft', words: 'Waiting for you to send it' }
      : { kind: 'wait', words: 'Not sent yet' };
  return openStatuses.includes(status) ? turnWhileOpen(state, sides, now) : turnAfterEnd(state, sides, now);
}

/**
 * Whether an urgent or dangerous referral that nobody at the service has opened in time comes before the prompts: before those about papers,
 * not before those about the person.
 */
export function mustTelephoneFirst(
  {
    status,
    isUnseenLate,
    prompts: [first],
  }: Pick<TurnState, 'status' | 'isUnseenLate'> & { prompts: readonly Pick<PresentedPrompt, 'kind'>[] },
  sides: readonly Side[],
): boolean {
  if (!isUnseenLate || sides.includes('provider') || !openStatuses.includes(status)) return false;
  return first === undefined || promptKindsThatCanWait.includes(first.kind);
}

function turnWhileDeathReported(
  settings: WorkingDays,
  state: TurnState & { death_reported: { may_undo: boolean } },
  sides: readonly Side[],
): Turn {
  const by = dayInWords(`${deathDecisionDue(settings, state)}T12:00:00Z`);
  const orElse =
    sides.length === 0 || state.death_reported.may_undo
      ? 'or that it was a mistake'
      : 'or, if they are alive, to tell the operators';
  const confirm = `to confirm that the person has died, ${orElse}, by ${by}`;
  return sides.length > 0
    ? { kind: 'other', words: `Waiting for you ${confirm}` }
    : { kind: 'wait', words: `Waiting for somebody ${confirm}` };
}

function turnWhileOpen(state: TurnState, sides: readonly Side[], now: Date): Turn {
  return sides.includes('provider') ? turnOfService(state) : waitForService(state, now);
}

/** The turn of an open referral, for somebody of the service. */
function turnOfService({ status, first_contact_at }: TurnState): Turn {
  if (status === 'requested') return { kind: 'answer', words: 'Waiting for you to answer' };
  if (status === 'on-hold') return { kind: 'wait', words: 'On your waiting list' };
  if (status !== 'accepted') return { kind: 'other', words: 'Waiting for you to complete it' };
  return first_contact_at === null
    ? { kind: 'contact', words: 'Next: contact the person' }
    : { kind: 'other', words: 'Next: start supporting the person' };
}

/** The turn of an open referral, for everybody else. */
function waitForService(state: TurnState, now: Date): Turn {
  const { status, first_contact_at } = state;
  const service = nameOfService(state);
  const wait = (words: string): Turn => ({ kind: 'wait', words });
  if (status === 'requested' && !hasReachedService(state))
    return isOnItsWay(state, now)
      ? wait(`Sent just now. We are delivering it to ${service}`)
      : wait(`Has not reached ${service} yet`);
  if (status === 'requested') return wait(`Waiting for ${service} to answer`);
  if (status === 'on-hold') return wait(`On ${service}’s waiting list`);
  return status === 'accepted' && first_contact_at === null
    ? wait(`Waiting for ${service} to contact the person`)
    : wait(`Waiting for ${service} to complete it`);
}

function turnAfterEnd(state: TurnState, sides: readonly Side[], now: Date): Turn {
  const { status, status_reason, rerouted_to, seen_to } = state;
  if (status === 'entered-in-error' || status_reason?.code === 'died') return nothingMoreToDo;
  const isReferrer = sides.includes('referrer');
  const isUnsuccessful = unsuccessfulStatuses.includes(status);
  const needsOther = needsAnotherService(state);
  if (isReferrer && state.isEndingToCheck)
    return { kind: 'other', words: 'Waiting for you to check the answer that came by link' };
  if (needsOther && isReferrer)
    return { kind: 'another-service', words: 'Find another service, or close this referral' };
  const forPractice = turnOfPractice(state, sides, londonDate(now));
  if (forPractice) return forPractice;
  if (!isUnsuccessful || (state.isCancelledByReferrer && !rerouted_to)) return nothingMoreToDo;
  // The service is not told how the referrer goes on.
  if (sides.includes('provider') && !isReferrer)
    return { kind: 'nothing', words: 'Nothing more to do: the referrer finds another service' };
  if (needsOther) return { kind: 'wait', words: 'Waiting for the referrer to find another service' };
  if (rerouted_to) return { kind: 'wait', words: 'Replaced by another referral' };
  const since = seen_to ? 'helped another way' : 'referred again';
  return { kind: 'nothing', words: `Nothing more to do: the person was ${since}` };
}

/** Whether a referral ended without help, and nobody has found another service for the person or said that none is needed. */
export function needsAnotherService({
  status,
  status_reason: reason,
  rerouted_to,
  referred_again,
  seen_to,
  isCancelledByReferrer,
}: Pick<TurnState, 'status' | 'rerouted_to' | 'referred_again' | 'seen_to' | 'isCancelledByReferrer'> & {
  status_reason: { code: string } | null;
}): boolean {
  const isDealtWith =
    rerouted_to || referred_again || seen_to || isCancelledByReferrer || reason?.code === 'died';
  return unsuccessfulStatuses.includes(status) && !isDealtWith;
}

/** `expired`: it was sent, and nobody confirmed it in time. */
const countsAsReached: readonly DeliveryStatus[] = ['sent', 'received', 'acknowledged', 'expired'];

/** Whether the service has been told, as far as anybody knows. What somebody there has seen has reached it in any case. */
function hasReachedService({ seen, deliveries }: TurnState): boolean {
  if (seen) return true;
  return deliveries.some(
    ({ leg, purpose, status }) =>
      leg === 'service' && purpose === 'referral' && countsAsReached.includes(status),
  );
}

/** Whether a referral that was sent has not arrived, for readers who cannot open it for the service themselves. */
export function isUndelivered(state: TurnState, sides: readonly Side[], now: Date): boolean {
  const isSentToOthers = state.status === 'requested' && !sides.includes('provider');
  return isSentToOthers && !hasReachedService(state) && !isOnItsWay(state, now);
}

/** A delivery takes some seconds, so a referral that was just sent is not late. */
const onItsWayMs = 5 * minuteMs;

function isOnItsWay({ requested_at, deliveries }: TurnState, now: Date): boolean {
  if (requested_at === null || now.getTime() - Date.parse(requested_at) >= onItsWayMs) return false;
  return !deliveries.some(
    ({ leg, status }) => leg === 'service' && (status === 'failed' || status === 'uncertain'),
  );
}

/** What the practice was asked stays open until it has confirmed that, or staff have said that it was done. */
function turnOfPractice(
  { gp_actions, gp_practice, consent }: TurnState,
  sides: readonly Side[],
  today: string,
): Turn | undefined {
  const open = (gp_actions ?? []).filter(({ status }) => status === 'open');
  if (open.length === 0) return undefined;
  const practice = gp_practice?.name ?? 'the GP practice';
  const staffHaveTo = (what: string): Turn =>
    sides.length > 0
      ? { kind: 'other', words: `Waiting for you to ${what}` }
      : { kind: 'wait', words: `Waiting for staff to ${what}` };
  if (consent?.share_with_gp === false)
    return staffHaveTo('settle what the GP practice was asked: it must not be told unless the person agrees');
  // It may be another practice than the one that was named, which may have closed.
  if (open.some(({ asked_by_letter }) => !asked_by_letter))
    return staffHaveTo('tell the GP practice what it has to do');
  const isLate = open.some(({ by_date }) => by_date !== null && by_date < today);
  return isLate
    ? staffHaveTo(`ask ${practice} whether it has done what it had to do`)
    : { kind: 'wait', words: `Waiting for ${practice} to confirm what it has to do` };
}

/** Everybody of the side sees the prompt as theirs: the owner is only the one who was told. */
function waitingForOwner({ kind, side, owner }: PresentedPrompt, sides: readonly Side[]): Turn {
  const isOwnPrompt = sides.some((each) => each === side) || (owner === null && sides.length === 0);
  const { what } = promptWords[kind];
  return isOwnPrompt
    ? { kind: 'other', words: `Waiting for you: ${what}` }
    : { kind: 'wait', words: `Waiting for ${owner?.name ?? 'the operators'}: ${what}` };
}
