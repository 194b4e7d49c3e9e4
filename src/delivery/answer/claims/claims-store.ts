import { sql } from 'kysely';
import type { Db, Trx } from '../../../platform/database/index.ts';
import { dayMs } from '../../../platform/durations.ts';

/** What somebody of a service without an account asks the operators for. */
export type AccountClaim = {
  id: string;
  organizationId: string;
  organizationName: string;
  name: string;
  role: string;
  email: string;
  /** The address that got the link, and whether they had opened the referral with a code. */
  linkAddress: string;
  hadCode: boolean;
  madeAt: Date;
};

const columnsSql = sql`
  id, organization_id as "organizationId", organization_name as "organizationName", name, role, email,
  link_address as "linkAddress", had_code as "hadCode", made_at as "madeAt"`;

/** @returns false, and stores nothing, if a claim of the same person still waits. */
export async function insertClaim(trx: Trx, claim: AccountClaim): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('account_claims')
    .values({
      id: claim.id,
      organization_id: claim.organizationId,
      organization_name: claim.organizationName,
      name: claim.name,
      role: claim.role,
      email: claim.email,
      link_address: claim.linkAddress,
      had_code: claim.hadCode,
      made_at: claim.madeAt,
    })
    .onConflict((same) => same.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** How many claims of an organisation wait for an answer. */
export async function countOpenClaimsOf(trx: Trx, organizationId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from account_claims
    where organization_id = ${organizationId} and answered_at is null`.execute(trx);
  return rows[0]!.count;
}

/** Claims that nobody has answered, oldest first. */
export async function listOpenClaims(db: Db): Promise<AccountClaim[]> {
  const { rows } = await sql<AccountClaim>`
    select ${columnsSql} from account_claims where answered_at is null order by id`.execute(db);
  return rows;
}

export async function countOpenClaims(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from account_claims where answered_at is null`.execute(db);
  return rows[0]!.count;
}

/** Locks a claim. If two operators answer it at once, the second one gets undefined. */
export async function lockOpenClaim(trx: Trx, id: string): Promise<AccountClaim | undefined> {
  const { rows } = await sql<AccountClaim>`
    select ${columnsSql} from account_claims where id = ${id} and answered_at is null for update`.execute(
    trx,
  );
  return rows[0];
}

export async function setClaimAnswered(
  trx: Trx,
  id: string,
  { granted, by, at }: { granted: boolean; by: string; at: Date },
): Promise<void> {
  await trx
    .updateTable('account_claims')
    .set({ answered_at: at, answered_by: by, granted })
    .where('id', '=', id)
    .execute();
}

const maxClaimAgeMs = 90 * dayMs;

/** Deletes old claims: they have names and addresses of people who may never get an account. */
export async function deleteOldClaims(db: Db, now: Date): Promise<void> {
  await sql`delete from account_claims where made_at < ${new Date(now.getTime() - maxClaimAgeMs)}`.execute(
    db,
  );
}
