import { type ReferralStatus, referralStatuses } from './referral.ts';

/** Who does it: staff of the receiving service, or the referrer's organisation. */
export type Side = 'provider' | 'referrer';

export const actions = [
  'accept',
  'reject',
  'start',
  'hold',
  'change-wait',
  'complete',
  'fail',
  'cancel',
  'withdraw-as-error',
] as const;

export type Action = (typeof actions)[number];

type Rule = {
  readonly to: ReferralStatus;
  /** The states it leads from, and whose it is in each of them. */
  readonly from: { readonly [Status in ReferralStatus]?: readonly Side[] };
  /** What has to be said with it, for the other side to read. */
  readonly says?: 'reason' | 'outcome';
};

const provider: readonly Side[] = ['provider'];
const either: readonly Side[] = ['provider', 'referrer'];
const notYetWrong = referralStatuses.filter((status) => status !== 'entered-in-error');

/** Every action there is. A draft becomes a referral by being sent: see request-draft.ts. */
export const rules: Readonly<Record<Action, Rule>> = {
  accept: { to: 'accepted', from: { requested: provider } },
  reject: { to: 'rejected', from: { requested: provider }, says: 'reason' },
  start: { to: 'in-progress', from: { accepted: provider, 'on-hold': provider } },
  hold: { to: 'on-hold', from: { accepted: provider, 'in-progress': provider }, says: 'reason' },
  // Says for what reason, or until when, the person still waits.
  'change-wait': { to: 'on-hold', from: { 'on-hold': provider }, says: 'reason' },
  complete: {
    to: 'completed',
    from: { accepted: provider, 'in-progress': provider, 'on-hold': provider },
    says: 'outcome',
  },
  fail: {
    to: 'failed',
    from: { accepted: provider, 'in-progress': provider, 'on-hold': provider },
    says: 'reason',
  },
  cancel: {
    to: 'cancelled',
    from: { requested: ['referrer'], accepted: either, 'in-progress': either, 'on-hold': either },
    says: 'reason',
  },
  'withdraw-as-error': {
    to: 'entered-in-error',
    from: Object.fromEntries(notYetWrong.map((status) => [status, ['referrer']])),
  },
};

/** What says that the person waits, and may say until when. */
export const waits: readonly Action[] = ['hold', 'change-wait'];

/** What somebody on these sides may do with a referral in this state. */
export function actionsFor(status: ReferralStatus, sides: readonly Side[]): Action[] {
  return actions.filter((action) => rules[action].from[status]?.some((side) => sides.includes(side)));
}

/** The sides whose action it is, in whatever state. */
export function sidesThatMay(action: Action): Side[] {
  return either.filter((side) => Object.values(rules[action].from).some((sides) => sides.includes(side)));
}

/** States of a referral that came to nothing, so that the person may be referred elsewhere in its place. */
export const reroutable: readonly ReferralStatus[] = ['rejected', 'failed', 'cancelled'];
