import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { escalateWatches, type ReferralDeps, remindOverdue } from '../../src/referrals/index.ts';
import { addManyReferrals } from '../lib/many-referrals.ts';
import { scaled } from '../lib/options.ts';
import { withPlatformOf } from '../lib/platform-of.ts';
import { createReferralMaker } from '../lib/referral-load.ts';
import { startBenchSite } from '../lib/site.ts';

const referralCount = 1_000_000;

/** How many are due at once: `BENCH_DUE=20000` for a site that was down for a day. */
const due = Number(process.env.BENCH_DUE ?? 200);

/**
 * The two jobs that watch over referrals, among a million: with nothing due, and with many due at once, spread evenly over
 * the organisations. Target: a run within a second.
 */
export async function benchReferralWatch(): Promise<void> {
  const site = await startBenchSite();
  try {
    // It makes a referral, which the others are like.
    await createReferralMaker(site);
    const count = scaled(referralCount);
    await addManyReferrals(site, count);
    await withPlatformOf(site.env, async (platform) => {
      await addStaff(platform.db);
      // Only a rejection calls the rooms above, and there is none here.
      const deps = platform as ReferralDeps;
      const jobs = [
        ['watch-unseen', () => escalateWatches(platform), makeNewsDue],
        ['remind-overdue, answers', () => remindOverdue(deps), makeAnswersOverdue],
        ['remind-overdue, first contacts', () => remindOverdue(deps), makeContactsOverdue],
      ] as const;
      for (const [name, job, makeDue] of jobs) {
        await job();
        console.log(`referral-watch: ${name} among ${count}, nothing due: ${await timeOf(job)}`);
        for (let round = 1; round <= 3; round += 1) {
          await makeDue(platform.db);
          const before = await countMails(platform);
          const time = await timeOf(job);
          const mails = (await countMails(platform)) - before;
          console.log(`referral-watch: ${name}, ${due} due: ${time}, ${mails} emails (target: 1000 ms)`);
        }
      }
    });
  } finally {
    await site.remove();
  }
}

async function timeOf(work: () => Promise<void>): Promise<string> {
  const [startMs, cpuBefore] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  return `${(performance.now() - startMs).toFixed(0)} ms (processor ${((user + system) / 1000).toFixed(0)} ms)`;
}

async function countMails({ db }: Platform): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from mails`.execute(db);
  return rows[0]!.count;
}

/** Two people at each organisation of the library, as the sample provider is one. */
async function addStaff(db: Db): Promise<void> {
  const organisation = sql`('b0000000-0000-4000-8000-' || lpad(number::text, 12, '0'))::uuid`;
  await sql`
    insert into organisations (id, name, library_organization_id, created_at)
    select ${organisation}, 'Provider ' || number, 'organization-' || number, now() from generate_series(0, 999) as number`.execute(
    db,
  );
  await sql`
    insert into accounts
    select row.* from accounts a cross join generate_series(0, 999) as number cross join generate_series(1, 2) as person
    cross join lateral jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(),
      'organisation_id', ${organisation}, 'email', 'provider-' || number || '-' || person || '@example.org')) as row
    where a.email = 'provider@example.org'`.execute(db);
}

/** Unanswered referrals: one of each organisation first, then a second of each. */
const spreadEvenly = sql`(
  select id from referrals
  where status = 'requested' and service_organization_id like 'organization-%'
  order by row_number() over (partition by service_organization_id order by id), service_organization_id limit ${due}::int)`;

/** Messages that nobody of the service has read. */
async function makeNewsDue(db: Db): Promise<void> {
  await sql`delete from unseen_news`.execute(db);
  await sql`
    insert into unseen_news (id, kind, referral_id, side, author_id, due_at)
    select gen_random_uuid(), 'message', id, 'provider', referrer_account_id, now() from referrals where id in ${spreadEvenly}`.execute(
    db,
  );
}

/** Everything was reminded before; the answers of these are overdue again. */
async function makeAnswersOverdue(db: Db): Promise<void> {
  await remindAll(db);
  await sql`update referrals set reminded_at = null, due_at = now() - interval '1 day' where id in ${spreadEvenly}`.execute(
    db,
  );
}

/** Everything was reminded before; the first contact of these should have been yesterday. */
async function makeContactsOverdue(db: Db): Promise<void> {
  await remindAll(db);
  await sql`
    update referrals set status = 'accepted', next_date = now()::date - 1, next_date_reminders = 0, next_reminder_on = null
    where id in ${spreadEvenly}`.execute(db);
}

async function remindAll(db: Db): Promise<void> {
  await sql`update referrals set reminded_at = now() where status = 'requested' and reminded_at is null`.execute(
    db,
  );
  await sql`
    update referrals set next_reminder_on = now()::date + 30
    where next_date is not null and coalesce(next_reminder_on, next_date + 1) <= now()::date`.execute(db);
}
