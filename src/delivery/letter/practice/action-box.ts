import { measures, type Referral } from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import { isUrgentNow } from '../changes.ts';
import { hasDied, newCodes } from '../codes.ts';
import type { ActionBox, BoxKind, PracticeLetterOptions, Task } from '../letter.ts';
import { questionsTo, ringReferrer } from '../whom-to-ask.ts';
import { cutAtSentence, dayInWords, paragraphsOf } from '../words.ts';
import { contactTask } from './contact-task.ts';
import {
  asksAboutSymptom,
  clinicianTasks,
  dangers,
  dueByNextWorkingDay,
  hasCrisisNews,
  hasUrgentNewsForPractice,
  mayWarn,
  noteWarnings,
  wasNotReached,
  whyForClinician,
} from './dangers.ts';
import { deathWarnings, isDeathTakenBack } from './death.ts';
import { askBeforeContact } from './patient-lines.ts';
import {
  clerkTasks,
  filingTasks,
  hidingTasks,
  newsDueBy,
  newsTasks,
  restrictTasks,
  tasksAsked,
  wasAskedToRemove,
} from './practice-tasks.ts';
import { clerkTask, handOverTask, whenFiling } from './task.ts';
import {
  actionsAsked,
  atUnsuccessfulEnd,
  endedWithoutHelp,
  hasNewsSinceAnswer,
  sentenceIfNobodySaid,
  sentenceIfNothingAsked,
  wasAnswered,
} from './what-was-said.ts';
import { measuresWorse, whenClinicianSees } from './who-sees.ts';

const nothingAsked = 'No action asked for';
const headings: Readonly<Record<BoxKind, string>> = {
  tasks: 'Action for the GP practice',
  'clinician-reads-today': 'A clinician must read this today',
  'clinician-sees-today': 'For a clinician to see today',
  'clinician-sees-when-filed': 'For a clinician to see',
  unanswered: nothingAsked,
  'nothing-asked': nothingAsked,
  'answered-nothing': nothingAsked,
  'code-to-file': 'Code to file – nothing else asked',
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
  return restrictTasks(referral, options).length > 0 || hidingTasks(referral, options).length > 0;
}

/** A safety note of a new referral may be about abuse: a task beside it is no reason to leave it to a clerk. */
function hasNoteBesideTasks(referral: Referral, { purpose }: PracticeLetterOptions): boolean {
  return purpose === 'referral' && mayWarn(referral) && noteWarnings(referral).length > 0;
}

/** It promises a day only where a task has one. */
function headingOfTasks(referral: Referral, options: PracticeLetterOptions): string {
  const start = startOfTasks(referral, options);
  if (isDeathTakenBack(referral, options)) return 'THE PATIENT IS ALIVE – at once';
  if (hasDied(referral) && !isCodesOnly('gp_practice', referral))
    return 'Reported death – verify first, at once';
  if (start === 'at once') return `${headings.tasks} – at once`;
  if (hasUrgentNewsForPractice(referral, options)) return `Something has changed – ring and ask ${start}`;
  if (wasNotReached(referral, options)) return `${headings.tasks} – the first ${start}`;
  const asked = actionsAsked(referral, options);
  const [due] = asked.flatMap(({ by_date: by }) => by ?? []).toSorted();
  const first = `${asked.length > 1 ? 'the first ' : ''}${start === undefined ? '' : 'due '}`;
  const parts = [
    ...(start === undefined ? [] : [`start ${start}`]),
    ...(due === undefined ? [] : [`${first}by ${dayInWords(due)}`]),
  ];
  return parts.length === 0 ? headings.tasks : `${headings.tasks} – ${parts.join(', ')}`;
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
  // A letter that replaces none begins with the papers, because it may ask to be kept; any other with what was asked.
  const tasks = options.replacesLetterOf ? [...asked, ...filing] : [...filing, ...asked];
  const kind = kindOfBox(referral, options);
  const forClinician = clinicianTasks(referral, options, kind);
  const news = newsTasks(referral, options);
  const forClerk = clerkTasks(referral, options);
  const said = kind === 'clinician-reads-today' ? undefined : wordsOfBox(referral, options, kind);
  const heading = headingOfBox(referral, options, {
    kind,
    hasNews: news.length > 0,
    isFiled: forClerk.length > 0,
  });
  return {
    heading,
    tasks: withClinician(whenClinicianSees(referral, options), [
      ...forClinician,
      ...contactTask(referral, options, [...forClinician, ...news, ...tasks]),
      ...news,
      ...tasks,
      ...forClerk,
    ]),
    warnings: [
      ...deathWarnings(referral, options),
      ...contactWarnings(referral, options),
      ...urgencyRaised(referral, options),
      ...warningsOfBox(referral, options, kind),
    ],
    words: [
      ...(putsNoteBelowTasks(referral, options, kind) ? noteWarnings(referral) : []),
      ...worseMeasures(referral, options),
      ...(said === undefined ? [] : [said]),
      codeInBox(referral, options),
    ],
    mustBeRead: isForAction(kind),
    weight: weightOfBox(referral, options, kind),
    questions: questionsTo(referral, options),
  };
}

/** Who opens the post gives a clinician what is asked of one, or what one has to see. What a clerk does at once comes before. */
function withClinician(seen: ReturnType<typeof whenClinicianSees>, tasks: readonly Task[]): Task[] {
  if (tasks.some(({ handsOver }) => handsOver)) return [...tasks];
  const first = tasks.findIndex(({ role }) => role === 'clinician');
  if (first !== -1) return [...tasks.slice(0, first), handOverTask(whenFiling), ...tasks.slice(first)];
  if (seen === undefined) return [...tasks];
  const show = clerkTask(seen === 'today' ? 'today' : whenFiling, 'show this letter to a clinician.');
  return [show, ...tasks];
}

