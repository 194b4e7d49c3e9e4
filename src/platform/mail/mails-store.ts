import { sql } from 'kysely';
import type { Db, Trx } from '../database/index.ts';
import { dayMs } from '../durations.ts';
import { mayHaveJobSql } from '../jobs/index.ts';
import type { RestoreCheck } from '../restore-check/index.ts';
import type { MailKind, MailStatus } from './mail.ts';

export type MailRow = {
  id: string;
  status: MailStatus;
  isText: boolean;
  sealed: Buffer | null;
  attempts: number;
  createdAt: Date;
  /** The page or link that it is about, without which it is not sent. */
  linkId: string | null;
};

const columnsSql = sql`id, status, is_text as "isText", sealed, attempts, created_at as "createdAt", link_id as "linkId"`;

/** Which row it is, and which system sends it. */
export type QueuedMail = Pick<MailRow, 'id' | 'isText'>;

type NewMail = QueuedMail & {
  kind: MailKind;
  sealed: Buffer;
  recipientHash: Buffer;
  linkId: string | undefined;
  causedBy: string | undefined;
};

export async function insertMails(trx: Trx, mails: readonly NewMail[], at: Date): Promise<void> {
  const rows = mails.map(({ id, isText, kind, sealed, recipientHash, linkId, causedBy }) => ({
    id,
    status: 'queued',
    is_text: isText,
    kind,
    sealed,
    recipient_hash: recipientHash,
    link_id: linkId ?? null,
    caused_by: causedBy ?? null,
    created_at: at,
  }));
  await trx.insertInto('mails').values(rows).execute();
}

export async function findMail(db: Db, id: string): Promise<MailRow | undefined> {
  const { rows } = await sql<MailRow>`select ${columnsSql} from mails where id = ${id}`.execute(db);
  return rows[0];
}

/** Counts an attempt before it is made. Otherwise a mail that kills the process would be tried again and again. */
export async function startAttempt(db: Db, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ attempts: number }>`
    update mails set attempts = attempts + 1 where id = ${id} and status = 'queued' returning attempts`.execute(
    db,
  );
  return rows[0]?.attempts;
}

/** Takes back the count of an attempt that failed for reasons that have nothing to do with the mail. */
export async function uncountAttempt(trx: Trx, id: string): Promise<void> {
  await sql`
    update mails set attempts = attempts - 1 where id = ${id} and status = 'queued' and attempts > 0`.execute(
    trx,
  );
}

export async function markCaptured(db: Db, id: string, at: Date): Promise<void> {
  await sql`
    update mails set status = 'captured', finished_at = ${at} where id = ${id} and status = 'queued'`.execute(
    db,
  );
}

/** Deletes the content, since the mail was sent or never will be. */
export async function markFinished(
  db: Db,
  id: string,
  end: { status: 'sent' | 'failed'; reason: string | null; at: Date },
): Promise<void> {
  await sql`
    update mails set status = ${end.status}, reason = ${end.reason}, finished_at = ${end.at}, sealed = null
    where id = ${id} and status = 'queued'`.execute(db);
}

/** Mails that have waited since before then, although no job will send them. Held ones are left out: they have no job on purpose. */
export async function listWithoutJob(
  db: Db,
  queuedBefore: Date,
  restoreCheck: RestoreCheck | undefined,
): Promise<QueuedMail[]> {
  const isHeldByCheck = restoreCheck ? isHeldByCheckSql(restoreCheck) : sql`false`;
  const names = ['send-mail'];
  const hasJob = mayHaveJobSql({
    names,
    id: sql`m.id::text`,
    key: sql`'mail ' || m.id`,
    dueWithin: '10 years',
  });
  const { rows } = await sql<QueuedMail>`
    select id, is_text as "isText" from mails m
    where status = 'queued' and created_at < ${queuedBefore} and not ${isHeldByCheck} and not ${hasJob}
    order by id limit 1000`.execute(db);
  return rows;
}

/** Whether the backup has an email in the queue of a restored site, so that it may have been sent since. */
const wasInBackupSql = ({ restoredAt }: RestoreCheck) => sql<boolean>`(created_at < ${restoredAt})`;
/**
 * Emails about accounts are sent, because people must be able to sign in, unless the backup had them: those may have been sent, and their
 * links no longer work.
 */
const isHeldByCheckSql = (restoreCheck: RestoreCheck) =>
  sql<boolean>`(kind is distinct from 'site' or ${wasInBackupSql(restoreCheck)})`;

