import { findPractice, hasClosed } from '../../library/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import {
  type ContentChange,
  hidesOnline,
  type ReferralChange,
  type ReferralListener,
  withoutSensitiveDetails,
} from '../../referrals/index.ts';
import { findDeclinedByLink } from '../channels/answer-links-store.ts';
import { holdForReferrer } from '../held/hold-for-referrer.ts';
import { announceStatus } from '../model/announce-status.ts';
import type { PlannedDelivery } from '../model/delivery.ts';
import { remakeCopies } from '../model/remake-copies.ts';
import { mayTellPractice, stopTellingPractice } from '../model/stop-telling.ts';
import {
  acknowledgeServiceDelivery,
  anotherPracticeReason,
  deathUndoneReason,
  deleteDeliveries,
  insertDeliveries,
  listLetterReceivers,
  listPracticeLetters,
  listQueued,
  listSummaries,
  mayHaveLetter,
  type NewDelivery,
  suppressUnsent,
} from '../model/store.ts';
import { addToWorklist, resolveUnanswered, resolveWorklistRow } from '../model/worklist-store.ts';
import {
  isAnswer,
  isReopened,
  noPracticeReason,
  planAfterContentChange,
  planDeliveries,
  planRemoval,
} from './plan-deliveries.ts';

/**
 * Stores the deliveries that changes of referrals make necessary, with their job, in the transaction of the changes.
 * Submitting a referral waits for this, so one statement stores all deliveries, and one adds their job.
 */
export function createReferralListener(): Omit<ReferralListener, 'onMessage'> {
  return {
    async onChange(trx, changes) {
      for (const change of changes) {
        await stopExpectingAnswer(trx, change);
        // What waited would reach a family in mourning.
        if (change.referral.status_reason?.code === 'died') await dropUnsent(trx, change, personDiedReason);
        if (isReopened(change)) await dropUnsent(trx, change, declineUndoneReason);
      }
      const deliveries = changes.flatMap((change) =>
        planDeliveries(change).map((planned) => newDelivery(change, planned)),
      );
      if (deliveries.length === 0) return;
      await insertDeliveries(trx, deliveries);
      for (const { referral, at } of changes) await holdForReferrer(trx, referral, deliveries, at);
      await addMissingPracticesToWorklist(trx, deliveries);
      const queued = deliveries.filter((each) => each.messageId !== null).map(({ id }) => id);
      if (queued.length > 0) await addJobs(trx, 'deliver-new', [{ delivery_ids: queued }]);
    },
    // Letters list the files; nobody is sent one because of a file alone.
    async onFile() {},
    async onContact() {},
    async onContentChange(trx, change) {
      const { referral, at } = change;
      await remakeCopies(trx, referral);
      const { share_with_gp: share } = referral.content.consent;
      const since = (share === true && referral.content.full_copies_since) || 0;
      // Only what the practice may read makes a letter to it necessary.
      const readable = await withoutSensitiveDetails(trx, referral);
      const isHidden = change.by === 'provider' && readable !== referral;
      const before = isHidden ? readable : await withoutSensitiveDetails(trx, change.before);
      const told = { ...change, referral: readable, before };
      const odsCode = referral.gp_practice?.ods_code;
      const letters = await listPracticeLetters(trx, referral.id, { odsCode, sinceVersion: since });
      const planned = planAfterContentChange(told, letters);
      const removal = await planRemovalForWrongPractice(trx, change);
      if (change.kind === 'reopened') await dropUnsent(trx, change, deathUndoneReason);
      for (const { receiverKind, purpose } of planned) {
        const unsent = { receiverKind, purposes: [purpose], reason: supersededReason, at };
        const ids = await suppressUnsent(trx, referral.id, unsent);
        // Nobody needs to reach the service that the referral has left.
        if (change.kind === 'transfer') for (const id of ids) await resolveWorklistRow(trx, id, at);
      }
      if (!mayTellPractice(share)) await stopTellingPractice(trx, referral.id, at);
      const deliveries = [...planned, ...removal].map((each) => newDelivery({ referral, at }, each));
      if (deliveries.length === 0) return;
      await insertDeliveries(trx, deliveries);
      await holdForReferrer(trx, referral, deliveries, at);
      await addJobs(trx, 'deliver-new', [{ delivery_ids: deliveries.map(({ id }) => id) }]);
    },
    // Deliveries of a restricted referral are not sent (deliver.ts) until it is unrestricted.
    async onRecordChange(trx, { referral, kind }) {
      if (kind === 'erased') await deleteDeliveries(trx, referral.id);
      if (kind === 'unrestricted') return sendWaiting(trx, referral.id);
      await remakeCopies(trx, referral, { deleteNow: true });
    },
    onDeathSettled: sendWaiting,
    isStoryName: () => false,
    listTold: listLetterReceivers,
    declinedByLinkAt: findDeclinedByLink,
    deliverySummaries: listSummaries,
  };
}

