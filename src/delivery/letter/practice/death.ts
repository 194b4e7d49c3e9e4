import { upperFirst } from '../../../platform/first-letter.ts';
import { saidDeathByMistake, type Task } from '../letter.ts';
import { lettersInShort, lettersToFind } from '../letter-order.ts';
import { whoToTell } from '../whom-to-ask.ts';
import { dateInWords, joinWithCommas, momentAsDay } from '../words.ts';
import type { PreparedLetter } from './prepare-letter.ts';
import { atOnce, clinicianTask, handOverTask } from './tasks/task.ts';

/** The practice checks a reported death, or takes a death that was reported by mistake out of the record. */
export function deathTasks(letter: PreparedLetter): Task[] {
  if (letter.isCodesOnly) return [];
  if (letter.hasDied) return tasksAfterDeath(letter);
  return wasToldOfDeath(letter) ? tasksAfterWrongDeath(letter) : [];
}

function tasksAfterDeath(letter: PreparedLetter): Task[] {
  return [
    handOverTask(atOnce),
    clinicianTask(
      'first',
      'CHECK WHETHER THE PATIENT IS ALIVE. We were told that they have died: is that so in your own records?',
      {
        // We often hear of a death days before it is registered.
        details: `${detailsOfDeath(letter)} This letter is not a confirmation of the death`,
      },
    ),
    clinicianTask('if the patient is ALIVE', `tell ${whoToTell(letter)} at once.`),
    clinicianTask(
      'if the patient is DEAD',
      'record the death as you usually do, and end any open referral to this service in your record.',
    ),
    clinicianTask('if you CANNOT TELL', `change nothing in the record, and tell ${whoToTell(letter)}.`),
  ];
}

/** A death in the record ends prescriptions, appointments and the registration, so somebody has to restore them. */
function tasksAfterWrongDeath(letter: PreparedLetter): Task[] {
  return [
    handOverTask(
      atOnce,
      `this letter to a clinician, and mark ${letterAboutDeath(letter, lettersToFind)} as wrong`,
    ),
    clinicianTask(atOnce, 'take the death out of the record, and restore what was ended because of it.', {
      details: 'Look at the registration, prescriptions, appointments and other referrals',
    }),
  ];
}

/** Above the steps of the box: which of our letters said by mistake that the patient has died. */
export function deathWarnings(letter: PreparedLetter): string[] {
  if (letter.isCodesOnly || !isDeathTakenBack(letter)) return [];
  return [
    `${upperFirst(letterAboutDeath(letter, lettersInShort))} said that the patient has died. That was a mistake.`,
  ];
}

function letterAboutDeath(letter: PreparedLetter, inWords: typeof lettersToFind): string {
  const letters = wrongLetters(letter);
  return letters.length === 0
    ? `our letter of ${momentAsDay(letter.referral.content.death_mistake!.told_at)}`
    : inWords(letter, letters);
}

/** The dates of the earlier letters that said by mistake that the patient has died, in ISO 8601. Letters with a code alone never say so. */
function wrongLetters({ referral, earlierFullLetters }: PreparedLetter): string[] {
  const ofEnd = earlierFullLetters.filter(({ purpose }) => purpose === 'outcome');
  return ofEnd.map(({ at }) => at).filter((at) => saidDeathByMistake(referral, at));
}

/** Whether this letter tells the practice that the patient is alive, after an earlier one said otherwise. */
export function isDeathTakenBack(letter: PreparedLetter): boolean {
  return !letter.hasDied && !letter.isRemovalNotice && wasToldOfDeath(letter);
}

/** Whether this practice got a letter that said by mistake that the patient has died. We may have stopped the letter in time. */
export function wasToldOfDeath(letter: PreparedLetter): boolean {
  if (!letter.referral.content.death_mistake) return false;
  return !letter.facts || wrongLetters(letter).length > 0;
}

/** The date of death, who told us, and who passed it on. */
function detailsOfDeath(letter: PreparedLetter): string {
  const { death, by } = letter.facts ?? {};
  const { date, toldBy, reportedAt, reportedBy } = death ?? {};
  const whoReported = joinWithCommas(reportedBy?.name, reportedBy?.organisation);
  const whoPassedOn = by?.organisation ? joinWithCommas(by.name, by.organisation) : '';
  const toWhom = whoReported && whoReported !== whoPassedOn ? `, to ${whoReported}` : '';
  return [
    `Date of death: ${date ? dateInWords(date) : 'not known'}.`,
    `Told by: ${toldBy ?? 'not stated'}, on ${momentAsDay(reportedAt ?? letter.referral.versionAt)}${toWhom}.`,
    // “Confirmed by” would contradict that nobody has verified it.
    ...(death && whoPassedOn ? [`Passed on by: ${whoPassedOn}.`] : []),
  ].join(' ');
}
