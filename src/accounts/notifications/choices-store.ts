import { sql } from 'kysely';
import { anyOfValuesSql, type Db, type Trx } from '../../platform/database/index.ts';
import type { NotificationChoice, NotificationKind } from './kinds.ts';

/** The choices of people, by account and kind; undefined for a kind that somebody has not chosen yet. */
export async function choiceLookup(
  db: Db,
  accountIds: readonly string[],
): Promise<(accountId: string, kind: NotificationKind) => NotificationChoice | undefined> {
  const rows = await db
    .selectFrom('notification_choices')
    .select(['account_id as accountId', 'kind', 'choice'])
    .where('account_id', '=', anyOfValuesSql(accountIds))
    .execute();
  const choices = new Map(rows.map(({ accountId, kind, choice }) => [`${accountId} ${kind}`, choice]));
  return (accountId, kind) => choices.get(`${accountId} ${kind}`) as NotificationChoice | undefined;
}

export async function saveChoices(
  trx: Trx,
  accountId: string,
  choices: Readonly<Partial<Record<NotificationKind, NotificationChoice>>>,
): Promise<void> {
  const rows = Object.entries(choices).map(([kind, choice]) => ({ account_id: accountId, kind, choice }));
  await trx
    .insertInto('notification_choices')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'kind']).doUpdateSet((row) => ({ choice: row.ref('excluded.choice') })),
    )
    .execute();
}

/**
 * Whether a colleague of this person, who may get emails of this kind too, has not switched them off. Operators are each
 * other's colleagues.
 */
export async function hasColleagueWhoGets(
  db: Db,
  accountId: string,
  { kind, roles }: { kind: NotificationKind; roles: readonly string[] },
): Promise<boolean> {
  const { rows } = await sql`
    select from accounts me join accounts other on other.id <> me.id and other.disabled_at is null and not other.is_system
      and other.roles && ${[...roles]}::text[]
      and ('operator' = any(${[...roles]}::text[]) or other.organisation_id = me.organisation_id)
    where me.id = ${accountId} and not exists (
      select from notification_choices c where c.account_id = other.id and c.kind = ${kind} and c.choice = 'off')
    limit 1`.execute(db);
  return rows.length > 0;
}
