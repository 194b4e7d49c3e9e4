import { upperFirst } from '../../../../platform/first-letter.ts';
import { waysInWords, waysLeftOut } from '../../../../referrals/index.ts';
import { correctedInRecord, hasNewContact } from '../../changes.ts';
import type { Task } from '../../letter.ts';
import { lettersInShort, ourLetter, ourLetters } from '../../letter-order.ts';
import { ringReferrer } from '../../whom-to-ask.ts';
import { unbroken } from '../../words.ts';
import { askedFirst } from '../ask-first.ts';
import { removalHeadings } from '../headings.ts';
import type { PracticeLetter } from '../prepare-letter.ts';
import { newContactTask } from './record-limits.ts';
import { atOnce, clerkTask, clinicianTask, handOverTask, whenFiling } from './task.ts';

/** What to do with the paper itself, before anything that it asks. */
export function correctionTasks(letter: PracticeLetter): Task[] {
  if (letter.isRemovalNotice) return [];
  return [
    ...keepLetterTasks(letter),
    ...restrictionTasks(letter),
    ...stopMessagesTasks(letter),
    ...checkRecordTasks(letter),
  ];
}

/** Whether the practice was asked to remove all that it had, and may not have done it. */
export function wasAskedToRemove(letter: PracticeLetter): boolean {
  const { facts } = letter;
  return Boolean(facts?.removalAskedOn) && facts!.earlierLetters.length === 0;
}

/**
 * The practice was asked to remove its letter, and is the right one after all. Both letters may be of one day and have one reference,
 * so without this somebody who files them later removes the one that holds.
 */
function keepLetterTasks(letter: PracticeLetter): Task[] {
  const { facts } = letter;
  if (!wasAskedToRemove(letter)) return [];
  const request = ourLetter(letter, facts!.removalAskedOn!);
  return [
    clerkTask(
      whenFiling,
      `keep this letter, and ignore ${request}, headed “${removalHeadings['wrong-practice']}”: your practice was the right one.`,
      {
        details: 'Do this also if you read that request after this letter',
      },
    ),
    clerkTask(
      whenFiling,
      `mark ${removedLettersInShort(letter)} as superseded, if it is still in the record.`,
    ),
  ];
}

/** “our letter 1”: what that request asked to remove. */
function removedLettersInShort(letter: PracticeLetter): string {
  const removed = (letter.series?.earlier ?? []).filter(
    ({ purpose, isWithdrawn }) => isWithdrawn && purpose !== 'removal',
  );
  return removed.length === 0
    ? 'our earlier letter'
    : lettersInShort(
        letter,
        removed.map(({ at }) => at),
      );
}

/**
 * The practice may know less now than an earlier letter told. Whether that letter asked for something, this one may not say (boxWords): a
 * clinician looks before it is put away.
 */
export function restrictionTasks(letter: PracticeLetter): Task[] {
  if (!letter.isCodesOnly) return [];
  const { facts } = letter;
  const letters = letter.earlierLetters.filter(({ hadDetails }) => hadDetails);
  if (letters.length === 0) return [];
  const which = ourLetters(
    letter,
    letters.map(({ at }) => at),
  );
  const [it, ask] = letters.length > 1 ? ['them', 'ask'] : ['it', 'asks'];
  const inShort = lettersInShort(
    letter,
    letters.map(({ at }) => at),
  );
  const keepsCode = facts?.codeSentAt && letter.codes.length === 0;
  return [
    handOverTask(atOnce, `this letter and ${which}, reference ${letter.referral.reference}, to a clinician`),
    clinicianTask(
      'today',
      `if ${inShort} ${ask} you to do something, ${ringReferrer(letter)}, and ask whether that still stands.`,
    ),
    clerkTask(
      'once a clinician has seen them',
      `restrict ${inShort}: only staff who need ${it} may open ${it}.${keepsCode ? ' Leave the code, hidden online.' : ''}`,
    ),
  ];
}

/** What the record has may now be in the hands of somebody whom the patient fears. */
function stopMessagesTasks(letter: PracticeLetter): Task[] {
  const withheld = waysLeftOut(letter.referral);
  if (withheld.length === 0 || !letter.isContactUnsafe || !letter.mayWarn) return [];
  return [
    clerkTask(
      'today',
      `stop everything that goes to the ${waysInWords(withheld)} in your record, reminders and results too.`,
    ),
  ];
}

/** That a letter replaces another asks for nothing by itself: a practice that is told to act each time stops reading. */
function checkRecordTasks(letter: PracticeLetter): Task[] {
  if (!letter.replacesLetterOf || letter.isCodesOnly) return [];
  const corrected = correctedInRecord(letter);
  return [
    ...(hasNewContact(letter) ? [newContactTask(letter)] : []),
    ...(corrected.length === 0
      ? []
      : [
          clerkTask(whenFiling, `check the patient’s ${corrected.join(' and ')} in your record.`, {
            details: whatWasCorrected(letter, corrected),
          }),
        ]),
  ];
}

/** A clerk compares the number without a search in the letter, and overwrites none that may be newer. */
function whatWasCorrected(letter: PracticeLetter, corrected: readonly string[]): string {
  const { patient, contact } = letter.referral.content;
  const ask =
    askedFirst(letter) === undefined
      ? 'ask the patient which is right'
      : 'change nothing yet, and ask as the contact limits say';
  const { lines, postcode } = patient.address;
  const now: Readonly<Record<string, string | undefined>> = {
    address: [...lines, postcode.toUpperCase()].filter(Boolean).join(', '),
    'telephone number': unbroken(patient.telephone),
  };
  const each = corrected.map((what) => now[what] && `${what} was corrected to ${now[what]}`);
  const areKnown = each.every(Boolean);
  return [
    areKnown ? upperFirst(`the ${each.join('. The ')}`) : 'What was corrected is under “What has changed”',
    ...(contact?.safe === 'no' ? [] : [`If your record has another one, ${ask}`]),
  ].join('. ');
}
