import { lowerFirst } from '../../../platform/first-letter.ts';
import { measures, type Referral } from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import { correctedInRecord, hasNewContact, isUrgentNow, needsCorrected } from '../changes.ts';
import { codeBefore, codeInWords, hasDied, newCodes, referralCode } from '../codes.ts';
import type { ActionBox, BoxKind, PracticeLetterOptions, Task } from '../letter.ts';
import { lettersInShort } from '../letter-order.ts';
import { questionsTo, ringReferrer } from '../whom-to-ask.ts';
import { cutAtSentence, dateWithWeekday, momentAsDay, paragraphsOf } from '../words.ts';
import { contactLimits, hasLimits, mustHide, verbForLimits } from './contact-limits.ts';
import {
  asksAboutSymptom,
  clinicianTasks,
  dangers,
  dueByNextWorkingDay,
  dueWithinWeek,
  hasCrisisNews,
  hasNewsToAsk,
  hasUrgentNewsForPractice,
  howToReach,
  maxReasonLengthInBox,
  mayWarn,
  noteWarnings,
  reasonInBox,
  wasNotReached,
  whyForClinician,
} from './dangers.ts';
import { deathWarnings, isDeathTakenBack } from './death.ts';
import { hasNameToFind } from './patient-lines.ts';
import {
  clerkTasks,
  filingTasks,
  hasMoved,
  hasNoteToRecord,
  hidingTasks,
  isAboutAbuse,
  limitBeforeTask,
  mustNotBeSent,
  newsDueBy,
  newsTasks,
  noteOnRecord,
  tasksAsked,
  tasksToRestrict,
  wasAskedToRemove,
  withLead,
} from './practice-tasks.ts';
import { codesToRemove, hasCodeOfOther, isSentTwice, marksCodeAsError } from './removal-notice.ts';
import { atOnce, clinicianTask, handOverTask, inOrder, showTask, soon, whenFiling } from './task.ts';
import {
  actionsAsked,
  atUnsuccessfulEnd,
  endedWithoutHelp,
  hasNewsSinceAnswer,
  sentenceIfNobodySaid,
  sentenceIfNothingAsked,
  wasAnswered,
} from './what-was-said.ts';
import { isNewSafeguarding, measuresWorse, whenClinicianSees } from './who-sees.ts';

const nothingAsked = 'No action asked for – for the record';
const headings: Readonly<Record<BoxKind, string>> = {
  tasks: 'Action for the GP practice',
  'clinician-reads-today': 'A clinician must read this today',
  'clinician-sees-today': 'For a clinician to see today: read this and decide whether to act',
  'clinician-sees-when-filed': 'For a clinician to see within 2 working days',
  unanswered: nothingAsked,
  'nothing-asked': nothingAsked,
  'answered-nothing': nothingAsked,
  'code-to-file': nothingAsked,
  'no-new-code': nothingAsked,
};

/** What the practice has to do. The box at the top of the letter says it, and so does the message around the letter. */
export function kindOfBox(referral: Referral, options: PracticeLetterOptions): BoxKind {
  const hasTasks = tasksAsked(referral, options).length > 0;
  const hasToFile = filingTasks(referral, options).length > 0;
  if (isCodesOnly('gp_practice', referral)) {
    if (hasTasks || hasToFile) return 'tasks';
    return newCodes(referral, options).length > 0 ? 'code-to-file' : 'no-new-code';
  }
  // Danger before what is asked by name, and before papers.
  if (isOpenDanger(referral, options)) return 'clinician-reads-today';
  if (hasTasks || hasUrgentNewsForPractice(referral, options))
    return hasNoteBesideTasks(referral, options) ? 'clinician-reads-today' : 'tasks';
  const isAnswered = wasAnswered(referral, options) && !hasNewsSinceAnswer(options);
  if (!isAnswered && whyForClinician(referral, options).length > 0) return 'clinician-reads-today';
  const seen = whenClinicianSees(referral, options);
  if (seen === 'today') return 'clinician-sees-today';
  if (hasToFile) return 'tasks';
  if (seen === 'when-filed') return 'clinician-sees-when-filed';
  if (isAnswered) return 'answered-nothing';
  if (endedWithoutHelp(referral, options)) return 'nothing-asked';
  return options.replacesLetterOf && !hasNewsSinceAnswer(options) ? 'nothing-asked' : 'unanswered';
}

