import type { BoxKind } from '../../letter.ts';
import { dangers, nobodyReachedPatient, noteWarnings, whyForClinician } from '../dangers.ts';
import { isDeathTakenBack } from '../death.ts';
import { hideEarlierLettersTasks } from '../hide-online.ts';
import { hasUrgentLifeChange } from '../life-changes.ts';
import type { PreparedLetter } from '../prepare-letter.ts';
import { dueByNextWorkingDay, hasTaskAboutSymptom } from '../tasks/clinician-tasks.ts';
import { correctionTasks, restrictionTasks } from '../tasks/correction-tasks.ts';
import { requestedTasks } from '../tasks/requested-tasks.ts';
import { endedWithoutHelp, hasAnswer } from '../what-was-said.ts';
import { whenClinicianSees } from '../who-sees.ts';

/** What the practice has to do, in one word. The box at the top of the letter goes by it, and so does the message around the letter. */
export function boxKind(letter: PreparedLetter): BoxKind {
  const hasTasks = requestedTasks(letter).length > 0;
  const hasToFile = correctionTasks(letter).length > 0;
  if (letter.isCodesOnly) {
    if (hasTasks || hasToFile) return 'tasks';
    return letter.codes.length > 0 ? 'code-to-file' : 'no-new-code';
  }
  // A danger comes before actions, and actions before papers.
  if (isOpenDanger(letter)) return 'clinician-reads-today';
  if (hasTasks || hasUrgentLifeChange(letter))
    return hasSafetyNote(letter) ? 'clinician-reads-today' : 'tasks';
  const isAnswered = hasAnswer(letter) && !letter.hasNews;
  if (!isAnswered && whyForClinician(letter).length > 0) return 'clinician-reads-today';
  const clinicianSees = whenClinicianSees(letter);
  if (clinicianSees === 'today') return 'clinician-sees-today';
  if (hasToFile) return 'tasks';
  if (clinicianSees === 'when-filed') return 'clinician-sees-when-filed';
  if (isAnswered) return 'said-nothing-to-do';
  if (endedWithoutHelp(letter)) return 'later-letter-without-task';
  return letter.replacesLetterOf && !letter.hasNews ? 'later-letter-without-task' : 'not-said';
}

/** Whether somebody may be in danger now. At the end, the service knew of the danger and has said what is left to do. */
function isOpenDanger(letter: PreparedLetter): boolean {
  return letter.purpose === 'referral' && letter.mayWarn && dangers(letter).length > 0;
}

/** Whether the letter has a safety note, which may be about abuse. Then a clinician reads it, even if it has tasks too. */
function hasSafetyNote(letter: PreparedLetter): boolean {
  return letter.purpose === 'referral' && letter.mayWarn && noteWarnings(letter).length > 0;
}

/** Whether somebody has to act on the letter, or find out whether they have to. Then the message around it is “For Action”. */
export function isForAction(kind: BoxKind): boolean {
  return kind === 'tasks' || kind === 'clinician-reads-today' || kind === 'clinician-sees-today';
}

/** How soon somebody begins with the tasks. The heading of the box and the subject of the message say the same. */
export function startOfTasks(letter: PreparedLetter): 'at once' | 'today' | undefined {
  if (letter.isRemovalNotice || mustActOnPapersAtOnce(letter)) return 'at once';
  // In a letter with a code alone, “at once” would tell of a death.
  if (letter.isCodesOnly) return undefined;
  if (letter.hasDied || isDeathTakenBack(letter)) return 'at once';
  const isToday =
    hasUrgentLifeChange(letter) ||
    nobodyReachedPatient(letter) ||
    hasTaskAboutSymptom(letter) ||
    dueByNextWorkingDay(letter) !== undefined;
  return isToday ? 'today' : undefined;
}

/** Whether papers have to be hidden or restricted at once, because somebody may read them who must not. */
function mustActOnPapersAtOnce(letter: PreparedLetter): boolean {
  return restrictionTasks(letter).length > 0 || hideEarlierLettersTasks(letter).length > 0;
}
