import { minuteMs } from '../../../platform/durations.ts';
import { dayInWords } from '../../../platform/html/index.ts';
import { type PresentedPrompt, promptWords } from '../attention/prompts.ts';
import { whenToTell } from '../attention/watches.ts';
import type { DeliveryStatus } from '../deliveries.ts';
import { londonDate } from '../due/dates.ts';
import type { WorkingDays } from '../due/working-time.ts';
import {
  type Draft,
  openStatuses,
  type ReasonCode,
  type Referral,
  type ReferralStatus,
  reasonCodes,
  type StatusReason,
  underWayStatuses,
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
  'entered-in-error': { text: 'Sent by mistake', colour: 'grey', happened: 'Withdrawn – sent by mistake' },
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

/** What a filter calls a status, whatever the reason for it. */
export function statusName(status: ReferralStatus): string {
  return statusWords[status].text;
}

/** What comes next once the service has accepted, before its date. */
export const nextStepWords: { readonly [Status in ReferralStatus]?: string } = {
  accepted: 'The first contact with the person',
  'on-hold': 'The check that it is still safe to wait',
  'in-progress': 'News of how it goes',
};

/** In the place of a sensitive service, for those who need not know which it is. */
export const hiddenServiceName = 'A restricted service';

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

type ShownService = { service_id: string | null; service: Referral['service'] | null };

/** Of a referral that the reader's service has accepted. The page of the referral says this with the person's name and the date. */
export const contactIsNext = 'Next: contact the person';

export const nothingMoreToDo = 'Nothing more to do';

type State = Pick<Referral | Draft, 'status' | 'status_reason' | 'rerouted_to' | 'referred_again'> &
  ShownService & {
    restricted: boolean;
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
  { death_reported: death, urgency }: { death_reported: { at: string } | null } & Pick<State, 'urgency'>,
): string | undefined {
  return death ? londonDate(whenToTell(settings, 'death', { urgency }, new Date(death.at))) : undefined;
}

/** Who must act next, in words for somebody on these sides, or on none. */
export function whoseTurn(settings: WorkingDays, state: State, sides: readonly Side[], now: Date): string {
  const today = londonDate(now);
  const { status, status_reason, rerouted_to, referred_again, seen_to } = state;
  const { restricted, death_reported, prompts, first_contact_at } = state;
  if (restricted)
    return prompts.some(({ kind }) => kind === 'risk-to-act-on')
      ? 'Restricted, and somebody may come to harm: ring the service'
      : 'Restricted: nobody may work with it for now';
  if (death_reported) {
    const by = dayInWords(`${deathDecisionDue(settings, state)}T12:00:00Z`);
    const orElse =
      sides.length === 0 || death_reported.may_undo
        ? 'or that it was a mistake'
        : 'or, if they are alive, to tell the operators';
    return `Waiting for ${sides.length > 0 ? 'you' : 'somebody'} to confirm that the person has died, ${orElse}, by ${by}`;
  }
  if (prompts[0]) return waitingForOwner(prompts[0], sides);
  if (state.hasQuestion) return 'Waiting for you to answer a question';
  const provider = sides.includes('provider') ? 'you' : nameOfService(state);
  const isReferrer = sides.includes('referrer');
  if (state.isUnseenLate && openStatuses.includes(status) && !sides.includes('provider'))
    return `Urgent: nobody at ${provider} has opened it. Telephone them`;
  if (status === 'draft') return isReferrer ? 'Waiting for you to send it' : 'Not sent yet';
  if (status === 'requested' && !sides.includes('provider') && !hasReachedService(state))
    return isOnItsWay(state, now)
      ? `Sent just now. We are delivering it to ${provider}`
      : `Has not reached ${provider} yet`;
  if (status === 'requested') return `Waiting for ${provider} to answer`;
  if (status === 'on-hold') return `On ${provider === 'you' ? 'your' : `${provider}’s`} waiting list`;
  if (status === 'accepted' && first_contact_at === null)
    return provider === 'you' ? contactIsNext : `Waiting for ${provider} to contact the person`;
  if (status === 'accepted' && provider === 'you') return 'Next: start supporting the person';
  if (underWayStatuses.includes(status)) return `Waiting for ${provider} to complete it`;
  if (status === 'entered-in-error' || status_reason?.code === 'died') return nothingMoreToDo;
  const isUnsuccessful = unsuccessfulStatuses.includes(status);
  const needsOther =
    isUnsuccessful && !rerouted_to && !seen_to && !referred_again && !state.isCancelledByReferrer;
  if (needsOther && isReferrer) return 'Find another service, or close this referral';
  const forPractice = turnOfPractice(state, sides, today);
  if (forPractice) return forPractice;
  if (!isUnsuccessful || (state.isCancelledByReferrer && !rerouted_to)) return nothingMoreToDo;
  // The service is not told how the referrer goes on.
  if (sides.includes('provider') && !isReferrer)
    return 'Nothing more to do: the referrer finds another service';
  if (needsOther) return 'Waiting for the referrer to find another service';
  if (rerouted_to) return 'Replaced by another referral';
  return seen_to
    ? 'Nothing more to do: the person was helped another way'
    : 'Nothing more to do: the person was referred again';
}

/** `expired`: it was sent, and nobody confirmed it in time. */
const countsAsReached: readonly DeliveryStatus[] = ['sent', 'received', 'acknowledged', 'expired'];

/** Whether the service has been told, as far as anybody knows. What somebody there has seen has reached it in any case. */
function hasReachedService({ seen, deliveries }: State): boolean {
  if (seen) return true;
  return deliveries.some(
    ({ leg, purpose, status }) =>
      leg === 'service' && purpose === 'referral' && countsAsReached.includes(status),
  );
}

/** A delivery takes some seconds, so a referral that was just sent is not late. */
const onItsWayMs = 5 * minuteMs;

function isOnItsWay({ requested_at, deliveries }: State, now: Date): boolean {
  if (requested_at === null || now.getTime() - Date.parse(requested_at) >= onItsWayMs) return false;
  return !deliveries.some(
    ({ leg, status }) => leg === 'service' && (status === 'failed' || status === 'uncertain'),
  );
}

/** What the practice was asked stays open until it has confirmed that, or staff have said that it was done. */
function turnOfPractice(
  { gp_actions, gp_practice, consent }: State,
  sides: readonly Side[],
  today: string,
): string | undefined {
  const open = (gp_actions ?? []).filter(({ status }) => status === 'open');
  if (open.length === 0) return undefined;
  const practice = gp_practice?.name ?? 'the GP practice';
  const staff = sides.length > 0 ? 'you' : 'staff';
  if (consent?.share_with_gp === false)
    return `Waiting for ${staff} to settle what the GP practice was asked: it must not be told unless the person agrees`;
  // It may be another practice than the one that was named, which may have closed.
  if (open.some(({ asked_by_letter }) => !asked_by_letter))
    return `Waiting for ${staff} to tell the GP practice what it has to do`;
  const isLate = open.some(({ by_date }) => by_date !== null && by_date < today);
  return isLate
    ? `Waiting for ${staff} to ask ${practice} whether it has done what it had to do`
    : `Waiting for ${practice} to confirm what it has to do`;
}

/** Everybody of the side sees the prompt as theirs: the owner is only the one who was told. */
function waitingForOwner({ kind, side, owner }: PresentedPrompt, sides: readonly Side[]): string {
  const isOwnPrompt = sides.some((each) => each === side) || (owner === null && sides.length === 0);
  return `Waiting for ${isOwnPrompt ? 'you' : (owner?.name ?? 'the operators')}: ${promptWords[kind].what}`;
}

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
export function reasonsFor(action: Action, side: Side, given?: string) {
  const offered: readonly string[] = reasonsOffered[side][action] ?? [];
  return reasonCodes
    .filter((code) => code === given || offered.includes(code))
    .map((value) => ({ value, text: reasonWords[value] }));
}
export const outcomeChoices = Object.entries(outcomeWords).map(([value, text]) => ({ value, text }));

/** The button of each action, and the question of its form. */
export const actionWords: Readonly<Record<Action, { readonly button: string; readonly why: string }>> = {
  accept: { button: 'Accept the referral', why: '' },
  reject: { button: 'Decline the referral', why: 'Why are you declining?' },
  start: { button: 'Start supporting the person', why: '' },
  hold: { button: 'Put on the waiting list', why: 'Why does the person have to wait?' },
  'change-wait': { button: 'Change the reason or the date', why: 'Why does the person still have to wait?' },
  complete: { button: 'Complete the referral', why: '' },
  fail: { button: 'Close without completing', why: 'Why could you not help?' },
  cancel: { button: 'Cancel the referral', why: 'Why are you cancelling?' },
  'withdraw-as-error': { button: 'Withdraw – sent by mistake', why: 'What was the mistake?' },
};

export const draftActionWords: typeof actionWords = {
  ...actionWords,
  'withdraw-as-error': { button: 'Delete draft', why: 'Why is it not needed? (optional)' },
};

/** On a test site nothing is sent. Only its own list of referrals really shows them to the service. */
export function wasOnlyCaptured(channel: string | null, { simulated }: { simulated: boolean }): boolean {
  return simulated && channel !== null && channel !== 'inbox';
}

/** Whether to say “would have been sent” or “delivered” in place of a status or outcome. */
export function wouldHaveBeen(
  outcome: string,
  channel: string | null,
  referral: { simulated: boolean },
): boolean {
  return (outcome === 'sent' || outcome === 'received') && wasOnlyCaptured(channel, referral);
}

/** After “would have been delivered”. */
export const becauseTestSite = ': this is a test site';
