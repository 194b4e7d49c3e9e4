import { type Attempt, beginAttempt, recordSuccess } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { codeEmail, findDeliveryAddress } from '../../library/index.ts';
import { type Db, inRetriedTransaction } from '../../platform/database/index.ts';
import { hourMs } from '../../platform/durations.ts';
import { canonicalEmail, queueMails } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { checkCode, makeCode, newSecret } from '../../platform/secrets/index.ts';
import { actorByLink, findReferral } from '../../referrals/index.ts';
import { findAnswerLink } from '../channels/answer-link.ts';
import { setCodeOfLink } from '../channels/answer-links-store.ts';
import { noteSeenByHolder } from './note-seen.ts';
import { lockUsableLink, type UsableLink } from './usable-link.ts';
import { deleteVisits, findVisitor, insertVisit, type Visitor } from './visits-store.ts';

/** A code opens a referral for a working day: staff come back to it between two people. */
export const visitMs = 8 * hourMs;

/**
 * The mailbox that gets the codes of a link: a second one, which the service gave before. Undefined if it gave none. Somebody who
 * reads the first one alone must not learn more by it.
 */
export async function codeAddressOf(db: Db, { link, referral }: UsableLink): Promise<string | undefined> {
  const found = await findDeliveryAddress(db, { serviceId: referral.service_id }, codeEmail);
  const isSecond = found && canonicalEmail(found.address) !== canonicalEmail(link.address);
  return isSecond ? found.address : undefined;
}

/** Who opened the referral with a code, in the browser with this cookie. */
export async function findVisitorOf(
  deps: Pick<Platform, 'secrets' | 'clock'>,
  db: Db,
  usable: UsableLink,
  token: string | undefined,
): Promise<Visitor | undefined> {
  const codeAddress = token && (await codeAddressOf(db, usable));
  if (!codeAddress) return undefined;
  const visit = { linkId: usable.link.id, tokenHash: hashOfToken(deps, token), codeAddress };
  return findVisitor(db, visit, deps.clock.now());
}

/**
 * Counts a try for the whole service and for the mailbox that gets its codes, not for the link: somebody may have many links.
 * @throws Problem `too-many-attempts`
 */
async function beginAttempts(deps: Platform, secret: string, ipAddress: string): Promise<Attempt[]> {
  const link = await findAnswerLink(deps, secret);
  const referral = link && (await findReferral(deps.db, link.referralId));
  const address = referral && (await codeAddressOf(deps.db, { link, referral }));
  if (!address) return [];
  const attempts: Attempt[] = [];
  for (const identifier of [`service ${referral.service_id}`, `mailbox ${address}`])
    attempts.push(await beginAttempt(deps, { kind: 'answer-code', identifier, ipAddress }));
  return attempts;
}

/**
 * Sends a code to the second mailbox. Earlier codes stop working. The page says the same whether or not a code was sent.
 * @throws Problem `too-many-attempts`
 */
export async function requestCode(deps: Platform, secret: string, ipAddress: string): Promise<void> {
  await beginAttempts(deps, secret, ipAddress);
  return inRetriedTransaction(deps.db, async (trx) => {
    const usable = await lockUsableLink(deps, trx, secret);
    const address = usable && (await codeAddressOf(trx, usable));
    if (!address) return;
    const { link, referral } = usable;
    const at = deps.clock.now();
    const made = makeCode(link, (code) => hashOfCode(deps, link.id, code), at);
    if (made.result === 'sent-before') return;
    await setCodeOfLink(trx, link.id, made.state);
    if (made.result === 'paused') return;
    const text = `${made.code} is the code for referral ${referral.reference}. You can use it once, within 10 minutes.

Somebody who has the link to this referral asked for it. If you do not know who, tell nobody the code, and tell those who run ${deps.settings.siteName}. They will never ask you for it.

Please do not reply to this email: nobody reads the replies.
`;
    await queueMails(trx, deps, 'news', [{ to: address, subject: 'Your code', text }]);
    await recordAudit(trx, {
      at,
      actor: { name: `somebody with the link sent to ${link.address}`, ipAddress },
      action: 'answer-link.code_sent',
      subject: { type: 'referral', id: referral.id },
    });
  });
}

