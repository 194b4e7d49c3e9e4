import { siteActor } from '../../../../audit/index.ts';
import { mentionsCrisis, referralFormPath } from '../../../../library/index.ts';
import { lowerFirst, upperFirst } from '../../../../platform/first-letter.ts';
import { dayInWords, momentInWords } from '../../../../platform/html/index.ts';
import { removalInWords, virusFound, whyGoneInWords } from '../../../conversation/removal-reasons.ts';
import type { ReadReferral } from '../../../listing/read-referral.ts';
import { contactElsewhereInWords } from '../../../model/access/contact-elsewhere.ts';
import { contactWhileHiddenInWords } from '../../../model/access/hide-sensitive-services.ts';
import { replacedWaysInWords } from '../../../model/access/referrers-details.ts';
import { writingSide } from '../../../model/access/sides.ts';
import { agreedContactKind, contactKindItems } from '../../../model/after-acceptance/contacts.ts';
import { measureCodes, measures } from '../../../model/after-acceptance/measures.ts';
import { questionnaireCodes, questionnaires } from '../../../model/after-acceptance/questionnaires.ts';
import {
  hasOpenRisk,
  type PromptKind,
  promptWords,
  remedyForColleague,
  riskAtEnd,
  riskOfWithdrawn,
  riskWhileRestricted,
} from '../../../model/attention/prompts.ts';
import type { MessageReader } from '../../../model/attention/readings-store.ts';
import { londonDate } from '../../../model/due/dates.ts';
import type { WorkingDays } from '../../../model/due/working-time.ts';
import { lettersWithAnswer } from '../../../model/gp-actions.ts';
import type { HistoryLine } from '../../../model/history-store.ts';
import { ageInWords } from '../../../model/person/age.ts';
import { agreementInWords, saidByInWords, youngDeciderInWords } from '../../../model/person/agreement.ts';
import { isRiskToRead, riskInWords } from '../../../model/person/danger/risk.ts';
import {
  contactNotAsked,
  hidesOnline,
  limitsContact,
  needsCareToContact,
  safeContactInWords,
  waysToLink,
} from '../../../model/person/danger/safe-contact.ts';
import { codedFieldsInWords } from '../../../model/presentation/coded-fields.ts';
import { type PresentedReferral, replacedWaysIn } from '../../../model/presentation/present.ts';
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
import { type Agreement, isSent, type Outcome, openStatuses } from '../../../model/referral.ts';
import { unsuccessfulStatuses } from '../../../model/status/state-machine.ts';
import { isUsable } from '../../../model/status/usable.ts';
import { dueInWords, patientName } from '../../name-and-due.ts';
import { fieldsInWords } from './changes-in-words.ts';
import { describeDeliveries } from './delivery-words.ts';
import { type FullReferral, isUnopenedAndLate } from './full-referral.ts';
import { personPageView } from './person-page-view.ts';
import { deliveryToService, progressInWords, stepsOf } from './steps.ts';
import { reasonInWords, timelineOf } from './timeline.ts';
import { whatMayBeDone } from './what-may-be-done.ts';
import { contactOfWrongPerson, isContactHidden, withoutContactOfWrongPerson } from './wrong-person.ts';

type ViewSettings = WorkingDays & Parameters<typeof contactElsewhereInWords>[1];

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

/** The side that attached a file can remove it, and so can an operator who has opened the referral. */
function filesInWords(
  { attachments, sides, gaveReason }: FullReferral,
  { mayAct, canRead }: ReturnType<typeof whatMayBeDone>,
) {
  return attachments.map((file) => {
    const { removedAt, reason, side, isKept } = file;
    const isThere = removedAt === null;
    return {
      ...file,
      removal: reason && removalInWords(reason),
      whyGone: whyGoneInWords(reason?.code),
      opened: sides.some((each) => each === side) ? openedInWords(file) : undefined,
      canOpen: isThere || (isKept && gaveReason && reason?.code !== virusFound),
      canRemove: isThere && (mayAct ? sides.includes(side) : canRead && gaveReason),
    };
  });
}

