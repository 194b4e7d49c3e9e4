import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { PatientRecord } from './collect-record.ts';
import type { Ground, Mark } from './leave-out.ts';
import type { OptOut, Purpose } from './schemas.ts';

export type StoredCopy = {
  id: string;
  reference: string;
  packedAt: Date;
  packedBy: string;
  packedByName: string;
  reason: string;
  purpose: Purpose;
  optOut: OptOut | null;
  patientNameKey: Buffer | null;
  patientNumberKey: Buffer | null;
  reviewedAt: Date | null;
  reviewedByName: string | null;
  reviewNote: string | null;
  handedOutAt: Date | null;
  handedOutByName: string | null;
  emptiedAt: Date | null;
  /** When a file in the copy was removed from the referral after the copy was handed out. */
  fileRemovedAt: Date | null;
  /** When an operator said that they had asked who has the copy to give it back, and who said so. */
  askedBackAt: Date | null;
  askedBackByName: string | null;
  referralIds: string[];
};

const columnsSql = sql`
  id, reference, packed_at as "packedAt", packed_by as "packedBy", packed_by_name as "packedByName", reason, purpose,
  case when opt_out is not null then json_build_object('decision', opt_out, 'because', opt_out_because) end as "optOut",
  patient_name_key as "patientNameKey", patient_number_key as "patientNumberKey",
  reviewed_at as "reviewedAt", reviewed_by_name as "reviewedByName", review_note as "reviewNote",
  handed_out_at as "handedOutAt", handed_out_by_name as "handedOutByName", emptied_at as "emptiedAt",
  file_removed_at as "fileRemovedAt", asked_back_at as "askedBackAt", asked_back_by_name as "askedBackByName",
  array(select r.referral_id::text from record_copy_referrals r where r.copy_id = record_copies.id order by r.position)
    as "referralIds"`;

export type NewCopy = Pick<
  StoredCopy,
  'id' | 'reference' | 'packedAt' | 'packedBy' | 'packedByName' | 'reason' | 'purpose' | 'optOut'
> & { keys: { name: Buffer | null; number: Buffer | null } };

export async function insertCopy(
  trx: Trx,
  copy: NewCopy,
  records: PatientRecord['referrals'],
): Promise<void> {
  await trx
    .insertInto('record_copies')
    .values({
      id: copy.id,
      reference: copy.reference,
      packed_at: copy.packedAt,
      packed_by: copy.packedBy,
      packed_by_name: copy.packedByName,
      reason: copy.reason,
      purpose: copy.purpose,
      opt_out: copy.optOut?.decision ?? null,
      opt_out_because: copy.optOut?.because ?? null,
      patient_name_key: copy.keys.name,
      patient_number_key: copy.keys.number,
      readers: [copy.packedBy],
    })
    .execute();
  for (const [position, record] of records.entries())
    await trx
      .insertInto('record_copy_referrals')
      .values({
        copy_id: copy.id,
        referral_id: record.referral.id,
        position,
        record: JSON.stringify(record),
      })
      .execute();
}

export async function findCopy(db: Db, id: string): Promise<StoredCopy | undefined> {
  const { rows } = await sql<StoredCopy>`select ${columnsSql} from record_copies where id = ${id}`.execute(
    db,
  );
  return rows[0];
}

/** Locks a copy, so that nobody reviews it while somebody else marks it. */
export async function lockCopy(trx: Trx, id: string): Promise<StoredCopy | undefined> {
  const { rows } = await sql<StoredCopy>`
    select ${columnsSql} from record_copies where id = ${id} for update`.execute(trx);
  return rows[0];
}

/** Copies, the newest first. */
export async function listCopies(db: Db, limit: number): Promise<StoredCopy[]> {
  const { rows } = await sql<StoredCopy>`
    select ${columnsSql} from record_copies order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** The records of a copy, in the order in which the copy has them. */
export async function listRecordsOfCopy(db: Db, id: string): Promise<PatientRecord['referrals']> {
  const { rows } = await sql<{ record: PatientRecord['referrals'][number] }>`
    select record from record_copy_referrals where copy_id = ${id} and record is not null order by position`.execute(
    db,
  );
  return rows.map(({ record }) => record);
}

/** Notes that an account reads a copy. @returns whether it reads this copy for the first time. */
export async function addReader(trx: Trx, id: string, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    update record_copies set readers = array_append(readers, ${accountId}::uuid)
    where id = ${id} and not ${accountId}::uuid = any (readers) returning id`.execute(trx);
  return rows.length > 0;
}

export type StoredMark = Mark & { id: string; reason: string; at: Date; byName: string };

export async function insertMark(trx: Trx, copyId: string, mark: StoredMark): Promise<void> {
  await trx
    .insertInto('record_copy_marks')
    .values({
      id: mark.id,
      copy_id: copyId,
      kind: mark.kind,
      path: mark.path,
      place_in_words: mark.partInWords,
      words: mark.words,
      ground: mark.ground,
      reason: mark.reason,
      at: mark.at,
      by_name: mark.byName,
    })
    .execute();
}

