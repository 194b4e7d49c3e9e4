import type { BoxKind } from '../../letter.ts';
import { dangers, noteWarnings, wasNotReached, whyForClinician } from '../dangers.ts';
import { isDeathTakenBack } from '../death.ts';
import { hideEarlierLettersTasks } from '../hide-online.ts';
import { hasUrgentNewsForPractice } from '../news.ts';
import type { PracticeLetter } from '../prepare-letter.ts';
import { asksAboutSymptom, dueByNextWorkingDay } from '../tasks/clinician-tasks.ts';
import { correctionTasks, restrictionTasks } from '../tasks/correction-tasks.ts';
import { requestedTasks } from '../tasks/requested-tasks.ts';
import { endedWithoutHelp, wasAnswered } from '../what-was-said.ts';
import { whenClinicianSees } from '../who-sees.ts';

/** What the practice has to do. The box at the top of the letter says it, and so does the message around the letter. */
export function boxKind(letter: PracticeLetter): BoxKind {
  const hasTasks = requestedTasks(letter).length > 0;
  const hasToFile = correctionTasks(letter).length > 0;
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

/** A safety note of a new referral may be about abuse: a task beside it is no reason to leave it to a clerk. */
function hasNoteBesideTasks(letter: PracticeLetter): boolean {
  return letter.purpose === 'referral' && letter.mayWarn && noteWarnings(letter).length > 0;
}

/** Whether somebody has to act on the letter, or to find out whether they have to. The message around it is “For Action” then. */
export function isForAction(kind: BoxKind): boolean {
  return kind === 'tasks' || kind === 'clinician-reads-today' || kind === 'clinician-sees-today';
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

/** Papers that somebody may see who must not. */
function hasPapersAtOnce(letter: PracticeLetter): boolean {
  return restrictionTasks(letter).length > 0 || hideEarlierLettersTasks(letter).length > 0;
}
