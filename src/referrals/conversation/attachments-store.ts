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

/** Somebody of the other side opens a file. @returns false if it was removed meanwhile */
export async function noteOpenedByOtherSide(trx: Trx, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update referral_attachments set opened_at = coalesce(opened_at, ${at})
    where id = ${id} and removed_at is null returning id`.execute(trx);
  return rows.length > 0;
}

export type Removal = { at: Date; byName: string; byOrganisation: string | null; reason: RemovalReason };

/**
 * Deletes what a file says and what it was called. On legal hold both stay in the database, for operators.
 * @returns whether somebody of the other side had opened it; undefined if it was removed before
 */
export async function removeContent(
  trx: Trx,
  id: string,
  { at, byName, byOrganisation, reason }: Removal,
  isHeld: boolean,
): Promise<{ wasOpened: boolean } | undefined> {
  const { rows } = await sql<{ wasOpened: boolean }>`
    update referral_attachments
    set removed_at = ${at}, removed_by_name = ${byName}, removed_by_organisation = ${byOrganisation},
      removal_reason = ${JSON.stringify(reason)}::jsonb,
      content = case when ${isHeld}::boolean then content end,
      name = case when ${isHeld}::boolean then name else ${removedFileName} end
    where id = ${id} and removed_at is null
    returning opened_at is not null as "wasOpened"`.execute(trx);
  return rows[0];
}

/** A legal hold was lifted: what was removed meanwhile is deleted now. @returns whether there was anything */
export async function deleteKeptContent(trx: Trx, referralId: string): Promise<boolean> {
  const { rows } = await sql`
    update referral_attachments set content = null, name = ${removedFileName}
    where referral_id = ${referralId} and removed_at is not null and content is not null returning id`.execute(
    trx,
  );
  return rows.length > 0;
}

/** Those that were removed do not count. */
export async function sumAttachments(db: Db, referralId: string): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*)::int as count, coalesce(sum(size), 0)::int as bytes from referral_attachments
    where referral_id = ${referralId} and removed_at is null`.execute(db);
  return rows[0]!;
}

/** Newest first. */
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
 * Reads the content of a file in chunks. Read whole, it would stay in memory until the slowest reader has it all.
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
