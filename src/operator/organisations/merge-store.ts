import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';

export type MergedOrganisation = {
  id: string;
  name: string;
  odsCode: string | null;
  libraryOrganizationId: string | null;
};

const organisationsSql = (ids: readonly string[]) => sql<MergedOrganisation>`
  select id, name, ods_code as "odsCode", library_organization_id as "libraryOrganizationId"
  from organisations where id = any(${ids}::uuid[]) order by id`;

/** @returns the organisations by id. */
export async function findOrganisations(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, MergedOrganisation>> {
  const { rows } = await organisationsSql(ids).execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Locks organisations in the order of their ids, so that one of two merges waits for the other. Meanwhile others may still add rows
 * that refer to them. @returns them by id.
 */
export async function lockOrganisations(
  trx: Trx,
  ids: readonly string[],
): Promise<Map<string, MergedOrganisation>> {
  const { rows } = await sql<MergedOrganisation>`${organisationsSql(ids)} for no key update`.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Locks what a merge moves and many others change: first accounts, then referrals, each in the order of ids; then, against rows that
 * would refer to it, the organisation that ends. A transaction that holds a referral may add such a row until the merge has locked that referral.
 */
async function lockMovedRows(trx: Trx, from: string): Promise<void> {
  await sql`select from accounts where organisation_id = ${from} order by id for no key update`.execute(trx);
  await sql`
    select from referrals where referrer_organisation_id = ${from} order by id for no key update`.execute(
    trx,
  );
  await sql`select from organisations where id = ${from} for update`.execute(trx);
}

export type MergeEffects = {
  accounts: number;
  referrals: number;
  notes: number;
  lists: number;
  offlineCopies: number;
  /** `moves`: the desk goes on for both organisations. `ends`: the organisation that stays has its own desk, which goes on. */
  questionnaireDesk: 'none' | 'moves' | 'ends';
};

/** Counts the rows that a merge moves, and how many of the two organisations have an offline copy, which ends. */
export async function countMoves(db: Db, id: string, into: string): Promise<MergeEffects> {
  const { rows } = await sql<MergeEffects>`
    select (select count(*)::int from accounts where organisation_id = ${id}) as accounts,
      (select count(*)::int from referrals where referrer_organisation_id = ${id}) as referrals,
      (select count(*)::int from referral_notes where organisation_id = ${id}) as notes,
      (select count(*)::int from service_lists where organisation_id = ${id}) as lists,
      (select count(*)::int from offline_copies where organisation_id in (${id}, ${into})) as "offlineCopies",
      case when not exists (select from questionnaire_desks where organisation_id = ${id}) then 'none'
        when exists (select from questionnaire_desks where organisation_id = ${into}) then 'ends'
        else 'moves' end as "questionnaireDesk"`.execute(db);
  return rows[0]!;
}

/** Whether one of the two organisations referred somebody to services of the other, so that they are the two sides of a referral. */
export async function haveReferredToEachOther(
  db: Db,
  one: MergedOrganisation,
  other: MergedOrganisation,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from referrals
      where (referrer_organisation_id = ${one.id} and service_organization_id = ${other.libraryOrganizationId})
        or (referrer_organisation_id = ${other.id} and service_organization_id = ${one.libraryOrganizationId})) as found`.execute(
    db,
  );
  return rows[0]!.found;
}

/**
 * Moves everything of `from` to `to`, then deletes `from`. `to` keeps its sharing details, and gets those of `from` for empty fields.
 * The offline copies end: each would have the referrals of both, under a password that the people of only one of them know.
 * @returns the ids of the accounts that moved.
 */
export async function moveAll(trx: Trx, from: string, to: string): Promise<string[]> {
  await lockMovedRows(trx, from);
  const { rows } = await sql<{ id: string }>`
    update accounts set organisation_id = ${to} where organisation_id = ${from} returning id`.execute(trx);
  await sql`
    update referrals set referrer_organisation_id = ${to} where referrer_organisation_id = ${from}`.execute(
    trx,
  );
  await sql`update events set referrer_organisation_id = ${to} where referrer_organisation_id = ${from}`.execute(
    trx,
  );
  await sql`update referral_notes set organisation_id = ${to} where organisation_id = ${from}`.execute(trx);
  await sql`update referral_assignments set organisation_id = ${to} where organisation_id = ${from}`.execute(
    trx,
  );
  // Its people may still take back a death that they reported.
  await sql`
    update referral_deaths set reported_by_organisation_id = ${to} where reported_by_organisation_id = ${from}`.execute(
    trx,
  );
  await sql`
    update referral_deaths set confirmed_by_organisation_id = ${to} where confirmed_by_organisation_id = ${from}`.execute(
    trx,
  );
  // If `to` has a desk, that of `from` is deleted with `from`.
  await sql`
    update questionnaire_desks set organisation_id = ${to}
    where organisation_id = ${from} and not exists (select from questionnaire_desks k where k.organisation_id = ${to})`.execute(
    trx,
  );
  // Both may have a list of the same name.
  await sql`
    update service_lists l set organisation_id = ${to},
      name = case when exists (
        select from service_lists o where o.organisation_id = ${to} and lower(o.name) = lower(l.name))
        then left(l.name, 150) || ' (' || left((select name from organisations where id = ${from}), 40) || ')' else l.name end
    where organisation_id = ${from}`.execute(trx);
  await sql`
    insert into looks_in_lists as kept (id, day, first_at, last_at, kind, account_id, organisation_id, sent_to, referral_ids)
    select gen_random_uuid(), day, first_at, last_at, kind, account_id, ${to}::uuid, sent_to, referral_ids
    from looks_in_lists where organisation_id = ${from}
    on conflict (account_id, organisation_id, sent_to, kind, day) do update set
      first_at = least(kept.first_at, excluded.first_at), last_at = greatest(kept.last_at, excluded.last_at),
      referral_ids = array(select distinct unnest(kept.referral_ids || excluded.referral_ids))`.execute(trx);
  await sql`
    update organisations t set ods_code = coalesce(t.ods_code, s.ods_code),
      sharing_role = coalesce(t.sharing_role, s.sharing_role), ico_number = coalesce(t.ico_number, s.ico_number)
    from organisations s where t.id = ${to} and s.id = ${from}`.execute(trx);
  await sql`delete from offline_copies where organisation_id in (${from}, ${to})`.execute(trx);
  await sql`delete from organisations where id = ${from}`.execute(trx);
  return rows.map(({ id }) => id);
}