/** Whether somebody may be in danger now. At the end of a referral, somebody who knew of it has said what is left to do. */
function isOpenDanger(referral: Referral, options: PracticeLetterOptions): boolean {
  return options.purpose === 'referral' && mayWarn(referral) && dangers(referral, options).length > 0;
}

/** Whether somebody has to act on the letter, or to find out whether they have to. The message around it is “For Action” then. */
export function isForAction(kind: BoxKind): boolean {
  return kind === 'tasks' || kind === 'clinician-reads-today' || kind === 'clinician-sees-today';
}

/** Papers that somebody may see who must not. */
function hasPapersAtOnce(referral: Referral, options: PracticeLetterOptions): boolean {
  return tasksToRestrict(referral, options).length > 0 || hidingTasks(referral, options).length > 0;
}

/** A safety note of a new referral may be about abuse: a task beside it is no reason to leave it to a clerk. */
function hasNoteBesideTasks(referral: Referral, { purpose }: PracticeLetterOptions): boolean {
  return purpose === 'referral' && mayWarn(referral) && noteWarnings(referral).length > 0;
}

/** The action itself, so that nobody looks for it among the steps. It promises a day only where a task has one. */
function headingOfTasks(referral: Referral, options: PracticeLetterOptions): string {
  const start = startOfTasks(referral, options);
  if (referral.status === 'entered-in-error') return headingOfRemoval(referral, options);
  if (isDeathTakenBack(referral, options))
    return 'THE PATIENT IS ALIVE – GP or nurse, at once: take the death out of the record';
  if (hasDied(referral) && !isCodesOnly('gp_practice', referral))
    return 'Reported death – GP or nurse, at once: check whether the patient is alive';
  const asked = actionsAsked(referral, options);
  if (start === 'at once') {
    if (tasksToRestrict(referral, options).length > 0)
      return `Reception, at once: hide our letters online; GP or nurse, today: if our earlier letter asks for anything, ${ringReferrer(referral, options)}`;
    const todo = ['hide our letters online', ...limitsInHeading(referral, options)];
    if (hasNewsToAsk(referral, options))
      return `Reception, ${start}: ${todo.join(', and ')}. ${headingOfNews(referral, asked, options, undefined)}`;
    const seen = whenClinicianSees(referral, options) === 'today' ? '. Then a clinician sees it today' : '';
    const then =
      asked.length > 0 ? `. Then ${lowerFirst(headingOfAsked(referral, asked, options, undefined))}` : seen;
    return `Reception, at once: ${todo.join(', and ')}${then}`;
  }
  if (hasNewsToAsk(referral, options)) return headingOfNews(referral, asked, options, start);
  if (wasNotReached(referral, options))
    return 'Nobody reached the patient – a clinician decides today whether to contact them';
  if (asked.length === 0) return headingForReception(referral, options);
  return headingOfAsked(referral, asked, options, start);
}

/** Whom to ask, so that nobody takes it for work of a clerk. The step has the number. */
function headingOfNews(
  referral: Referral,
  asked: ReturnType<typeof actionsAsked>,
  options: PracticeLetterOptions,
  start: 'today' | undefined,
): string {
  const ring = `ring ${options.facts?.reported?.at(-1)?.by ?? 'us'} and ask`;
  if (hasUrgentNewsForPractice(referral, options))
    return `Something has changed – GP or nurse, today: ${ring}`;
  const then =
    asked.length > 0 ? `. Then ${lowerFirst(headingOfAsked(referral, asked, options, start))}` : '';
  return `Something has changed – GP or nurse, by ${newsDueBy(options)}: ${ring}${then}`;
}

