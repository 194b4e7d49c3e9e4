import { codeBefore, codeInWords, referralCode } from '../../codes.ts';
import type { Task } from '../../letter.ts';
import { momentAsDay } from '../../words.ts';
import { mustHide } from '../hide-online.ts';
import type { PreparedLetter } from '../prepare-letter.ts';
import { codesToRemove, hasCodeOfOther, marksCodeAsError } from '../removal-notice.ts';
import { wasAskedToRemove } from '../tasks/correction-tasks.ts';

/**
 * The code to file, or that there is none: a clerk looks for this line in every letter. The number stands nowhere else, because a clerk
 * might file it twice.
 */
export function boxCode(letter: PreparedLetter, tasks: readonly Task[]): string {
  const { referral, facts, date, codes } = letter;
  if (letter.isRemovalNotice) return codeToRemove(letter, tasks);
  const before = codeBefore(referral, facts);
  if (codes.length === 0) return `No new code to file${whyNoCode(letter, before)}.`;
  const each = codes.map((code) => {
    // The first letter may be about the end of the referral, so its date is not that of the referral.
    const at = code === referralCode ? referral.requested_at : (facts?.by?.at ?? date);
    return `SNOMED CT ${codeInWords(code)}, dated ${momentAsDay(at)}`;
  });
  const mayBeThere = wasAskedToRemove(letter) || Boolean(facts?.otherLettersOfDay?.length);
  const once = mayBeThere
    ? ` File it once: if the record already has it for ${momentAsDay(referral.requested_at)}, do not add it again.`
    : '';
  const hidden = mustHide(letter) ? ', hidden online' : '';
  const stays = before ? ` The code of the referral, dated ${before.dated}, stays.` : '';
  return `${codes.length === 1 ? 'Code' : 'Codes'} to file: ${each.join('; and ')}${hidden}.${once}${stays}`;
}

/** Why there is no code, because a first letter without one is puzzling. */
function whyNoCode(letter: PreparedLetter, before: ReturnType<typeof codeBefore>): string {
  if (letter.referral.content.episode === 'continuing' && letter.mayWarn)
    return ': an earlier referral began this episode of care';
  if (!before?.reference || (letter.hasDied && !letter.isCodesOnly)) return '';
  return `: the code from our letter of ${before.dated} (${before.reference}) covers this referral`;
}

/** The same line in a removal notice: the code that a clerk removes, and in which step. */
function codeToRemove(letter: PreparedLetter, tasks: readonly Task[]): string {
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
