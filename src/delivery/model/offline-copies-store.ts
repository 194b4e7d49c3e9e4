import { type RawBuilder, sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';
import { isPressingSql, openStatuses, tellsOfDangerSql } from '../../referrals/index.ts';

/** What an organisation has chosen, and its last copy without the file. */
export type OfflineCopyChoice = {
  /** Sealed with the site key. */
  sealedPassword: Buffer;
  email: string | null;
  chosenAt: Date;
  chosenByName: string;
  /** Null until the first copy is made. */
  madeAt: Date | null;
  referrals: number | null;
};

type Choice = {
  organisationId: string;
  sealedPassword: Buffer;
  email: string | null;
  at: Date;
  byName: string;
};

/** Stops the emails with the copies of an organisation. */
export async function stopEmails(trx: Trx, organisationId: string): Promise<void> {
  await trx
    .updateTable('offline_copies')
    .set({ email: null })
    .where('organisation_id', '=', organisationId)
    .execute();
}

/** Stores the choice, and deletes a copy with another password. */
export async function saveChoice(trx: Trx, choice: Choice): Promise<void> {
  const { organisationId, sealedPassword, email, at, byName } = choice;
  await sql`
    insert into offline_copies (organisation_id, sealed_password, email, chosen_at, chosen_by_name)
    values (${organisationId}, ${sealedPassword}, ${email}, ${at}, ${byName})
    on conflict (organisation_id) do update set
      sealed_password = excluded.sealed_password, email = excluded.email, chosen_at = excluded.chosen_at,
      chosen_by_name = excluded.chosen_by_name, file = null, made_at = null, referrals = null, referral_ids = null`.execute(
    trx,
  );
}

/** @returns false if there was no choice. */
export async function deleteChoice(trx: Trx, organisationId: string): Promise<boolean> {
  const choice = trx.deleteFrom('offline_copies').where('organisation_id', '=', organisationId);
  return (await choice.executeTakeFirst()).numDeletedRows === 1n;
}

export async function findCopyChoice(db: Db, organisationId: string): Promise<OfflineCopyChoice | undefined> {
  const copy = db.selectFrom('offline_copies').where('organisation_id', '=', organisationId);
  return copy
    .select([
      'sealed_password as sealedPassword',
      'email',
      'chosen_at as chosenAt',
      'chosen_by_name as chosenByName',
      'made_at as madeAt',
      'referrals',
    ])
    .executeTakeFirst();
}

export async function findCopyFile(
  db: Db,
  organisationId: string,
): Promise<{ file: Buffer; madeAt: Date; referralIds: string[] } | undefined> {
  const copy = db.selectFrom('offline_copies').where('organisation_id', '=', organisationId);
  const copyFile = await copy.select(['file', 'made_at as madeAt', 'referral_ids as ids']).executeTakeFirst();
  if (!copyFile?.file || !copyFile.madeAt) return undefined;
  return { file: copyFile.file, madeAt: copyFile.madeAt, referralIds: copyFile.ids ?? [] };
}

/** @returns false if the organisation has chosen another password meanwhile, or no copy any more. */
export async function saveCopyFile(
  trx: Trx,
  { organisationId, sealedPassword }: Pick<Choice, 'organisationId' | 'sealedPassword'>,
  copy: { file: Buffer; referralIds: string[]; at: Date },
): Promise<boolean> {
  const updated = await trx
    .updateTable('offline_copies')
    .set({
      file: copy.file,
      referrals: copy.referralIds.length,
      referral_ids: copy.referralIds,
      made_at: copy.at,
    })
    .where('organisation_id', '=', organisationId)
    .where('sealed_password', '=', sealedPassword)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n;
}

/** Whether any of these referrals was restricted or erased, so that no copy may have it. */
export async function isAnyRestrictedOrErased(trx: Trx, referralIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from referrals where id = any(${referralIds}::uuid[]) and (restricted_at is not null or erased_at is not null)
    limit 1`.execute(trx);
  return rows.length === 1;
}

/** The organisations whose copies may have a referral. */
export async function listOrganisationsWithCopyOf(
  trx: Trx,
  referral: { referrerOrganisationId: string | null; serviceOrganizationId: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select c.organisation_id as id from offline_copies c join organisations o on o.id = c.organisation_id
    where o.id = ${referral.referrerOrganisationId} or o.library_organization_id = ${referral.serviceOrganizationId}
    order by id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Deletes the copies. What the organisations have chosen stays. */
export async function deleteCopyFiles(trx: Trx, organisationIds: readonly string[]): Promise<void> {
  const copies = trx
    .updateTable('offline_copies')
    .where('organisation_id', '=', anyOfValuesSql(organisationIds));
  await copies.set({ file: null, made_at: null, referrals: null, referral_ids: null }).execute();
}

/** Of the accounts that a statement calls `a`: those of people that see what their organisation sends or gets. */
const seesReferralsSql = sql`a.disabled_at is null and not a.is_system and a.roles && array['referrer', 'provider']`;

/** Deletes the copies and passwords of organisations whose people can no longer sign in. */
export async function deleteUnattendedCopies(trx: Trx): Promise<void> {
  await sql`
    delete from offline_copies c
    where not exists (select from accounts a where a.organisation_id = c.organisation_id and ${seesReferralsSql})`.execute(
    trx,
  );
}

export async function listOrganisationsWithCopy(db: Db): Promise<string[]> {
  const copies = db.selectFrom('offline_copies').select('organisation_id as id').orderBy('organisation_id');
  return (await copies.execute()).map(({ id }) => id);
}

/** What the people of an organisation do, and so what its copy has. */
export type CopySides = { hasMade: boolean; hasReceived: boolean };

type OrganisationWithSides = CopySides & {
  id: string;
  name: string;
  libraryOrganizationId: string | null;
  /** Where an operator has entered that copies may be sent: an address, or `@` and a domain. */
  mailbox: string | null;
};

/** The organisation with what its people do; undefined if it is gone. */
export async function findOrganisationWithSides(
  db: Db,
  organisationId: string,
): Promise<OrganisationWithSides | undefined> {
  const hasSomebodySql = (role: string): RawBuilder<boolean> => sql`exists (
    select from accounts a where a.organisation_id = o.id and a.disabled_at is null and not a.is_system and ${role} = any(a.roles))`;
  const { rows } = await sql<OrganisationWithSides>`
    select o.id, o.name, o.library_organization_id as "libraryOrganizationId", o.mailbox, ${hasSomebodySql('referrer')} as "hasMade",
      o.library_organization_id is not null and ${hasSomebodySql('provider')} as "hasReceived"
    from organisations o where o.id = ${organisationId}`.execute(db);
  return rows[0];
}

/** The ids of open referrals that somebody may work with: urgent ones and those with a risk first, then by when something is due. */
export async function listOpenReferralIds(
  db: Db,
  of: { madeBy: string } | { receivedBy: string },
  limit: number,
): Promise<{ ids: string[]; total: number }> {
  const whose =
    'madeBy' in of
      ? sql`referrer_organisation_id = ${of.madeBy}`
      : sql`service_organization_id = ${of.receivedBy}`;
  const { rows } = await sql<{ id: string; total: number }>`
    select id, (count(*) over ())::int as total from referrals
    where ${whose} and status = any(${[...openStatuses]}::text[]) and requested_at is not null
      and restricted_at is null and erased_at is null
    order by ${isPressingSql(sql`urgency`, tellsOfDangerSql(sql`referrals.id`))} desc, urgency desc, coalesce(next_date, (due_at at time zone 'Europe/London')::date), id
    limit ${limit}`.execute(db);
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}
