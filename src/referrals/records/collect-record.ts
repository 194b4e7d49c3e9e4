import type { Static } from 'typebox';
import type { Trx } from '../../platform/database/index.ts';
import { listAttachments } from '../attachments-store.ts';
import type { DeliverySummary } from '../listener.ts';
import { listMessages } from '../messages-store.ts';
import { listOpenings } from '../openings-store.ts';
import { presentWhole } from '../present.ts';
import { presentAttachment, presentHistoryLine, presentMessage, presentOpening } from '../present-parts.ts';
import type { Draft, Referral } from '../referral.ts';
import { listHistory } from '../store.ts';
import type { referralRecordSchema } from './record-schema.ts';
import { listRestrictions, type Restriction } from './records-store.ts';

export type ReferralRecord = Omit<Static<typeof referralRecordSchema>, 'referral'> & {
  referral: ReturnType<typeof presentWhole>;
};

/** More than there ever are: a record is whole or it is none. */
const all = { limit: 1_000_000 };

/** Everything that this room holds about a referral, in the form in which it is given away. */
export async function collectRecord(
  trx: Trx,
  referral: Referral | Draft,
  seen: { now: Date; told: readonly DeliverySummary[] | undefined },
): Promise<ReferralRecord> {
  const { id } = referral;
  return {
    referral: presentWhole(referral, seen),
    history: (await listHistory(trx, id)).map(presentHistoryLine),
    messages: (await listMessages(trx, id, all)).reverse().map(presentMessage),
    attachments: (await listAttachments(trx, id, all)).reverse().map(presentAttachment),
    openings: (await listOpenings(trx, id, all)).reverse().map(presentOpening),
    restrictions: (await listRestrictions(trx, id)).map(presentRestriction),
  };
}

function presentRestriction({ at, byName, reason, liftedAt, liftedByName, liftedReason }: Restriction) {
  return {
    at: at.toISOString(),
    by: { name: byName },
    reason,
    lifted:
      liftedAt === null
        ? null
        : { at: liftedAt.toISOString(), by: { name: liftedByName! }, reason: liftedReason! },
  };
}
