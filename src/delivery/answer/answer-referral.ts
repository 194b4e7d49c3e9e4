import { recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, versionStale } from '../../platform/problem/index.ts';
import { hasLiveCode, pauseOf } from '../../platform/secrets/index.ts';
import {
  answerByLink,
  type BeforeEnd,
  findReferral,
  findReferrerTelephone,
  fingerprintOfUnread,
  type LinkHolder,
  noteNewsRead,
  type Referral,
  type ReferralDeps,
  type ReferralStatus,
  type StatusReason,
} from '../../referrals/index.ts';
import { findAnswerLink } from '../channels/answer-link.ts';
import { setLinkEnded } from '../channels/answer-links-store.ts';
import { applyReport } from '../follow-up/apply-report.ts';
import { lockDelivery } from '../follow-up/follow-up-store.ts';
import { type CodeReceiver, codeReceiversOf, receiverOfCode } from './code-receivers.ts';
import { findVisitorOf } from './enter-code.ts';
import { noteSeenByHolder } from './note-seen.ts';
import { listSentToService } from './sent-to-service-store.ts';
import { type FormResult, lockUsableLink, mayUse, type UsableLink } from './usable-link.ts';
import type { Visitor } from './visits-store.ts';

/** What a link opens. It shows nothing of a referral that has ended, or that the link can no longer answer. */
export type LinkPageState =
  | (UsableLink & {
      state: 'open';
      /** Whether a message about it still waits for somebody to confirm it. */
      needsConfirmation: boolean;
      /** The ids, with spaces between them, of news from the referrer that nobody of the service has read. */
      news: string | undefined;
      /** Where to ring who referred; null if no number is known. */
      telephone: string | null;
      /** Where a code can go, where the one that works now went, and until when nobody may enter one. */
      code: { receivers: CodeReceiver[]; sentTo: CodeReceiver | undefined; pausedUntil: Date | null };
      /** Who opened it with a code in this browser. */
      visitor: Visitor | undefined;
    })
  /** The holder of the link ended the referral a moment ago. */
  | {
      state: 'ended';
      as: ReferralStatus;
      /** Whom to ring if it was a mistake. */
      referrer: { name: string; organisation?: string | null | undefined; telephone: string | null };
      /** Somebody has since sent a form that ends it in another way. It was not recorded. */
      isNotRecorded?: true;
    }
  | { state: 'closed' };

/** A link that can still be used. */
export type OpenLink = LinkPageState & { state: 'open' };

/** For how long the page of a link says how the referral ended, after the button or a second click. */
const endShownMs = 10 * minuteMs;

/** Reads what a link opens for the browser with this cookie, and changes nothing. */
export async function readLink(
  deps: Platform,
  secret: string,
  token: string | undefined,
): Promise<LinkPageState> {
  const { db } = deps;
  const now = deps.clock.now();
  const link = await findAnswerLink(deps, secret);
  const referral = link && (await findReferral(db, link.referralId));
  if (!referral) return { state: 'closed' };
  if (await mayUse(db, deps, link, referral)) {
    const messages = await listSentToService(db, referral.id);
    const usable = { link, referral };
    const receivers = await codeReceiversOf(db, deps, usable);
    return {
      ...usable,
      state: 'open',
      needsConfirmation: messages.some(({ confirmed }) => !confirmed),
      news: await fingerprintOfUnread(db, referral.id),
      telephone: await findReferrerTelephone(db, referral),
      code: {
        receivers,
        sentTo: hasLiveCode(link, now) ? receiverOfCode(link, receivers) : undefined,
        pausedUntil: pauseOf(link, now),
      },
      visitor: await findVisitorOf(db, deps, usable, token),
    };
  }
  const { endedAt } = link;
  const hasJustEnded = endedAt !== null && now.getTime() - endedAt.getTime() < endShownMs;
  if (!hasJustEnded) return { state: 'closed' };
  const { name, organisation } = referral.content.referrer;
  const telephone = await findReferrerTelephone(db, referral);
  return { state: 'ended', as: referral.status, referrer: { name, organisation, telephone } };
}

