import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { MediaType } from '../../platform/file-type.ts';
import { type Author, authorColumns, authorRow } from '../model/actors/authors.ts';
import type { Side } from '../model/status/state-machine.ts';
import { type RemovalReason, removedFileName } from './removal-reasons.ts';

export type Attachment = Author & {
  id: string;
  at: Date;
  name: string;
  mediaType: MediaType;
  size: number;
  /** Null where the file does not say how many it has. */
  pages: number | null;
  /** A virus scanner has found nothing in it. */
  scanned: boolean;
  /** The side that attached it. */
  side: Side;
  /** Null for a file that is still there. */
  removedAt: Date | null;
  removedByName: string | null;
  removedByOrganisation: string | null;
  /** Why it was removed. */
  reason: RemovalReason | null;
  /** When somebody of the other side, or their system, first opened it, and the person who did. Null for neither. */
  openedAt: Date | null;
  openedByName: string | null;
  /** It was removed while the referral was on legal hold, so operators can still read it. */
  isKept: boolean;
};

function selectAttachments(db: Db, referralId: string) {
  return db
    .selectFrom('referral_attachments')
    .select([
      'id',
      'at',
      ...authorColumns,
      sql<string>`case when removed_at is null then name else ${removedFileName} end`.as('name'),
      'media_type as mediaType',
      'size',
      'pages',
      'scanned',
      'side',
      'removed_at as removedAt',
      'removed_by_name as removedByName',
      'removed_by_organisation as removedByOrganisation',
      'removal_reason as reason',
      'opened_at as openedAt',
      'opened_by_name as openedByName',
      sql<boolean>`removed_at is not null and content is not null`.as('isKept'),
    ])
    .$narrowType<Pick<Attachment, 'mediaType' | 'side' | 'reason'>>()
    .where('referral_id', '=', referralId);
}

export async function insertAttachment(
  trx: Trx,
  referralId: string,
  attachment: Attachment,
  content: Buffer,
): Promise<void> {
  const { id, at, name, mediaType, size, pages, scanned, side } = attachment;
  await trx
    .insertInto('referral_attachments')
    .values({
      id,
      referral_id: referralId,
      at,
      ...authorRow(attachment),
      name,
      media_type: mediaType,
      size,
      pages,
      scanned,
      side,
      content,
    })
    .execute();
}

/**
 * Notes who of the other side opened a file first.
 * @param name null for a system
 * @returns false if the file was removed meanwhile
 */
