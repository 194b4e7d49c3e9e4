import type { Static } from 'typebox';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { requireById } from '../../platform/ids/index.ts';
import { collectRecordsOfPerson, type ReferralDeps } from '../../referrals/index.ts';
import { collectRecord, type PatientRecord } from './collect-record.ts';
import { findCopy, listRecordsOfCopy, type StoredCopy } from './copies-store.ts';
import type { recordCopySchema } from './schemas.ts';

/** How long a packed record is kept: long enough to review it and hand it out. */
export const copyLifetimeMs = 30 * dayMs;

export type CopyStatus = Static<typeof recordCopySchema>['status'];

/** The API calls an emptied copy `deleted`: what was packed is gone, but its row stays until a referral in it is erased. */
export function statusOf({ emptiedAt, handedOutAt, reviewedAt }: StoredCopy): CopyStatus {
  if (emptiedAt !== null) return 'deleted';
  if (handedOutAt !== null) return 'handed_out';
  return reviewedAt === null ? 'to_review' : 'reviewed';
}

/** How far a copy has come. It says nothing of the person. @throws Problem `not-found`. */
export async function readCopyState(
  deps: ReferralDeps,
  id: string,
): Promise<Static<typeof recordCopySchema>> {
  return inTransaction(deps.db, async (trx) => {
    const copy = await requireById(id, (id) => findCopy(trx, id));
    return presentCopy(deps, copy, { hasChanged: (await changesSince(trx, deps, copy)).length > 0 });
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
export async function changesSince(trx: Trx, deps: ReferralDeps, copy: StoredCopy): Promise<string[]> {
  if (copy.emptiedAt !== null) return [];
  const keys = { name: copy.patientNameKey, number: copy.patientNumberKey, family: null };
  const records = await listRecordsOfCopy(trx, copy.id);
  const current = await collectRecord(
    trx,
    await collectRecordsOfPerson(trx, deps, { keys, packed: records }),
  );
  const packed = new Map(records.map((each) => [each.referral.id, each]));
  const changes: string[] = [];
  for (const now of current) {
    const { id, reference } = now.referral;
    const then = packed.get(id);
    packed.delete(id);
    if (!then) {
      changes.push(`referral ${reference} is new`);
      continue;
    }
    const names = Object.keys(comparedLists) as (keyof typeof comparedLists)[];
    const parts: string[] = names
      .filter((name) => !isSame(now[name], then[name]))
      .map((name) => comparedLists[name]);
    if (!isSame(contentOf(now), contentOf(then))) parts.unshift('the referral itself');
    if (parts.length > 0) changes.push(`referral ${reference}: ${parts.join(', ')}`);
  }
  // The details by which the referral was found were corrected since.
  for (const { referral } of packed.values())
    changes.push(`referral ${referral.reference} no longer matches these details`);
  return changes;
}

/** The content of a referral without the fields that change by themselves as time passes. */
function contentOf({ referral }: PatientRecord['referrals'][number]) {
  const { overdue: _, next_date: _next, deliveries: _deliveries, ...content } = referral;
  return content;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
