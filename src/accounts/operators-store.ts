import { sql } from 'kysely';
import type { Db, Trx } from '../platform/database/index.ts';

/** Lets one at a time change who the operators are: two who disable each other at once would leave none. */
export async function takeOperatorsTurn(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('onward operators', 0))`.execute(trx);
}

/**
 * How many operators have a way to sign in; `issuer` is the outside provider of this site, if it has one. The account
 * `besides`, if any, is not counted.
 */
export async function countActiveOperators(
  db: Db,
  issuer: string | undefined,
  besides?: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from accounts a
    where 'operator' = any(a.roles) and a.disabled_at is null and a.id is distinct from ${besides ?? null}::uuid and (
      a.password_hash is not null
      or exists (select from passkeys p where p.account_id = a.id)
      or exists (select from identities i where i.account_id = a.id and i.issuer = ${issuer ?? null}))`.execute(
    db,
  );
  return rows[0]!.count;
}
