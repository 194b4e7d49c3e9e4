import { type Kysely, sql } from 'kysely';

/** Who told of a death, and who confirmed it: only they, and operators, may take it back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table referral_deaths
      add column reported_by_id uuid,
      add column reported_by_name text,
      add column reported_by_organisation text,
      add column reported_by_organisation_id uuid,
      add column confirmed_by_id uuid,
      add column confirmed_by_organisation_id uuid`.execute(db);
  // The history of the reporter’s own referral names them. Those of other organisations have the site there.
  await sql`
    update referral_deaths d set reported_by_id = h.actor_id, reported_by_organisation_id = h.actor_organisation_id,
      reported_by_name = case when d.told_by <> 'Somebody' then h.actor_name end,
      reported_by_organisation = case when d.told_by <> 'Somebody' then h.actor_organisation end
    from referral_deaths own
      join referral_history h on h.referral_id = own.referral_id and h.at = own.reported_at
        and h.details ->> 'kind' = 'death-reported' and h.actor_id is not null
    where own.report_id = d.report_id`.execute(db);
  await sql`
    update referral_deaths d set confirmed_by_id = h.actor_id, confirmed_by_organisation_id = h.actor_organisation_id
    from referral_history h
    where h.referral_id = d.referral_id and h.at = d.confirmed_at and h.actor_id is not null`.execute(db);
}
