import { changesOfMeasures, type Referral } from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import { isUrgentNow } from '../changes.ts';
import { hasDied, newCodes } from '../codes.ts';
import type { ActionBox, BoxKind, PracticeLetterOptions, Task } from '../letter.ts';
import { questionsTo, ringInShort } from '../whom-to-ask.ts';
import { dayInWords, paragraphsOf } from '../words.ts';
import {
  asksAboutSymptom,
  clinicianTasks,
  dangers,
  dueByNextWorkingDay,
  hasUrgentNews,
  mayWarn,
  noteWarnings,
  riskAtStart,
  wasNotReached,
  whyForClinician,
} from './dangers.ts';
import { deathWarnings, isDeathTakenBack } from './death.ts';
import {
  clerkTasks,
  filingTasks,
  hidingTasks,
  newsTasks,
  restrictTasks,
  tasksAsked,
  wasAskedToRemove,
} from './practice-tasks.ts';
import {
  actionsAsked,
  atUnsuccessfulEnd,
  endedWithoutHelp,
  hasNewsSinceAnswer,
  wasAnswered,
  whenNobodySaid,
  whenNothingAsked,
} from './what-was-said.ts';

const nothingAsked = 'No action asked for';
const headings: Readonly<Record<BoxKind, string>> = {
  tasks: 'Action for the GP practice',
  'to-read': 'A clinician must read this today',
  'not-said': nothingAsked,
  'nothing-asked': nothingAsked,
  nothing: nothingAsked,
  code: 'Code to file – nothing else asked',
  'no-new-code': nothingAsked,
};

/** What the practice has to do. The box at the top of the letter says it, and so does the message around the letter. */
export function kindOfBox(referral: Referral, options: PracticeLetterOptions): BoxKind {
  const hasTasks = tasksAsked(referral, options).length > 0;
  const hasToFile = filingTasks(referral, options).length > 0;
  if (isCodesOnly('gp_practice', referral)) {
    if (hasTasks || hasToFile) return 'tasks';
    return newCodes(referral, options).length > 0 ? 'code' : 'no-new-code';
  }
  // Danger before what is asked by name, and before papers.
  if (isOpenDanger(referral, options)) return 'to-read';
  if (hasTasks || hasUrgentNews(referral, options))
    return hasNoteBesideTasks(referral, options) ? 'to-read' : 'tasks';
  if (wasAnswered(referral, options) && !hasNewsSinceAnswer(options)) {
    if (hasToFile) return 'tasks';
    return riskAtStart(referral) === undefined ? 'nothing' : 'nothing-asked';
  }
  if (whyForClinician(referral, options).length > 0) return 'to-read';
  if (hasToFile) return 'tasks';
  if (endedWithoutHelp(referral, options)) return 'nothing-asked';
  return options.replacesLetterOf && !hasNewsSinceAnswer(options) ? 'nothing-asked' : 'not-said';
}

/** Whether somebody may be in danger now. At the end of a referral, somebody who knew of it has said what is left to do. */
function isOpenDanger(referral: Referral, options: PracticeLetterOptions): boolean {
  return options.purpose === 'referral' && mayWarn(referral) && dangers(referral, options).length > 0;
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
  if (isDeathTakenBack(referral, options)) return 'THE PATIENT IS ALIVE – at once';
  if (hasDied(referral) && !isCodesOnly('gp_practice', referral))
    return 'Reported death – verify first, at once';
  if (referral.status === 'entered-in-error' || hasDied(referral) || hasPapersAtOnce(referral, options))
    return `${headings.tasks} – at once`;
  if (hasUrgentNews(referral, options)) return 'Something has changed – ring and ask';
  const due = dueByNextWorkingDay(referral, options);
  if (due !== undefined) return `${headings.tasks} – the first by ${dayInWords(due)}`;
  const hasDay = actionsAsked(referral, options).some(({ by_date }) => by_date !== undefined);
  return hasDay ? `${headings.tasks} – by when` : headings.tasks;
}

