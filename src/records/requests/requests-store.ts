import { sql } from 'kysely';
import { isEnabledOperatorSql, operatorWithFewestSql } from '../../accounts/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { RequestKind } from './request.ts';

export type RecordRequest = {
  id: string;
  reference: string;
  kind: RequestKind;
  name: string;
  contact: string;
  words: string;
  receivedAt: Date;
  /** The day by which it must be answered, such as 2026-12-24. */
  dueOn: string;
  acknowledgeOn: string | null;
  acknowledgedAt: Date | null;
  owner: { id: string; name: string } | null;
  answeredAt: Date | null;
  answeredByName: string | null;
  answer: string | null;
};

/** What a list shows: nothing about the person. */
export type ListedRequest = Omit<RecordRequest, 'name' | 'contact' | 'words' | 'answer'>;

const listedColumnsSql = sql`
  r.id, r.reference, r.kind, r.received_at as "receivedAt", r.due_on::text as "dueOn",
  r.acknowledge_on::text as "acknowledgeOn", r.acknowledged_at as "acknowledgedAt",
  case when a.id is not null then json_build_object('id', a.id, 'name', a.name) end as owner,
  r.answered_at as "answeredAt", r.answered_by_name as "answeredByName"`;
/** If the owner is no longer an operator, the request counts as without an owner, so that somebody takes it over. */
const requestsWithOwnerSql = sql`record_requests r left join accounts a on a.id = r.owner_id and ${isEnabledOperatorSql}`;

const nextOwnerSql = operatorWithFewestSql(sql`record_requests`, sql`w.answered_at is null`);

type NewRequest = Pick<
  RecordRequest,
  'id' | 'reference' | 'kind' | 'name' | 'contact' | 'words' | 'receivedAt' | 'dueOn' | 'acknowledgeOn'
>;

export async function insertRequest(trx: Trx, request: NewRequest): Promise<void> {
  const { id, reference, kind, name, contact, words, receivedAt, dueOn, acknowledgeOn } = request;
  await sql`
    insert into record_requests
      (id, reference, kind, name, contact, words, received_at, due_on, acknowledge_on, owner_id)
    values (${id}, ${reference}, ${kind}, ${name}, ${contact}, ${words}, ${receivedAt}, ${dueOn}::date,
      ${acknowledgeOn}::date, ${nextOwnerSql})`.execute(trx);
}

/** Requests that are not answered yet, the most urgent first; or answered ones, the latest first. */
export async function listRequests(
  db: Db,
  { answered, limit }: { answered: boolean; limit: number },
): Promise<ListedRequest[]> {
  const order = answered ? sql`r.answered_at desc` : sql`r.due_on, r.id`;
  const { rows } = await sql<ListedRequest>`
    select ${listedColumnsSql} from ${requestsWithOwnerSql}
    where ${answered ? sql`r.answered_at is not null` : sql`r.answered_at is null`} order by ${order} limit ${limit}`.execute(
    db,
  );
  return rows;
}

export async function findRequest(db: Db, id: string): Promise<RecordRequest | undefined> {
  const { rows } = await sql<RecordRequest>`
    select ${listedColumnsSql}, r.name, r.contact, r.words, r.answer
    from ${requestsWithOwnerSql} where r.id = ${id}`.execute(db);
  return rows[0];
}

/** Locks a request that is not answered yet. @returns whether there is one. */
export async function lockOpenRequest(trx: Trx, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from record_requests where id = ${id} and answered_at is null for update`.execute(trx);
  return rows.length > 0;
}

export async function setOwner(trx: Trx, id: string, ownerId: string): Promise<void> {
  await trx.updateTable('record_requests').set({ owner_id: ownerId }).where('id', '=', id).execute();
}

export async function setAcknowledged(trx: Trx, id: string, at: Date): Promise<void> {
  const request = trx.updateTable('record_requests').where('id', '=', id);
  await request.where('acknowledged_at', 'is', null).set({ acknowledged_at: at }).execute();
}

export async function setAnswered(
  trx: Trx,
  id: string,
  { answer, byName, at }: { answer: string; byName: string; at: Date },
): Promise<void> {
  const set = { answered_at: at, answered_by_name: byName, answer };
  await trx.updateTable('record_requests').set(set).where('id', '=', id).execute();
}

export type RequestNote = { at: Date; byName: string; text: string };

export async function insertNote(
  trx: Trx,
  requestId: string,
  { id, at, byName, text }: RequestNote & { id: string },
): Promise<void> {
  const note = { id, request_id: requestId, at, by_name: byName, text };
  await trx.insertInto('record_request_notes').values(note).execute();
}

export async function listNotes(db: Db, requestId: string): Promise<RequestNote[]> {
  const notes = db.selectFrom('record_request_notes').where('request_id', '=', requestId).orderBy('id');
  return notes.select(['at', 'by_name as byName', 'text']).execute();
}

/** How many requests must be answered by a day, and how many complaints acknowledged by today. Those that are overdue count too. */
export async function countRequestsDue(
  db: Db,
  { today, answerBy }: { today: string; answerBy: string },
): Promise<{ answers: number; acknowledgements: number }> {
  const { rows } = await sql<{ answers: number; acknowledgements: number }>`
    select count(*) filter (where due_on <= ${answerBy}::date)::int as answers,
      count(*) filter (where acknowledge_on <= ${today}::date and acknowledged_at is null)::int as acknowledgements
    from record_requests where answered_at is null`.execute(db);
  return rows[0]!;
}

/** Requests that nobody has answered yet. `nextOn` is the first day by which one must be acknowledged or answered. */
type OpenRequests = { open: number; overdue: number; nextOn: string | null };

export async function countRecordRequests(db: Db, today: string): Promise<OpenRequests> {
  const { rows } = await sql<OpenRequests>`
    select count(*)::int as open, count(*) filter (where next_on < ${today}::date)::int as overdue, min(next_on)::text as "nextOn"
    from (
      select case when acknowledged_at is null then least(acknowledge_on, due_on) else due_on end as next_on
      from record_requests where answered_at is null) as open_requests`.execute(db);
  return rows[0]!;
}

/**
 * Deletes requests that were answered long ago: complaints after ten years, all others after three, as the NHS Records Management Code
 * of Practice (2021) says.
 */
export async function deleteOldRequests(db: Db, now: Date): Promise<void> {
  await sql`
    delete from record_requests
    where answered_at < ${now}::timestamptz - case kind when 'complain' then interval '10 years' else interval '3 years' end`.execute(
    db,
  );
}
