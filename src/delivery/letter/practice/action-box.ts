import { lowerFirst } from '../../../platform/first-letter.ts';
import { measures } from '../../../referrals/index.ts';
import { correctedInRecord, hasNewContact, isUrgentNow, needsCorrected } from '../changes.ts';
import { codeBefore, codeInWords, referralCode } from '../codes.ts';
import type { ActionBox, BoxKind, Task } from '../letter.ts';
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
  hasUrgentNewsForPractice,
  howToReach,
  maxReasonLengthInBox,
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
import type { GpAction, PracticeLetter } from './prepare-letter.ts';
import { codesToRemove, hasCodeOfOther, isSentTwice, marksCodeAsError } from './removal-notice.ts';
import { atOnce, clinicianTask, handOverTask, inOrder, showTask, soon, whenFiling } from './task.ts';
import {
  atUnsuccessfulEnd,
  endedWithoutHelp,
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
export function kindOfBox(letter: PracticeLetter): BoxKind {
  const hasTasks = tasksAsked(letter).length > 0;
  const hasToFile = filingTasks(letter).length > 0;
  if (letter.isCodesOnly) {
    if (hasTasks || hasToFile) return 'tasks';
    return letter.codes.length > 0 ? 'code-to-file' : 'no-new-code';
  }
  // Danger before what is asked by name, and before papers.
  if (isOpenDanger(letter)) return 'clinician-reads-today';
  if (hasTasks || hasUrgentNewsForPractice(letter))
    return hasNoteBesideTasks(letter) ? 'clinician-reads-today' : 'tasks';
  const isAnswered = wasAnswered(letter) && !letter.hasNews;
  if (!isAnswered && whyForClinician(letter).length > 0) return 'clinician-reads-today';
  const seen = whenClinicianSees(letter);
  if (seen === 'today') return 'clinician-sees-today';
  if (hasToFile) return 'tasks';
  if (seen === 'when-filed') return 'clinician-sees-when-filed';
  if (isAnswered) return 'answered-nothing';
  if (endedWithoutHelp(letter)) return 'nothing-asked';
  return letter.replacesLetterOf && !letter.hasNews ? 'nothing-asked' : 'unanswered';
}

/** Whether somebody may be in danger now. At the end of a referral, somebody who knew of it has said what is left to do. */
function isOpenDanger(letter: PracticeLetter): boolean {
  return letter.purpose === 'referral' && letter.mayWarn && dangers(letter).length > 0;
}

/** Whether somebody has to act on the letter, or to find out whether they have to. The message around it is “For Action” then. */
export function isForAction(kind: BoxKind): boolean {
  return kind === 'tasks' || kind === 'clinician-reads-today' || kind === 'clinician-sees-today';
}

/** Papers that somebody may see who must not. */
function hasPapersAtOnce(letter: PracticeLetter): boolean {
  return tasksToRestrict(letter).length > 0 || hidingTasks(letter).length > 0;
}

/** A safety note of a new referral may be about abuse: a task beside it is no reason to leave it to a clerk. */
function hasNoteBesideTasks(letter: PracticeLetter): boolean {
  return letter.purpose === 'referral' && letter.mayWarn && noteWarnings(letter).length > 0;
}

/** The action itself, so that nobody looks for it among the steps. It promises a day only where a task has one. */
function headingOfTasks(letter: PracticeLetter): string {
  const start = startOfTasks(letter);
  if (letter.isRemovalNotice) return headingOfRemoval(letter);
  if (isDeathTakenBack(letter))
    return 'THE PATIENT IS ALIVE – GP or nurse, at once: take the death out of the record';
  if (letter.hasDied && !letter.isCodesOnly)
    return 'Reported death – GP or nurse, at once: check whether the patient is alive';
  const { actions } = letter;
  if (start === 'at once') {
    if (tasksToRestrict(letter).length > 0)
      return `Reception, at once: hide our letters online; GP or nurse, today: if our earlier letter asks for anything, ${ringReferrer(letter)}`;
    const todo = ['hide our letters online', ...limitsInHeading(letter)];
    if (letter.hasNewsToAsk)
      return `Reception, ${start}: ${todo.join(', and ')}. ${headingOfNews(letter, undefined)}`;
    const seen = whenClinicianSees(letter) === 'today' ? '. Then a clinician sees it today' : '';
    const then = actions.length > 0 ? `. Then ${lowerFirst(headingOfAsked(letter, undefined))}` : seen;
    return `Reception, at once: ${todo.join(', and ')}${then}`;
  }
  if (letter.hasNewsToAsk) return headingOfNews(letter, start);
  if (wasNotReached(letter))
    return 'Nobody reached the patient – a clinician decides today whether to contact them';
  if (actions.length === 0) return headingForReception(letter);
  return headingOfAsked(letter, start);
}

/** Whom to ask, so that nobody takes it for work of a clerk. The step has the number. */
function headingOfNews(letter: PracticeLetter, start: 'today' | undefined): string {
  const ring = `ring ${letter.facts?.reported?.at(-1)?.by ?? 'us'} and ask`;
  if (hasUrgentNewsForPractice(letter)) return `Something has changed – GP or nurse, today: ${ring}`;
  const then = letter.actions.length > 0 ? `. Then ${lowerFirst(headingOfAsked(letter, start))}` : '';
  return `Something has changed – GP or nurse, by ${newsDueBy(letter)}: ${ring}${then}`;
}

/** In the order of the steps: a clerk who removes the letter first has nothing to show to a clinician. */
function headingOfRemoval(letter: PracticeLetter): string {
  const isShown = tasksAsked(letter).some(({ handsOver }) => handsOver);
  const letters = letter.earlierLetters.map(({ at }) => at);
  const remove = `remove ${lettersInShort(letter, letters)}`;
  const todo = isShown ? `show a clinician, then ${remove}` : remove;
  if (letter.purpose === 'removal')
    return `Reception, at once: check if this is your patient. If not, ${todo}`;
  // With codes alone, nobody may learn here whether anything was asked.
  const stop =
    isShown && !letter.isCodesOnly
      ? `; GP or nurse, at once: stop what was asked${isSentTwice(letter) ? ', unless the other letter asks it too' : ''}`
      : '';
  return `Reception, at once: ${todo} from this patient’s record${stop}`;
}

/** Longer ones are read in the steps alone. */
const maxActionsLengthInHeading = 140;

/** “Action for GP or nurse – by Monday 1 March 2027: Check her blood pressure” */
function headingOfAsked(letter: PracticeLetter, start: 'today' | undefined): string {
  const { actions } = letter;
  const [due] = actions.flatMap(({ by_date: by }) => by ?? []).toSorted();
  // Nobody looks for a day that nobody gave.
  const when = [
    ...(due === undefined
      ? [asksAboutSymptom(letter) ? 'start today' : 'no date given']
      : [
          `${actions.length > 1 ? 'the first ' : ''}${start === undefined ? 'by' : 'due'} ${dateWithWeekday(due)}`,
        ]),
    ...(start !== undefined && due !== undefined ? ['(urgent)'] : []),
  ].join(' ');
  if (actions.some(isAboutAbuse))
    return `Clinician only – ${when}: decide what is asked below; hide any code for it online too`;
  const who = actions.length === 1 ? 'Action for GP or nurse' : `${actions.length} actions for GP or nurse`;
  const names = actions.map((each) => nameOfAction(letter, each, { isAlone: actions.length === 1 }));
  const what = names.map((name, index) => (index === 0 ? name : withLead('; ', name))).join('');
  return `${who} – ${when}${what.length <= maxActionsLengthInHeading ? `: ${what}` : ''}`;
}

/** What the patient must hear of first is never read without that. */
function nameOfAction(letter: PracticeLetter, action: GpAction, { isAlone }: { isAlone: boolean }): string {
  const text = paragraphsOf(action.text).join(' ').replace(/\.$/, '');
  const words = isAlone ? text : withoutReason(text);
  const mayTell = !letter.isContactUnsafe;
  const first = action.patient_told === false && mayTell ? 'first tell the patient, then: ' : '';
  const name = withLead(`${first}${limitBeforeTask(letter, action)}`, words);
  const isRung = letter.referral.content.contact?.channel === 'telephone';
  return mustNotBeSent(letter, action) && mayTell && isRung ? `${name} (see limits)` : name;
}

/** “Review her painkillers: they make her drowsy”: of several, only what is to be done, and its step has the whole. */
function withoutReason(text: string): string {
  const [what] = text.split(': ');
  return what!.split(' ').length < 3 ? text : what!;
}

/** What there is to do for nobody but a clerk, and when. That this letter takes the place of another is said where it is all. */
function headingForReception(letter: PracticeLetter): string {
  if (hasMoved(letter))
    return `Reception only, ${whenFiling}: check the address – the patient has moved away`;
  const isInCodes = letter.isCodesOnly;
  const corrected = letter.replacesLetterOf ? correctedInRecord(letter) : [];
  const needs = isInCodes ? undefined : needsCorrected(letter);
  const now = [
    ...(mustHide(letter) ? ['hide this letter from the online record'] : []),
    ...(isInCodes ? ['put a note on the record'] : []),
    ...limitsInHeading(letter),
  ];
  const filing = [
    ...(wasAskedToRemove(letter) ? ['keep this letter'] : []),
    ...(corrected.length > 0 ? [`check the ${corrected.join(' and ')}`] : []),
    ...(needs === undefined ? [] : [`put the ${needs} on the record`]),
    ...(letter.facts?.withdrawnBefore ? ['check that a withdrawn letter is gone'] : []),
    ...(letter.facts?.otherLettersOfDay?.length ? ['put it beside another letter'] : []),
    ...(hasNameToFind(letter.referral.content.patient) ? [] : ['find the patient by NHS number']),
  ];
  if (now.length === 0 && filing.length === 0 && letter.replacesLetterOf)
    filing.push('mark our earlier letter as superseded');
  const steps = [
    ...(now.length > 0 ? [`${atOnce}: ${listOf(now)}`] : []),
    ...(filing.length > 0 ? [`${whenFiling}: ${listOf(filing)}`] : []),
  ].join('; ');
  if (whenClinicianSees(letter) === 'today')
    return now.length > 0
      ? `Reception, ${steps}. Then a clinician sees this today`
      : `${headings['clinician-sees-today']}. Reception, ${steps}`;
  return `Reception only, ${steps === '' ? `${whenFiling}: see the steps` : steps}`;
}

function listOf(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(words);
}

function limitsInHeading(letter: PracticeLetter): string[] {
  if (hasLimits(letter)) return [`${verbForLimits(letter)} the contact limits on the record`];
  return hasNewContact(letter) && !letter.isCodesOnly ? ['change how to contact the patient'] : [];
}

/** How soon somebody begins with the tasks. The heading of the box and the subject of the message say the same. */
export function startOfTasks(letter: PracticeLetter): 'at once' | 'today' | undefined {
  if (letter.isRemovalNotice || hasPapersAtOnce(letter)) return 'at once';
  // With a code alone, another word would tell of a death.
  if (letter.isCodesOnly) return undefined;
  if (letter.hasDied || isDeathTakenBack(letter)) return 'at once';
  const isToday =
    hasUrgentNewsForPractice(letter) ||
    wasNotReached(letter) ||
    asksAboutSymptom(letter) ||
    dueByNextWorkingDay(letter) !== undefined;
  return isToday ? 'today' : undefined;
}

export function actionBox(letter: PracticeLetter): ActionBox {
  const asked = tasksAsked(letter);
  const filing = filingTasks(letter);
  const kind = kindOfBox(letter);
  const news = newsTasks(letter);
  const forClerk = clerkTasks(letter);
  const limits = contactLimits(letter);
  const tasks = withClinician(whenClinicianSees(letter), [
    ...clinicianTasks(letter, kind),
    ...news,
    ...asked,
    ...filing,
    ...forClerk,
  ]);
  const said =
    kind === 'clinician-reads-today' ? undefined : wordsOfBox(letter, kind, { hasSteps: tasks.length > 0 });
  const action = headingOfBox(letter, {
    kind,
    hasNews: news.length > 0,
    isFiled: forClerk.length > 0,
  });
  const heading = [
    ...(isNoHelpInHeading(letter, kind) ? saidNoHelp(letter) : []),
    withReception(action, tasks),
  ].join(' ');
  return {
    heading,
    code: codeInBox(letter, inOrder(tasks)),
    ...(limits !== undefined && { limits }),
    tasks: inOrder(tasks),
    warnings: [...deathWarnings(letter), ...urgencyRaised(letter), ...warningsOfBox(letter, kind)],
    words: [
      ...(isNoHelpInHeading(letter, kind) ? [] : saidNoHelp(letter)),
      ...(putsNoteBelowTasks(letter, kind) ? noteWarnings(letter) : []),
      ...(kind === 'clinician-sees-when-filed' ? [] : worseMeasures(letter)),
      ...(dangers(letter).length > 0 ? [] : riskNotAsked(letter)),
      ...(said === undefined ? [] : [said]),
    ],
    mustBeRead: isForAction(kind),
    weight: weightOfBox(letter, kind),
    questions: questionsTo(letter),
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
  letter: PracticeLetter,
  { kind, hasNews, isFiled }: { kind: BoxKind; hasNews: boolean; isFiled: boolean },
): string {
  if (kind === 'tasks') return headingOfTasks(letter);
  if (kind === 'clinician-reads-today' && letter.crisis) return 'CRISIS – a clinician must read this now';
  if (kind === 'clinician-reads-today') return headingOfDanger(letter);
  if (hasNews) return headingOfNews(letter, undefined);
  if (kind === 'clinician-sees-today' && wasNotReached(letter))
    return 'Nobody reached the patient – a clinician decides today whether to contact them';
  if (kind === 'clinician-sees-today' && letter.referral.urgency !== 'urgent' && isFiled)
    return headingForReception(letter);
  if (kind === 'clinician-sees-when-filed' && hasNoteToRecord(letter))
    return `Reception, at once: ${noteOnRecord(letter).inHeading}. Then a clinician sees it ${soon}`;
  if (kind === 'clinician-sees-today' || kind === 'clinician-sees-when-filed')
    return [headings[kind], ...worseMeasures(letter)].join(' – ').replace(/\.$/, '');
  // What a clerk does is work too, so such a letter must not say that there is nothing to do.
  return isFiled ? headingForReception(letter) : headings[kind];
}

/** What somebody asked for by a day is done, too, whatever the clinician decides. */
function headingOfDanger(letter: PracticeLetter): string {
  const read = headings['clinician-reads-today'];
  return letter.actions.length === 0
    ? read
    : `${read}. Then ${lowerFirst(headingOfAsked(letter, undefined))}`;
}

/** The heading, with what a clerk has to do at once, unless it says so already: a clerk who sorts by headings would miss it. */
function withReception(heading: string, tasks: readonly Task[]): string {
  if (heading.includes('Reception')) return heading;
  const todo = tasks.flatMap(({ when, inHeading }) => (when === atOnce && inHeading ? [inHeading] : []));
  return todo.length === 0 ? heading : `${heading}. Reception, at once: ${[...new Set(todo)].join(', ')}`;
}

/** First in the box: a practice that knew the referral as routine need not find it among the changes. */
function urgencyRaised(letter: PracticeLetter): string[] {
  if (letter.purpose !== 'referral' || !letter.mayWarn) return [];
  if (isUrgentNow(letter))
    return [
      // A crisis says more, and the changes below say this.
      ...(letter.crisis ? [] : ['The referral is now urgent. It was routine.']),
      // The news is why, and not what was written before it.
      ...(dangers(letter).length === 0 && !letter.hasNews
        ? [
            `Why it became urgent was not written: ${ringReferrer(letter)}.`,
            whyUrgent(letter, `On ${momentAsDay(letter.referral.requested_at)}, `),
          ]
        : []),
    ];
  const isUrgent = letter.referral.urgency === 'urgent' && dangers(letter).length === 0;
  return isUrgent && !letter.hasNews ? [whyUrgent(letter, 'The referral is urgent. ')] : [];
}

/** In the words of who referred. The whole of a long reason stands below. */
function whyUrgent({ referral }: PracticeLetter, lead: string): string {
  const { reasons, referrer } = referral.content;
  const why = paragraphsOf(reasons[0]?.text).join(' ');
  if (why === '') return 'The referral is urgent: see “Reason for referral”.';
  const { words, goesOn } = cutAtSentence(why, maxReasonLengthInBox);
  const more = goesOn ? ' It goes on under “Reason for referral”.' : '';
  return `${lead}${referrer.name} wrote: “${words}”${more}`;
}

/** Danger is the strongest. Something asked for the files alone, such as a corrected number, is plain. */
function weightOfBox(letter: PracticeLetter, kind: BoxKind): NonNullable<ActionBox['weight']> {
  const isAsked = tasksAsked(letter).length > 0;
  const isDanger = kind === 'clinician-reads-today' && dangers(letter).length > 0;
  if (isDanger || isDeathTakenBack(letter)) return 'danger';
  if (hasUrgentNewsForPractice(letter) || dueWithinWeek(letter)) return 'danger';
  if (kind === 'tasks' && asksAboutSymptom(letter)) return 'danger';
  const hasWarning =
    urgencyRaised(letter).length > 0 ||
    warningsOfBox(letter, kind).length > 0 ||
    (letter.mayWarn && letter.hasNews);
  const mustRestrict = tasksToRestrict(letter).length > 0;
  const isSeen = kind === 'clinician-reads-today' || whenClinicianSees(letter) !== undefined;
  return isSeen || isAsked || mustRestrict || hasWarning ? 'action' : 'plain';
}

/** What somebody asked for by a day comes before a note for those who visit. */
function putsNoteBelowTasks(letter: PracticeLetter, kind: BoxKind): boolean {
  return kind === 'tasks' && letter.mayWarn && letter.actions.some(({ by_date }) => by_date !== undefined);
}

/** Such news is read first, unless somebody has something to do, or may be in danger. */
function isNoHelpInHeading(letter: PracticeLetter, kind: BoxKind): boolean {
  return kind !== 'clinician-reads-today' && letter.actions.length === 0 && !wasNotReached(letter);
}

/** What the patient said of the help, where nobody of the practice would look for it. */
function saidNoHelp(letter: PracticeLetter): string[] {
  const { purpose, facts } = letter;
  if (purpose !== 'outcome' || !letter.mayWarn || facts?.personSays?.gotHelp !== false) return [];
  return ['The patient said that they did not get help.'];
}

function worseMeasures(letter: PracticeLetter): string[] {
  const worse = measuresWorse(letter).map(
    (each) => `${measures[each.code].title}, ${each.start} → ${each.end}`,
  );
  return worse.length === 0 ? [] : [`Worse than at the start: ${worse.join('; ')}.`];
}

function warningsOfBox(letter: PracticeLetter, kind: BoxKind): string[] {
  if (!letter.mayWarn) return [];
  return [
    ...dangers(letter),
    ...whySafeguarding(letter),
    ...(putsNoteBelowTasks(letter, kind) ? [] : noteWarnings(letter)),
    ...(wasNotReached(letter) ? ['How the patient is now is not known here.'] : []),
    ...(wasNotReached(letter) && dangers(letter).length === 0
      ? [howToReach(letter)].filter((each) => each !== undefined)
      : []),
  ];
}

/** Nobody else says in the box why a clinician sees the letter. */
function whySafeguarding(letter: PracticeLetter): string[] {
  if (!isNewSafeguarding(letter) || dangers(letter).length > 0) return [];
  const reason = reasonInBox(letter);
  return [
    'This referral was made to keep the patient or somebody else safe.',
    ...(reason === undefined ? [] : [reason]),
  ];
}

/** “No action asked for” must not sound as if somebody had asked, and there was no risk. */
function riskNotAsked(letter: PracticeLetter): string[] {
  const { purpose } = letter;
  const isNotAsked = purpose === 'referral' && letter.referral.content.risk === 'could_not_ask';
  return isNotAsked && letter.mayWarn ? ['Nobody could ask about risk of serious harm.'] : [];
}

function wordsOfBox(
  letter: PracticeLetter,
  kind: BoxKind,
  { hasSteps }: { hasSteps: boolean },
): string | undefined {
  if (letter.isRemovalNotice) return undefined;
  // The same whether there is something to do or not: that is not in the code that the patient agreed to.
  if (letter.isCodesOnly)
    return tasksToRestrict(letter).length > 0
      ? 'The patient now wants you to have only the code, not the details.'
      : 'The patient agreed to a code and no details. If there is something for you to do, the staff who referred will contact you.';
  if (letter.hasDied) return undefined;
  if (wasAnswered(letter) && !letter.hasNews) return sentenceIfNothingAsked(letter, kind);
  if (endedWithoutHelp(letter)) return atUnsuccessfulEnd(letter, { hasSteps });
  // The step about the news says that nobody said more.
  if (letter.hasNews) return undefined;
  return `${sentenceIfNobodySaid({ isBesideTasks: hasSteps })}.`;
}

/**
 * Under the heading of each box, also where there is none: a clerk looks for it in every letter. It has no “if”: what the record should have
 * from before is below the box. The number stands in no other place: one that stands twice may be filed twice.
 */
function codeInBox(letter: PracticeLetter, tasks: readonly Task[]): string {
  const { referral, facts, date, codes } = letter;
  if (letter.isRemovalNotice) return codeToRemove(letter, tasks);
  const before = codeBefore(referral, facts);
  if (codes.length === 0) return `No new code to file${whyNoCode(letter, before)}.`;
  const each = codes.map((code) => {
    // A first letter may come at the end: the referral was made before.
    const at = code === referralCode ? referral.requested_at : (facts?.by?.at ?? date);
    return `SNOMED CT ${codeInWords(code)}, dated ${momentAsDay(at)}`;
  });
  const mayBeThere = wasAskedToRemove(letter) || Boolean(facts?.otherLettersOfDay?.length);
  const once = mayBeThere
    ? ` File it once: if the record already has it for ${momentAsDay(letter.referral.requested_at)}, do not add it again.`
    : '';
  const hidden = mustHide(letter) ? ', hidden online' : '';
  const stays = before ? ` The code of the referral, dated ${before.dated}, stays.` : '';
  return `${codes.length === 1 ? 'Code' : 'Codes'} to file: ${each.join('; and ')}${hidden}.${once}${stays}`;
}

/** A first letter without a code puzzles. */
function whyNoCode(letter: PracticeLetter, before: ReturnType<typeof codeBefore>): string {
  if (letter.referral.content.episode === 'continuing' && letter.mayWarn)
    return ': an earlier referral began this episode of care';
  if (!before?.reference || (letter.hasDied && !letter.isCodesOnly)) return '';
  return `: the code from our letter of ${before.dated} (${before.reference}) covers this referral`;
}

/** In a notice of a mistake, under the heading as in every letter: the code that a clerk takes out again, and in which step. */
function codeToRemove(letter: PracticeLetter, tasks: readonly Task[]): string {
  const codes = codesToRemove(letter);
  if (codes.length === 0) return 'No new code to file.';
  const step = tasks.findIndex(({ text }) => text.includes(marksCodeAsError)) + 1;
  const each = codes.map((code) =>
    code === referralCode
      ? `${codeInWords(code)}, dated ${momentAsDay(letter.referral.requested_at)}`
      : codeInWords(code),
  );
  if (hasCodeOfOther(letter))
    return `No new code to file. If the record has ${each.join('; or ')}, once, leave it. If twice, mark one as entered in error.`;
  return `No new code to file. ${codes.length === 1 ? 'Code' : 'Codes'} to remove${step > 0 ? ` in step ${step}` : ''}: ${each.join('; or ')}.`;
}
