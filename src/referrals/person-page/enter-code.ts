import { recordAudit } from '../../audit/index.ts';
import { type Db, inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { isMailAddress, mayText, queueMails, queueText, textPauseMs } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  checkCode,
  hasLiveCode,
  isSecret,
  makeCode,
  newSecret,
  pauseOf,
} from '../../platform/secrets/index.ts';
import { visitMs } from '../model/person-page/person-page.ts';
import {
  deleteVisit,
  findPageBySecret,
  hasVisit,
  insertVisit,
  lockPageBySecret,
  type PageWithCode,
  setCodeState,
} from '../model/person-page/person-pages-store.ts';
import type { Referral } from '../model/referral.ts';
import { findReferral, lockReferrals } from '../model/referrals-store.ts';
import { addressForPage, countWithheld, hashOf, isWithheld } from './send-link.ts';

/** What a link opens for a browser. */
export type OpenedPage =
  /** The link was guessed, or has ended. Both look the same. */
  | { state: 'closed' }
  /** Without a code it says only that there is a message. */
  | { state: 'message'; by: 'email' | 'text'; hasCode: boolean; pausedUntil: Date | null }
  | { state: 'open'; page: PageWithCode; referral: Referral };

/** Reads what a link opens for the browser with this cookie, and changes nothing: mail scanners open every link. */
export async function openPersonPage(
  deps: Platform,
  secret: string,
  token: string | undefined,
): Promise<OpenedPage> {
  const page = isSecret(secret) ? await findPageBySecret(deps.db, hashOf(deps, secret)) : undefined;
  const referral = page && (await findReferral(deps.db, page.referralId));
  if (!page || !referral || !(await mayUse(deps.db, deps, page, referral))) return { state: 'closed' };
  const now = deps.clock.now();
  const isOpen = token !== undefined && (await hasVisit(deps.db, page.id, hashOfToken(deps, token), now));
  if (isOpen && !(await isWithheld(deps.db, deps, page, referral))) return { state: 'open', page, referral };
  const by = isMailAddress(page.address) ? 'email' : 'text';
  return { state: 'message', by, hasCode: hasLiveCode(page, now), pausedUntil: pauseOf(page, now) };
}

async function mayUse(db: Db, deps: Platform, page: PageWithCode, referral: Referral): Promise<boolean> {
  return page.endedAt === null && (await addressForPage(db, deps, referral)) === page.address;
}

/** Locks the referral and then its page, as every change does, so that nothing is opened while the record is being erased. */
async function lockPersonPage(
  trx: Trx,
  deps: Platform,
  secret: string,
): Promise<{ page: PageWithCode; referral: Referral } | undefined> {
  const pageBeforeLock = isSecret(secret) ? await findPageBySecret(trx, hashOf(deps, secret)) : undefined;
  if (!pageBeforeLock) return undefined;
  const referral = (await lockReferrals(trx, [pageBeforeLock.referralId])).get(pageBeforeLock.referralId);
  const page = await lockPageBySecret(trx, hashOf(deps, secret));
  if (!page || !referral || !(await mayUse(trx, deps, page, referral))) return undefined;
  return { page, referral };
}

/** Locks the referral of a person’s page, for a visit: a browser in which the page is open. @returns undefined if it is not open */
export async function lockReferralOfVisit(
  trx: Trx,
  deps: Platform,
  secret: string,
  token: string | undefined,
): Promise<{ referral: Referral; at: Date } | undefined> {
  const locked = await lockPersonPage(trx, deps, secret);
  if (!locked || token === undefined) return undefined;
  const at = deps.clock.now();
  const isOpen = await hasVisit(trx, locked.page.id, hashOfToken(deps, token), at);
  return isOpen ? { referral: locked.referral, at } : undefined;
}

/** Who acts on an open page, for the audit. */
export const personOnPage = (ipAddress: string) => ({ name: 'the person, on their page', ipAddress });

export type PageCodeRequest = 'sent' | 'paused' | 'closed';

