import { becameUrgent } from '../../changes.ts';
import type { ActionBox, BoxKind, Task } from '../../letter.ts';
import { questionsTo, ringReferrer } from '../../whom-to-ask.ts';
import { cutAtSentence, momentAsDay, paragraphsOf } from '../../words.ts';
import { contactLimits } from '../contact-limits.ts';
import {
  dangers,
  howToReach,
  maxReasonLengthInBox,
  nobodyReachedPatient,
  noteWarnings,
  reasonInBox,
} from '../dangers.ts';
import { deathWarnings, isDeathTakenBack } from '../death.ts';
import { hasUrgentLifeChange, lifeChangeTasks } from '../life-changes.ts';
import type { PreparedLetter } from '../prepare-letter.ts';
import { clinicianTasks, dueWithinWeek, hasTaskAboutSymptom } from '../tasks/clinician-tasks.ts';
import { correctionTasks, restrictionTasks } from '../tasks/correction-tasks.ts';
import { receptionTasks } from '../tasks/reception-tasks.ts';
import { requestedTasks } from '../tasks/requested-tasks.ts';
import { clinicianTask, handOverTask, inOrder, showTask, soon } from '../tasks/task.ts';
import {
  endedWithoutHelp,
  hasAnswer,
  sentenceAtUnsuccessfulEnd,
  sentenceIfNobodySaid,
  sentenceIfNothingAsked,
} from '../what-was-said.ts';
import { isNewSafeguarding, whenClinicianSees, worseMeasuresInWords } from '../who-sees.ts';
import { boxCode } from './box-code.ts';
import { boxHeading, withReceptionSteps } from './box-heading.ts';
import { boxKind, isForAction } from './box-kind.ts';

/** The box at the top of a letter to a practice. */
export function actionBox(letter: PreparedLetter): ActionBox {
  const kind = boxKind(letter);
  const forReception = receptionTasks(letter);
  const tasks = withHandOver(whenClinicianSees(letter), [
    ...clinicianTasks(letter, kind),
    ...lifeChangeTasks(letter),
    ...requestedTasks(letter),
    ...correctionTasks(letter),
    ...forReception,
  ]);
  const limits = contactLimits(letter);
  const action = boxHeading(letter, kind, { hasReceptionTasks: forReception.length > 0 });
  const noHelp = noHelpSentences(letter);
  const isNoHelpInHeading = beginsWithNoHelp(letter, kind);
  return {
    heading: [...(isNoHelpInHeading ? noHelp : []), withReceptionSteps(action, tasks)].join(' '),
    code: boxCode(letter, inOrder(tasks)),
    ...(limits !== undefined && { limits }),
    tasks: inOrder(tasks),
    warnings: [...deathWarnings(letter), ...urgencyWarnings(letter), ...boxWarnings(letter, kind)],
    words: [
      ...(isNoHelpInHeading ? [] : noHelp),
      ...(putsNoteBelowTasks(letter, kind) ? noteWarnings(letter) : []),
      ...(kind === 'clinician-sees-when-filed' ? [] : worseMeasuresInWords(letter)),
      ...(dangers(letter).length > 0 ? [] : riskUnknownSentences(letter)),
      ...(kind === 'clinician-reads-today' ? [] : boxWords(letter, kind, { hasSteps: tasks.length > 0 })),
    ],
    mustBeRead: isForAction(kind),
    weight: boxWeight(letter, kind),
    questions: questionsTo(letter),
  };
}

/** Adds the step by which a clerk gives or shows the letter to a clinician, if a clinician has something to do or to see. */
function withHandOver(seen: ReturnType<typeof whenClinicianSees>, tasks: readonly Task[]): Task[] {
  if (tasks.some(({ handsOver }) => handsOver)) return [...tasks];
  const when = seen === 'today' ? 'today' : soon;
  if (tasks.some(({ role }) => role === 'clinician')) return [handOverTask(when), ...tasks];
  if (seen === undefined) return [...tasks];
  return [showTask(when), ...tasks, clinicianTask(when, 'read this letter, and decide whether to act.')];
}

/** A danger is strongest. Work for the files alone, such as a corrected number, is plain. */
function boxWeight(letter: PreparedLetter, kind: BoxKind): NonNullable<ActionBox['weight']> {
  const isAsked = requestedTasks(letter).length > 0;
  const isDanger = kind === 'clinician-reads-today' && dangers(letter).length > 0;
  if (isDanger || isDeathTakenBack(letter)) return 'danger';
  if (hasUrgentLifeChange(letter) || dueWithinWeek(letter)) return 'danger';
  if (kind === 'tasks' && hasTaskAboutSymptom(letter)) return 'danger';
  const hasWarning =
    urgencyWarnings(letter).length > 0 ||
    boxWarnings(letter, kind).length > 0 ||
    (letter.mayWarn && letter.hasNews);
  const mustRestrict = restrictionTasks(letter).length > 0;
  const isSeen = kind === 'clinician-reads-today' || whenClinicianSees(letter) !== undefined;
  return isSeen || isAsked || mustRestrict || hasWarning ? 'action' : 'plain';
}

