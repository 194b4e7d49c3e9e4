import { codeBefore, codeInWords, referralCode } from '../../codes.ts';
import type { Task } from '../../letter.ts';
import { momentAsDay } from '../../words.ts';
import { mustHide } from '../hide-online.ts';
import type { PracticeLetter } from '../prepare-letter.ts';
import { codesToRemove, hasCodeOfOther, marksCodeAsError } from '../removal-notice.ts';
import { wasAskedToRemove } from '../tasks/correction-tasks.ts';

/**
 * Under the heading of each box, also where there is none: a clerk looks for it in every letter. It has no “if”: what the record should have
 * from before is below the box. The number stands in no other place: one that stands twice may be filed twice.
 */
export function boxCode(letter: PracticeLetter, tasks: readonly Task[]): string {
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