/** Sends what was queued and waited. `restore-jobs.ts` would find it too, but only minutes later. */
async function sendWaiting(trx: Trx, referralId: string): Promise<void> {
  const ids = await listQueued(trx, referralId);
  const jobs = ids.map((id) => ({ delivery_id: id }));
  if (jobs.length > 0) await addJobs(trx, 'deliver', jobs);
}

const supersededReason = 'A newer letter took its place before it was sent.';

/** Once the service has answered, or need not answer any more, no answer is expected. */
async function stopExpectingAnswer(trx: Trx, change: ReferralChange): Promise<void> {
  const { referral, at } = change;
  if (isAnswer(change)) {
    for (const id of await acknowledgeServiceDelivery(trx, referral.id, at))
      await announceStatus(
        trx,
        { id, referralId: referral.id },
        { status: 'acknowledged', reason: 'answered', at },
      );
  } else if (change.from === 'requested') await resolveUnanswered(trx, referral.id, at);
}

/**
 * Stops what a practice that was named by mistake would still get, and plans the request to remove the letter that it has. One that
 * is named again is not asked for that. Neither is one that has closed: its records have gone to others.
 */
async function planRemovalForWrongPractice(trx: Trx, change: ContentChange): Promise<PlannedDelivery[]> {
  const { referral, at } = change;
  const receiverKind = 'gp_practice';
  const recipientCode = referral.gp_practice?.ods_code;
  const removal = planRemoval(change);
  if (!removal) return [];
  const hasLetter = await mayHaveLetter(trx, referral.id, removal.recipientCode!);
  const reason = anotherPracticeReason;
  const unsent = {
    receiverKind,
    purposes: ['referral'],
    recipientCode: removal.recipientCode!,
    reason,
    at,
  } as const;
  for (const id of await suppressUnsent(trx, referral.id, unsent)) await resolveWorklistRow(trx, id, at);
  if (recipientCode !== undefined)
    await suppressUnsent(trx, referral.id, {
      receiverKind,
      purposes: ['removal'],
      recipientCode,
      reason,
      at,
    });
  const practice = await findPractice(trx, removal.recipientCode!);
  const isClosed = practice !== undefined && hasClosed(practice, at);
  return hasLetter && !isClosed ? [removal] : [];
}

const declineUndoneReason = 'The referrer said that the decline was a mistake.';
const personDiedReason = 'The person has died.';

async function dropUnsent(
  trx: Trx,
  { referral, at }: Pick<ReferralChange, 'referral' | 'at'>,
  reason: string,
): Promise<void> {
  for (const receiverKind of ['service', 'gp_practice'] as const) {
    const unsent = { receiverKind, purposes: ['referral', 'outcome'], reason, at } as const;
    for (const id of await suppressUnsent(trx, referral.id, unsent)) await resolveWorklistRow(trx, id, at);
  }
}

function newDelivery(
  { referral, at }: Pick<ReferralChange, 'referral' | 'at'>,
  planned: PlannedDelivery,
): NewDelivery {
  return {
    ...planned,
    id: newId(at.getTime()),
    referralId: referral.id,
    referralVersion: referral.version,
    simulated: referral.simulated,
    messageId: planned.suppressedBecause === null ? newId(at.getTime()) : null,
    hidesOnline: hidesOnline(referral.content),
    at,
  };
}

/** Puts deliveries without a named practice on the worklist: an operator may find out which practice it is. */
async function addMissingPracticesToWorklist(trx: Trx, deliveries: readonly NewDelivery[]): Promise<void> {
  for (const { id: deliveryId, purpose, suppressedBecause, at } of deliveries) {
    if (suppressedBecause !== noPracticeReason || purpose !== 'referral') continue;
    await addToWorklist(trx, { deliveryId, kind: 'no-practice', reason: noPracticeReason, at });
  }
}
