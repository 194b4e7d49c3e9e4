import type { Db, Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { lockReferrals, type Referral } from '../../referrals/index.ts';
import { findAnswerLink, linkRuleOf } from '../channels/answer-link.ts';
import { type AnswerLink, lockLink } from '../channels/answer-links-store.ts';

/** A link that may be used, and the referral that it answers. */
export type UsableLink = { link: AnswerLink; referral: Referral };

/** What became of a form: done now, done by somebody before, or not done, because the link no longer answers in this browser. */
export type FormResult = 'done' | 'done-before' | 'closed';

/** Whether the address that has the link may answer the referral by it now. */
export async function mayUse(
  db: Db,
  { settings }: Pick<Platform, 'settings'>,
  { address }: Pick<AnswerLink, 'address'>,
  referral: Referral,
): Promise<boolean> {
  const rule = await linkRuleOf({ db, settings }, referral);
  return typeof rule === 'object' && rule.address === address;
}

/** Locks the referral and then its link, as every change does. @returns undefined when the link was guessed or has ended */
export async function lockUsableLink(
  trx: Trx,
  deps: Platform,
  secret: string,
): Promise<UsableLink | undefined> {
  const opened = await findAnswerLink({ ...deps, db: trx }, secret);
  if (!opened) return undefined;
  const referral = (await lockReferrals(trx, [opened.referralId])).get(opened.referralId);
  const link = await lockLink(trx, opened.id);
  return referral && link && (await mayUse(trx, deps, link, referral)) ? { link, referral } : undefined;
}
