import type { Static } from 'typebox';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { requireById } from '../../platform/ids/index.ts';
import { collectRecordsOfPerson, type ReferralDeps } from '../../referrals/index.ts';
import { collectRecord, type PatientRecord } from './collect-record.ts';
import { findCopy, listRecordsOfCopy, type StoredCopy } from './copies-store.ts';
import type { recordCopySchema } from './schemas.ts';

/** How long the records in a copy are stored: long enough to review it and hand it out. */
export const copyLifetimeMs = 30 * dayMs;

type RecordOfReferral = PatientRecord['referrals'][number];

export type CopyStatus = Static<typeof recordCopySchema>['status'];

/** The API calls an emptied copy `deleted`: what was packed is gone, but its row stays for three years, or until a referral in it is erased. */
export function statusOf({ emptiedAt, handedOutAt, reviewedAt }: StoredCopy): CopyStatus {
  if (emptiedAt !== null) return 'deleted';
  if (handedOutAt !== null) return 'handed_out';
  return reviewedAt === null ? 'to_review' : 'reviewed';
}

/** How far a copy has come, and whether the record has changed since. It says nothing of the person. @throws Problem `not-found`. */
export async function readCopyState(
  deps: ReferralDeps,
  id: string,
): Promise<Static<typeof recordCopySchema>> {
  return inTransaction(deps.db, async (trx) => {
    const copy = await requireById(id, (id) => findCopy(trx, id));
    return presentCopy(deps, copy, {
      hasChanged: (await listChangesSincePacking(trx, deps, copy)).length > 0,
    });
  });
}

export function presentCopy(
  { settings }: Pick<ReferralDeps, 'settings'>,
  copy: StoredCopy,
  { hasChanged }: { hasChanged: boolean },
): Static<typeof recordCopySchema> {
  const { id, reference, reason, purpose, optOut: opt_out, packedAt } = copy;
  const step = (at: Date | null, name: string | null) => at && { at: at.toISOString(), by: { name: name! } };
  return {
    id,
    reference,
    status: statusOf(copy),
    reason,
    purpose,
    opt_out,
    referrals: copy.referralIds.length,
    changed: hasChanged,
    packed: step(packedAt, copy.packedByName)!,
    reviewed: step(copy.reviewedAt, copy.reviewedByName),
    handed_out: step(copy.handedOutAt, copy.handedOutByName),
    delete_at: new Date(packedAt.getTime() + copyLifetimeMs).toISOString(),
    review_at: `${settings.baseUrl}/operator/patients/copies/${id}`,
  };
}

/** Not `openings` and `audit`: the review itself adds to them. The words are for the operator who reviews the copy. */
const comparedLists = {
  history: 'what happened',
  things_have_changed: 'what changed for the person',
  messages: 'messages',
  private_notes: 'private notes',
  attachments: 'files',
  deliveries: 'who was told',
  restrictions: 'restrictions',
  legal_holds: 'legal holds',
  person_pages: 'the person’s page',
  person_answers: 'what the person said on their page',
  self_referrals: 'what the person sent before the referral',
} as const;

/** The changes of the record since it was packed, in words that name nobody. */
export async function listChangesSincePacking(
  trx: Trx,
  deps: ReferralDeps,
  copy: StoredCopy,
): Promise<string[]> {
  if (copy.emptiedAt !== null) return [];
  const keys = { name: copy.patientNameKey, number: copy.patientNumberKey, family: null };
  const packed = await listRecordsOfCopy(trx, copy.id);
  const current = await collectRecord(trx, await collectRecordsOfPerson(trx, deps, { keys, packed }));
  const packedById = new Map(packed.map((record) => [record.referral.id, record]));
  const currentIds = new Set(current.map(({ referral }) => referral.id));
  return [
    ...current.flatMap((record) => changesOf(packedById.get(record.referral.id), record)),
    // Their details were corrected since, so they are no longer found as this person’s.
    ...packed
      .filter(({ referral }) => !currentIds.has(referral.id))
      .map(({ referral }) => `referral ${referral.reference} no longer matches these details`),
  ];
}

/** What is different in one referral, as one sentence at most. */
function changesOf(before: RecordOfReferral | undefined, after: RecordOfReferral): string[] {
  const { reference } = after.referral;
  if (!before) return [`referral ${reference} is new`];
  const names = Object.keys(comparedLists) as (keyof typeof comparedLists)[];
  const parts: string[] = names
    .filter((name) => !isSame(after[name], before[name]))
    .map((name) => comparedLists[name]);
  if (!isSame(contentOf(after), contentOf(before))) parts.unshift('the referral itself');
  return parts.length > 0 ? [`referral ${reference}: ${parts.join(', ')}`] : [];
}

/** The content of a referral without the fields that change by themselves as time passes. */
function contentOf({ referral }: RecordOfReferral) {
  const { overdue: _, next_date: _next, deliveries: _deliveries, ...content } = referral;
  return content;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
