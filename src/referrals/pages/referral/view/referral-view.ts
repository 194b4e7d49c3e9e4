import { siteActor } from '../../../../audit/index.ts';
import { referralFormPath } from '../../../../library/index.ts';
import { lowerFirst, upperFirst } from '../../../../platform/first-letter.ts';
import { momentInWords } from '../../../../platform/html/index.ts';
import { writingSide } from '../../../model/access/sides.ts';
import { agreedContactKind, contactKindItems } from '../../../model/after-acceptance/contacts.ts';
import { measureCodes, measures } from '../../../model/after-acceptance/measures.ts';
import { questionnaireCodes, questionnaires } from '../../../model/after-acceptance/questionnaires.ts';
import { londonDate } from '../../../model/due/dates.ts';
import type { WorkingDays } from '../../../model/due/working-time.ts';
import type { PresentedReferral } from '../../../model/presentation/present.ts';
import { deathDecisionDue, isUndelivered, whoseTurn } from '../../../model/presentation/whose-turn.ts';
import {
  actionWords,
  becauseTestSite,
  draftActionWords,
  isCapturedChannel,
  nameOfService,
  nextStepWords,
  outcomeWords,
  tagInWords,
} from '../../../model/presentation/words.ts';
import { type Outcome, openStatuses } from '../../../model/referral.ts';
import { isUsable } from '../../../model/status/usable.ts';
import { dueInWords } from '../../name-and-due.ts';
import { fieldsInWords } from './changes-in-words.ts';
import { describeDeliveries } from './delivery-words.ts';
import { type FullReferral, isUnopenedAndLate } from './full-referral.ts';
import { gpActionsInWords } from './gp-actions-in-words.ts';
import { filesInWords, messagesInWords } from './messages-in-words.ts';
import { personInWords, type ViewSettings } from './person-in-words.ts';
import { personPageView } from './person-page-view.ts';
import { promptsInWords, promptToAnswer } from './prompts-in-words.ts';
import { deliveryToService, progressInWords, stepsOf } from './steps.ts';
import { reasonInWords, timelineOf } from './timeline.ts';
import { whatMayBeDone } from './what-may-be-done.ts';
import { withoutContactOfWrongPerson } from './wrong-person.ts';

export type ReferralView = ReturnType<typeof referralView>;

/** What the page of a referral shows, in words, and which of its buttons and forms. */
export function referralView(settings: ViewSettings, read: FullReferral) {
  const full = withoutContactOfWrongPerson(read);
  const mayDo = whatMayBeDone(full);
  const prompts = promptsInWords(full);
  return {
    ...full,
    ...mayDo,
    ...referralInWords(settings, full),
    ...personInWords(settings, full),
    prompts,
    promptToAnswer: promptToAnswer(prompts),
    telephoneToRing: telephoneToRing(full),
    lifeChanges: full.lifeChanges.map((change) => ({
      ...change,
      mayConfirm:
        mayDo.mayAct && change.confirmedAt === null && full.sides.some((side) => side !== change.side),
    })),
    personPage: personPageView(full, mayDo),
    ...messagesInWords(full),
    attachments: filesInWords(full, mayDo),
    timeline: timelineOf({
      ...full,
      assignments: full.own?.assignments ?? [],
      mayReadContent: mayDo.canRead,
    }),
  };
}

/** How far the referral is, whose turn it is and by when, and what came of it. */
function referralInWords(settings: WorkingDays, full: FullReferral) {
  const { presented, referral, sides, history, today } = full;
  const { status, status_reason: reason } = presented;
  const outcome = 'outcome' in presented ? presented.outcome : null;
  const state = {
    ...presented,
    hasQuestion: full.hasQuestion,
    isCancelledByReferrer: full.isCancelledByReferrer,
    isEndingToCheck: full.endingToCheck !== null,
  };
  const turn = whoseTurn(settings, state, sides, full.now);
  const ownDue = dueOf(presented, today);
  const due = full.hasQuestion && !sides.includes('provider') ? dueOfService(presented, ownDue) : ownDue;
  const steps = stepsOf(presented, history, seenInWords(presented));
  // Once it is overdue, the line below says so.
  const contactNext =
    turn.kind === 'contact' && due && !presented.overdue
      ? { person: givenName(presented) ?? 'the person', by: due.date }
      : undefined;
  return {
    referral: presented,
    isOperator: sides.length === 0,
    isServiceHidden: full.isServiceHidden,
    isReferrer: sides.includes('referrer'),
    isDraft: status === 'draft',
    side: writingSide(sides),
    // The service has it open.
    status: tagInWords(status, reason, {
      isOpened: presented.seen !== null || sides.includes('provider'),
      isUndelivered: isUndelivered(state, sides, full.now),
      restricted: presented.restricted,
    }),
    actionWords: status === 'draft' ? draftActionWords : actionWords,
    turn: turn.words,
    contactNext,
    due,
    steps,
    progress: progressInWords(steps),
    deliveryLines: describeDeliveries(presented, {
      outcomeHeldUntil: full.endingToCheck?.holdsLetter ? full.endingToCheck.until : undefined,
    }),
    changedFields: fieldsInWords(full.changedFields),
    moved: movedInWords(full),
    remindedAt: referral.remindedAt,
    rejectionAt: status === 'requested' && isUsable(referral) ? referral.rejectionAt : null,
    deathDecisionDue: deathDecisionDue(settings, presented),
    isDeathBeforeAgreement: isDeathBeforeAgreement(presented),
    suggested: suggestionOf(presented),
    reason: reason && { ...reasonInWords(reason), why: whyInWords(full) },
    outcome: outcome && outcomeInWords(outcome),
    gp:
      'gp_actions' in presented
        ? gpActionsInWords(presented, referral, full.practiceClosedOn !== null)
        : undefined,
    contactKinds: contactKindItems,
    agreedKind: agreedContactKind(referral.content.contact?.channel),
    measureChoices,
    questionnaires: questionnaireCodes.map((code) => ({ code, title: questionnaires[code].title })),
  };
}

