import { type Attempt, beginAttempt, recordSuccess } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { type Db, inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { hourMs } from '../../platform/durations.ts';
import { mayText, queueMails, queueText, textPauseMs } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { attemptsLeft, checkCode, makeCode, newSecret } from '../../platform/secrets/index.ts';
import { actorByLink, findReferral } from '../../referrals/index.ts';
import { findAnswerLink } from '../channels/answer-link.ts';
import { type AnswerLink, findLinkById, setCodeOfLink } from '../channels/answer-links-store.ts';
import { type CodeReceiver, chosenReceiver, codeReceiversOf, receiverOfCode } from './code-receivers.ts';
import { noteSeenByHolder } from './note-seen.ts';
import { lockUsableLink, mayUse, type UsableLink } from './usable-link.ts';
import { deleteVisits, findVisitor, insertVisit, type Visitor } from './visits-store.ts';

/** A code opens a referral for a working day: staff come back to it between two people. */
export const visitMs = 8 * hourMs;

/** Who opened the referral with a code, in the browser with this cookie. */
export async function findVisitorOf(
  db: Db,
  deps: Pick<Platform, 'secrets' | 'clock' | 'settings'>,
  usable: UsableLink,
  token: string | undefined,
): Promise<Visitor | undefined> {
  if (!token) return undefined;
  const codeAddresses = (await codeReceiversOf(db, deps, usable)).map(({ address }) => address);
  const visit = { linkId: usable.link.id, tokenHash: hashOfToken(deps, token), codeAddresses };
  return findVisitor(db, visit, deps.clock.now());
}

/**
 * Counts an attempt for the whole service and for the mailbox or mobile that gets its codes, not for the link: somebody may have many links.
 * @param choose picks the mailbox or mobile
 * @throws Problem `too-many-attempts`
 */
async function beginAttempts(
  deps: Platform,
  { secret, ipAddress }: { secret: string; ipAddress: string },
  choose: (receivers: CodeReceiver[], link: AnswerLink) => CodeReceiver | undefined,
): Promise<Attempt[]> {
  const link = await findAnswerLink(deps, secret);
  const referral = link && (await findReferral(deps.db, link.referralId));
  const receiver = referral && choose(await codeReceiversOf(deps.db, deps, { link, referral }), link);
  if (!receiver) return [];
  const attempts: Attempt[] = [];
  for (const identifier of [`service ${referral.service_id}`, `mailbox ${receiver.address}`])
    attempts.push(await beginAttempt(deps, { kind: 'answer-code', identifier, ipAddress }));
  return attempts;
}

/**
 * Sends a code to the second mailbox or the mobile number of the service, whichever was chosen. Earlier codes stop working. The page says
 * the same whether or not a code was sent.
 * @throws Problem `too-many-attempts`
 */
export async function requestCode(
  deps: Platform,
  secret: string,
  { chosen, ipAddress }: { chosen: string; ipAddress: string },
): Promise<void> {
  await beginAttempts(deps, { secret, ipAddress }, (receivers) => chosenReceiver(receivers, chosen));
  return inRetriedTransaction(deps.db, async (trx) => {
    const usable = await lockUsableLink(trx, deps, secret);
    const receivers = usable ? await codeReceiversOf(trx, deps, usable) : [];
    const receiver = chosenReceiver(receivers, chosen);
    if (!usable || !receiver) return;
    const { link, referral } = usable;
    const at = deps.clock.now();
    // Somebody who now chooses another receiver has not got the earlier code.
    const isSame = receiverOfCode(link, receivers) === receiver;
    const state = isSame ? link : { ...link, codeHash: null, codeUntil: null };
    const newCode = makeCode(state, (code) => hashOfCode(deps, link.id, code), at);
    if (newCode.result === 'sent-before') return;
    const { by, address } = receiver;
    if (
      newCode.result === 'send' &&
      by === 'text' &&
      !(await mayText(trx, deps, { kind: 'news', to: address }))
    ) {
      const pausedUntil = new Date(at.getTime() + textPauseMs);
      return setCodeOfLink(trx, link.id, { ...state, codeHash: null, codeUntil: null, pausedUntil }, address);
    }
    await setCodeOfLink(trx, link.id, newCode.state, address);
    if (newCode.result === 'paused') return;
    await queueCode(trx, deps, receiver, {
      code: newCode.code,
      until: newCode.state.codeUntil!,
      usable,
    });
    await recordAudit(trx, {
      at,
      actor: { name: `somebody with the link sent to ${link.address}`, ipAddress },
      action: 'answer-link.code_sent',
      subject: { type: 'referral', id: referral.id },
      details: { by },
    });
  });
}

/** Whether a code that waited may still go to this address: the link may have ended, or the service may have changed where codes go. */
export async function mayStillSendCode(
  deps: Platform,
  { linkId, to }: { linkId: string; to: string },
): Promise<boolean> {
  const { db } = deps;
  const link = await findLinkById(db, linkId);
  const referral = link && (await findReferral(db, link.referralId));
  if (!link || !referral || !(await mayUse(db, deps, link, referral))) return false;
  return (await codeReceiversOf(db, deps, { link, referral })).some(({ address }) => address === to);
}

async function queueCode(
  trx: Trx,
  deps: Platform,
  { by, address }: CodeReceiver,
  { code, until, usable }: { code: string; until: Date; usable: UsableLink },
): Promise<void> {
  const { siteName } = deps.settings;
  const { reference } = usable.referral;
  const about = { linkId: usable.link.id };
  // The code comes last, where the preview on a locked screen often ends.
  const short = `${siteName}: nobody from this site will ever ask you for this code. It opens referral ${reference} once, within 10 minutes: ${code}`;
  if (by === 'text') return queueText(trx, deps, 'news', { to: address, text: short, until }, about);
  const text = `${code} is the code for referral ${reference}. You can use it once, within 10 minutes.

Somebody who has the link to this referral asked for it. If you do not know who, tell nobody the code, and tell those who run ${siteName}. They will never ask you for it.

Please do not reply to this email: nobody reads the replies.
`;
  await queueMails(trx, deps, 'news', [{ to: address, subject: 'Your code', text }], about);
}

export type CodeEntry =
  | { result: 'opened'; token: string }
  | { result: 'wrong'; attemptsLeft: number }
  | { result: 'expired' | 'paused' | 'closed' };

/** Opens the referral in the browser that sends the right code. @throws Problem `too-many-attempts` */
export async function enterCode(
  deps: Platform,
  secret: string,
  { typed, visitor, token: earlier, ipAddress }: EnteredCode,
): Promise<CodeEntry> {
  const attempts = await beginAttempts(
    deps,
    { secret, ipAddress },
    (receivers, link) => receiverOfCode(link, receivers) ?? receivers[0],
  );
  return inRetriedTransaction(deps.db, async (trx) => {
    const usable = await lockUsableLink(trx, deps, secret);
    const receivers = usable ? await codeReceiversOf(trx, deps, usable) : [];
    if (!usable || receivers.length === 0) return { result: 'closed' };
    const { link, referral } = usable;
    const receiver = receiverOfCode(link, receivers);
    if (!receiver) return { result: 'expired' };
    const at = deps.clock.now();
    const checked = checkCode(link, typed, (code) => hashOfCode(deps, link.id, code), at);
    if (checked.result === 'paused' || checked.result === 'expired') return { result: checked.result };
    await setCodeOfLink(trx, link.id, checked.state, receiver.address);
    const holder = { ...visitor, address: link.address, ipAddress };
    const audit = { at, actor: actorByLink(holder), subject: { type: 'referral', id: referral.id } };
    if (checked.result !== 'right') {
      await recordAudit(trx, { ...audit, action: 'answer-link.code_refused' });
      return checked.result === 'wrong'
        ? { result: 'wrong', attemptsLeft: attemptsLeft(checked.state) }
        : { result: 'paused' };
    }
    for (const attempt of attempts) await recordSuccess(trx, deps, attempt);
    const token = newSecret();
    const visit = { linkId: link.id, tokenHash: hashOfToken(deps, token), codeAddress: receiver.address };
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
    const visitor = referral && (await findVisitorOf(trx, deps, { link, referral }, token));
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