function headingOfBox(
  referral: Referral,
  options: PracticeLetterOptions,
  { kind, hasNews, isFiled }: { kind: BoxKind; hasNews: boolean; isFiled: boolean },
): string {
  if (kind === 'tasks') return headingOfTasks(referral, options);
  if (kind === 'clinician-reads-today' && hasCrisisNews(options))
    return 'CRISIS – a clinician must read this now';
  if (kind === 'clinician-reads-today') return headings[kind];
  if (hasNews) return `Something has changed: ring and ask by ${newsDueBy(options)}`;
  if (kind === 'clinician-sees-today' || kind === 'clinician-sees-when-filed') return headings[kind];
  // What a clerk does is work too, so such a letter must not say that there is nothing to do.
  if (isFiled) return 'To do when you file this';
  if (newCodes(referral, options).length === 0) return headings[kind];
  // “Nothing else asked” would contradict a box that says that nobody knows, or whom to ring before contact.
  return kind === 'unanswered' || isCodesOnly('gp_practice', referral)
    ? 'Code to file'
    : headings['code-to-file'];
}

/** Says that the answers about safe contact differ, and nothing of the other referral. */
function contactWarnings(referral: Referral, options: PracticeLetterOptions): string[] {
  // The same whether there is something to know or not.
  if (isCodesOnly('gp_practice', referral) && referral.status !== 'entered-in-error')
    return [
      `Before you contact the patient about the referral, ${ringReferrer(referral, options)}, and ask whether it is safe. We may not say here whether there is a safety concern.`,
    ];
  const ask = askBeforeContact(referral, options);
  if (ask === undefined) return [];
  return [
    `We were told different things about safe contact with the patient. Go by the more careful one: ${ask}, before you contact the patient.`,
  ];
}

/** First in the box: a practice that knew the referral as routine need not find it among the changes. */
function urgencyRaised(referral: Referral, options: PracticeLetterOptions): string[] {
  if (options.purpose !== 'referral' || !mayWarn(referral)) return [];
  if (isUrgentNow(options)) return ['The referral is now urgent. It was routine.'];
  const isUrgent = referral.urgency === 'urgent' && dangers(referral, options).length === 0;
  return isUrgent && !hasNewsSinceAnswer(options) ? [whyUrgent(referral)] : [];
}

const maxReasonLengthInBox = 240;

/** In the words of who referred. The whole of a long reason stands below. */
function whyUrgent({ content: { reasons, referrer } }: Referral): string {
  const why = paragraphsOf(reasons[0]?.text).join(' ');
  if (why === '') return 'The referral is urgent: see “Reason for referral”.';
  const { words, goesOn } = cutAtSentence(why, maxReasonLengthInBox);
  const more = goesOn ? ' It goes on under “Reason for referral”.' : '';
  return `The referral is urgent. ${referrer.name} wrote: “${words}”${more}`;
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
  if (hasUrgentNewsForPractice(referral, options) || dueByNextWorkingDay(referral, options)) return 'danger';
  if (kind === 'tasks' && asksAboutSymptom(referral, options)) return 'danger';
  const hasWarning =
    urgencyRaised(referral, options).length > 0 ||
    warningsOfBox(referral, options, kind).length > 0 ||
    (mayWarn(referral) && hasNewsSinceAnswer(options));
  const mustRestrict = restrictTasks(referral, options).length > 0;
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
    ...(putsNoteBelowTasks(referral, options, kind) ? [] : noteWarnings(referral)),
    ...(wasNotReached(referral, options)
      ? ['Nobody has reached the patient. How they are is not known here.']
      : []),
  ];
}

function wordsOfBox(referral: Referral, options: PracticeLetterOptions, kind: BoxKind): string | undefined {
  if (referral.status === 'entered-in-error') return undefined;
  // The same whether there is something to do or not: that is not in the code that the patient agreed to.
  if (isCodesOnly('gp_practice', referral))
    return restrictTasks(referral, options).length > 0
      ? 'The patient now agrees to a code and no details.'
      : 'The patient agreed to a code and no details. If there is something for you to do, the staff who referred will contact you.';
  const hasNews = hasNewsSinceAnswer(options);
  if (hasDied(referral)) return undefined;
  if (wasAnswered(referral, options) && !hasNews) return sentenceIfNothingAsked(referral, options, kind);
  if (endedWithoutHelp(referral, options)) return atUnsuccessfulEnd(referral, kind);
  // The step about the news says that nobody said more.
  if (hasNews) return undefined;
  const isBesideTasks = kind !== 'unanswered' || newCodes(referral, options).length > 0;
  return `${sentenceIfNobodySaid(referral, options, { isBesideTasks })}.`;
}

/**
 * The last line of each box, also where there is none: a clerk looks for it in every letter. It has no “if”: what the record should have
 * from before is under “Codes to file”.
 */
function codeInBox(referral: Referral, options: PracticeLetterOptions): string {
  const names = newCodes(referral, options).map(([, display]) => `“${display}”`);
  if (names.length === 0) return 'No new code to file.';
  const once = wasAskedToRemove(options) ? ' The record may have it already: it should be there once.' : '';
  // By its words alone: a number that stands twice in a letter may be filed twice.
  return `${names.length === 1 ? 'One new code' : 'New codes'} to file: ${names.join(' and ')}. See “Codes to file”.${once}`;
}