/** What the side that attached a file reads of it. A system may have fetched it, and it is not known whether anybody has read it. */
function openedInWords({
  openedAt,
  openedByName,
}: Pick<FullReferral['attachments'][number], 'openedAt' | 'openedByName'>): string {
  if (openedByName !== null) return `Opened by ${openedByName}`;
  return openedAt === null ? 'Not opened yet' : 'Fetched, but it is not known who has opened it';
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

/** Who the person is, how they may be reached, what threatens them, and what they agreed to. */
function personInWords(settings: ViewSettings, full: FullReferral) {
  const { presented, referral, history, today } = full;
  const { content } = referral;
  const wasSent = isSent(referral);
  const saidBy = 'consent' in presented ? presented.consent?.said_by : undefined;
  const crisisSince = crisisSinceInWords(full);
  // Not of a draft, which nobody visits yet, and not for a reader from whom it is hidden.
  const safetyNote = wasSent && 'safety_notes' in presented ? presented.safety_notes : undefined;
  const replaced = replacedWaysInWords(replacedWaysIn(presented));
  const elsewhere = contactElsewhereInWords(presented.contact_elsewhere ?? [], settings);
  const isHidden = isContactHidden(full);
  const answer = isHidden
    ? contactOfWrongPerson
    : (safeContactInWords(content.contact) ?? (wasSent ? contactNotAsked : undefined));
  // Nobody is about to ring once it has ended, so then only what endangers the person is a warning.
  const needsCare = wasSent && !openStatuses.includes(referral.status) ? limitsContact : needsCareToContact;
  return {
    name: patientName(presented),
    age: ageOf(presented, today),
    safeContact: {
      text: [replaced, full.isServiceHidden ? contactWhileHiddenInWords : answer].filter(Boolean).join(' '),
      elsewhere,
      needsCare:
        isHidden || replaced !== undefined || elsewhere.first !== undefined || needsCare(content.contact),
    },
    // Where another referral asks for more care, somebody reads that first.
    linksTo: waysToLink(full.isServiceHidden || elsewhere.first || replaced ? undefined : content.contact),
    isHiddenOnline: full.isSensitive || hidesOnline(content),
    youngDecider: isSent(referral) && !full.isServiceHidden && youngDeciderInWords(referral.content, today),
    coded: codedFieldsInWords(
      'consent' in presented ? (presented as Parameters<typeof codedFieldsInWords>[0]) : {},
    ),
    safetyNote,
    risk: {
      words: isSent(referral)
        ? [
            ...riskInWords(referral.content, {
              day: momentTextInWords,
              crisisPhrases: full.crisisPhrases,
              isNoteBeside: safetyNote !== undefined,
            }),
            ...practiceUntoldOfRisk(full),
            ...crisisSince,
          ]
        : [],
      /** Also a reader who may not read of the risk is told that there is one, as in the lists. */
      isAskedAbout: hasOpenRisk(presented),
      isToRead:
        isSent(referral) && (isRiskToRead(referral.content, full.crisisPhrases) || crisisSince.length > 0),
    },
    agreement:
      isSent(referral) &&
      referral.content.agreement &&
      agreementInWords(referral.content.agreement, dayInWords),
    saidBy: saidBy && saidByInWords(saidBy as Agreement, dayInWords),
    sharedBefore: content.consent?.share_with_gp ?? false,
    sharingWithdrawn: isSharingWithdrawn(presented, history),
  };
}

/** Codes say nothing of a risk. Where somebody is in danger, the practice is told whatever the person agreed to. */
function practiceUntoldOfRisk({
  presented,
  referral,
  practiceTelephone,
  crisisPhrases,
}: FullReferral): string[] {
  const { gp_practice: practice } = presented;
  const getsCodesOnly = 'consent' in presented && presented.consent?.share_with_gp === 'codes_only';
  if (practice === null || !getsCodesOnly || !isSent(referral)) return [];
  if (!isRiskToRead(referral.content, crisisPhrases)) return [];
  const who = [practice.name, practiceTelephone].filter(Boolean).join(', ');
  return [
    `The GP practice gets codes only, and is told nothing of the risk. Tell it by telephone if the person agrees, or if somebody is in danger: ${who}.`,
  ];
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

/** Whether the person said last that they got help. */
function hasSaidHelped(presented: PresentedReferral): boolean {
  return 'person_page' in presented && presented.person_page?.got_help === true;
}

/** How the page asks what was done, for the prompts that are not dismissed without it. */
const whatWasDoneFields: { readonly [Kind in PromptKind]?: { button: string; label: string; hint: string } } =
  {
    'alarming-answer': {
      button: 'Say what was done',
      label: 'What was done about the answer',
      hint: 'For example: rang the person, who is safe; told their GP. Both organisations read this.',
    },
    'risk-to-act-on': {
      button: 'Say who has acted',
      label: 'Who has acted, and what they did',
      hint: 'For example: rang the service, which sees her today; told adult social care. Both organisations read this.',
    },
  };

/** Prompts whose reader rings the service, on the number in the library. */
const promptsToRing: readonly PromptKind[] = ['risk-to-act-on', 'service-asks-to-ring'];

function promptsInWords({
  presented,
  sides,
  serviceTelephone,
  isServiceHidden,
  crisisPhrases,
}: FullReferral) {
  return presented.prompts.map((prompt) => ({
    ...prompt,
    ...promptWords[prompt.kind],
    ...(isServiceHidden && { remedy: remedyForColleague(prompt.kind) }),
    ...(prompt.kind === 'person-not-helped' &&
      hasSaidHelped(presented) && {
        what: 'the person says that they did not get help, and then said that they got help: contact them in the way that is safe, to make sure that it was them',
      }),
    ...(prompt.kind === 'risk-to-act-on' && riskRemedy(presented, crisisPhrases)),
    isWorryingAnswer: prompt.kind === 'alarming-answer',
    lookedAfterBy: lookedAfterBy(prompt),
    // The side that the prompt is for can neither read nor change a restricted referral. What it does about a risk has words of its own.
    isBlocked: presented.restricted && prompt.side !== 'operators' && prompt.kind !== 'risk-to-act-on',
    serviceTelephone:
      promptsToRing.includes(prompt.kind) && presented.status !== 'entered-in-error'
        ? serviceTelephone
        : undefined,
    whatWasDone: whatWasDoneFields[prompt.kind],
    // A death is settled by its own buttons.
    mayDismiss:
      prompt.kind !== 'death-reported' &&
      !presented.restricted &&
      (sides.length === 0 || sides.some((side) => side === prompt.side)),
  }));
}

/** The form further down that the panel’s button leads to: what nobody can dismiss without saying what was done. */
function promptToAnswer(
  prompts: ReturnType<typeof promptsInWords>,
): { href: string; button: string } | undefined {
  const found = prompts.find(({ mayDismiss, whatWasDone }) => mayDismiss && whatWasDone);
  return found && { href: `#prompt-${found.id}`, button: found.whatWasDone!.button };
}

/** Nobody of a service that has not got a referral, or not opened an overdue one, reads a message, so its referrer rings. */
function telephoneToRing({ presented, sides, serviceTelephone, now }: FullReferral): string | undefined {
  const isToRing = isUnopenedAndLate(presented) || isUndelivered(presented, sides, now);
  return isToRing && !sides.includes('provider') ? serviceTelephone : undefined;
}

function riskRemedy(presented: PresentedReferral, crisisPhrases: FullReferral['crisisPhrases']) {
  const { restricted, status, status_reason: reason } = presented;
  if (restricted) return { remedy: riskWhileRestricted };
  if (status === 'entered-in-error') return { remedy: riskOfWithdrawn };
  const outcome = 'outcome' in presented ? presented.outcome : null;
  const hasEnded = ['completed', ...unsuccessfulStatuses].includes(status);
  const isAtEnd =
    hasEnded && [reason, outcome].some((each) => each && mentionsCrisis(each.text, crisisPhrases));
  return isAtEnd ? { remedy: riskAtEnd } : {};
}

/** What the sides have written since, where it has words of a crisis. */
function crisisSinceInWords(full: FullReferral): string[] {
  const { messages, lifeChanges, attachments, presented, crisisPhrases } = full;
  const { status_reason: reason } = presented;
  const outcome = 'outcome' in presented ? presented.outcome : null;
  const parts = [
    ['the reason for the present status', reason ? [reason] : []],
    ['the outcome', outcome ? [outcome] : []],
    ['why it was transferred', transferReasons(full)],
    ['what has changed', lifeChanges],
    ['a message', messages],
    ['the name of a file', attachments.map(({ name }) => ({ text: name }))],
  ] as const;
  const isCrisis = ({ text }: { text: string }) => mentionsCrisis(text, crisisPhrases);
  const found = parts.filter(([, items]) => items.some(isCrisis));
  const isInNote = full.own?.notes.some(isCrisis) ?? false;
  const untold = [...messages, ...lifeChanges].some((each) => isCrisis(each) && !makesLetter(each, full));
  return [
    ...found.map(([part]) => `Words of a crisis are in ${part}: read it.`),
    ...(untold ? [practiceUntoldInWords(full)] : []),
    ...(isInNote ? [crisisInNoteInWords] : []),
  ];
}

function transferReasons({ history }: FullReferral): { text: string }[] {
  return history.flatMap(({ details, reason }) => (details?.kind === 'transfer' && reason ? [reason] : []));
}

/** Its writer may think that somebody else acts on it. */
const crisisInNoteInWords =
  'Words of a crisis are in a private note. Only your organisation reads it, and nobody else was told. If anybody is in danger now, call 999. ' +
  'Tell the other organisation, too: select “Things have changed for the person”.';

/** Only a life change that makes the referral urgent makes a letter to the practice. It says that a clinician must read it and ring. */
function makesLetter(news: object, { presented, practiceClosedOn }: FullReferral): boolean {
  const mayTell = 'consent' in presented && presented.consent?.share_with_gp === true;
  const hasRaised = 'raisedUrgency' in news && news.raisedUrgency === true;
  return hasRaised && mayTell && presented.gp_practice !== null && practiceClosedOn === null;
}

/** A message is for the two sides, so a person decides whether the practice hears of it. */
function practiceUntoldInWords({ presented, practiceTelephone, practiceClosedOn }: FullReferral): string {
  const untold = 'The GP practice has not been told of this.';
  const { gp_practice: practice } = presented;
  if (practice === null || practiceClosedOn !== null)
    return `${untold} Ask the person which practice they have now.`;
  const who = [practice.name, practiceTelephone].filter(Boolean).join(', ');
  if ('consent' in presented && presented.consent?.share_with_gp === true)
    return `${untold} Tell the practice too: ${who}.`;
  return `${untold} The person did not agree that the practice reads such things. Ask them, or your safeguarding lead, before you tell ${who}.`;
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

function ageOf(presented: PresentedReferral, today: string): string | undefined {
  const born = 'patient' in presented ? presented.patient?.birth_date : undefined;
  return born === undefined ? undefined : ageInWords(born, today);
}

/** The conversation, with who of the other side has read what, and which message asks the reader something. */
function messagesInWords({ messages, readers, sides, hasQuestion, unread }: FullReferral) {
  const isOwn = ({ side }: (typeof messages)[number]) => sides.some((each) => each === side);
  const question = hasQuestion
    ? messages.findLast((message) => !isOwn(message) && message.text.includes('?'))
    : undefined;
  const newOnes = unread > 0 ? messages.filter((message) => !isOwn(message)).slice(-unread) : [];
  const mustBeOpen = [...newOnes, ...(question ? [question] : []), ...messages.slice(-3)];
  return {
    showsQuestion: question !== undefined,
    /** How many of the oldest are folded: not the last three, what is new, or a question to the reader. */
    foldedMessages: messages.findIndex((message) => mustBeOpen.includes(message)),
    messages: messages.map((message) => ({
      ...message,
      isOwn: isOwn(message),
      isQuestion: message === question,
      readBy: [...new Set(readers.filter((reader) => hasRead(reader, message)).map(({ name }) => name))],
    })),
  };
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

/** Ids begin with the time, so that the later message has the greater one. */
function hasRead(reader: MessageReader, message: { id: string; side: string }): boolean {
  return reader.side !== message.side && reader.lastMessageId >= message.id;
}

/** The service that was suggested instead, and the form for it, which has what this referral says. */
function suggestionOf(presented: PresentedReferral) {
  const suggested = 'suggested_service' in presented ? presented.suggested_service : undefined;
  if (!suggested?.id) return undefined;
  return { name: suggested.name, path: referralFormPath(suggested.id, { reroutes: presented.id }) };
}

function lookedAfterBy({ owner, side }: PresentedReferral['prompts'][number]): string {
  if (owner) return `${owner.name} is responsible for this`;
  return side === 'operators'
    ? 'The operators are responsible for this'
    : 'Nobody at the organisation can sign in now, so the operators are responsible for this';
}

/** Whether the person took back the copy for the practice. The service may have spoken with it before, so it reads this first. */
function isSharingWithdrawn(presented: PresentedReferral, history: readonly HistoryLine[]): boolean {
  // A transfer to a sensitive service ends it too, and says nothing of what the person wants.
  const changes = history.flatMap(({ details }) =>
    details && details.kind !== 'transfer' ? details.changes : [],
  );
  const last = changes.findLast(({ field }) => field === 'consent.share_with_gp');
  return 'consent' in presented && presented.consent.share_with_gp === false && last?.to === false;
}

function momentTextInWords(moment: string): string {
  return momentInWords(new Date(moment));
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

const gpActionTags = {
  open: { text: 'Open', colour: 'yellow' },
  acknowledged: { text: 'Confirmed by the practice', colour: 'green' },
  done_by_hand: { text: 'Done, or told by staff', colour: 'green' },
} as const;

type WithContent = Extract<PresentedReferral, { gp_actions: unknown }>;

function gpActionsInWords(
  { gp_actions, consent, gp_practice }: WithContent,
  referral: ReadReferral['referral'],
  isClosed: boolean,
) {
  const toldInWords = (known: boolean | null) =>
    known === null
      ? 'It was not asked whether the person was told.'
      : known
        ? 'The person was told.'
        : 'The person was not told.';
  return {
    // Nobody misses a question that was not asked.
    nothing: gp_actions === null ? undefined : nothingToDo(referral),
    actions: (gp_actions ?? []).map((action) => ({
      ...action,
      tag: gpActionTags[action.status],
      told: toldInWords(action.patient_told),
    })),
    notAsked: whyNotAsked(consent?.share_with_gp, gp_practice, isClosed),
    mustNotBeTold: consent?.share_with_gp === false,
  };
}

/** The end of a referral may bring something to do, and an earlier no does not answer that. */
function nothingToDo(referral: ReadReferral['referral']): string {
  if (!isSent(referral) || openStatuses.includes(referral.status)) return 'Nothing.';
  const answered = lettersWithAnswer(referral.content);
  return answered.includes('outcome')
    ? 'Nothing.'
    : 'Nothing with the referral. At its end this was not asked.';
}

/** Why no letter asks the practice for the actions, so that staff have to. */
function whyNotAsked(share: unknown, practice: object | null, isClosed: boolean): string | undefined {
  if (share === false)
    return 'The practice must not be told of this. Ask the person whether it may be, or settle it another way, and then mark it as done.';
  if (practice === null)
    return 'No letter asks for this, because no practice was named. Tell the practice yourself, if the person agrees.';
  if (share !== true)
    return 'No letter asks for this, because the person did not agree that the practice reads it. Tell the practice yourself, if they agree to that or somebody is in danger.';
  if (isClosed)
    return 'The practice has closed. Ask the person which one they have now, and tell it yourself.';
  return undefined;
}

/** The person is said to have died before they agreed: one of the dates is wrong, or somebody else has died. */
function isDeathBeforeAgreement(presented: PresentedReferral): boolean {
  const date = presented.death_reported?.date;
  const agreedAt = 'consent' in presented ? presented.consent.recorded_at : undefined;
  return Boolean(date && agreedAt && date < londonDate(new Date(agreedAt)));
}
