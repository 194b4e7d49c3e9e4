import { sql } from 'kysely';
import type { Db } from '../platform/database/index.ts';

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