/** Whether somebody has to act today, or before the end of the next working day. The subject of the message says so, too. */
export function isDueSoon(referral: Referral, options: PracticeLetterOptions): boolean {
  if (isCodesOnly('gp_practice', referral)) return hasPapersAtOnce(referral, options);
  return (
    hasDied(referral) ||
    isDeathTakenBack(referral, options) ||
    hasUrgentNews(referral, options) ||
    asksAboutSymptom(referral, options) ||
    dueByNextWorkingDay(referral, options) !== undefined
  );
}

export function actionBox(referral: Referral, options: PracticeLetterOptions): ActionBox {
  const asked = tasksAsked(referral, options);
  const filing = filingTasks(referral, options);
  // What is urgent for the patient comes before what is only for the files. Only a letter that replaces none can ask to be kept, which comes first.
  const tasks = options.replacesLetterOf ? [...asked, ...filing] : [...filing, ...asked];
  const kind = kindOfBox(referral, options);
  const mustBeRead = kind === 'tasks' || kind === 'to-read';
  const news = newsTasks(referral, options);
  const forClerk = clerkTasks(referral, options, kind);
  const said = kind === 'to-read' ? undefined : wordsOfBox(referral, options, kind);
  return {
    heading: headingOfBox(referral, options, {
      kind,
      hasNews: news.length > 0,
      isFiled: forClerk.length > 0,
    }),
    tasks: withClinician(referral, options, [
      ...clinicianTasks(referral, options, kind),
      ...news,
      ...tasks,
      ...forClerk,
    ]),
    warnings: [
      ...deathWarnings(referral, options),
      ...urgencyRaised(referral, options),
      ...warningsOfBox(referral, options, kind),
    ],
    words: [
      ...(hasNoteBelowTasks(referral, options, kind) ? noteWarnings(referral) : []),
      ...(said === undefined ? [] : [said]),
      ...worseMeasures(referral, options),
      ...filingWords(referral, options),
    ],
    mustBeRead,
    weight: weightOfBox(referral, options, kind),
    questions: questionsTo(referral, options),
  };
}

/** Who opens the post gives a clinician what is asked of one. What a clerk does at once comes before. */
function withClinician(referral: Referral, options: PracticeLetterOptions, tasks: readonly Task[]): Task[] {
  const isGiven = tasks.some(({ text }) => text.includes('give this letter to a clinician'));
  const first = tasks.findIndex(({ text }) => text.startsWith('Clinician'));
  if (isGiven || first === -1 || actionsAsked(referral, options).length === 0) return [...tasks];
  return [
    ...tasks.slice(0, first),
    { text: 'Clerk, when you file this: give this letter to a clinician.' },
    ...tasks.slice(first),
  ];
}

function headingOfBox(
  referral: Referral,
  options: PracticeLetterOptions,
  { kind, hasNews, isFiled }: { kind: BoxKind; hasNews: boolean; isFiled: boolean },
): string {
  if (kind === 'tasks') return headingOfTasks(referral, options);
  if (kind === 'to-read') return headings[kind];
  if (hasNews) return 'Something has changed: ring and ask';
  if (wasNotReached(referral, options)) return 'For a clinician to see';
  // What a clerk does is work too, so such a letter must not say that there is nothing to do.
  if (isFiled) return 'To do when you file this';
  if (newCodes(referral, options).length === 0) return headings[kind];
  // “Nothing else asked” would contradict a box that says that nobody knows, or whom to ring before contact.
  return kind === 'not-said' || isCodesOnly('gp_practice', referral) ? 'Code to file' : headings.code;
}

/** First in the box: a practice that knew the referral as routine need not find it among the changes. */
function urgencyRaised(referral: Referral, options: PracticeLetterOptions): string[] {
  if (options.purpose !== 'referral' || !mayWarn(referral)) return [];
  if (isUrgentNow(options)) return ['The referral is now urgent. It was routine.'];
  const isUrgent = referral.urgency === 'urgent' && dangers(referral, options).length === 0;
  return isUrgent && !hasNewsSinceAnswer(options) ? [whyUrgent(referral)] : [];
}