/** Sends a code to the safe address or number. Earlier codes stop working. */
export function requestPageCode(deps: Platform, secret: string): Promise<PageCodeRequest> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const locked = await lockPersonPage(trx, deps, secret);
    if (!locked) return 'closed';
    const { page, referral } = locked;
    const at = deps.clock.now();
    const newCode = makeCode(page, (code) => hashOfCode(deps, page.id, code), at);
    if (newCode.result === 'sent-before') return 'sent';
    const to = page.address;
    // All links to one number count together.
    const isTooMuch = !isMailAddress(to) && !(await mayText(trx, deps, { kind: 'person', to }));
    if (newCode.result === 'paused' || isTooMuch) {
      await setCodeState(trx, page.id, newCode.result === 'paused' ? newCode.state : pausedState(page, at));
      return 'paused';
    }
    await setCodeState(trx, page.id, newCode.state);
    // It still answers that a code was sent, because the referrer may have opened the link of a leaflet.
    if (await isWithheld(trx, deps, page, referral)) {
      await countWithheld(trx, deps, to);
      return 'sent';
    }
    await queueCode(trx, deps, page, { code: newCode.code, until: newCode.state.codeUntil! });
    return 'sent';
  });
}

const pausedState = (page: PageWithCode, at: Date): PageWithCode => ({
  ...page,
  codeHash: null,
  codeUntil: null,
  pausedUntil: new Date(at.getTime() + textPauseMs),
});

async function queueCode(
  trx: Trx,
  deps: Platform,
  { id, address }: Pick<PageWithCode, 'id' | 'address'>,
  { code, until }: { code: string; until: Date },
): Promise<void> {
  // The code comes last, where the preview on a locked screen often ends.
  const short = `${deps.settings.siteName}: nobody from this site will ever ask you for this code. You can use it once, within 10 minutes: ${code}`;
  const about = { linkId: id };
  if (!isMailAddress(address))
    return queueText(trx, deps, 'person', { to: address, text: short, until }, about);
  const text = `${code} is your code. You can use it once, within 10 minutes.

If you did not ask for a code, do nothing: without it the page stays closed. Never tell anybody the code.

Please do not reply to this email: nobody reads the replies.
`;
  await queueMails(trx, deps, 'person', [{ to: address, subject: 'Your code', text }], about);
}

export type PageCodeEntry =
  | { result: 'opened'; token: string }
  | { result: 'wrong' | 'expired' | 'paused' | 'closed' };

/** Opens the page for the browser that sends the right code. */
export function enterPageCode(
  deps: Platform,
  secret: string,
  { typed, ipAddress }: { typed: string; ipAddress: string },
): Promise<PageCodeEntry> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const locked = await lockPersonPage(trx, deps, secret);
    if (!locked) return { result: 'closed' };
    const { page, referral } = locked;
    const at = deps.clock.now();
    const subject = { type: 'referral', id: referral.id };
    const mustWithhold = await isWithheld(trx, deps, page, referral);
    // A withheld page must look like any other, so every code is compared with the hash of a text that is no code.
    const hashOfTyped = (code: string) => hashOfCode(deps, page.id, mustWithhold ? 'no code is right' : code);
    const checked = checkCode(page, typed, hashOfTyped, at);
    if (checked.result === 'paused' || checked.result === 'expired') return { result: checked.result };
    await setCodeState(trx, page.id, checked.state);
    const actor = { name: 'the person, or somebody with their link', ipAddress };
    if (checked.result !== 'right') {
      await recordAudit(trx, { at, actor, action: 'person_page.code_refused', subject });
      return { result: checked.result === 'wrong' ? 'wrong' : 'paused' };
    }
    const token = newSecret();
    const endsAt = new Date(at.getTime() + visitMs);
    await insertVisit(trx, page.id, { tokenHash: hashOfToken(deps, token), at, endsAt });
    await recordAudit(trx, { at, actor, action: 'person_page.opened', subject });
    return { result: 'opened', token };
  });
}

/** Closes the page in the browser with this cookie. */
export async function leavePersonPage(deps: Platform, token: string | undefined): Promise<void> {
  if (token !== undefined) await deleteVisit(deps.db, hashOfToken(deps, token));
}

const hashOfCode = ({ secrets }: Platform, pageId: string, code: string) =>
  secrets.hash('person page code', `${pageId} ${code}`);
/** Hashes 43 characters, the length of a token, whatever length a browser sends. */
const hashOfToken = ({ secrets }: Platform, token: string) =>
  secrets.hash('person page visit', token.slice(0, 43).padEnd(43));
