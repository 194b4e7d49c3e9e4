import { sql } from 'kysely';
import { lockAccountRow } from '../../accounts/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Trouble, TroubleKind } from './trouble.ts';

const columns = [
  'id',
  'kind',
  'operation_id as operationId',
  'calls',
  'played',
  'seconds',
  'created_at as createdAt',
  'ends_at as endsAt',
] as const;

function selectTroubles(db: Db, accountId: string, now: Date) {
  return db
    .selectFrom('troubles')
    .select(columns)
    .$narrowType<{ kind: TroubleKind }>()
    .where('account_id', '=', accountId)
    .where('ends_at', '>', now);
}

/** The troubles of an account that have not ended, newest first. Troubles that were played are among them. */
export function listTroubles(db: Db, accountId: string, now: Date): Promise<Trouble[]> {
  return selectTroubles(db, accountId, now).orderBy('number', 'desc').execute();
}

export function findTrouble(db: Db, accountId: string, id: string, now: Date): Promise<Trouble | undefined> {
  return selectTroubles(db, accountId, now).where('id', '=', id).executeTakeFirst();
}

/** Counts the account's troubles, and locks it, so that two added at the same time are both counted. */
export async function lockAndCountTroubles(trx: Trx, accountId: string, now: Date): Promise<number> {
  await lockAccountRow(trx, accountId);
  return (await listTroubles(trx, accountId, now)).filter(({ calls, played }) => played < calls).length;
}

export async function insertTrouble(trx: Trx, accountId: string, trouble: Trouble): Promise<void> {
  const { id, kind, operationId, calls, played, seconds, createdAt, endsAt } = trouble;
  await trx
    .insertInto('troubles')
    .values({
      id,
      account_id: accountId,
      kind,
      operation_id: operationId,
      calls,
      played,
      seconds,
      created_at: createdAt,
      ends_at: endsAt,
    })
    .execute();
}

/** @returns how many there were. */
export async function deleteTroubles(trx: Trx, accountId: string): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('troubles')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteEndedTroubles(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('troubles').where('ends_at', '<', now).execute();
}

/** The accounts that have troubles still to be played. */
export async function listTroubledAccounts(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('troubles')
    .select('account_id as accountId')
    .distinct()
    .whereRef('played', '<', 'calls')
    .execute();
  return new Set(rows.map(({ accountId }) => accountId));
}

/** Takes the oldest trouble of one of these kinds that is to be played on a call of an operation, and counts the call. */
export async function takeTrouble(
  db: Db,
  accountId: string,
  call: {
    kinds: readonly TroubleKind[];
    operationId: string | null;
    /** Only a trouble that names this operation. */
    mustBeNamed?: boolean;
    now: Date;
  },
): Promise<Trouble | undefined> {
  const { kinds, operationId, mustBeNamed = false, now } = call;
  const { rows } = await sql<Trouble>`
    update troubles set played = played + 1
    where id = (
      select id from troubles
      where account_id = ${accountId} and kind = any(${kinds}::text[]) and played < calls and ends_at > ${now}
        and (operation_id = ${operationId} or (operation_id is null and not ${mustBeNamed}))
      order by number limit 1 for update)
    returning id, kind, operation_id as "operationId", calls, played, seconds, created_at as "createdAt",
      ends_at as "endsAt"`.execute(db);
  return rows[0];
}
