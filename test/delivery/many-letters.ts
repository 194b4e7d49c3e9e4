import type { Pool } from 'pg';

/** Stores a letter to the GP practice about every referral, waiting to be sent, all at once: PostgreSQL has no statistics of them yet. */
export async function storeManyLetters(pool: Pool): Promise<void> {
  await pool.query(`insert into deliveries (id, referral_id, referral_version, leg, purpose, receiver_code, status,
      simulated, message_id, created_at, updated_at)
    select id, id, 1, 'gp_practice', 'referral', 'P82001', 'queued', true, id, now(), now() from referrals`);
}