/** In the order of the steps: a clerk who removes the letter first has nothing to show to a clinician. */
function headingOfRemoval(referral: Referral, options: PracticeLetterOptions): string {
  const isShown = tasksAsked(referral, options).some(({ handsOver }) => handsOver);
  const letters = (options.facts?.earlierLetters ?? []).map(({ at }) => at);
  const remove = `remove ${lettersInShort(options, letters)}`;
  const todo = isShown ? `show a clinician, then ${remove}` : remove;
  if (options.purpose === 'removal')
    return `Reception, at once: check if this is your patient. If not, ${todo}`;
  // With codes alone, nobody may learn here whether anything was asked.
  const stop =
    isShown && !isCodesOnly('gp_practice', referral)
      ? `; GP or nurse, at once: stop what was asked${isSentTwice(referral, options) ? ', unless the other letter asks it too' : ''}`
      : '';
  return `Reception, at once: ${todo} from this patient’s record${stop}`;
}

/** Longer ones are read in the steps alone. */
const maxActionsLengthInHeading = 140;

/** “Action for GP or nurse – by Monday 1 March 2027: Check her blood pressure” */
function headingOfAsked(
  referral: Referral,
  asked: ReturnType<typeof actionsAsked>,
  options: PracticeLetterOptions,
  start: 'today' | undefined,
): string {
  const [due] = asked.flatMap(({ by_date: by }) => by ?? []).toSorted();
  // Nobody looks for a day that nobody gave.
  const when = [
    ...(due === undefined
      ? [asksAboutSymptom(referral, options) ? 'start today' : 'no date given']
      : [
          `${asked.length > 1 ? 'the first ' : ''}${start === undefined ? 'by' : 'due'} ${dateWithWeekday(due)}`,
        ]),
    ...(start !== undefined && due !== undefined ? ['(urgent)'] : []),
  ].join(' ');
  if (asked.some(isAboutAbuse))
    return `Clinician only – ${when}: decide what is asked below; hide any code for it online too`;
  const who = asked.length === 1 ? 'Action for GP or nurse' : `${asked.length} actions for GP or nurse`;
  const names = asked.map((each) => nameOfAction(each, referral, options, { isAlone: asked.length === 1 }));
  const what = names.map((name, index) => (index === 0 ? name : withLead('; ', name))).join('');
  return `${who} – ${when}${what.length <= maxActionsLengthInHeading ? `: ${what}` : ''}`;
}

/** What the patient must hear of first is never read without that. */
function nameOfAction(
  action: ReturnType<typeof actionsAsked>[number],
  referral: Referral,
  options: PracticeLetterOptions,
  { isAlone }: { isAlone: boolean },
): string {
  const text = paragraphsOf(action.text).join(' ').replace(/\.$/, '');
  const words = isAlone ? text : withoutReason(text);
  const mayTell = referral.content.contact?.safe !== 'no';
  const first = action.patient_told === false && mayTell ? 'first tell the patient, then: ' : '';
  const name = withLead(`${first}${limitBeforeTask(referral, options, action)}`, words);
  const isRung = referral.content.contact?.channel === 'telephone';
  return mustNotBeSent(referral, options, action) && mayTell && isRung ? `${name} (see limits)` : name;
}

/** “Review her painkillers: they make her drowsy”: of several, only what is to be done, and its step has the whole. */
function withoutReason(text: string): string {
  const [what] = text.split(': ');
  return what!.split(' ').length < 3 ? text : what!;
}

