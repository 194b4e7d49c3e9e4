import type { Pool } from 'pg';

/** Stores this many searches for different people, by one account over many days. */
export async function storeManyLooks(pool: Pool, count: number): Promise<void> {
  const account = '00000000-0000-7000-8002-000000000001';
  await pool.query(
    `insert into accounts (id, email, name, roles, created_at) values ($1, 'looks@example.org', 'x', '{referrer}', now())`,
    [account],
  );
  await pool.query(
    `insert into looks (id, at, day, account_id, kind, found, surname_key, postcode_key, number_key)
     select gen_random_uuid(), now(), date '2026-01-01' + n % 300, $1, 'search', 0,
       convert_to('surname ' || n, 'utf8'), convert_to('postcode ' || n, 'utf8'), convert_to('number ' || n, 'utf8')
     from generate_series(1, $2::int) n`,
    [account, count],
  );
  await pool.query('vacuum analyze looks');
}

/** As many readers of copies, all on one day. */
export async function storeManyReaders(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `insert into looks_in_lists (id, day, first_at, last_at, kind, sent_to, referral_ids)
     select gen_random_uuid(), date '2026-12-01', now(), now(), 'copy-by-email', 'reader ' || n, '{}'
     from generate_series(1, $1::int) n`,
    [count],
  );
  await pool.query('vacuum analyze looks_in_lists');
}
