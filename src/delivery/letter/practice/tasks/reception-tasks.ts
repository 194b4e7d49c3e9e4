import { lowerFirst } from '../../../../platform/first-letter.ts';
import { adjustmentsInWords } from '../../../../referrals/index.ts';
import { changedNeeds, safetyNoteChange } from '../../changes.ts';
import type { Task } from '../../letter.ts';
import { lettersInShort, lettersToFind, numberOfLetter, otherLetter } from '../../letter-order.ts';
import { ringReferrer } from '../../whom-to-ask.ts';
import { dateInWords } from '../../words.ts';
import { noteWarnings } from '../dangers.ts';
import { hideEarlierLettersTasks, hideOnlineTask, mustHide } from '../hide-online.ts';
import { hasNameToFind } from '../identity-lines.ts';
import type { PreparedLetter } from '../prepare-letter.ts';
import { contactLimitTasks } from './record-limits.ts';
import { atOnce, clerkTask, whenFiling } from './task.ts';

/** What a clerk does with any letter. Such tasks do not make a letter one “for action”. */
export function receptionTasks(letter: PreparedLetter): Task[] {
  const { replacesLetterOf, isCodesOnly } = letter;
  if (letter.isRemovalNotice) return [];
  const isHiddenAtOnce = hideEarlierLettersTasks(letter).length > 0;
  return [
    ...(mustHide(letter) && !isHiddenAtOnce ? [hideOnlineTask(letter)] : []),
    ...contactLimitTasks(letter),
    ...safetyNoteTasks(letter),
    ...oldNoteTasks(letter),
    ...withdrawnLetterTasks(letter),
    ...findByNumberTasks(letter),
    ...needsTasks(letter),
    ...movedAwayTasks(letter),
    ...otherLetterTasks(letter),
    ...(replacesLetterOf && !isCodesOnly ? [supersededTask(letter, replacesLetterOf)] : []),
  ];
}

/** Whether a clerk has to put a safety note on the record. */
export function hasSafetyNoteForRecord(letter: PreparedLetter): boolean {
  return letter.purpose === 'referral' && letter.mayWarn && noteWarnings(letter).length > 0;
}

/** A colleague who visits the patient reads the record, and not this letter. */
function safetyNoteTasks(letter: PreparedLetter): Task[] {
  if (!hasSafetyNoteForRecord(letter)) return [];
  const what = `${noteOnRecord(letter).step}, hidden online, for home visits.`;
  return [clerkTask(atOnce, what, { inHeading: 'safety note' })];
}

/** What a clerk does with the safety note: in the words of the step, and of the heading. */
export function noteOnRecord(letter: PreparedLetter): { step: string; inHeading: string } {
  const isFirst = letter.earlierLetters.length === 0;
  const put = 'put the safety note on the record';
  const check = 'check that the record has the safety note';
  const corrected = isFirst ? 'new' : safetyNoteChange(letter);
  if (corrected === 'new') return { step: put, inHeading: put };
  return corrected === 'replaced'
    ? {
        step: 'replace the old safety note on the record with the new one',
        inHeading: 'replace the safety note on the record',
      }
    : { step: check, inHeading: check };
}

/** Letters with a code alone asked for a note, and to be hidden. The first letter with details says whether that still holds. */
function oldNoteTasks(letter: PreparedLetter): Task[] {
  const earlier = letter.earlierLetters;
  const isFirstWithDetails = letter.earlierFullLetters.length === 0;
  if (earlier.length === 0 || !isFirstWithDetails || !letter.mayWarn) return [];
  const letters = lettersInShort(
    letter,
    earlier.map(({ at }) => at),
  );
  const isHidden = mustHide(letter);
  const [its, that] = earlier.length === 1 ? ['its', 'that letter'] : ['their', 'those letters'];
  return [
    clerkTask(
      whenFiling,
      `delete the note “ring before any contact”, which ${letters} asked for: this letter says how to contact the patient. ${isHidden ? `Keep ${that} and ${its} code hidden online` : `You may show ${that} and ${its} code online again`}.`,
    ),
  ];
}

