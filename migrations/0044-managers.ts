import { type Kysely, sql } from 'kysely';

/** Managers read the reports of the site, and see no referral. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table accounts drop constraint accounts_roles_check`.execute(db);
  await sql`
    alter table accounts add constraint accounts_roles_check
      check ((roles <@ array['operator', 'referrer', 'provider', 'manager']) and (cardinality(roles) > 0))`.execute(
    db,
  );
}
