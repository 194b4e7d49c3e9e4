import { type FoundPractice, findPractice, locate, searchPractices } from '../library/index.ts';
import type { Db } from '../platform/database/index.ts';
import type { FieldError } from '../platform/problem/index.ts';
import type { ReferralForm } from './referral-form.ts';

type OfferedPractice = Omit<FoundPractice, 'channels' | 'distance'>;

/** What became of the practice that a form names. */
export type PracticeChoice = {
  /** The code that the referral is sent with; empty where none is wanted, or none was chosen yet. */
  readonly code: string;
  /** What the page offers to choose from. */
  readonly offered: readonly OfferedPractice[];
  /** There are more than are offered. */
  readonly more: boolean;
  readonly error?: FieldError;
};

const mostOffered = 10;
const longestName = 200;
const unknown = { pointer: '/gp_practice', message: 'is not a practice that this site knows' };

/**
 * The practice that is meant by what was typed: a code, or words of a name, a town, an address or a postcode. Only a
 * code needs no choice; a name, even one that fits a single practice, is never taken for it, since a letter about a
 * person would go there. The nearest to the person come first where several fit equally well.
 */
export async function choosePractice(db: Db, form: ReferralForm): Promise<PracticeChoice> {
  const typed = form.gp_ods_code.trim();
  if (typed === '') return { code: '', offered: [], more: false };
  const named = await findPractice(db, typed.replaceAll(/\s/g, '').toUpperCase());
  if (named) return { code: named.odsCode, offered: [named], more: false };
  if (typed.length > longestName || !/[\p{L}\p{N}]/u.test(typed)) return refused([], false, unknown);
  const near = await locate(db, form.postcode);
  const found = await searchPractices(db, { search: typed, near, limit: mostOffered });
  if (found.practices.length === 0) return refused([], false, unknown);
  const chosen = await chosenPractice(db, form, found.practices);
  if (!chosen) return refused(found.practices, found.more, { pointer: '/gp_choice', message: 'is required' });
  // What was chosen stays on the page, also where another postcode of the person brings others to the top.
  const isOffered = found.practices.some(({ odsCode }) => odsCode === chosen.odsCode);
  const offered = isOffered ? found.practices : [chosen, ...found.practices];
  return { code: chosen.odsCode, offered, more: found.more };
}

function refused(offered: readonly OfferedPractice[], more: boolean, error: FieldError): PracticeChoice {
  return { code: '', offered, more, error };
}

/** A choice is for the name that it was offered for: whoever types another name chooses anew. */
async function chosenPractice(
  db: Db,
  { gp_ods_code, gp_offered_for, gp_choice }: ReferralForm,
  found: readonly OfferedPractice[],
): Promise<OfferedPractice | undefined> {
  if (gp_choice === '' || gp_offered_for !== gp_ods_code.trim()) return undefined;
  return found.find(({ odsCode }) => odsCode === gp_choice) ?? findPractice(db, gp_choice);
}