export type CodeEntry =
  | { result: 'opened'; token: string }
  | { result: 'wrong' | 'expired' | 'paused' | 'closed' };

/** Opens the referral for the browser that sends the right code, and for no other. @throws Problem `too-many-attempts` */
export async function enterCode(
  deps: Platform,
  secret: string,
  { typed, visitor, token: earlier, ipAddress }: EnteredCode,
): Promise<CodeEntry> {
  const attempts = await beginAttempts(deps, secret, ipAddress);
  return inRetriedTransaction(deps.db, async (trx) => {
    const usable = await lockUsableLink(deps, trx, secret);
    const codeAddress = usable && (await codeAddressOf(trx, usable));
    if (!codeAddress) return { result: 'closed' };
    const { link, referral } = usable;
    const at = deps.clock.now();
    const checked = checkCode(link, typed, (code) => hashOfCode(deps, link.id, code), at);
    if (checked.result === 'paused' || checked.result === 'expired') return { result: checked.result };
    await setCodeOfLink(trx, link.id, checked.state);
    const holder = { ...visitor, address: link.address, ipAddress };
    const audit = { at, actor: actorByLink(holder), subject: { type: 'referral', id: referral.id } };
    if (checked.result !== 'right') {
      await recordAudit(trx, { ...audit, action: 'answer-link.code_refused' });
      return { result: checked.result === 'wrong' ? 'wrong' : 'paused' };
    }
    for (const attempt of attempts) await recordSuccess(trx, deps, attempt);
    const token = newSecret();
    const visit = { linkId: link.id, tokenHash: hashOfToken(deps, token), codeAddress };
    const earlierHash = earlier === undefined ? undefined : hashOfToken(deps, earlier);
    await insertVisit(trx, visit, { earlierHash, visitor, endsAt: new Date(at.getTime() + visitMs) });
    await noteSeenByHolder(trx, referral, holder, { at, shownAt: at });
    await recordAudit(trx, { ...audit, action: 'answer-link.entered' });
    return { result: 'opened', token };
  });
}

type EnteredCode = { typed: string; visitor: Visitor; token: string | undefined; ipAddress: string };

/** Records that somebody has read the referral, as for people with an account. */
export async function recordReading(
  db: Db,
  { link, referral }: UsableLink,
  { visitor, ipAddress, at }: { visitor: Visitor; ipAddress: string; at: Date },
): Promise<void> {
  await inRetriedTransaction(db, (trx) =>
    recordAudit(trx, {
      at,
      actor: actorByLink({ ...visitor, address: link.address, ipAddress }),
      action: 'answer-link.read',
      subject: { type: 'referral', id: referral.id },
    }),
  );
}

/** Closes in this browser everything that codes have opened. */
export async function closeVisits(
  deps: Platform,
  secret: string,
  { token, ipAddress }: { token: string | undefined; ipAddress: string },
): Promise<void> {
  if (token === undefined) return;
  await inRetriedTransaction(deps.db, async (trx) => {
    const link = await findAnswerLink({ ...deps, db: trx }, secret);
    const referral = link && (await findReferral(trx, link.referralId));
    const visitor = referral && (await findVisitorOf(deps, trx, { link, referral }, token));
    await deleteVisits(trx, hashOfToken(deps, token));
    if (!visitor) return;
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorByLink({ ...visitor, address: link.address, ipAddress }),
      action: 'answer-link.closed',
      subject: { type: 'referral', id: referral.id },
    });
  });
}

const hashOfCode = ({ secrets }: Pick<Platform, 'secrets'>, linkId: string, code: string) =>
  secrets.hash('answer code', `${linkId} ${code}`);
/** The site’s keyed hash takes one length, and a cookie may have any. */
const hashOfToken = ({ secrets }: Pick<Platform, 'secrets'>, token: string) =>
  secrets.hash('answer visit', token.slice(0, 43).padEnd(43));