/** What there is to do for nobody but a clerk, and when. That this letter takes the place of another is said where it is all. */
function headingForReception(referral: Referral, options: PracticeLetterOptions): string {
  if (hasMoved(referral, options))
    return `Reception only, ${whenFiling}: check the address – the patient has moved away`;
  const isInCodes = isCodesOnly('gp_practice', referral);
  const corrected = options.replacesLetterOf ? correctedInRecord(options) : [];
  const needs = isInCodes ? undefined : needsCorrected(options);
  const now = [
    ...(mustHide(referral, options) ? ['hide this letter from the online record'] : []),
    ...(isInCodes ? ['put a note on the record'] : []),
    ...limitsInHeading(referral, options),
  ];
  const filing = [
    ...(wasAskedToRemove(options) ? ['keep this letter'] : []),
    ...(corrected.length > 0 ? [`check the ${corrected.join(' and ')}`] : []),
    ...(needs === undefined ? [] : [`put the ${needs} on the record`]),
    ...(options.facts?.withdrawnBefore ? ['check that a withdrawn letter is gone'] : []),
    ...(options.facts?.otherLettersOfDay?.length ? ['put it beside another letter'] : []),
    ...(hasNameToFind(referral.content.patient) ? [] : ['find the patient by NHS number']),
  ];
  if (now.length === 0 && filing.length === 0 && options.replacesLetterOf)
    filing.push('mark our earlier letter as superseded');
  const steps = [
    ...(now.length > 0 ? [`${atOnce}: ${listOf(now)}`] : []),
    ...(filing.length > 0 ? [`${whenFiling}: ${listOf(filing)}`] : []),
  ].join('; ');
  if (whenClinicianSees(referral, options) === 'today')
    return now.length > 0
      ? `Reception, ${steps}. Then a clinician sees this today`
      : `${headings['clinician-sees-today']}. Reception, ${steps}`;
  return `Reception only, ${steps === '' ? `${whenFiling}: see the steps` : steps}`;
}

function listOf(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(words);
}

function limitsInHeading(referral: Referral, options: PracticeLetterOptions): string[] {
  if (hasLimits(referral, options))
    return [`${verbForLimits(referral, options)} the contact limits on the record`];
  return hasNewContact(options) && !isCodesOnly('gp_practice', referral)
    ? ['change how to contact the patient']
    : [];
}

/** How soon somebody begins with the tasks. The heading of the box and the subject of the message say the same. */
export function startOfTasks(
  referral: Referral,
  options: PracticeLetterOptions,
): 'at once' | 'today' | undefined {
  if (referral.status === 'entered-in-error' || hasPapersAtOnce(referral, options)) return 'at once';
  // With a code alone, another word would tell of a death.
  if (isCodesOnly('gp_practice', referral)) return undefined;
  if (hasDied(referral) || isDeathTakenBack(referral, options)) return 'at once';
  const isToday =
    hasUrgentNewsForPractice(referral, options) ||
    wasNotReached(referral, options) ||
    asksAboutSymptom(referral, options) ||
    dueByNextWorkingDay(referral, options) !== undefined;
  return isToday ? 'today' : undefined;
}

export function actionBox(referral: Referral, options: PracticeLetterOptions): ActionBox {
  const asked = tasksAsked(referral, options);
  const filing = filingTasks(referral, options);
  const kind = kindOfBox(referral, options);
  const news = newsTasks(referral, options);
  const forClerk = clerkTasks(referral, options);
  const limits = contactLimits(referral, options);
  const tasks = withClinician(whenClinicianSees(referral, options), [
    ...clinicianTasks(referral, options, kind),
    ...news,
    ...asked,
    ...filing,
    ...forClerk,
  ]);
  const said =
    kind === 'clinician-reads-today'
      ? undefined
      : wordsOfBox(referral, options, kind, { hasSteps: tasks.length > 0 });
  const action = headingOfBox(referral, options, {
    kind,
    hasNews: news.length > 0,
    isFiled: forClerk.length > 0,
  });
  const heading = [
    ...(isNoHelpInHeading(referral, options, kind) ? saidNoHelp(referral, options) : []),
    withReception(action, tasks),
  ].join(' ');
  return {
    heading,
    code: codeInBox(referral, options, inOrder(tasks)),
    ...(limits !== undefined && { limits }),
    tasks: inOrder(tasks),
    warnings: [
      ...deathWarnings(referral, options),
      ...urgencyRaised(referral, options),
      ...warningsOfBox(referral, options, kind),
    ],
    words: [
      ...(isNoHelpInHeading(referral, options, kind) ? [] : saidNoHelp(referral, options)),
      ...(putsNoteBelowTasks(referral, options, kind) ? noteWarnings(referral) : []),
      ...(kind === 'clinician-sees-when-filed' ? [] : worseMeasures(referral, options)),
      ...(dangers(referral, options).length > 0 ? [] : riskNotAsked(referral, options)),
      ...(said === undefined ? [] : [said]),
    ],
    mustBeRead: isForAction(kind),
    weight: weightOfBox(referral, options, kind),
    questions: questionsTo(referral, options),
  };
}

