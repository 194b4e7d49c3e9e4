import { recordAudit } from '../../audit/index.ts';
import { type Db, inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem, versionStale } from '../../platform/problem/index.ts';
import {
  answerByLink,
  findReferral,
  findReferrerTelephone,
  findUnreadNewsForService,
  type LinkHolder,
  lockReferrals,
  noteConfirmed,
  noteNewsRead,
  type Referral,
  type ReferralDeps,
  type StatusReason,
} from '../../referrals/index.ts';
import { findAnswerLink, linkRuleOf } from '../channels/answer-link.ts';
import { setLinkEnded } from '../channels/answer-links-store.ts';
import { applyReport } from '../follow-up/apply-report.ts';
import { lockDelivery } from '../follow-up/follow-up-store.ts';
import { listSentToService } from './answer-store.ts';

/** What a link opens. It opens nothing else once its referral is over, or may no longer be answered by it. */
export type OpenedLink =
  | {
      state: 'open';
      referral: Referral;
      /** Whether a message about it still waits for somebody to confirm it. */
      toConfirm: boolean;
      /** Which news from the referrer nobody of the service has read. */
      news: string | undefined;
      /** Where to ring who referred; null if no number is known. */
      telephone: string | null;
    }
  /** Its holder declined the referral a moment ago. */
  | { state: 'declined' }
  | { state: 'closed' };

/** How long a link still says that it declined the referral: the page after the button, and a second click, say what happened. */
const declinedShownMs = 10 * minuteMs;

/** Reads what a link opens, and changes nothing. */
export async function openLink(deps: Platform, secret: string): Promise<OpenedLink> {
  const link = await findAnswerLink(deps, secret);
  const referral = link && (await findReferral(deps.db, link.referralId));
  if (!referral) return { state: 'closed' };
  if (await mayUse(deps, deps.db, link, referral)) {
    const sent = await listSentToService(deps.db, referral.id);
    return {
      state: 'open',
      referral,
      toConfirm: sent.some(({ confirmed }) => !confirmed),
      news: await findUnreadNewsForService(deps.db, referral.id),
      telephone: await findReferrerTelephone(deps.db, referral),
    };
  }
  const { endedAt } = link;
  const wasDeclined = endedAt !== null && deps.clock.now().getTime() - endedAt.getTime() < declinedShownMs;
  return { state: wasDeclined ? 'declined' : 'closed' };
}

async function mayUse(
  { settings }: Pick<Platform, 'settings'>,
  db: Db,
  { address }: { address: string },
  referral: Referral,
): Promise<boolean> {
  const rule = await linkRuleOf({ db, settings }, referral);
  return typeof rule === 'object' && rule.address === address;
}

export type Answer =
  /** With the news from the referrer that somebody ticked as read. */
  | { kind: 'confirm'; newsRead: string }
  /** With the version that the page showed as well. */
  | { kind: 'accept'; version: number; newsRead: string }
  | { kind: 'decline'; version: number; newsRead: string; reason: StatusReason };

type Answerer = Pick<LinkHolder, 'name' | 'role' | 'ipAddress'>;

/**
 * Confirms, accepts or declines a referral by a link, in one transaction with its history, audit, deliveries and news. A second time
 * changes nothing.
 * @returns false when the link no longer answers.
 * @throws Problem `version-stale` when the referral has changed since the page was opened, or there is news that nobody has read.
 */
export function answerReferral(
  deps: ReferralDeps,
  secret: string,
  answer: Answer,
  answerer: Answerer,
): Promise<boolean> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const at = deps.clock.now();
    const link = await findAnswerLink({ ...deps, db: trx }, secret);
    if (!link) return false;
    const referral = (await lockReferrals(trx, [link.referralId])).get(link.referralId);
    if (!referral || !(await mayUse(deps, trx, link, referral))) return false;
    const holder = { ...answerer, address: link.address };
    const news = await findUnreadNewsForService(trx, referral.id);
    const isRead = news !== undefined && news === answer.newsRead;
    if (answer.kind === 'confirm') {
      // Somebody ticked what was on the page, and there is more by now.
      if (answer.newsRead !== '' && news !== undefined && !isRead) throw new Problem(versionStale);
      await confirm(trx, referral, holder, at);
      if (isRead) await noteNewsRead(trx, referral, news.split(' '), holder, at);
      return true;
    }
    // Somebody has answered meanwhile: the page says so.
    if (referral.status !== 'requested') return true;
    if (referral.version !== answer.version) throw new Problem(versionStale);
    if (news !== undefined && !isRead) throw new Problem(versionStale);
    await noteSeenByHolder(trx, referral, holder, await listSentToService(trx, referral.id), at);
    const body = answer.kind === 'decline' ? { status_reason: answer.reason } : {};
    const action = answer.kind === 'decline' ? 'reject' : 'accept';
    // First, because the letter to the practice waits if the referral was declined by link.
    if (answer.kind === 'decline') await setLinkEnded(trx, link.id, at);
    const read = isRead ? await noteNewsRead(trx, referral, news.split(' '), holder, at) : referral;
    await answerByLink(deps, trx, read, { action, body, at }, holder);
    return true;
  });
}

/** Confirms the messages that the service has. */
async function confirm(trx: Trx, referral: Referral, holder: LinkHolder, at: Date): Promise<void> {
  const sent = await listSentToService(trx, referral.id);
  const { name, role, address, ipAddress } = holder;
  await noteSeenByHolder(trx, referral, holder, sent, at);
  for (const { id } of sent.filter(({ confirmed }) => !confirmed)) {
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

/** A person of the service has seen the referral as it was in the last message that went out. */
async function noteSeenByHolder(
  trx: Trx,
  { id, service }: Referral,
  { name, role }: LinkHolder,
  sent: readonly { createdAt: Date }[],
  at: Date,
): Promise<void> {
  const sentAt = sent.at(-1)?.createdAt;
  if (sentAt) await noteConfirmed(trx, id, { name: `${name}, ${role}, ${service.name}`, at, sentAt });
}
