import { Problem } from '../../../platform/problem/index.ts';
import { wrongState, wrongStatusProblem } from '../problems.ts';
import {
  type Draft,
  openStatuses,
  type ReasonCode,
  type Referral,
  type ReferralStatus,
  referralStatuses,
} from '../referral.ts';

/**
 * The two sides of a referral: staff of the receiving service, and the referrer's organisation. Only they take actions; an operator
 * cannot change the status of a referral by any of them.
 */
export type Side = 'provider' | 'referrer';

export function otherSide(side: Side): Side {
  return side === 'provider' ? 'referrer' : 'provider';
}

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

type ActionRule = {
  readonly to: ReferralStatus;
  /** The statuses in which the action is possible, and who may take it in each. */
  readonly from: { readonly [Status in ReferralStatus]?: readonly Side[] };
  /** What must be sent with the action, for the other side to read. */
  readonly requires?: 'reason' | 'outcome';
};

const provider: readonly Side[] = ['provider'];
/** In this order: `actingSide` prefers the service. */
const bothSides: readonly Side[] = ['provider', 'referrer'];
const allButMistakes = referralStatuses.filter((status) => status !== 'entered-in-error');

/** Every action. (Sending a draft is in submit/drafts.ts.) */
export const actionRules: Readonly<Record<Action, ActionRule>> = {
  accept: { to: 'accepted', from: { requested: provider } },
  reject: { to: 'rejected', from: { requested: provider }, requires: 'reason' },
  start: { to: 'in-progress', from: { accepted: provider, 'on-hold': provider } },
  hold: { to: 'on-hold', from: { accepted: provider, 'in-progress': provider }, requires: 'reason' },
  // Changes the reason or the expected date while the person waits.
  'change-wait': { to: 'on-hold', from: { 'on-hold': provider }, requires: 'reason' },
  complete: {
    to: 'completed',
    from: { accepted: provider, 'in-progress': provider, 'on-hold': provider },
    requires: 'outcome',
  },
  fail: {
    to: 'failed',
    from: { accepted: provider, 'in-progress': provider, 'on-hold': provider },
    requires: 'reason',
  },
  cancel: {
    to: 'cancelled',
    // A service that has not accepted the referral rejects it instead.
    from: { requested: ['referrer'], accepted: bothSides, 'in-progress': bothSides, 'on-hold': bothSides },
    requires: 'reason',
  },
  'withdraw-as-error': {
    to: 'entered-in-error',
    from: Object.fromEntries(allButMistakes.map((status) => [status, ['referrer']])),
  },
};

const rejectReasons: readonly ReasonCode[] = [
  'no-capacity',
  'not-eligible',
  'out-of-area',
  'unsuitable-time',
  'transport',
  'failed-contact',
  'missing-information',
  'client-declined',
  'other',
];
const failReasons: readonly ReasonCode[] = [...rejectReasons, 'needs-met-otherwise', 'moved-away', 'died'];
/** Either side cancels because of the person. A service that could not help closes the referral instead. */
const cancelReasons: readonly ReasonCode[] = [
  'client-declined',
  'needs-met-otherwise',
  'moved-away',
  'died',
  'other',
];
const waitReasons: readonly ReasonCode[] = ['no-capacity', 'failed-contact', 'missing-information', 'other'];

/** The reasons that the pages offer each side. */
export const reasonsOffered: Readonly<Record<Side, { [A in Action]?: readonly ReasonCode[] }>> = {
  provider: {
    reject: rejectReasons,
    fail: failReasons,
    cancel: cancelReasons,
    hold: waitReasons,
    'change-wait': waitReasons,
  },
  referrer: {
    cancel: cancelReasons,
    'withdraw-as-error': ['wrong-person', 'wrong-service', 'sent-twice', 'other'],
  },
};

/** A client system may send these with every action, also where the pages do not offer them. */
const reasonsForEveryAction: readonly ReasonCode[] = [
  'no-capacity',
  'not-eligible',
  'out-of-area',
  'failed-contact',
  'missing-information',
  'client-declined',
  'other',
];

/** The codes that the API accepts with an action, from either side. */
export function reasonsAccepted(action: Action): ReasonCode[] {
  // Client systems of services also cancel for these.
  const ofServices = action === 'cancel' ? failReasons : [];
  const offered = bothSides.flatMap((side) => reasonsOffered[side][action] ?? []);
  return [...new Set([...ofServices, ...offered, ...reasonsForEveryAction])];
}

/**
 * The side that an action counts for. Somebody on both sides acts for the service if both sides may, but their messages count as the
 * referrer’s (`writingSide`).
 */
export function actingSide(action: Action, status: ReferralStatus, sides: readonly Side[]): Side | undefined {
  return actionRules[action].from[status]?.find((side) => sides.includes(side));
}