export type Answer =
  /** `newsRead`: the news from the referrer that somebody ticked as read. */
  | { kind: 'confirm'; newsRead: string }
  /** `version`: of the referral, as the page showed it. */
  | { kind: 'accept'; version: number; newsRead: string }
  | { kind: 'decline'; version: number; newsRead: string; reason: StatusReason };

type Answerer = Pick<LinkHolder, 'name' | 'role' | 'ipAddress'>;

/**
 * Confirms, accepts or declines a referral by a link, in one transaction with its history, audit, deliveries and news. Doing it again
 * changes nothing.
 * @throws Problem `version-stale` when the referral has changed since the page was opened, or there is news that nobody has read.
 */
export function answerReferral(
  deps: ReferralDeps,
  secret: string,
  answer: Answer,
  answerer: Answerer,
): Promise<FormResult> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const at = deps.clock.now();
    const usable = await lockUsableLink(trx, deps, secret);
    if (!usable) return 'closed';
    const { link, referral } = usable;
    const holder = { ...answerer, address: link.address };
    const news = await fingerprintOfUnread(trx, referral.id);
    const isRead = news !== undefined && news === answer.newsRead;
    if (answer.kind === 'confirm') {
      // News came after somebody opened the page, so they have not read all of it.
      if (answer.newsRead !== '' && news !== undefined && !isRead) throw new Problem(versionStale);
      await confirm(trx, referral, holder, at);
      if (isRead) await noteNewsRead(trx, referral, news.split(' '), holder, at);
      return 'done';
    }
    // Somebody has answered meanwhile. The page shows how.
    if (referral.status !== 'requested') return 'done-before';
    if (referral.version !== answer.version) throw new Problem(versionStale);
    if (news !== undefined && !isRead) throw new Problem(versionStale);
    const messages = await listSentToService(trx, referral.id);
    await noteSeenByHolder(trx, referral, holder, { at, shownAt: messages.at(-1)?.createdAt });
    const body = answer.kind === 'decline' ? { status_reason: answer.reason } : {};
    const action = answer.kind === 'decline' ? 'reject' : 'accept';
    // First, because the letter to the practice waits if the referral was declined by link.
    if (answer.kind === 'decline') await setLinkEnded(trx, link.id, { before: beforeEnd(referral), at });
    const read = isRead ? await noteNewsRead(trx, referral, news.split(' '), holder, at) : referral;
    await answerByLink(trx, deps, read, { action, body, at }, holder);
    return 'done';
  });
}

/** What the referrer needs to open the referral again. */
export const beforeEnd = ({
  status,
  status_reason: reason,
  expected_date,
  next_date,
}: Referral): BeforeEnd => ({
  status,
  reason,
  expectedDate: expected_date,
  nextDate: next_date,
});

/** Marks all messages that the service got as confirmed. */
async function confirm(trx: Trx, referral: Referral, holder: LinkHolder, at: Date): Promise<void> {
  const messages = await listSentToService(trx, referral.id);
  const { name, role, address, ipAddress } = holder;
  await noteSeenByHolder(trx, referral, holder, { at, shownAt: messages.at(-1)?.createdAt });
  for (const { id } of messages.filter(({ confirmed }) => !confirmed)) {
    const delivery = await lockDelivery(trx, id);
    const detail = `${name}, ${role}, confirmed it for ${referral.service.name} by the link in the message.`;
    if (!delivery || !(await applyReport(trx, delivery, { status: 'acknowledged', detail }, at))) continue;
    await recordAudit(trx, {
      at,
      actor: { name: `${name}, ${role}, by link sent to ${address}`, ipAddress },
      action: 'delivery.confirmed',
      subject: { type: 'referral', id: referral.id },
      details: { delivery: id },
    });
  }
}
