import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { MediaType } from '../../platform/file-type.ts';
import { type Author, authorColumns, authorRow } from '../model/authors.ts';

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
};

function selectAttachments(db: Db, referralId: string) {
  return db
    .selectFrom('referral_attachments')
    .select(['id', 'at', ...authorColumns, 'name', 'media_type as mediaType', 'size', 'pages', 'scanned'])
    .$narrowType<Pick<Attachment, 'mediaType'>>()
    .where('referral_id', '=', referralId);
}

export async function insertAttachment(
  trx: Trx,
  referralId: string,
  attachment: Attachment,
  content: Buffer,
): Promise<void> {
  const { id, at, name, mediaType, size, pages, scanned } = attachment;
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
      content,
    })
    .execute();
}

export async function sumAttachments(db: Db, referralId: string): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*)::int as count, coalesce(sum(size), 0)::int as bytes from referral_attachments
    where referral_id = ${referralId}`.execute(db);
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
 * @throws Error when the file is erased meanwhile.
 */
export async function* readInChunks(db: Db, { id, size }: Attachment): AsyncGenerator<Buffer> {
  for (let from = 0; from < size; from += chunkBytes) {
    const { rows } = await sql<{ chunk: Buffer }>`
      select substring(content from ${from + 1}::int for ${chunkBytes}::int) as chunk
      from referral_attachments where id = ${id}`.execute(db);
    if (!rows[0]) throw new Error('the file was erased while it was read');
    yield rows[0].chunk;
  }
}