/** The marks of a copy, the oldest first. */
export function listMarks(db: Db, copyId: string): Promise<StoredMark[]> {
  return db
    .selectFrom('record_copy_marks')
    .select([
      'id',
      'kind',
      'path',
      'place_in_words as partInWords',
      'words',
      'ground',
      'reason',
      'at',
      'by_name as byName',
    ])
    .$narrowType<{ kind: Mark['kind']; ground: Ground }>()
    .where('copy_id', '=', copyId)
    .orderBy('id')
    .execute();
}

/** @returns whether the copy had such a mark. */
export async function deleteMark(trx: Trx, copyId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from record_copy_marks where copy_id = ${copyId} and id = ${id} returning id`.execute(trx);
  return rows.length > 0;
}

export async function setReviewed(
  trx: Trx,
  id: string,
  review: { at: Date; accountId: string; name: string; note: string },
): Promise<void> {
  const { at, accountId, name, note } = review;
  const set = { reviewed_at: at, reviewed_by: accountId, reviewed_by_name: name, review_note: note };
  await trx.updateTable('record_copies').set(set).where('id', '=', id).execute();
}

export async function clearReview(trx: Trx, id: string): Promise<void> {
  const set = { reviewed_at: null, reviewed_by: null, reviewed_by_name: null, review_note: null };
  await trx.updateTable('record_copies').set(set).where('id', '=', id).execute();
}

/** Stores when a copy was first handed out; a later time changes nothing. */
export async function setHandedOut(trx: Trx, id: string, { at, name }: { at: Date; name: string }) {
  const set = { handed_out_at: at, handed_out_by_name: name };
  const copy = trx.updateTable('record_copies').where('id', '=', id).where('handed_out_at', 'is', null);
  await copy.set(set).execute();
}

/**
 * Deletes the records in copies that were packed before a time, and the words to black out. The decisions and their reasons stay, and the
 * ids of the referrals, by which {@link deleteCopiesOf} finds a copy.
 */
export async function emptyCopies(db: Db, packedBefore: Date, now: Date): Promise<void> {
  await emptyWhere(db, sql`packed_at < ${packedBefore} and emptied_at is null`, now);
}

/** Deletes the records in one copy, as {@link emptyCopies} does. */
export async function emptyCopy(trx: Trx, id: string, at: Date): Promise<void> {
  await emptyWhere(trx, sql`id = ${id}`, at);
}

async function emptyWhere(db: Db, condition: RawBuilder<unknown>, at: Date): Promise<void> {
  await sql`
    with emptied_copies as (
      update record_copies set emptied_at = ${at}, patient_name_key = null, patient_number_key = null
      where ${condition} returning id
    ), emptied as (
      update record_copy_referrals set record = null from emptied_copies c where copy_id = c.id
    )
    update record_copy_marks set words = null from emptied_copies c where copy_id = c.id`.execute(db);
}

/** `isPacked` is false for a copy that was emptied. */
type CopyWithFile = Pick<StoredCopy, 'id' | 'reference' | 'handedOutAt'> & { isPacked: boolean };

/**
 * Locks the copies that have a file, so that none is handed out meanwhile. Nobody can tell whether an emptied copy had the file, so it
 * counts if it was packed after the file was attached.
 */
export async function lockCopiesWithFile(
  trx: Trx,
  referralId: string,
  attachmentId: string,
): Promise<CopyWithFile[]> {
  const { rows } = await sql<CopyWithFile>`
    select k.id, k.reference, k.handed_out_at as "handedOutAt", r.record is not null as "isPacked"
    from record_copies k join record_copy_referrals r on r.copy_id = k.id
      join referral_attachments f on f.id = ${attachmentId}
    where r.referral_id = ${referralId} and f.at <= k.packed_at
      and (r.record is not null or k.handed_out_at is not null)
    order by k.id for update of k`.execute(trx);
  return rows;
}

export async function noteRemovedFileOfCopy(trx: Trx, id: string, at: Date): Promise<void> {
  const set = { file_removed_at: at, asked_back_at: null, asked_back_by_name: null };
  await trx.updateTable('record_copies').set(set).where('id', '=', id).execute();
}

/** @returns false if there is nothing to ask back, or somebody did so before. */
export async function setAskedBack(
  trx: Trx,
  id: string,
  { at, name }: { at: Date; name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('record_copies')
    .set({ asked_back_at: at, asked_back_by_name: name })
    .where('id', '=', id)
    .where('file_removed_at', 'is not', null)
    .where('asked_back_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** How many copies that were handed out have a file that was removed since, and nobody has asked for them back. */
export async function countCopiesToAskBack(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from record_copies where file_removed_at is not null and asked_back_at is null`.execute(
    db,
  );
  return rows[0]!.count;
}

/** Deletes copies with their decisions three years after they were packed, like requests that are not complaints. */
export async function deleteOldCopies(db: Db, now: Date): Promise<void> {
  await sql`delete from record_copies where packed_at < ${now}::timestamptz - interval '3 years'`.execute(db);
}

/** Deletes all copies that a referral is in, when it is erased. Nothing of them stays, because their reasons and marks may name somebody. */
export async function deleteCopiesOf(trx: Trx, referralId: string): Promise<void> {
  await sql`
    delete from record_copies
    where id in (select copy_id from record_copy_referrals where referral_id = ${referralId})`.execute(trx);
}
