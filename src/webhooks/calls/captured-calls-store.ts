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

/** Whose calls: everybody's where it is null. */
type Whose = { accountId: string | null };

const found = ({ accountId }: Whose) => sql`
  select t.number, m.type, t.at, t.captured->>'url' as url, t.captured->'headers' as headers, m.body
  from webhook_attempts t join webhook_messages m on m.number = t.message_number
    join webhooks w on w.id = t.webhook_id
  where t.outcome = 'captured' ${accountId === null ? sql`` : sql`and w.account_id = ${accountId}`}`;

/** What a test site would have sent to webhooks, newest first. */
export async function listCapturedCalls(
  db: Db,
  whose: Whose,
  page: { before: number | undefined; limit: number },
): Promise<CapturedCall[]> {
  const older = page.before === undefined ? sql`` : sql`and t.number < ${page.before}`;
  const { rows } = await sql<CapturedCall>`
    ${found(whose)} ${older} order by t.number desc limit ${page.limit}`.execute(db);
  return rows;
}

export async function findCapturedCall(
  db: Db,
  whose: Whose,
  number: number,
): Promise<CapturedCall | undefined> {
  const { rows } = await sql<CapturedCall>`${found(whose)} and t.number = ${number}`.execute(db);
  return rows[0];
}