/** Whether an email in the queue waits for the check. */
export async function isHeldByCheck(db: Db, restoreCheck: RestoreCheck, id: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select ${isHeldByCheckSql(restoreCheck)} as held from mails where id = ${id}`.execute(db);
  return rows[0]?.held ?? false;
}

/** What the site holds until an operator has checked what was sent before: each kind, with how many there are. */
export type HeldMails = { kind: MailKind | null; wasInBackup: boolean; count: number; oldestAt: Date };

export async function countHeldMails(db: Db, restoreCheck: RestoreCheck): Promise<HeldMails[]> {
  const { rows } = await sql<HeldMails>`
    select kind, ${wasInBackupSql(restoreCheck)} as "wasInBackup", count(*)::int as count, min(created_at) as "oldestAt" from mails
    where status = 'queued' and ${isHeldByCheckSql(restoreCheck)}
    group by 1, 2 order by 2 desc, 1 nulls last`.execute(db);
  return rows;
}

/** The held emails of one kind. */
export async function listHeldMails(
  trx: Trx,
  restoreCheck: RestoreCheck,
  { kind, wasInBackup }: Pick<HeldMails, 'kind' | 'wasInBackup'>,
): Promise<(QueuedMail & { recipientHash: Buffer })[]> {
  const { rows } = await sql<QueuedMail & { recipientHash: Buffer }>`
    select id, is_text as "isText", recipient_hash as "recipientHash" from mails
    where status = 'queued' and ${isHeldByCheckSql(restoreCheck)} and kind is not distinct from ${kind}
      and ${wasInBackupSql(restoreCheck)} = ${wasInBackup}
    order by id for update`.execute(trx);
  return rows;
}

/** They are never sent, and their content is deleted. */
export async function dropMails(trx: Trx, ids: readonly string[], at: Date): Promise<void> {
  await sql`
    update mails set status = 'dropped', finished_at = ${at}, sealed = null
    where id = any(${ids}::uuid[]) and status = 'queued'`.execute(trx);
}

/** What waits to be sent about these pages or links is never sent, and its content is deleted. */
export async function dropMailsOfLinks(trx: Trx, linkIds: readonly string[], at: Date): Promise<void> {
  await sql`
    update mails set status = 'dropped', finished_at = ${at}, sealed = null
    where link_id = any(${linkIds}::uuid[]) and status = 'queued'`.execute(trx);
}

type TextsToCount = {
  kind: MailKind;
  recipientHash: Buffer;
  causedBy: string | undefined;
  lastHour: Date;
  lastDay: Date;
};
type TextCounts = { toOneInHour: number; toOneInDay: number; causedByOneInDay: number };

/** A text that was never queued, for the counts. */
export async function insertDroppedText(
  trx: Trx,
  { id, kind, recipientHash, causedBy }: Pick<NewMail, 'id' | 'kind' | 'recipientHash' | 'causedBy'>,
  at: Date,
): Promise<void> {
  const [status, caused_by] = ['dropped', causedBy ?? null];
  const row = { id, status, is_text: true, kind, recipient_hash: recipientHash, caused_by };
  await trx
    .insertInto('mails')
    .values({ ...row, created_at: at, finished_at: at })
    .execute();
}

/** How many texts of a kind were queued lately, to one number and by one organisation or account. */
export async function countTextsSince(
  db: Db,
  { kind, recipientHash, causedBy = '', lastHour, lastDay }: TextsToCount,
): Promise<TextCounts> {
  const to = sql`from mails where is_text and recipient_hash = ${recipientHash} and kind = ${kind}`;
  const { rows } = await sql<TextCounts>`
    select (select count(*)::int ${to} and created_at > ${lastHour}) as "toOneInHour",
      (select count(*)::int ${to} and created_at > ${lastDay}) as "toOneInDay",
      (select count(*)::int from mails where caused_by = nullif(${causedBy}, '')::uuid and kind = ${kind}
        and created_at > ${lastDay}) as "causedByOneInDay"`.execute(db);
  return rows[0]!;
}

/** Which captured mails somebody may see: all, or those to the address with this hash. */
export type CapturedFilter = { recipientHash: Buffer | undefined };

const addressedToSql = ({ recipientHash }: CapturedFilter) =>
  recipientHash === undefined ? sql`` : sql`and recipient_hash = ${recipientHash}`;

/** Newest first. Ids begin with the time they were made, so their order is that of queueing. */
export async function listCaptured(
  db: Db,
  filter: CapturedFilter,
  page: { before: string | undefined; limit: number },
): Promise<MailRow[]> {
  const before = page.before === undefined ? sql`` : sql`and id < ${page.before}`;
  const { rows } = await sql<MailRow>`
    select ${columnsSql} from mails where status = 'captured' ${addressedToSql(filter)} ${before}
    order by id desc limit ${page.limit}`.execute(db);
  return rows;
}

export async function findCaptured(db: Db, filter: CapturedFilter, id: string): Promise<MailRow | undefined> {
  const { rows } = await sql<MailRow>`
    select ${columnsSql} from mails where id = ${id} and status = 'captured' ${addressedToSql(filter)}`.execute(
    db,
  );
  return rows[0];
}

type FailureCount = { count: number; lastReason: string | null };

/** How many emails and texts were given up since then, or those of one kind alone, and why the last of them was. */
export async function countFailedMails(
  db: Db,
  since: Date,
  { texts }: { texts?: boolean } = {},
): Promise<FailureCount> {
  const ofKind = texts === undefined ? sql`` : sql`and is_text = ${texts}`;
  const { rows } = await sql<FailureCount>`
    select count(*)::int as count, (array_agg(reason order by finished_at desc))[1] as "lastReason"
    from mails where status = 'failed' and finished_at >= ${since} ${ofKind}`.execute(db);
  return rows[0]!;
}

export type FailedMail = { id: string; isText: boolean; reason: string | null; at: Date };

/** The last emails and texts that were given up. Whom they were for is deleted by then. */
export async function listFailedMails(db: Db, limit: number): Promise<FailedMail[]> {
  const rows = await db
    .selectFrom('mails')
    .select(['id', 'is_text as isText', 'reason', 'finished_at as at'])
    .where('status', '=', 'failed')
    .orderBy('finished_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ at, ...row }) => ({ ...row, at: at! }));
}

const keptMs = 30 * dayMs;

/**
 * Deletes mails thirty days after they were sent, given up or captured. By then every link in them is dead, and nobody
 * asks any more what became of one.
 */
export async function deleteOldMails(db: Db, now: Date): Promise<void> {
  await sql`delete from mails where finished_at < ${new Date(now.getTime() - keptMs)}`.execute(db);
}

export async function hasQueuedEmails(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from mails where status = 'queued' and not is_text) as found`.execute(db);
  return rows[0]!.found;
}
