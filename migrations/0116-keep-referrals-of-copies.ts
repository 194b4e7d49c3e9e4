import { type Kysely, sql } from 'kysely';

/**
 * A copy of a record keeps which referrals it was made of when what was packed is deleted, so that an erasure still finds its reasons.
 * The audit tells it of copies that were emptied before, and copies of referrals that were erased since are deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table record_copy_referrals alter column record drop not null`.execute(db);
  await sql`
    comment on column record_copy_referrals.record is
      'The record as it was when it was packed; null once that was deleted, after 30 days.'`.execute(db);
  await sql`
    create temporary table emptied_copies on commit drop as
    select distinct c.id as copy_id, ids.referral_id
    from record_copies c
    join audit_entries e on e.action = 'patient.packed' and e.actor_id = c.packed_by and e.outcome = 'done'
      and e.details ->> 'reason' = c.reason and abs(extract(epoch from e.at - c.packed_at)) < 60
    cross join jsonb_array_elements_text(e.details -> 'referrals') as ids(referral_id)
    where c.emptied_at is not null`.execute(db);
  await sql`
    delete from record_copies where id in (
      select copy_id from emptied_copies e left join referrals r on r.id = e.referral_id::uuid
      where r.id is null or r.erased_at is not null)`.execute(db);
  await sql`
    insert into record_copy_referrals (copy_id, referral_id, position)
    select copy_id, referral_id::uuid, row_number() over (partition by copy_id order by referral_id) - 1
    from emptied_copies where copy_id in (select id from record_copies)
    on conflict do nothing`.execute(db);
}