export async function setFileOpened(
  trx: Trx,
  id: string,
  { at, name }: { at: Date; name: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    update referral_attachments
    set opened_at = coalesce(opened_at, ${at}), opened_by_name = coalesce(opened_by_name, ${name})
    where id = ${id} and removed_at is null returning id`.execute(trx);
  return rows.length > 0;
}

export type Removal = { at: Date; byName: string; byOrganisation: string | null; reason: RemovalReason };

/**
 * Deletes what a file says and what it was called. On legal hold (`isOnLegalHold`) both stay in the database, for operators.
 * @returns whether somebody of the other side had opened it; undefined if it was removed before
 */
export async function removeContent(
  trx: Trx,
  id: string,
  { at, byName, byOrganisation, reason, isOnLegalHold }: Removal & { isOnLegalHold: boolean },
): Promise<{ wasOpened: boolean } | undefined> {
  const { rows } = await sql<{ wasOpened: boolean }>`
    update referral_attachments
    set removed_at = ${at}, removed_by_name = ${byName}, removed_by_organisation = ${byOrganisation},
      removal_reason = ${JSON.stringify(reason)}::jsonb,
      content = case when ${isOnLegalHold}::boolean then content end,
      name = case when ${isOnLegalHold}::boolean then name else ${removedFileName} end
    where id = ${id} and removed_at is null
    returning opened_at is not null as "wasOpened"`.execute(trx);
  return rows[0];
}

const toScanSql = sql`not scanned and scan_answered_at is null and removed_at is null and content is not null`;

/** A file that no scanner has looked at yet. */
export type UnscannedFile = { id: string; referralId: string };

/** The next file to scan. Files that were tried least recently come first, so that one that always fails does not hold up the others. */
export async function findUnscannedFile(
  db: Db,
  without: readonly string[],
): Promise<UnscannedFile | undefined> {
  const { rows } = await sql<UnscannedFile>`
    select id, referral_id as "referralId" from referral_attachments
    where ${toScanSql} and id <> all(${without}::uuid[])
    order by scan_tried_at nulls first, id limit 1`.execute(db);
  return rows[0];
}

/** How many files no scanner has looked at yet, and since when the oldest waits. */
export async function countUnscannedFiles(db: Db): Promise<{ count: number; oldest: Date | null }> {
  const { rows } = await sql<{ count: number; oldest: Date | null }>`
    select count(*)::int as count, min(at) as oldest from referral_attachments where ${toScanSql}`.execute(
    db,
  );
  return rows[0]!;
}

/** The email addresses of the people who opened a file by their account, without the person who attached it. */
export async function listAddressesOfReaders(
  db: Db,
  referralId: string,
  { id, authorId }: Pick<Attachment, 'id' | 'authorId'>,
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct a.email from audit_entries e join accounts a on a.id = e.actor_id
    where e.subject_type = 'referral' and e.subject_id = ${referralId}::text and e.action = 'referral.attachment_read'
      and e.details ->> 'attachment' = ${id}::text and a.id is distinct from ${authorId}::uuid
      and a.disabled_at is null and not a.is_system
    order by a.email`.execute(db);
  return rows.map(({ email }) => email);
}

/** The whole file; undefined if it was erased or removed meanwhile. */
export async function readContent(db: Db, id: string): Promise<Buffer | undefined> {
  const { rows } = await sql<{ content: Buffer | null }>`
    select content from referral_attachments where id = ${id} and removed_at is null`.execute(db);
  return rows[0]?.content ?? undefined;
}

export async function setScanTried(trx: Trx, id: string, at: Date): Promise<void> {
  await trx.updateTable('referral_attachments').set({ scan_tried_at: at }).where('id', '=', id).execute();
}

/** Stores the scanner’s answer. `scanned` is false for a file that it could not look into. */
export async function setScanAnswered(
  trx: Trx,
  id: string,
  { scanned, at }: { scanned: boolean; at: Date },
): Promise<void> {
  await trx
    .updateTable('referral_attachments')
    .set({ scan_tried_at: at, scan_answered_at: at, scanned })
    .where('id', '=', id)
    .execute();
}

/** Deletes the files that were removed during a legal hold which has now been lifted. @returns whether there were any */
export async function deleteKeptContent(trx: Trx, referralId: string): Promise<boolean> {
  const { rows } = await sql`
    update referral_attachments set content = null, name = ${removedFileName}
    where referral_id = ${referralId} and removed_at is not null and content is not null returning id`.execute(
    trx,
  );
  return rows.length > 0;
}

/** The number and size of a referral’s files, without removed ones. */
export async function sumAttachments(db: Db, referralId: string): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*)::int as count, coalesce(sum(size), 0)::int as bytes from referral_attachments
    where referral_id = ${referralId} and removed_at is null`.execute(db);
  return rows[0]!;
}

/** The files of a referral, newest first. */
export function listAttachments(
  db: Db,
  referralId: string,
  { beforeId, limit }: { beforeId?: string | undefined; limit: number },
): Promise<Attachment[]> {
  return selectAttachments(db, referralId)
    .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export function findAttachment(db: Db, referralId: string, id: string): Promise<Attachment | undefined> {
  return selectAttachments(db, referralId).where('id', '=', id).executeTakeFirst();
}

const chunkBytes = 256 * 1024;

/**
 * Reads the content of a file in chunks. A whole file would stay in memory until the slowest reader has it all.
 * @throws Error when the file is erased or removed meanwhile.
 */
export async function* readInChunks(db: Db, { id, size }: Attachment): AsyncGenerator<Buffer> {
  for (let from = 0; from < size; from += chunkBytes) {
    const { rows } = await sql<{ chunk: Buffer | null }>`
      select substring(content from ${from + 1}::int for ${chunkBytes}::int) as chunk
      from referral_attachments where id = ${id}`.execute(db);
    const chunk = rows[0]?.chunk;
    if (!chunk) throw new Error('the file was erased or removed while it was read');
    yield chunk;
  }
}
