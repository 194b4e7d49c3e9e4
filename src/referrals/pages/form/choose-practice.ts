import type { Caller } from '../../../accounts/index.ts';
import {
  type FoundPractice,
  findPractice,
  hasClosed,
  type KnownPractice,
  locate,
  searchPractices,
} from '../../../library/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import { londonDate } from '../../model/due/dates.ts';
import type { ReferralForm } from './referral-form.ts';

type OfferedPractice = Omit<FoundPractice, 'channels' | 'distance' | 'closedOn'>;

/** The practice that a form names, or the ones to choose from. */
export type PracticeChoice = {
  /** Empty when no practice was named or chosen yet. */
  readonly code: string;
  /** The practices that the page offers. */
  readonly offered: readonly OfferedPractice[];
  /** More practices were found than are offered. */
  readonly more: boolean;
  readonly error?: FieldError;
};

const maxOffered = 10;
const maxNameLength = 200;
/** No practice that this site knows has the code or the words that were typed. */
export const unknownPractice: FieldError = {
  pointer: '/gp_practice',
  message: 'is not a practice that this site knows',
  code: 'unknown-practice',
};

const practiceHasClosed: FieldError = {
  pointer: '/gp_practice',
  message: 'has closed',
  code: 'closed-practice',
};

/**
 * The practice that was chosen or typed: the reader’s own, a code, or words of a name, town, address or postcode. Only a code is taken at
 * once. A name must be chosen from the list, even if only one practice fits: a letter about the person would go
 * there. The practices nearest to the person come first.
 * @param currentCode the practice of a referral that is being corrected; it may have closed
 * @param ownCode that of the reader’s own practice
 */
export async function choosePractice(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  form: ReferralForm,
  { currentCode, ownCode }: { currentCode?: string | undefined; ownCode?: string | undefined } = {},
): Promise<PracticeChoice> {
  const typed = typedPractice(form, ownCode);
  if (typed === '') return { code: '', offered: [], more: false };
  const named = await findPractice(db, typed.replaceAll(/\s/g, '').toUpperCase());
  const now = clock.now();
  if (named && hasClosed(named, now) && named.odsCode !== currentCode)
    return withoutPractice([], false, practiceHasClosed);
  if (named) return { code: named.odsCode, offered: [named], more: false };
  if (typed.length > maxNameLength || !/[\p{L}\p{N}]/u.test(typed))
    return withoutPractice([], false, unknownPractice);
  const near = await locate(db, form.postcode);
  const result = await searchPractices(db, {
    search: typed,
    near,
    openOn: londonDate(now),
    limit: maxOffered,
  });
  if (result.practices.length === 0) return withoutPractice([], false, unknownPractice);
  const chosen = await chosenPractice(db, form, result.practices);
  if (!chosen)
    return withoutPractice(result.practices, result.hasMore, {
      pointer: '/gp_choice',
      message: 'is required',
      code: 'required',
    });
  // The chosen practice stays on the page, even when another postcode brings other practices to the top.
  const isOffered = result.practices.some(({ odsCode }) => odsCode === chosen.odsCode);
  const offered = isOffered ? result.practices : [chosen, ...result.practices];
  return { code: chosen.odsCode, offered, more: result.hasMore };
}

/** What was typed counts only while its answer is chosen. */
function typedPractice({ gp_from, gp_ods_code }: ReferralForm, ownCode = ''): string {
  if (gp_from === 'own') return ownCode;
  return gp_from === 'none' ? '' : gp_ods_code.trim();
}

/** The practice that somebody works for, to be offered first; undefined if they work for none that is open. */
export async function findOwnPractice(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  { organisation }: Caller,
): Promise<KnownPractice | undefined> {
  const practice = organisation?.odsCode ? await findPractice(db, organisation.odsCode) : undefined;
  return practice && !hasClosed(practice, clock.now()) ? practice : undefined;
}

function withoutPractice(
  offered: readonly OfferedPractice[],
  more: boolean,
  error: FieldError,
): PracticeChoice {
  return { code: '', offered, more, error };
}

/** A choice counts only for the words that it was offered for. After other words, one must choose again. */
async function chosenPractice(
  db: Db,
  { gp_ods_code, gp_offered_for, gp_choice }: ReferralForm,
  matches: readonly OfferedPractice[],
): Promise<OfferedPractice | undefined> {
  if (gp_choice === '' || gp_offered_for !== gp_ods_code.trim()) return undefined;
  return matches.find(({ odsCode }) => odsCode === gp_choice) ?? findPractice(db, gp_choice);
}
