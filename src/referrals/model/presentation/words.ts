import { dayInWords } from '../../../platform/html/index.ts';
import {
  type ReasonCode,
  type Referral,
  type ReferralStatus,
  reasonCodes,
  type StatusReason,
} from '../referral.ts';
import { type Action, reasonsOffered, type Side, unsuccessfulStatuses } from '../status/state-machine.ts';

type StatusWords = {
  /** The text and the colour of the tag. The text alone must be enough. */
  readonly text: string;
  readonly colour: string;
  /** What the history says. */
  readonly happened: string;
};

const statusWords: Readonly<Record<ReferralStatus, StatusWords>> = {
  draft: { text: 'Draft', colour: 'grey', happened: 'Begun' },
  requested: { text: 'Waiting for an answer', colour: 'yellow', happened: 'Referral made' },
  accepted: { text: 'Accepted', colour: 'aqua-green', happened: 'Accepted' },
  rejected: { text: 'Declined', colour: 'red', happened: 'Declined' },
  'in-progress': { text: 'In progress', colour: 'blue', happened: 'Started' },
  'on-hold': { text: 'On the waiting list', colour: 'purple', happened: 'Put on the waiting list' },
  completed: { text: 'Completed', colour: 'green', happened: 'Completed' },
  failed: { text: 'Closed, not completed', colour: 'orange', happened: 'Closed, not completed' },
  cancelled: { text: 'Cancelled', colour: 'grey', happened: 'Cancelled' },
  'entered-in-error': { text: 'Sent by mistake', colour: 'grey', happened: 'Marked as sent by mistake' },
};

const endedByDeath: StatusWords = {
  text: 'Ended: the person has died',
  colour: 'grey',
  happened: 'Ended, because the person has died',
};

/** How far a referral is. Nobody declined, cancelled or failed to complete one that ended because the person has died. */
export function statusInWords(
  status: ReferralStatus,
  reason: { readonly code: string } | null | undefined,
): StatusWords {
  const isDeath = unsuccessfulStatuses.includes(status) && reason?.code === 'died';
  return isDeath ? endedByDeath : statusWords[status];
}

/**
 * The tag of a referral, in lists and on its page: its status, and of one without an answer whether it has arrived, and whether somebody of the
 * service has opened it. Of a restricted one it says that instead, because nobody may work with it.
 */
export function tagInWords(
  status: ReferralStatus,
  reason: { readonly code: string } | null | undefined,
  {
    isOpened,
    restricted,
    isUndelivered = false,
  }: { isOpened: boolean; restricted: boolean; isUndelivered?: boolean },
): Pick<StatusWords, 'text' | 'colour'> {
  if (restricted) return { text: 'Restricted', colour: 'grey' };
  if (status !== 'requested') return statusInWords(status, reason);
  if (isOpened) return { text: 'Opened, not answered', colour: 'yellow' };
  return isUndelivered ? notDeliveredTag : notOpenedTag;
}

export const notOpenedTag = { text: 'Not opened yet', colour: 'blue' };
export const notDeliveredTag = { text: 'Not delivered yet', colour: 'orange' };

/** What a filter calls a status, whatever the reason for it. */
export function statusName(status: ReferralStatus): string {
  return statusWords[status].text;
}

/** What comes next once the service has accepted, before its date. */
export const nextStepWords: { readonly [Status in ReferralStatus]?: string } = {
  accepted: 'The first contact with the person',
  'on-hold': 'The check that it is still safe to wait',
  'in-progress': 'The next update',
};

/** Shown in the place of who told of a death, where another organisation was told. */
export const unnamedTeller = 'Somebody';

/** The reason that the site writes where a reported death ends a referral. */
export function deathReportInWords({ toldBy, date }: { toldBy: string | null; date: string | null }): string {
  const day = date === null ? 'not known' : dayInWords(`${date}T12:00:00Z`);
  return `Told by: ${toldBy ?? unnamedTeller}. Date of death: ${day}.`;
}

/** How the referrer’s side calls the receiver of a referral. One that is shown without the id of its service is to a restricted one. */
export function nameOfService({ service_id, service }: ShownService): string {
  if (service !== null && service_id === null) return 'a restricted service';
  return service?.organization_name ?? service?.name ?? 'the service';
}

