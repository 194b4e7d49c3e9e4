import { sql } from 'kysely';
import { lockAccountRow } from '../../accounts/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import { type DeveloperRequest, type RequestContent, requestsKeptMs } from './developer-request.ts';

/** The requests. The table's checks make sure that each kind has its own columns. */
function selectRequests(db: Db) {
  return db
    .selectFrom('developer_requests as request')
    .innerJoin('accounts as account', 'account.id', 'request.account_id')
    .leftJoin('organisations as organisation', 'organisation.id', 'account.organisation_id')
    .select([
      'request.id',
      'request.account_id as accountId',
      'account.name as accountName',
      'account.email as accountEmail',
      'organisation.name as organisationName',
      'request.kind',
      'request.address',
      'request.name',
      'request.email',
      'request.role',
      'request.organization_id as organizationId',
      'request.reason',
      'request.made_at as madeAt',
      'request.answered_at as answeredAt',
      'request.granted',
      'request.granted_account_id as grantedAccountId',
    ])
    .$narrowType<{ kind: DeveloperRequest['kind'] }>();
}

/** The requests of an account, newest first. */
export async function listRequestsOf(db: Db, accountId: string): Promise<DeveloperRequest[]> {
  const rows = await selectRequests(db)
    .where('request.account_id', '=', accountId)
    .orderBy('request.id', 'desc')
    .execute();
  return rows as DeveloperRequest[];
}

/** Requests that nobody has answered, oldest first. */
export async function listOpenRequests(db: Db): Promise<DeveloperRequest[]> {
  const rows = await selectRequests(db)
    .where('request.answered_at', 'is', null)
    .orderBy('request.id')
    .execute();
  return rows as DeveloperRequest[];
}

export async function countOpenRequests(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from developer_requests where answered_at is null`.execute(db);
  return rows[0]!.count;
}

/** Locks the request, so that of two operators who answer it at once the second finds it answered. */
export async function lockOpenRequest(trx: Trx, id: string): Promise<DeveloperRequest | undefined> {
  const row = await selectRequests(trx)
    .where('request.id', '=', id)
    .where('request.answered_at', 'is', null)
    .forUpdate('request')
    .executeTakeFirst();
  return row as DeveloperRequest | undefined;
}

/** Counts the account's open requests, and locks it, so that two made at the same time are both counted. */
export async function lockAndCountOpen(trx: Trx, accountId: string): Promise<number> {
  await lockAccountRow(trx, accountId);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from developer_requests
    where account_id = ${accountId} and answered_at is null`.execute(trx);
  return rows[0]!.count;
}

export async function insertRequest(
  trx: Trx,
  request: { id: string; accountId: string; reason: string; at: Date; content: RequestContent },
): Promise<void> {
  const { id, accountId, reason, at, content } = request;
  const { kind } = content;
  const what =
    kind === 'return-address'
      ? { address: content.address }
      : {
          name: content.name,
          email: content.email,
          role: content.role,
          organization_id: content.organizationId,
        };
  await trx
    .insertInto('developer_requests')
    .values({ id, account_id: accountId, kind, reason, made_at: at, ...what })
    .execute();
}

export async function setAnswered(
  trx: Trx,
  id: string,
  answer: { granted: boolean; accountId: string | null; by: string; at: Date },
): Promise<void> {
  await trx
    .updateTable('developer_requests')
    .set({
      answered_at: answer.at,
      answered_by: answer.by,
      granted: answer.granted,
      granted_account_id: answer.accountId,
    })
    .where('id', '=', id)
    .execute();
}

export async function deleteOldRequests(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - requestsKeptMs);
  await db.deleteFrom('developer_requests').where('made_at', '<', before).execute();
}