/** The removal notice may have been lost, or may come later. Only the first letter after the mistake says so. */
function withdrawnLetterTasks(letter: PreparedLetter): Task[] {
  const { content, reference } = letter.referral;
  const withdrawn = letter.facts?.withdrawnBefore;
  if (!withdrawn || letter.earlierLetters.length > 0) return [];
  const wrongBirthDate = dateInWords(withdrawn.birthDate);
  const code = letter.codes.length > 0 ? ', and the code filed from it' : '';
  return [
    clerkTask(
      whenFiling,
      `remove ${otherLetter(withdrawn)}, if it is in the record, and mark the code filed from it as entered in error.`,
      {
        details:
          withdrawn.birthDate === content.patient.birth_date
            ? 'That letter was sent by mistake'
            : `That letter had the wrong date of birth, ${wrongBirthDate}. Look for it also in a record of this name with that date`,
      },
    ),
    clerkTask(whenFiling, `keep this letter, reference ${reference}${code}.`),
  ];
}

/** A clerk cannot search for a name that they cannot read or type. */
function findByNumberTasks(letter: PreparedLetter): Task[] {
  if (hasNameToFind(letter.referral.content.patient)) return [];
  return [
    clerkTask(
      whenFiling,
      `find the record by the NHS number. Without it, date of birth and address must both match. If you are not sure, file nothing, and ${ringReferrer(letter)}, who can also spell the name in Latin letters.`,
    ),
  ];
}

/** The colleague who books the next appointment reads the record. */
function needsTasks(letter: PreparedLetter): Task[] {
  const what = changedNeeds(letter);
  if (what === undefined || !letter.mayWarn) return [];
  const { patient, reasonable_adjustments } = letter.referral.content;
  const { interpreter, format } = patient.communication_needs ?? {};
  const adjustments = adjustmentsInWords(reasonable_adjustments);
  const now = [
    interpreter && `interpreter ${interpreter.replace(/\.$/, '')}`,
    format && `information in ${format.replace(/\.$/, '')}`,
    adjustments && lowerFirst(adjustments),
  ].filter(Boolean);
  return [
    clerkTask(
      whenFiling,
      `put the ${what} on the record${now.length > 0 ? `: ${now.join('; ')}` : ': none any more'}.`,
    ),
  ];
}

/** Whether the service heard that the patient has moved away. They may have another practice by now. */
export function hasMovedAway({ referral, purpose, mayWarn }: PreparedLetter): boolean {
  return purpose === 'outcome' && referral.status_reason?.code === 'moved-away' && mayWarn;
}

function movedAwayTasks(letter: PreparedLetter): Task[] {
  return hasMovedAway(letter)
    ? [clerkTask(whenFiling, 'check the patient’s address and registration: they have moved away.')]
    : [];
}

/** Staff take two letters of one day about one patient for copies of the same letter. */
function otherLetterTasks({ facts }: PreparedLetter): Task[] {
  const others = facts?.otherLettersOfDay ?? [];
  if (others.length === 0) return [];
  const [it, is] = others.length === 1 ? ['it', 'is'] : ['they', 'are'];
  return [
    clerkTask(
      whenFiling,
      `file this beside ${new Intl.ListFormat('en-GB').format(others.map(otherLetter))}: ${it} ${is} about another referral.`,
      { details: 'Neither replaces the other' },
    ),
  ];
}

/** If the letter that is replaced was an update, it may have asked for something that nobody has done yet. */
function supersededTask(letter: PreparedLetter, replaced: Date): Task {
  const isOfUpdate = letter.purpose === 'referral' && (numberOfLetter(letter, replaced) ?? 1) > 1;
  return clerkTask(
    whenFiling,
    `mark ${lettersToFind(letter, [replaced])} as superseded.`,
    isOfUpdate
      ? {
          details:
            'What it asked you to check or change in your record is still to do, if nobody has done it',
        }
      : {},
  );
}