/** Whether the heading begins with “no help”. Something to do, or a danger, is more important. */
function beginsWithNoHelp(letter: PreparedLetter, kind: BoxKind): boolean {
  return kind !== 'clinician-reads-today' && letter.actions.length === 0 && !nobodyReachedPatient(letter);
}

/** That the patient got no help, as they said on their own page. */
function noHelpSentences(letter: PreparedLetter): string[] {
  const saysNoHelp = letter.facts?.personSays?.gotHelp === false;
  if (letter.purpose !== 'outcome' || !letter.mayWarn || !saysNoHelp) return [];
  return ['The patient said that they did not get help.'];
}

/** That the referral is urgent or has become urgent, and why. */
function urgencyWarnings(letter: PreparedLetter): string[] {
  if (letter.purpose !== 'referral' || !letter.mayWarn) return [];
  if (becameUrgent(letter))
    return [
      // A crisis says more, and the changes below say that it became urgent.
      ...(letter.crisis ? [] : ['The referral is now urgent. It was routine.']),
      // If something has changed for the person, that is the reason, and not what somebody wrote before.
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

/** The reason for referral, in the referrer’s words. A long one goes on below the box. */
function whyUrgent({ referral }: PreparedLetter, lead: string): string {
  const { reasons, referrer } = referral.content;
  const why = paragraphsOf(reasons[0]?.text).join(' ');
  if (why === '') return 'The referral is urgent: see “Reason for referral”.';
  const { words, goesOn } = cutAtSentence(why, maxReasonLengthInBox);
  const more = goesOn ? ' It goes on under “Reason for referral”.' : '';
  return `${lead}${referrer.name} wrote: “${words}”${more}`;
}

function boxWarnings(letter: PreparedLetter, kind: BoxKind): string[] {
  if (!letter.mayWarn) return [];
  return [
    ...dangers(letter),
    ...whySafeguarding(letter),
    ...(putsNoteBelowTasks(letter, kind) ? [] : noteWarnings(letter)),
    ...(nobodyReachedPatient(letter) ? ['How the patient is now is not known here.'] : []),
    ...(nobodyReachedPatient(letter) && dangers(letter).length === 0
      ? [howToReach(letter)].filter((each) => each !== undefined)
      : []),
  ];
}

/** Whether the safety note stands below the tasks: it is for people who visit, and a task with a date comes first. */
function putsNoteBelowTasks(letter: PreparedLetter, kind: BoxKind): boolean {
  return kind === 'tasks' && letter.mayWarn && letter.actions.some(({ by_date }) => by_date !== undefined);
}

/** Why a clinician sees a referral that keeps somebody safe. */
function whySafeguarding(letter: PreparedLetter): string[] {
  if (!isNewSafeguarding(letter) || dangers(letter).length > 0) return [];
  const reason = reasonInBox(letter);
  return [
    'This referral was made to keep the patient or somebody else safe.',
    ...(reason === undefined ? [] : [reason]),
  ];
}

/** That nobody could ask about a risk. Otherwise “No action asked for” would sound as if there were none. */
function riskUnknownSentences(letter: PreparedLetter): string[] {
  const isUnknown = letter.purpose === 'referral' && letter.referral.content.risk === 'could_not_ask';
  return isUnknown && letter.mayWarn ? ['Nobody could ask about risk of serious harm.'] : [];
}

/** What was asked of the practice, if anything, unless the steps say it. */
function boxWords(letter: PreparedLetter, kind: BoxKind, { hasSteps }: { hasSteps: boolean }): string[] {
  if (letter.isRemovalNotice) return [];
  // The patient agreed to a code alone, so the words are the same whether there is something to do or not.
  if (letter.isCodesOnly)
    return [
      restrictionTasks(letter).length > 0
        ? 'The patient now wants you to have only the code, not the details.'
        : 'The patient agreed to a code and no details. If there is something for you to do, the staff who referred will contact you.',
    ];
  if (letter.hasDied) return [];
  if (hasAnswer(letter) && !letter.hasNews) return sentenceIfNothingAsked(letter, kind);
  if (endedWithoutHelp(letter)) return [sentenceAtUnsuccessfulEnd(letter, { hasSteps })];
  // The step about the change says that nobody said more.
  if (letter.hasNews) return [];
  return [`${sentenceIfNobodySaid({ isBesideTasks: hasSteps })}.`];
}
