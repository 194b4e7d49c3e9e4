import { upperFirst } from '../../../../platform/first-letter.ts';
import { waysInWords, waysLeftOut } from '../../../../referrals/index.ts';
import { correctedContactDetails, hasNewContact } from '../../changes.ts';
import type { Task } from '../../letter.ts';
import { lettersInShort, ourLetter, ourLetters } from '../../letter-order.ts';
import { ringReferrer } from '../../whom-to-ask.ts';
import { withoutLineBreaks } from '../../words.ts';
import { whomToAskFirst } from '../ask-first.ts';
import { removalHeadings } from '../headings.ts';
import type { PreparedLetter } from '../prepare-letter.ts';
import { newContactTask } from './record-limits.ts';
import { atOnce, clerkTask, clinicianTask, handOverTask, whenFiling } from './task.ts';

/** What a clerk puts right in the record or in the post. Such tasks make a letter one “for action”. */
export function correctionTasks(letter: PreparedLetter): Task[] {
  if (letter.isRemovalNotice) return [];
  return [
    ...keepLetterTasks(letter),
    ...restrictionTasks(letter),
    ...stopMessagesTasks(letter),
    ...checkRecordTasks(letter),
  ];
}

/** Whether we asked the practice to remove all our letters. It may not have done so yet. */
export function wasAskedToRemove(letter: PreparedLetter): boolean {
  return Boolean(letter.facts?.removalAskedOn) && letter.earlierLetters.length === 0;
}

/**
 * The practice was asked to remove our letter, but is the right one after all. Both letters may have the same date and reference, so
 * a clerk who files them later might remove the wrong one.
 */
function keepLetterTasks(letter: PreparedLetter): Task[] {
  if (!wasAskedToRemove(letter)) return [];
  const request = ourLetter(letter, letter.facts!.removalAskedOn!);
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

/** “our letter 1”: the letters that we asked the practice to remove. */
function removedLettersInShort(letter: PreparedLetter): string {
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
 * If the practice may know less now than an earlier letter says, that letter has to be locked away. This letter must not say whether the
 * earlier one asks for something, so a clinician looks first.
 */
export function restrictionTasks(letter: PreparedLetter): Task[] {
  if (!letter.isCodesOnly) return [];
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
  const keepsCode = letter.facts?.codeSentAt && letter.codes.length === 0;
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

/** Somebody whom the patient fears may now read what the practice sends to the old address or telephone. */
function stopMessagesTasks(letter: PreparedLetter): Task[] {
  const withheld = waysLeftOut(letter.referral);
  if (withheld.length === 0 || !letter.isContactUnsafe || !letter.mayWarn) return [];
  return [
    clerkTask(
      'today',
      `stop everything that goes to the ${waysInWords(withheld)} in your record, reminders and results too.`,
    ),
  ];
}

/** Only what is in the practice’s own record. If every replacement asked for something, practices would stop reading. */
function checkRecordTasks(letter: PreparedLetter): Task[] {
  if (!letter.replacesLetterOf || letter.isCodesOnly) return [];
  const corrected = correctedContactDetails(letter);
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

/** The new values, so that a clerk can compare them. The record may have newer ones, so the clerk must not overwrite those. */
function whatWasCorrected(letter: PreparedLetter, corrected: readonly string[]): string {
  const { patient, contact } = letter.referral.content;
  const ask =
    whomToAskFirst(letter) === undefined
      ? 'ask the patient which is right'
      : 'change nothing yet, and ask as the contact limits say';
  const { lines, postcode } = patient.address;
  const now: Readonly<Record<string, string | undefined>> = {
    address: [...lines, postcode.toUpperCase()].filter(Boolean).join(', '),
    'telephone number': withoutLineBreaks(patient.telephone),
  };
  const each = corrected.map((what) => now[what] && `${what} was corrected to ${now[what]}`);
  const areKnown = each.every(Boolean);
  return [
    areKnown ? upperFirst(`the ${each.join('. The ')}`) : 'What was corrected is under “What has changed”',
    ...(contact?.safe === 'no' ? [] : [`If your record has another one, ${ask}`]),
  ].join('. ');
}