/** What the reason for the present status explains. A referral that the site closed by itself was declined by nobody. */
function whyInWords({ presented, sides, history }: FullReferral): string {
  const { status, status_reason: reason } = presented;
  if (reason?.code === 'died') return 'Why it ended';
  if (status === 'on-hold') return 'Why the person waits';
  if (status === 'cancelled') return 'Why it was cancelled';
  if (status === 'entered-in-error') return 'What the mistake was';
  if (status !== 'rejected') return 'Why it was closed';
  const byService =
    history.findLast(({ from, to }) => to === status && from !== to)?.actorName !== siteActor.name;
  if (!byService) return 'Why it was closed';
  return sides.includes('provider') ? 'Why it was declined' : `Why ${nameOfService(presented)} declined`;
}

/** Nobody of a service that has not got a referral, or not opened an overdue one, reads a message, so its referrer rings. */
function telephoneToRing({ presented, sides, serviceTelephone, now }: FullReferral): string | undefined {
  const isToRing = isUnopenedAndLate(presented) || isUndelivered(presented, sides, now);
  return isToRing && !sides.includes('provider') ? serviceTelephone : undefined;
}

/** With the range of each, because the field of the score is the same for all. */
export const measureChoices = measureCodes.map((value) => {
  const { title, min, max } = measures[value];
  return { value, text: `${title}: ${min} to ${max}` };
});

/** By when somebody has to act, and how far that is. */
function dueOf(presented: PresentedReferral, today: string) {
  const { status, due_at, next_date, restricted, first_contact_at } = presented;
  if (restricted) return undefined;
  if (status === 'requested')
    return due_at === null
      ? undefined
      : { what: 'Answer', ...dueInWords(londonDate(new Date(due_at)), today) };
  // Once the person was reached, an accepted referral waits for news as one that was started.
  const what = nextStepWords[status === 'accepted' && first_contact_at ? 'in-progress' : status];
  return what === undefined || next_date === null ? undefined : { what, ...dueInWords(next_date, today) };
}

/** Beside a question to the referrer, the date would read as the one for the answer: it says whose it is. */
function dueOfService(presented: PresentedReferral, due: ReturnType<typeof dueOf>): typeof due {
  const service = nameOfService(presented);
  const what =
    presented.status === 'requested'
      ? `${upperFirst(service)}’s decision`
      : `For ${service}: ${lowerFirst(due?.what ?? '')}`;
  return due && { ...due, what };
}

function givenName(presented: PresentedReferral): string | undefined {
  return 'patient' in presented ? presented.patient?.given_name : undefined;
}

/**
 * The last time that it was moved to another service, as long as somebody works with it: both sides read the new service’s name above,
 * and would not know why it is another than yesterday. Somebody who may not know the service reads nothing of it.
 */
function movedInWords({ history, presented, isServiceHidden }: FullReferral) {
  if (isServiceHidden || !openStatuses.includes(presented.status)) return undefined;
  const line = history.findLast(({ details }) => details?.kind === 'transfer');
  const service = line?.details?.changes.find(({ field }) => field === 'service');
  if (!line || !service) return undefined;
  return {
    from: String(service.from),
    to: String(service.to),
    at: line.at,
    by: [line.actorName, line.actorOrganisation].filter(Boolean).join(', '),
    why: line.reason?.text,
  };
}

/** The service that was suggested instead, and the form for it, which has what this referral says. */
function suggestionOf(presented: PresentedReferral) {
  const suggested = 'suggested_service' in presented ? presented.suggested_service : undefined;
  if (!suggested?.id) return undefined;
  return { name: suggested.name, path: referralFormPath(suggested.id, { reroutes: presented.id }) };
}

/** A message that was delivered is not yet seen by a person, and the page never takes one for the other. */
function seenInWords({
  status,
  seen,
  deliveries,
  simulated,
}: Pick<PresentedReferral, 'status' | 'seen' | 'deliveries' | 'simulated'>): string | undefined {
  if (seen) return `Seen by ${seen.by.name} on ${momentInWords(new Date(seen.at))}.`;
  if (status !== 'requested') return undefined;
  const arrived = deliveryToService(deliveries);
  if (!arrived) return 'Nobody at the service has opened it yet.';
  if (isCapturedChannel(arrived.channel, { simulated }))
    return `Would have been delivered${becauseTestSite}. Nobody at the service has opened it yet.`;
  return `Delivered on ${momentInWords(new Date(arrived.updated_at))}. Nobody at the service has opened it yet.`;
}

function outcomeInWords(outcome: Outcome) {
  const measured = (outcome.measures ?? []).map(({ code, stage, value }) => ({
    text: `${measures[code].title}, at the ${stage}: ${value}`,
  }));
  return { ...outcome, words: outcomeWords[outcome.code] ?? outcome.code, measured };
}

/** The person is said to have died before they agreed: one of the dates is wrong, or somebody else has died. */
function isDeathBeforeAgreement(presented: PresentedReferral): boolean {
  const date = presented.death_reported?.date;
  const agreedAt = 'consent' in presented ? presented.consent.recorded_at : undefined;
  return Boolean(date && agreedAt && date < londonDate(new Date(agreedAt)));
}