/** The clerk who opens the post gives a clinician what is asked of one, or what one has to see. */
function withClinician(seen: ReturnType<typeof whenClinicianSees>, tasks: readonly Task[]): Task[] {
  if (tasks.some(({ handsOver }) => handsOver)) return [...tasks];
  const when = seen === 'today' ? 'today' : soon;
  if (tasks.some(({ role }) => role === 'clinician')) return [handOverTask(when), ...tasks];
  if (seen === undefined) return [...tasks];
  return [showTask(when), ...tasks, clinicianTask(when, 'read this letter, and decide whether to act.')];
}

function headingOfBox(
  referral: Referral,
  options: PracticeLetterOptions,
  { kind, hasNews, isFiled }: { kind: BoxKind; hasNews: boolean; isFiled: boolean },
): string {
  if (kind === 'tasks') return headingOfTasks(referral, options);
  if (kind === 'clinician-reads-today' && hasCrisisNews(options))
    return 'CRISIS – a clinician must read this now';
  if (kind === 'clinician-reads-today') return headingOfDanger(referral, options);
  if (hasNews) return headingOfNews(referral, [], options, undefined);
  if (kind === 'clinician-sees-today' && wasNotReached(referral, options))
    return 'Nobody reached the patient – a clinician decides today whether to contact them';
  if (kind === 'clinician-sees-today' && referral.urgency !== 'urgent' && isFiled)
    return headingForReception(referral, options);
  if (kind === 'clinician-sees-when-filed' && hasNoteToRecord(referral, options))
    return `Reception, at once: ${noteOnRecord(options).inHeading}. Then a clinician sees it ${soon}`;
  if (kind === 'clinician-sees-today' || kind === 'clinician-sees-when-filed')
    return [headings[kind], ...worseMeasures(referral, options)].join(' – ').replace(/\.$/, '');
  // What a clerk does is work too, so such a letter must not say that there is nothing to do.
  return isFiled ? headingForReception(referral, options) : headings[kind];
}

/** What somebody asked for by a day is done, too, whatever the clinician decides. */
function headingOfDanger(referral: Referral, options: PracticeLetterOptions): string {
  const asked = actionsAsked(referral, options);
  const read = headings['clinician-reads-today'];
  return asked.length === 0
    ? read
    : `${read}. Then ${lowerFirst(headingOfAsked(referral, asked, options, undefined))}`;
}

/** The heading, with what a clerk has to do at once, unless it says so already: a clerk who sorts by headings would miss it. */
function withReception(heading: string, tasks: readonly Task[]): string {
  if (heading.includes('Reception')) return heading;
  const todo = tasks.flatMap(({ when, inHeading }) => (when === atOnce && inHeading ? [inHeading] : []));
  return todo.length === 0 ? heading : `${heading}. Reception, at once: ${[...new Set(todo)].join(', ')}`;
}

/** First in the box: a practice that knew the referral as routine need not find it among the changes. */
function urgencyRaised(referral: Referral, options: PracticeLetterOptions): string[] {
  if (options.purpose !== 'referral' || !mayWarn(referral)) return [];
  if (isUrgentNow(options))
    return [
      // A crisis says more, and the changes below say this.
      ...(hasCrisisNews(options) ? [] : ['The referral is now urgent. It was routine.']),
      // The news is why, and not what was written before it.
      ...(dangers(referral, options).length === 0 && !hasNewsSinceAnswer(options)
        ? [
            `Why it became urgent was not written: ${ringReferrer(referral, options)}.`,
            whyUrgent(referral, `On ${momentAsDay(referral.requested_at)}, `),
          ]
        : []),
    ];
  const isUrgent = referral.urgency === 'urgent' && dangers(referral, options).length === 0;
  return isUrgent && !hasNewsSinceAnswer(options) ? [whyUrgent(referral, 'The referral is urgent. ')] : [];
}

