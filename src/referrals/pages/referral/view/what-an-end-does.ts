import { minuteMs } from '../../../../platform/durations.ts';
import { takeBackTimeMs } from '../../../corrections/take-back-decline.ts';
import { nameOfService } from '../../../model/presentation/words.ts';
import type { Action, Side } from '../../../model/status/state-machine.ts';
import type { FullReferral } from './full-referral.ts';
import type { ReferralView } from './referral-view.ts';

type Ending = Pick<FullReferral, 'presented' | 'practiceClosedOn'> & Pick<ReferralView, 'personPage'>;

const takeBackMinutes = takeBackTimeMs / minuteMs;

/** What happens when somebody on this side ends the referral: who is told of it, and whether it can be taken back. */
export function whatAnEndDoes(ending: Ending, action: Action, side: Side): string[] {
  return [
    otherSideTold(ending, side),
    practiceTold(ending, action),
    ...personTold(ending, action),
    afterEnd(action, side),
  ];
}

/** The same for the form by which a referrer cancels, whose reason decides which of two ends it is. */
export function whatACancellationDoes(ending: Ending) {
  const whoIsTold = (action: Action) =>
    [practiceTold(ending, action), ...personTold(ending, action)].join(' ');
  return {
    ifCancelled: whoIsTold('cancel'),
    ifMistake: whoIsTold('withdraw-as-error'),
    always: [
      otherSideTold(ending, 'referrer'),
      'You cannot open it again. If the person needs help after all, make a new referral.',
    ],
  };
}

function otherSideTold({ presented }: Ending, side: Side): string {
  if (side === 'referrer') return `We tell ${nameOfService(presented)} at once.`;
  const organisation = 'referrer' in presented ? presented.referrer?.organisation : undefined;
  return `We tell the referrer${organisation ? ` (${organisation})` : ''} at once.`;
}

/** What the GP practice is told. A decline waits, so that a letter about one that was taken back is never sent. */
function practiceTold({ presented, practiceClosedOn }: Ending, action: Action): string {
  const { gp_practice: practice } = presented;
  const share = 'consent' in presented ? presented.consent?.share_with_gp : undefined;
  const asksToRemove = action === 'withdraw-as-error' && practice !== null;
  if (share !== true && share !== 'codes_only' && !asksToRemove)
    return 'We do not tell the GP practice, because the person did not agree to that.';
  if (practice === null) return 'We tell no GP practice, because none is named.';
  if (practiceClosedOn !== null)
    return `We cannot tell ${practice.name}, because it has closed. Tell the practice that the person has now.`;
  if (action === 'withdraw-as-error')
    return `If ${practice.name} has a letter about this referral, we ask it to remove the letter.`;
  const how =
    share === true ? 'send a letter to the GP practice' : 'send codes without any text to the GP practice';
  return `${action === 'reject' ? `After ${takeBackMinutes} minutes we` : 'We'} ${how} (${practice.name}).`;
}

function personTold({ personPage }: Ending, action: Action): string[] {
  if (!personPage?.canEnd) return [];
  if (action === 'withdraw-as-error') return ['The person can no longer open their own page about it.'];
  const when = action === 'reject' ? ', once you cannot take it back any more' : '';
  return [`The person gets a message that there is news on their own page${when}.`];
}

/** Whether it can be taken back. Only a decline on a page can, by those who made it. */
function afterEnd(action: Action, side: Side): string {
  if (action === 'reject')
    return `For ${takeBackMinutes} minutes you can take it back on the referral’s page, unless the referrer has acted on it.`;
  if (action === 'withdraw-as-error')
    return 'You cannot open it again. If the person still needs help, make a new referral.';
  return side === 'referrer'
    ? 'You cannot open it again, but you can refer the person again from its page.'
    : 'You cannot open it again. The referrer can refer the person again.';
}