export type ShownService = { service_id: string | null; service: Referral['service'] | null };

export const reasonWords: Readonly<Record<(typeof reasonCodes)[number], string>> = {
  'no-capacity': 'The service is full at present',
  'not-eligible': 'The service is not for this person',
  'out-of-area': 'The person lives outside the service’s area',
  'failed-contact': 'The person could not be contacted',
  'missing-information': 'Something that the service needs to know is missing',
  'client-declined': 'The person does not want it',
  'unsuitable-time': 'The days or times do not suit the person',
  transport: 'The person cannot get there',
  'needs-met-otherwise': 'The person has found help elsewhere',
  'moved-away': 'The person has moved away',
  died: 'The person has died',
  'wrong-person': 'It is about the wrong person',
  'wrong-service': 'It was meant for another service',
  'sent-twice': 'It was sent twice',
  other: 'Another reason',
};

/**
 * What somebody wrote to explain a reason; undefined if they only chose it. A stored reason always has a text: where nobody wrote one,
 * the page stores the words of the choice, and nothing but these words tells the two apart.
 */
export function explanationOf({ code, text }: StatusReason): string | undefined {
  return text === reasonWords[code] ? undefined : text;
}

/** Reasons that need a text, because they say too little alone. For a death, the other side has to know who reported it. */
export const reasonsToExplain: readonly string[] = ['other', 'died'] satisfies ReasonCode[];

/** The outcomes that the page offers. Client systems may send others. */
export const outcomeWords: Readonly<Record<string, string>> = {
  'goals-met': 'The person’s goals were met',
  'goals-partly-met': 'The person’s goals were met in part',
  'goals-not-met': 'The person’s goals were not met',
  'referred-on': 'The person was helped to go somewhere else',
  'ended-early': 'The person stopped before the end',
  other: 'Another outcome',
};

/** The choices of an action’s form for this side, with the reason given before, which may have come by the API. */
export function reasonsFor(action: Action, side: Side, earlierReason?: string) {
  const offered: readonly string[] = reasonsOffered[side][action] ?? [];
  return reasonCodes
    .filter((code) => code === earlierReason || offered.includes(code))
    .map((value) => ({ value, text: reasonWords[value] }));
}
export const outcomeChoices = Object.entries(outcomeWords).map(([value, text]) => ({ value, text }));

/** The button of each action, and the question of its form. */
export const actionWords: Readonly<Record<Action, { readonly button: string; readonly why: string }>> = {
  accept: { button: 'Accept the referral', why: '' },
  reject: { button: 'Decline the referral', why: 'Why are you declining?' },
  start: { button: 'Start supporting the person', why: '' },
  hold: { button: 'Put on the waiting list', why: 'Why does the person have to wait?' },
  'change-wait': {
    button: 'Change the reason or date of the wait',
    why: 'Why does the person still have to wait?',
  },
  complete: { button: 'Complete the referral', why: '' },
  fail: { button: 'Close without completing', why: 'Why could you not help?' },
  cancel: { button: 'Cancel the referral', why: 'Why are you cancelling?' },
  'withdraw-as-error': { button: 'Mark as sent by mistake', why: 'What was the mistake?' },
};

export const draftActionWords: typeof actionWords = {
  ...actionWords,
  'withdraw-as-error': { button: 'Delete draft', why: 'Why is it not needed? (optional)' },
};

/** On a test site nothing is sent. Only its own list of referrals really shows them to the service. */
export function isCapturedChannel(channel: string | null, { simulated }: { simulated: boolean }): boolean {
  return simulated && channel !== null && channel !== 'inbox';
}

/** Whether to say “would have been sent” or “delivered” in place of a status or outcome. */
export function isOnlyCaptured(
  outcome: string,
  channel: string | null,
  referral: { simulated: boolean },
): boolean {
  return (outcome === 'sent' || outcome === 'received') && isCapturedChannel(channel, referral);
}

/** After “would have been delivered”. */
export const becauseTestSite = ': this is a test site';