/** In the words of who referred. The whole of a long reason stands below. */
function whyUrgent({ content: { reasons, referrer } }: Referral, lead: string): string {
  const why = paragraphsOf(reasons[0]?.text).join(' ');
  if (why === '') return 'The referral is urgent: see “Reason for referral”.';
  const { words, goesOn } = cutAtSentence(why, maxReasonLengthInBox);
  const more = goesOn ? ' It goes on under “Reason for referral”.' : '';
  return `${lead}${referrer.name} wrote: “${words}”${more}`;
}

/** Danger is the strongest. Something asked for the files alone, such as a corrected number, is plain. */
function weightOfBox(
  referral: Referral,
  options: PracticeLetterOptions,
  kind: BoxKind,
): NonNullable<ActionBox['weight']> {
  const isAsked = tasksAsked(referral, options).length > 0;
  const isDanger = kind === 'clinician-reads-today' && dangers(referral, options).length > 0;
  if (isDanger || isDeathTakenBack(referral, options)) return 'danger';
  if (hasUrgentNewsForPractice(referral, options) || dueWithinWeek(referral, options)) return 'danger';
  if (kind === 'tasks' && asksAboutSymptom(referral, options)) return 'danger';
  const hasWarning =
    urgencyRaised(referral, options).length > 0 ||
    warningsOfBox(referral, options, kind).length > 0 ||
    (mayWarn(referral) && hasNewsSinceAnswer(options));
  const mustRestrict = tasksToRestrict(referral, options).length > 0;
  const isSeen = kind === 'clinician-reads-today' || whenClinicianSees(referral, options) !== undefined;
  return isSeen || isAsked || mustRestrict || hasWarning ? 'action' : 'plain';
}

/** What somebody asked for by a day comes before a note for those who visit. */
function putsNoteBelowTasks(referral: Referral, options: PracticeLetterOptions, kind: BoxKind): boolean {
  return (
    kind === 'tasks' &&
    mayWarn(referral) &&
    actionsAsked(referral, options).some(({ by_date }) => by_date !== undefined)
  );
}

/** Such news is read first, unless somebody has something to do, or may be in danger. */
function isNoHelpInHeading(referral: Referral, options: PracticeLetterOptions, kind: BoxKind): boolean {
  return (
    kind !== 'clinician-reads-today' &&
    actionsAsked(referral, options).length === 0 &&
    !wasNotReached(referral, options)
  );
}

/** What the patient said of the help, where nobody of the practice would look for it. */
function saidNoHelp(referral: Referral, { purpose, facts }: PracticeLetterOptions): string[] {
  if (purpose !== 'outcome' || !mayWarn(referral) || facts?.personSays?.gotHelp !== false) return [];
  return ['The patient said that they did not get help.'];
}

function worseMeasures(referral: Referral, options: PracticeLetterOptions): string[] {
  const worse = measuresWorse(referral, options).map(
    (each) => `${measures[each.code].title}, ${each.start} → ${each.end}`,
  );
  return worse.length === 0 ? [] : [`Worse than at the start: ${worse.join('; ')}.`];
}

function warningsOfBox(referral: Referral, options: PracticeLetterOptions, kind: BoxKind): string[] {
  if (!mayWarn(referral)) return [];
  return [
    ...dangers(referral, options),
    ...whySafeguarding(referral, options),
    ...(putsNoteBelowTasks(referral, options, kind) ? [] : noteWarnings(referral)),
    ...(wasNotReached(referral, options) ? ['How the patient is now is not known here.'] : []),
    ...(wasNotReached(referral, options) && dangers(referral, options).length === 0
      ? [howToReach(referral, options)].filter((each) => each !== undefined)
      : []),
  ];
}

/** Nobody else says in the box why a clinician sees the letter. */
function whySafeguarding(referral: Referral, options: PracticeLetterOptions): string[] {
  if (!isNewSafeguarding(referral, options) || dangers(referral, options).length > 0) return [];
  const reason = reasonInBox(referral);
  return [
    'This referral was made to keep the patient or somebody else safe.',
    ...(reason === undefined ? [] : [reason]),
  ];
}

/** “No action asked for” must not sound as if somebody had asked, and there was no risk. */
function riskNotAsked(referral: Referral, { purpose }: PracticeLetterOptions): string[] {
  const isNotAsked = purpose === 'referral' && referral.content.risk === 'could_not_ask';
  return isNotAsked && mayWarn(referral) ? ['Nobody could ask about risk of serious harm.'] : [];
}

