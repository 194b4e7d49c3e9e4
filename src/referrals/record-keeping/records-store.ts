import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { PatientKeys } from '../model/person/identity/patient.ts';
import { referralsOfPersonSql } from '../model/person/identity/same-person-store.ts';
import type { Draft, Referral, ReferralStatus } from '../model/referral.ts';
import { type ReferralRow, referralColumnsSql, referralFromRow } from '../model/referrals-store.ts';

/**
 * All referrals and drafts of one person, restricted ones too, oldest first. They have the person’s NHS number, or
 * the name and birth date and no other NHS number.
 */
export async function findByPersonKeys(db: Db, keys: PatientKeys): Promise<(Referral | Draft)[]> {
  const { rows } = await sql<ReferralRow>`
    select ${referralColumnsSql}
    from ${referralsOfPersonSql(sql`${keys.name}::bytea`, sql`${keys.number}::bytea`)} as referrals
    order by id`.execute(db);
  return rows.map(referralFromRow);
}

/**
 * The drafts about the person of a referral that its own organisation made, for example when somebody began to refer them again. Drafts on
 * hold or restricted are left out. By id.
 */
export async function findDraftsOfPerson(trx: Trx, referralId: string): Promise<(Referral | Draft)[]> {
  const { rows } = await sql<ReferralRow>`
    with erased as (select id as erased_id, patient_name_key as name, patient_number_key as number,
      referrer_organisation_id as organisation, referrer_account_id as account from referrals where id = ${referralId})
    select ${referralColumnsSql} from erased
      cross join lateral ${referralsOfPersonSql(sql`erased.name`, sql`erased.number`)} as referrals
    where erased_id <> id
      and (referrer_organisation_id = organisation
        or organisation is null and referrer_organisation_id is null and referrer_account_id = account)
      and status = 'draft' and erased_at is null and restricted_at is null and legal_hold_at is null
    order by id`.execute(trx);
  return rows.map(referralFromRow);
}

/** A restriction or a legal hold: each has its table, and the referral a column that says since when. */
export type BlockKind = 'restriction' | 'hold';

const tables = {
  restriction: { table: 'referral_restrictions', column: 'restricted_at' },
  hold: { table: 'referral_holds', column: 'legal_hold_at' },
} as const;

type BlockEvent = { id: string; accountId: string; name: string; reason: string; at: Date };

/** The simulator of a test site restricts without an account. */
type NewBlock = Omit<BlockEvent, 'accountId'> & { accountId: string | null };

/** Whom the operator told about what a restriction or an erasure takes away, and when. */
export type WhoWasTold = { who: string; at: Date };

export type StoredBlock = {
  id: string;
  at: Date;
  byName: string;
  reason: string;
  liftedAt: Date | null;
  liftedByName: string | null;
  liftedReason: string | null;
};

export async function insertBlock(
  trx: Trx,
  kind: BlockKind,
  referralId: string,
  { id, accountId, name, reason, at }: NewBlock,
): Promise<void> {
  const { table, column } = tables[kind];
  await trx
    .insertInto(table)
    .values({ id, referral_id: referralId, at, account_id: accountId, account_name: name, reason })
    .execute();
  await trx
    .updateTable('referrals')
    .set({ [column]: at, updated_at: at })
    .where('id', '=', referralId)
    .execute();
  // An approval from before must not erase it in the night after the block is lifted.
  await trx.deleteFrom('retention_decisions').where('referral_id', '=', referralId).execute();
}

export async function liftBlock(
  trx: Trx,
  kind: BlockKind,
  referralId: string,
  { accountId, name, reason, at }: Omit<BlockEvent, 'id'>,
): Promise<void> {
  const { table, column } = tables[kind];
  await trx
    .updateTable(table)
    .set({ lifted_at: at, lifted_by: accountId, lifted_by_name: name, lifted_reason: reason })
    .where('referral_id', '=', referralId)
    .where('lifted_at', 'is', null)
    .execute();
  await trx
    .updateTable('referrals')
    .set({ [column]: null, updated_at: at })
    .where('id', '=', referralId)
    .execute();
}

/** The site does not reject an unanswered referral before it has warned the service again. */
export async function forgetRejection(trx: Trx, referralId: string): Promise<void> {
  await trx.updateTable('referrals').set({ rejection_at: null }).where('id', '=', referralId).execute();
}

/** Whether a death was ever reported on this referral itself, even if the report was taken back. */
export async function wasDeathReported(trx: Trx, referralId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('referral_deaths')
    .select('id')
    .where('referral_id', '=', referralId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores whom the operator told, with the restriction that is in force. */
export async function setServiceTold(trx: Trx, referralId: string, { who, at }: WhoWasTold): Promise<void> {
  await trx
    .updateTable('referral_restrictions')
    .set({ told_who: who, told_at: at })
    .where('referral_id', '=', referralId)
    .where('lifted_at', 'is', null)
    .execute();
}

/** The restrictions of a referral as both sides may read them, without the reason and the operator. Oldest first. */
export function listRestrictions(db: Db, referralId: string): Promise<Restriction[]> {
  return db
    .selectFrom('referral_restrictions')
    .select(['at', 'lifted_at as liftedAt', 'told_who as toldWho', 'told_at as toldAt'])
    .where('referral_id', '=', referralId)
    .orderBy('id')
    .execute();
}

export type Restriction = { at: Date; liftedAt: Date | null; toldWho: string | null; toldAt: Date | null };

/** Oldest first. */
export function listBlocks(db: Db, kind: BlockKind, referralId: string): Promise<StoredBlock[]> {
  return db
    .selectFrom(tables[kind].table)
    .select([
      'id',
      'at',
      'account_name as byName',
      'reason',
      'lifted_at as liftedAt',
      'lifted_by_name as liftedByName',
      'lifted_reason as liftedReason',
    ])
    .where('referral_id', '=', referralId)
    .orderBy('id')
    .execute();
}

/** A referral on legal hold or restricted now, without the person it is about. Only operators see who did that, and why. */
type BlockedRecord = {
  id: string;
  reference: string;
  status: ReferralStatus;
  statusReason: { code: string } | null;
  serviceName: string | null;
  kind: BlockKind;
  since: Date;
  byName: string;
  reason: string;
};

/** The referrals on hold or restricted now, the longest first. One that is both is listed twice. */
export async function listBlockedRecords(db: Db, limit: number): Promise<BlockedRecord[]> {
  const { rows } = await sql<BlockedRecord>`
    select r.id, r.reference, r.status, r.status_reason as "statusReason", r.service_name as "serviceName",
      block.kind, block.at as since, block.account_name as "byName", block.reason
    from (
      select 'hold' as kind, referral_id, at, account_name, reason from referral_holds where lifted_at is null
      union all
      select 'restriction', referral_id, at, account_name, reason from referral_restrictions where lifted_at is null) as block
    join referrals r on r.id = block.referral_id
    order by block.at, block.kind, r.id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Whether these referrals have one name and birth date, or one NHS number. Erased ones say nothing of the person, and count for neither.
 * The keys are hashes (`model/person/identity/`).
 */
export async function areOfOnePerson(db: Db, ids: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ isOne: boolean }>`
    select count(distinct patient_name_key) <= 1
      or count(distinct patient_number_key) = 1 and count(patient_number_key) = count(*) as "isOne"
    from referrals where id = any(${ids}::uuid[]) and erased_at is null`.execute(db);
  return rows[0]!.isOne;
}
