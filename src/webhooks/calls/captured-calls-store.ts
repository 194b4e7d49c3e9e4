import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

export type CapturedCall = {
  number: number;
  type: string;
  at: Date;
  url: string;
  headers: Record<string, string>;
  body: string;
};

/** The account whose webhooks are called; null for all accounts. */
type Holder = { accountId: string | null };

const selectCallsSql = ({ accountId }: Holder) => sql`
  select t.number, m.type, t.at, t.captured->>'url' as url, t.captured->'headers' as headers, m.body
  from webhook_attempts t join webhook_messages m on m.number = t.message_number
    join webhooks w on w.id = t.webhook_id
  where t.outcome = 'captured' ${accountId === null ? sql`` : sql`and w.account_id = ${accountId}`}`;

/** The calls that a test site would have made, newest first. */
export async function listCapturedCalls(
  db: Db,
  holder: Holder,
  page: { before: number | undefined; limit: number },
): Promise<CapturedCall[]> {
  const older = page.before === undefined ? sql`` : sql`and t.number < ${page.before}`;
  const { rows } = await sql<CapturedCall>`
    ${selectCallsSql(holder)} ${older} order by t.number desc limit ${page.limit}`.execute(db);
  return rows;
}

export async function findCapturedCall(
  db: Db,
  holder: Holder,
  number: number,
): Promise<CapturedCall | undefined> {
  const { rows } = await sql<CapturedCall>`${selectCallsSql(holder)} and t.number = ${number}`.execute(db);
  return rows[0];
}
