import { type Kysely, sql } from 'kysely';

/**
 * Since when a service is sensitive, and until when its location was confidential: who was referred before the one is asked again, and
 * who was referred before the other stays as hidden as they were.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table service_referral_settings
      add column sensitive_since timestamptz,
      add column location_confidential_until timestamptz`.execute(db);
  await sql`
    alter table referral_prompts
      drop constraint referral_prompts_kind_check,
      add constraint referral_prompts_kind_check check (kind in ('service-closed', 'service-moved', 'service-sensitive',
        'practice-closed', 'referrer-left', 'staff-left', 'nobody-left', 'may-have-died', 'death-reported', 'draft-waiting',
        'person-wants-to-stop', 'person-not-helped'))`.execute(db);
}