function wordsOfBox(
  referral: Referral,
  options: PracticeLetterOptions,
  kind: BoxKind,
  { hasSteps }: { hasSteps: boolean },
): string | undefined {
  if (referral.status === 'entered-in-error') return undefined;
  // The same whether there is something to do or not: that is not in the code that the patient agreed to.
  if (isCodesOnly('gp_practice', referral))
    return tasksToRestrict(referral, options).length > 0
      ? 'The patient now wants you to have only the code, not the details.'
      : 'The patient agreed to a code and no details. If there is something for you to do, the staff who referred will contact you.';
  const hasNews = hasNewsSinceAnswer(options);
  if (hasDied(referral)) return undefined;
  if (wasAnswered(referral, options) && !hasNews) return sentenceIfNothingAsked(referral, options, kind);
  if (endedWithoutHelp(referral, options)) return atUnsuccessfulEnd(referral, { hasSteps });
  // The step about the news says that nobody said more.
  if (hasNews) return undefined;
  return `${sentenceIfNobodySaid({ isBesideTasks: hasSteps })}.`;
}

/**
 * Under the heading of each box, also where there is none: a clerk looks for it in every letter. It has no “if”: what the record should have
 * from before is below the box. The number stands in no other place: one that stands twice may be filed twice.
 */
function codeInBox(referral: Referral, options: PracticeLetterOptions, tasks: readonly Task[]): string {
  const { facts, date } = options;
  if (referral.status === 'entered-in-error') return codeToRemove(referral, options, tasks);
  const codes = newCodes(referral, options);
  const before = codeBefore(referral, facts);
  if (codes.length === 0) return `No new code to file${whyNoCode(referral, before)}.`;
  const each = codes.map((code) => {
    // A first letter may come at the end: the referral was made before.
    const at = code === referralCode ? referral.requested_at : (facts?.by?.at ?? date);
    return `SNOMED CT ${codeInWords(code)}, dated ${momentAsDay(at)}`;
  });
  const mayBeThere = wasAskedToRemove(options) || Boolean(facts?.otherLettersOfDay?.length);
  const once = mayBeThere
    ? ` File it once: if the record already has it for ${momentAsDay(referral.requested_at)}, do not add it again.`
    : '';
  const hidden = mustHide(referral, options) ? ', hidden online' : '';
  const stays = before ? ` The code of the referral, dated ${before.dated}, stays.` : '';
  return `${codes.length === 1 ? 'Code' : 'Codes'} to file: ${each.join('; and ')}${hidden}.${once}${stays}`;
}

/** A first letter without a code puzzles. */
function whyNoCode(referral: Referral, before: ReturnType<typeof codeBefore>): string {
  if (referral.content.episode === 'continuing' && mayWarn(referral))
    return ': an earlier referral began this episode of care';
  if (!before?.reference || (hasDied(referral) && !isCodesOnly('gp_practice', referral))) return '';
  return `: the code from our letter of ${before.dated} (${before.reference}) covers this referral`;
}

/** In a notice of a mistake, under the heading as in every letter: the code that a clerk takes out again, and in which step. */
function codeToRemove(referral: Referral, options: PracticeLetterOptions, tasks: readonly Task[]): string {
  const codes = codesToRemove(referral, options);
  if (codes.length === 0) return 'No new code to file.';
  const step = tasks.findIndex(({ text }) => text.includes(marksCodeAsError)) + 1;
  const each = codes.map((code) =>
    code === referralCode
      ? `${codeInWords(code)}, dated ${momentAsDay(referral.requested_at)}`
      : codeInWords(code),
  );
  if (hasCodeOfOther(referral, options))
    return `No new code to file. If the record has ${each.join('; or ')}, once, leave it. If twice, mark one as entered in error.`;
  return `No new code to file. ${codes.length === 1 ? 'Code' : 'Codes'} to remove${step > 0 ? ` in step ${step}` : ''}: ${each.join('; or ')}.`;
}
