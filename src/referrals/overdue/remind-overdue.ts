import { listActiveProviders } from '../../accounts/index.ts';
import { recordAudit, siteActor } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { describeError } from '../../platform/log/index.ts';
import { type Mail, queueMail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { daysAfter, type Referral, siteAsHistoryActor } from '../model/referral.ts';
import { rules } from '../model/state-machine.ts';
import { findReferral, lockReferral } from '../model/store.ts';
import { applyTransition } from '../progress/change-status.ts';
import {
  listUnanswered,
  listUnremindedOrganizations,
  markReminded,
  type UnansweredReferrals,
} from './overdue-store.ts';

const batchSize = 500;

/**
 * The `remind-overdue` job: rejects referrals that nobody answered in time, and reminds services of the others. Each
 * referral and each reminder is one transaction, so the job may be killed at any point and run again. An error with one
 * does not stop the others.
 * @throws Error at the end if anything failed, so that the job is retried and then counts as failed.
 */
export async function remindOverdue(deps: ReferralDeps): Promise<void> {
  const { rejectAfterDays, remindAfterDays } = deps.settings;
  const before = (days: number) => daysAfter(deps.clock.now(), -days);
  const failed: string[] = [];
  const noteFailure = (id: string, message: string) => (error: unknown) => {
    failed.push(id);
    deps.log.error({ id, error: describeError(error) }, message);
  };
  if (rejectAfterDays !== undefined) {
    for (;;) {
      const page = { without: failed, limit: batchSize };
      const unanswered = await listUnanswered(deps.db, before(rejectAfterDays), page);
      for (const id of unanswered)
        await rejectUnanswered(deps, id, rejectAfterDays).catch(
          noteFailure(id, 'an overdue referral could not be rejected'),
        );
      if (unanswered.length < batchSize) break;
    }
  }
  if (remindAfterDays !== undefined) {
    for (const id of await listUnremindedOrganizations(deps.db, before(remindAfterDays)))
      await remindService(deps, id, { sentBefore: before(remindAfterDays) }).catch(
        noteFailure(id, 'an organisation could not be reminded of its overdue referrals'),
      );
  }
  if (failed.length > 0) throw new Error(`${failed.length} could not be rejected or reminded`);
}

/** Rejects a referral that nobody answered, so that the referrer knows and can help the person another way. */
async function rejectUnanswered(deps: ReferralDeps, id: string, days: number): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const referral = await lockReferral(trx, id);
    // Meanwhile the service may have answered, or an operator may have restricted the referral.
    if (referral?.status !== 'requested' || referral.restrictedAt) return;
    const text = `This was automatic: the service did not answer within ${days} days.`;
    const transition = {
      to: rules.reject.to,
      reason: { code: 'other', text } as const,
      outcome: null,
      expectedDate: null,
      at: deps.clock.now(),
    };
    await applyTransition(deps, trx, referral, transition, {
      by: 'site',
      history: siteAsHistoryActor,
      audit: siteActor,
    });
  });
}

/**
 * Sends one email to everybody who answers for an organisation’s services. It names no patient. If nobody there has an
 * account, no reminder is recorded, since the referrer would read that the service was reminded. Operators have the
 * unanswered delivery on their worklist anyway.
 */
async function remindService(
  deps: Platform,
  libraryOrganizationId: string,
  unanswered: UnansweredReferrals,
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const people = await listActiveProviders(trx, libraryOrganizationId);
    if (people.length === 0) return;
    const reminded = await markReminded(trx, libraryOrganizationId, unanswered, at);
    if (reminded.length === 0) return;
    const references = reminded.map(({ reference }) => reference);
    for (const { email } of people) await queueMail(trx, deps, compose(deps.settings, email, references));
    for (const { id } of reminded) {
      await recordAudit(trx, {
        at,
        actor: siteActor,
        action: 'referral.reminded',
        subject: { type: 'referral', id },
        details: { people: people.length },
      });
    }
  });
}

const maxReferences = 50;

function compose(
  { siteName, baseUrl }: Platform['settings'],
  to: string,
  references: readonly string[],
): Mail {
  const count = references.length === 1 ? '1 referral waits' : `${references.length} referrals wait`;
  const paragraphs = [
    `${count} for an answer from your service.`,
    references.slice(0, maxReferences).join('\n'),
    `Read and answer here:\n\n${baseUrl}/referrals?view=received&status=requested`,
  ];
  return { to, subject: `${count} for your answer – ${siteName}`, text: `${paragraphs.join('\n\n')}\n` };
}

/** When a service is reminded of a referral, and when the site rejects it. */
export type OverdueDates = { remindAt: Date | undefined; rejectAt: Date | undefined };

/**
 * The dates for a referral. A test site can simulate that time has passed for it, in `simulatedMs`. Where nobody can be
 * reminded, there is no date for that.
 */
export async function findOverdueDates(
  { db, settings: { remindAfterDays, rejectAfterDays } }: Pick<Platform, 'db' | 'settings'>,
  { status, requested_at, remindedAt, restrictedAt, service }: Referral,
  simulatedMs: number,
): Promise<OverdueDates> {
  if (status !== 'requested' || restrictedAt !== null) return { remindAt: undefined, rejectAt: undefined };
  const since = new Date(requested_at.getTime() - simulatedMs);
  const after = (days: number | undefined) => (days === undefined ? undefined : daysAfter(since, days));
  const people =
    service.organization_id === null ? [] : await listActiveProviders(db, service.organization_id);
  const canBeReminded = remindedAt === null && people.length > 0;
  return { remindAt: canBeReminded ? after(remindAfterDays) : undefined, rejectAt: after(rejectAfterDays) };
}

/** The same as the job, for one referral for which a test site simulates that time has passed. */
export async function remindOverdueReferral(
  deps: ReferralDeps,
  id: string,
  simulatedMs: number,
): Promise<void> {
  const { db, clock, settings } = deps;
  const referral = await findReferral(db, id);
  if (!referral) return;
  const now = clock.now();
  const { remindAt, rejectAt } = await findOverdueDates(deps, referral, simulatedMs);
  if (rejectAt && rejectAt <= now) return rejectUnanswered(deps, id, settings.rejectAfterDays!);
  const { organization_id: organization } = referral.service;
  if (remindAt && remindAt <= now && organization !== null) {
    await remindService(deps, organization, { only: id });
  }
}
