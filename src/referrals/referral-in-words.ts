import { cameToNothing } from './came-to-nothing.ts';
import { whoWasTold } from './delivery-words.ts';
import { nameOf } from './list-rows.ts';
import { measures } from './measures.ts';
import type { WholeReferral } from './read-whole.ts';
import { isUsable } from './records/usable.ts';
import type { Outcome, ReferralStatus, StatusReason } from './referral.ts';
import { actionsFor } from './state-machine.ts';
import {
  actionWords,
  draftActionWords,
  outcomeWords,
  reasonWords,
  statusWords,
  whoseTurn,
} from './status-words.ts';

/** A referral as its page says it. */
export function inWords(whole: WholeReferral) {
  const { presented, referral, sides, opened, history } = whole;
  const { status, status_reason: reason } = presented;
  const outcome = 'outcome' in presented ? presented.outcome : null;
  const usable = isUsable(referral);
  const isReferrer = sides.includes('referrer');
  return {
    ...whole,
    referral: presented,
    mayRead: usable && (sides.length > 0 || opened),
    isOperator: sides.length === 0,
    isReferrer,
    isDraft: status === 'draft',
    side: sides[0],
    name: nameOf(presented),
    status: statusWords[status],
    turn: whoseTurn(presented, sides),
    actions: usable ? actionsFor(status, sides) : [],
    actionWords: status === 'draft' ? draftActionWords : actionWords,
    maySeeTo:
      usable &&
      isReferrer &&
      cameToNothing(referral) &&
      !(referral.rerouted_to || referral.seenToAt || referral.referred_again),
    mayReroute: usable && isReferrer && cameToNothing(referral) && !referral.rerouted_to,
    mayAttach: usable && sides.length > 0 && status !== 'entered-in-error',
    mayWrite: usable && sides.length > 0 && referral.requested_at !== null && status !== 'entered-in-error',
    remindedAt: referral.remindedAt,
    reason: reason && reasonInWords(reason),
    outcome: outcome && outcomeInWords(outcome),
    told: whoWasTold(presented),
    history: history.map((line) => ({
      ...line,
      happened:
        line.from === line.to ? 'Waiting list changed' : statusWords[line.to as ReferralStatus].happened,
      reason: line.reason && reasonInWords(line.reason),
    })),
  };
}

function reasonInWords(reason: StatusReason) {
  return { ...reason, words: reasonWords[reason.code] };
}

function outcomeInWords(outcome: Outcome) {
  const taken = (outcome.measures ?? []).map(({ code, stage, value }) => ({
    text: `${measures[code].title}, at the ${stage}: ${value}`,
  }));
  return { ...outcome, words: outcomeWords[outcome.code] ?? outcome.code, taken };
}
