import { sql } from 'kysely';
import type { Db } from '../../src/platform/database/index.ts';

// What the database holds of people who referred themselves.

/** How many there are, settled or not. */
export async function countSelfReferrals(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from self_referrals`.execute(
    db,
  );
  return rows[0]!.count;
}

/** All of it, as text. */
export async function storedSelfReferrals(db: Db): Promise<string> {
  const { rows } = await sql<object>`select * from self_referrals order by received_at`.execute(db);
  return JSON.stringify(rows);
}

/** As if these many people waited for a call. */
export async function fillQueue(db: Db, count: number, at: Date): Promise<void> {
  await sql`
    insert into self_referrals (id, service_id, received_at, ring_by, details, mentions_crisis, state)
    select gen_random_uuid(), 'gone', ${at}, ${at}::date, '{}', false, 'waiting' from generate_series(1, ${count}::int)`.execute(
    db,
  );
}

/** As if nobody had ever referred themselves. */
export async function emptyQueue(db: Db): Promise<void> {
  await sql`delete from self_referrals`.execute(db);
}

/** Stores what somebody sent, and a call to them; it has become this referral. */
export async function storeSettled(
  db: Db,
  { referralId, at, calls }: { referralId: string; at: Date; calls: object[] },
): Promise<void> {
  const said = {
    given_name: 'Ines',
    family_name: 'Marsh',
    telephone: '01632 960 123',
    safe: 'yes',
    voicemail: false,
    about: 'Company',
  };
  await sql`
    insert into self_referrals (id, service_id, received_at, ring_by, details, mentions_crisis, state, calls, settled_at, referral_id)
    values (gen_random_uuid(), 'a', ${at}, ${at}::date, ${JSON.stringify(said)}::jsonb, false, 'drafted',
      ${JSON.stringify(calls)}::jsonb, ${at}, ${referralId})`.execute(db);
}
