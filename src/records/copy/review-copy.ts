import { type ActionOn, actorOf } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { isUuid, newId } from '../../platform/ids/index.ts';
import { defineProblem, notFound, Problem } from '../../platform/problem/index.ts';
import { type ReferralDeps, recordOpeningsByOperator } from '../../referrals/index.ts';
import { type PatientRecord, wholeRecord } from './collect-record.ts';
import {
  addReader,
  clearReview,
  deleteMark,
  findCopy,
  insertMark,
  listMarks,
  listRecordsOfCopy,
  lockCopy,
  type StoredCopy,
  type StoredMark,
  setReviewed,
} from './copies-store.ts';
import { leaveOut, type Mark } from './leave-out.ts';

const copyReviewed = defineProblem({
  type: 'copy-reviewed',
  status: 409,
  title: 'The review of this copy is finished',
});

export type CopyInReview = { copy: StoredCopy; record: PatientRecord; marks: StoredMark[] };

/**
 * Reads a copy with its record and marks, for a reviewer. Each reading is audited; the referrers see the first one of each reviewer.
 * @throws Problem `not-found`, also for a copy that was emptied.
 */
export async function readCopy(deps: ReferralDeps, act: ActionOn): Promise<CopyInReview> {
  return inTransaction(deps.db, async (trx) => {
    const copy = await requirePacked(trx, act.id);
    await audit(trx, deps, act, 'read');
    if (await addReader(trx, copy.id, act.caller.accountId)) {
      const { referralIds: ids, reason } = copy;
      const at = deps.clock.now();
      await recordOpeningsByOperator(trx, act.caller, {
        ids,
        reason,
        at,
        ipAddress: act.ipAddress,
        action: 'referral.read',
      });
    }
    return loadPacked(trx, deps, copy);
  });
}

/** Loads the record of a copy and its marks. */
export async function loadPacked(
  trx: Trx,
  { settings }: Pick<ReferralDeps, 'settings'>,
  copy: StoredCopy,
): Promise<CopyInReview> {
  const record = wholeRecord(settings, copy.packedAt, await listRecordsOfCopy(trx, copy.id));
  return { copy, record, marks: await listMarks(trx, copy.id) };
}

/** The record as the person gets it, without what the marks leave out. */
export function copyForPatient({ record, marks }: CopyInReview): PatientRecord {
  return leaveOut(record, marks);
}

/** Leaves something out of a copy. @throws Problem `not-found`, `copy-reviewed`. */
export async function addMark(
  deps: ReferralDeps,
  act: ActionOn,
  mark: Mark & { reason: string },
): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    await lockInReview(trx, act.id);
    const id = newId(at.getTime());
    await insertMark(trx, act.id, { ...mark, id, at, byName: act.caller.name });
    // Without the words and the reason, which may name somebody: nothing deletes the audit.
    const { kind, path, ground } = mark;
    await audit(trx, deps, act, 'marked', { mark: id, kind, place: path, ground });
  });
}

/** Removes a mark, so that the part or the words are in the copy again. @throws Problem `not-found`, `copy-reviewed`. */
export async function removeMark(deps: ReferralDeps, act: ActionOn, markId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockInReview(trx, act.id);
    if (!isUuid(markId) || !(await deleteMark(trx, act.id, markId))) throw new Problem(notFound);
    await audit(trx, deps, act, 'unmarked', { mark: markId });
  });
}

/**
 * Finishes the review of a copy: a named person has looked through everything, so it can be handed out.
 * @param seenVersion the version of the marks that the reviewer saw.
 * @returns false if somebody has changed the marks since; then nothing is done.
 * @throws Problem `not-found`, `copy-reviewed`.
 */
export async function finishReview(
  deps: ReferralDeps,
  act: ActionOn,
  { note, seenVersion }: { note: string; seenVersion: string },
): Promise<boolean> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    await lockInReview(trx, act.id);
    const marks = await listMarks(trx, act.id);
    if (marksVersion(marks) !== seenVersion) return false;
    await setReviewed(trx, act.id, { at, accountId: act.caller.accountId, name: act.caller.name, note });
    const count = (kind: Mark['kind']) => marks.filter((mark) => mark.kind === kind).length;
    const details = { held_back: count('hold_back'), blacked_out: count('black_out') };
    await audit(trx, deps, act, 'reviewed', details);
    return true;
  });
}

/** A version of the marks: it changes with every mark that is added or removed. */
export function marksVersion(marks: readonly { id: string }[]): string {
  return `${marks.length}-${marks.at(-1)?.id ?? ''}`;
}

/** Starts the review of a copy again. @throws Problem `not-found`; `copy-reviewed` if the copy was handed out. */
export async function reviewAgain(deps: ReferralDeps, act: ActionOn): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const copy = await lockPacked(trx, act.id);
    if (copy.handedOutAt !== null)
      throw new Problem(copyReviewed, 'It was handed out. Pack the record again to review it again.');
    await clearReview(trx, act.id);
    await audit(trx, deps, act, 'review_reopened');
  });
}

/** A copy that was not emptied. @throws Problem `not-found`. */
async function requirePacked(trx: Trx, id: string): Promise<StoredCopy> {
  const copy = isUuid(id) ? await findCopy(trx, id) : undefined;
  if (!copy || copy.emptiedAt !== null) throw new Problem(notFound);
  return copy;
}

/** Locks a copy that was not emptied. @throws Problem `not-found`. */
export async function lockPacked(trx: Trx, id: string): Promise<StoredCopy> {
  const copy = isUuid(id) ? await lockCopy(trx, id) : undefined;
  if (!copy || copy.emptiedAt !== null) throw new Problem(notFound);
  return copy;
}

async function lockInReview(trx: Trx, id: string): Promise<void> {
  const copy = await lockPacked(trx, id);
  if (copy.reviewedAt !== null)
    throw new Problem(copyReviewed, 'To change what is left out, start the review again.');
}

function audit(
  trx: Trx,
  { clock }: Pick<ReferralDeps, 'clock'>,
  { caller, id, ipAddress }: ActionOn,
  what: 'read' | 'marked' | 'unmarked' | 'reviewed' | 'review_reopened',
  details?: Record<string, unknown>,
): Promise<void> {
  return recordAudit(trx, {
    at: clock.now(),
    actor: actorOf(caller, ipAddress),
    action: `record_copy.${what}`,
    subject: { type: 'record_copy', id },
    ...(details && { details }),
  });
}
