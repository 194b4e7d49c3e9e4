import { type RawBuilder, sql } from 'kysely';
import { canSignInSql, leaveOfSql } from '../accounts/index.ts';
import type { Db, Trx } from '../platform/database/index.ts';
import type { Desk, DeskPerson } from './model.ts';
import { isCrisisNotSpokenToSql } from './self-referrals-store.ts';

const personSql = (alias: 'o' | 'd'): RawBuilder<DeskPerson> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<DeskPerson>`
    json_build_object('id', ${column('id')}, 'name', ${column('name')}, 'email', ${column('email')},
      'canAnswer', ${canSignInSql(alias)} and 'referrer' = any(${column('roles')}),
      'leave', ${leaveOfSql(column('id'))})`;
};

const selectDeskSql = sql<Desk>`
  select k.is_on as "isOn", ${personSql('o')} as owner, ${personSql('d')} as deputy, k.weekdays,
    k.told_closed_at as "toldClosedAt",
    (select count(*)::int from self_referrals where settled_at is null) as "unsettledCount",
    (select min(received_at) from self_referrals where settled_at is null and called_at is null) as "oldestReceivedAt",
    (select count(*)::int from self_referrals where settled_at is null and ${isCrisisNotSpokenToSql}) as "crisisCount"
  from self_referral_desk k join accounts o on o.id = k.owner_id join accounts d on d.id = k.deputy_id`;

/** The self-referral desk. Undefined while no operator has named who answers. */
export async function findDesk(db: Db): Promise<Desk | undefined> {
  const { rows } = await selectDeskSql.execute(db);
  return rows[0];
}

/** Whether an operator has switched self-referral on, or a self-referral is not settled. */
export async function hasQueue(db: Db): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from self_referral_desk where is_on)
      or exists (select from self_referrals where settled_at is null) as has`.execute(db);
  return rows[0]!.has;
}

/** Locks the desk, so that the last place in the queue is given once. */
export async function lockDesk(trx: Trx): Promise<Desk | undefined> {
  await sql`select from self_referral_desk for update`.execute(trx);
  return findDesk(trx);
}

type NewDesk = { isOn: boolean; ownerId: string; deputyId: string; weekdays: readonly number[] };

export async function saveDesk(trx: Trx, { isOn, ownerId, deputyId, weekdays }: NewDesk): Promise<void> {
  await sql`
    insert into self_referral_desk (is_on, owner_id, deputy_id, weekdays)
    values (${isOn}, ${ownerId}, ${deputyId}, ${[...weekdays]}::smallint[])
    on conflict (only_row) do update set is_on = excluded.is_on, owner_id = excluded.owner_id,
      deputy_id = excluded.deputy_id, weekdays = excluded.weekdays`.execute(trx);
}

/** Stores when an email said that self-referral has closed by itself; null once it may be said again. */
export async function setToldClosedAt(trx: Trx, at: Date | null): Promise<void> {
  await sql`update self_referral_desk set told_closed_at = ${at}`.execute(trx);
}

/** The people who can be named: they make referrals, and can sign in. */
export async function listPossiblePeople(db: Db, limit: number): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select a.id, a.name || coalesce(', ' || o.name, '') as name
    from accounts a left join organisations o on o.id = a.organisation_id
    where 'referrer' = any(a.roles) and ${canSignInSql('a')}
    order by a.name, a.id limit ${limit}`.execute(db);
  return rows;
}