const maxReasonLengthInBox = 240;

/** In the words of who referred. A long reason is not cut: it stands below. */
function whyUrgent({ content: { reasons, referrer } }: Referral): string {
  const why = paragraphsOf(reasons[0]?.text).join(' ');
  return why === '' || why.length > maxReasonLengthInBox
    ? 'The referral is urgent: see “Reason for referral”.'
    : `The referral is urgent. ${referrer.name} wrote: “${why}”`;
}

/** Danger is the strongest. Something asked for the files alone, such as a corrected number, is plain. */
function weightOfBox(
  referral: Referral,
  options: PracticeLetterOptions,
  kind: BoxKind,
): NonNullable<ActionBox['weight']> {
  const isAsked = tasksAsked(referral, options).length > 0;
  const isDanger = kind === 'to-read' && dangers(referral, options).length > 0;
  if (isDanger || isDeathTakenBack(referral, options)) return 'danger';
  if (hasUrgentNews(referral, options) || dueByNextWorkingDay(referral, options)) return 'danger';
  if (kind === 'tasks' && asksAboutSymptom(referral, options)) return 'danger';
  const hasWarning =
    urgencyRaised(referral, options).length > 0 ||
    warningsOfBox(referral, options, kind).length > 0 ||
    (mayWarn(referral) && hasNewsSinceAnswer(options));
  const mustRestrict = restrictTasks(referral, options).length > 0;
  return kind === 'to-read' || isAsked || mustRestrict || hasWarning ? 'action' : 'plain';
}

/** What somebody asked for by a day comes before a note for those who visit. */
function hasNoteBelowTasks(referral: Referral, options: PracticeLetterOptions, kind: BoxKind): boolean {
  return (
    kind === 'tasks' &&
    mayWarn(referral) &&
    actionsAsked(referral, options).some(({ by_date }) => by_date !== undefined)
  );
}

/** The box asks for nothing, and so a clinician would not see it. */
function worseMeasures(referral: Referral, { purpose }: PracticeLetterOptions): string[] {
  if (purpose !== 'outcome' || !mayWarn(referral)) return [];
  const worse = changesOfMeasures(referral).filter(({ change }) => change === 'worse').length;
  if (worse === 0) return [];
  return [
    `${worse === 1 ? 'One measure is' : `${worse} measures are`} worse than at the start: see “Measures”.`,
  ];
}

function warningsOfBox(referral: Referral, options: PracticeLetterOptions, kind: BoxKind): string[] {
  if (!mayWarn(referral)) return [];
  return [
    ...dangers(referral, options),
    ...(hasNoteBelowTasks(referral, options, kind) ? [] : noteWarnings(referral)),
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
  if (wasAnswered(referral, options) && !hasNews) return whenNothingAsked(referral, options, kind);
  if (endedWithoutHelp(referral, options)) return atUnsuccessfulEnd(referral, kind);
  // The step about the news says that nobody said more.
  if (hasNews) return undefined;
  const notSaid = whenNobodySaid(options);
  const ifExpected = `If you expected something, ${ringInShort(referral, options)}.`;
  if (kind === 'tasks') return `${notSaid} else. ${ifExpected}`;
  if (kind === 'nothing-asked') return `This update asks for nothing. ${notSaid} else. ${ifExpected}`;
  return `${notSaid}. ${ifExpected}`;
}

/** What to do with codes when filing: no action, but nobody must overlook it. */
function filingWords(referral: Referral, options: PracticeLetterOptions): string[] {
  if (referral.status === 'entered-in-error') return [];
  const names = newCodes(referral, options).map(([, display]) => `“${display}”`);
  // By its words alone: a number that stands twice in a letter may be filed twice.
  return names.length === 0
    ? []
    : [
        `${names.length === 1 ? 'One new code' : 'New codes'} to file${wasAskedToRemove(options) ? ', unless the code from our earlier letter is still in the record' : ''}: ${names.join(' and ')}. See “Codes to file”.`,
      ];
}