/** The status in which a referral ends, and the side that ends it. */
export type Ending = { to: ReferralStatus; by: Side };

/** How a referral ends now: by the first of these actions that somebody on these sides may take, if there is one. */
export function possibleEnding(
  candidates: readonly Action[],
  status: ReferralStatus,
  sides: readonly Side[],
): Ending | undefined {
  for (const action of candidates) {
    const by = actingSide(action, status, sides);
    if (by) return { to: actionRules[action].to, by };
  }
  return undefined;
}

/** The actions that put the person on the waiting list, and may give an expected date. */
export const waitActions: readonly Action[] = ['hold', 'change-wait'];

/** The actions with which it can be said that the person has declined. */
export const actionsThatMayMeanDeclined: readonly Action[] = ['reject', 'fail', 'cancel'];

/** The actions with which staff of the service may suggest another service. */
export const suggestingActions: readonly Action[] = ['reject', 'fail'];

/** The actions after which somebody contacts the person. They are refused while a reported death is unconfirmed. */
const contactActions: readonly Action[] = ['accept', 'start', 'hold', 'change-wait'];

/**
 * While a reported death is unconfirmed, refuses actions after which somebody would contact the person, and an end with the reason
 * `died`: staff confirm the death instead, because that can be undone. Other ends stay possible, for what was finished before.
 * @throws Problem `wrong-state`
 */
export function requireAllowedWhileDeathReported(
  { deathReportedAt }: Pick<Referral | Draft, 'deathReportedAt'>,
  action: Action,
  reason: ReasonCode | undefined,
): void {
  if (deathReportedAt === null) return;
  if (contactActions.includes(action)) throw deathUnconfirmedProblem();
  if (reason === 'died')
    throw new Problem(
      wrongState,
      'The person’s death has already been reported. Confirm it: this ends the referral, and can be undone.',
    );
}

/** For what would have somebody contact the person. */
export function deathUnconfirmedProblem(): Problem {
  return new Problem(
    wrongState,
    'The person has been reported as having died. First confirm this. If they are alive, take it back, or tell the operators if you cannot.',
  );
}

/** The actions that somebody on these sides may take now. */
export function actionsFor(
  { status, deathReportedAt }: Pick<Referral | Draft, 'status' | 'deathReportedAt'>,
  sides: readonly Side[],
): Action[] {
  return actions.filter(
    (action) =>
      actionRules[action].from[status]?.some((side) => sides.includes(side)) &&
      (deathReportedAt === null || !contactActions.includes(action)),
  );
}

/** The sides that may take an action in at least one status. */
export function sidesAllowed(action: Action): Side[] {
  return bothSides.filter((side) =>
    Object.values(actionRules[action].from).some((sides) => sides.includes(side)),
  );
}

/** It ended without the service’s help. The person may be referred to another service instead. */
export const unsuccessfulStatuses: readonly ReferralStatus[] = ['rejected', 'failed', 'cancelled'];

/** Whether a referral goes on that had ended: the referrer said that an ending by link was a mistake, or the service took back its decline. */
export function isReopening(from: ReferralStatus | null, to: ReferralStatus): boolean {
  return from !== null && from !== 'draft' && !openStatuses.includes(from) && openStatuses.includes(to);
}

type SentStatus = Pick<Referral | Draft, 'status' | 'requested_at'>;

/** Whether a referral that was sent was declined, cancelled or not completed. */
function isUnsuccessful({ status, requested_at }: SentStatus): boolean {
  return unsuccessfulStatuses.includes(status) && requested_at !== null;
}

/** Whether somebody still has to help the person in another way. Nobody can help somebody who has died. */
export function endedUnhelped(referral: SentStatus & Pick<Referral | Draft, 'status_reason'>): boolean {
  return isUnsuccessful(referral) && referral.status_reason?.code !== 'died';
}

/** Whether somebody may still have to act soon: nobody need hurry for a person who was helped or has died. */
export function isStillUrgent(
  referral: Pick<Referral, 'urgency' | 'status' | 'status_reason' | 'requested_at'>,
): boolean {
  return referral.urgency === 'urgent' && !needsNobodyToAct(referral);
}

/** Whether nobody has to look after the person any more because of this referral. */
export function needsNobodyToAct(
  referral: Pick<Referral, 'status' | 'status_reason' | 'requested_at'>,
): boolean {
  return !openStatuses.includes(referral.status) && !endedUnhelped(referral);
}

/** @throws Problem `wrong-state` */
export function requireUnsuccessful(referral: SentStatus): void {
  if (isUnsuccessful(referral)) return;
  throw wrongStatusProblem(referral.status, unsuccessfulStatuses);
}
