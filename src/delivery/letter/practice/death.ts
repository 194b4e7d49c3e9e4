import { upperFirst } from '../../../platform/first-letter.ts';
import type { Referral } from '../../../referrals/index.ts';
import { isCodesOnly } from '../../model/delivery.ts';
import { hasDied } from '../codes.ts';
import { type PracticeLetterOptions, saidDeathByMistake, type Task } from '../letter.ts';
import { lettersInShort, lettersToFind } from '../letter-order.ts';
import { whoToTell } from '../whom-to-ask.ts';
import { dateInWords, listed, momentAsDay } from '../words.ts';
import { atOnce, clinicianTask, handOverTask } from './task.ts';

/** A death that was told is checked first; one that was told by mistake must not stay in the patient’s record. */
export function deathTasks(referral: Referral, options: PracticeLetterOptions): Task[] {
  if (isCodesOnly('gp_practice', referral)) return [];
  if (hasDied(referral)) return tasksAfterDeath(referral, options);
  return wasToldOfDeath(referral, options) ? tasksOfMistake(referral, options) : [];
}

function tasksAfterDeath(referral: Referral, options: PracticeLetterOptions): Task[] {
  return [
    handOverTask(atOnce),
    clinicianTask(
      'first',
      'CHECK WHETHER THE PATIENT IS ALIVE. We were told that they have died: is that so in your own records?',
      {
        // A death is often registered days after a neighbour tells of it.
        details: `${whatWasTold(referral, options)} This letter is not a confirmation of the death`,
      },
    ),
    clinicianTask('if the patient is ALIVE', `tell ${whoToTell(referral, options)} at once.`),
    clinicianTask(
      'if the patient is DEAD',
      'record the death as you usually do, and end any open referral to this service in your record.',
    ),
    clinicianTask(
      'if you CANNOT TELL',
      `change nothing in the record, and tell ${whoToTell(referral, options)}.`,
    ),
  ];
}

/** Prescriptions, appointments and the registration end with a death in the record, so somebody has to look for them. */
function tasksOfMistake(referral: Referral, options: PracticeLetterOptions): Task[] {
  return [
    handOverTask(
      atOnce,
      `this letter to a clinician, and mark ${letterAboutDeath(referral, options, lettersToFind)} as wrong`,
    ),
    clinicianTask(atOnce, 'take the death out of the record, and restore what was ended because of it.', {
      details: 'Look at the registration, prescriptions, appointments and other referrals',
    }),
  ];
}

/** In the box, above its steps. */
export function deathWarnings(referral: Referral, options: PracticeLetterOptions): string[] {
  if (isCodesOnly('gp_practice', referral) || !isDeathTakenBack(referral, options)) return [];
  return [
    `${upperFirst(letterAboutDeath(referral, options, lettersInShort))} said that the patient has died. That was a mistake.`,
  ];
}

function letterAboutDeath(
  { content }: Referral,
  options: PracticeLetterOptions,
  inWords: typeof lettersToFind,
): string {
  const letters = wrongLetters({ content }, options);
  return letters.length === 0
    ? `our letter of ${momentAsDay(content.death_mistake!.told_at)}`
    : inWords(options, letters);
}

function wrongLetters(
  referral: Pick<Referral, 'content'>,
  { facts }: Pick<PracticeLetterOptions, 'facts'>,
): string[] {
  // A letter with a code alone told of no death.
  const letters = (facts?.earlierLetters ?? []).filter(
    ({ purpose, version = 0 }) =>
      purpose === 'outcome' && version >= (referral.content.full_copies_since ?? 0),
  );
  return letters.map(({ at }) => at).filter((at) => saidDeathByMistake(referral, at));
}

/** Whether this letter tells the practice that the patient is alive, which it may have recorded as dead. */
export function isDeathTakenBack(referral: Referral, options: PracticeLetterOptions): boolean {
  return !hasDied(referral) && referral.status !== 'entered-in-error' && wasToldOfDeath(referral, options);
}

/** Whether this practice had a letter that said by mistake that the patient has died. One that was stopped in time has told nobody. */
export function wasToldOfDeath(
  referral: Pick<Referral, 'content'>,
  options: Pick<PracticeLetterOptions, 'facts'>,
): boolean {
  if (!referral.content.death_mistake) return false;
  return !options.facts || wrongLetters(referral, options).length > 0;
}

/** When the patient died, as far as somebody said, who told whom, and who of the two sides ended the referral for it. */
function whatWasTold({ versionAt }: Referral, { facts }: Pick<PracticeLetterOptions, 'facts'>): string {
  const { death, by } = facts ?? {};
  const { date, toldBy, reportedAt, reportedBy } = death ?? {};
  const whoReported = listed(reportedBy?.name, reportedBy?.organisation);
  const whoPassedOn = by?.organisation ? listed(by.name, by.organisation) : '';
  const toWhom = whoReported && whoReported !== whoPassedOn ? `, to ${whoReported}` : '';
  return [
    `Date of death: ${date ? dateInWords(date) : 'not known'}.`,
    `Told by: ${toldBy ?? 'not stated'}, on ${momentAsDay(reportedAt ?? versionAt)}${toWhom}.`,
    // “Confirmed by” would contradict that nobody has verified it.
    ...(death && whoPassedOn ? [`Passed on by: ${whoPassedOn}.`] : []),
  ].join(' ');
}
