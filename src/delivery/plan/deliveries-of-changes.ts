import { isDeepStrictEqual } from 'node:util';
import { findPractice, hasClosed } from '../../library/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import {
  type ContentChange,
  changesOfMeasures,
  forPractice,
  hidesOnline,
  isReopening,
  openStatuses,
  type ReferralListener,
  type StatusChange,
} from '../../referrals/index.ts';
import { findEndedByLink, setEndingChecked, setEndingUndone } from '../channels/answer-links-store.ts';
import { holdProvisionalEnding, releaseCheckedEnding } from '../held/hold-endings.ts';
import { announceStatus } from '../model/announce-status.ts';
import { queueDeliveries } from '../model/deliver-jobs.ts';
import {
  acknowledgeServiceDelivery,
  deleteDeliveriesAndLinks,
  findLettersToPractice,
  insertDeliveries,
  listDeliverySummaries,
  listLetterReceivers,
  listQueuedDeliveryIds,
  type NewDelivery,
  practiceMayHaveLetter,
  serviceMayKnow,
  suppressDeliveries,
} from '../model/deliveries-store.ts';
import { mayTellPractice, type PlannedDelivery } from '../model/delivery.ts';
import { remakeOfflineCopies } from '../model/remake-offline-copies.ts';
import { stopTellingPractice, suppressAndResolve } from '../model/suppress-deliveries.ts';
import { addUndelivered, resolveUnanswered } from '../model/undelivered-store.ts';
import { whyNotSent } from '../model/why-not-sent.ts';
import { notePracticeNews } from './letters-to-renew-store.ts';
import {
  hasEnded,
  isAnswer,
  planAfterContentChange,
  planDeliveries,
  planRemoval,
} from './plan-deliveries.ts';

/**
 * Stores the deliveries that changes of referrals make necessary, with their job, in the transaction of the changes. Submitting a referral
 * waits for this, so one statement stores all deliveries, and one adds their job. A file alone makes no letter necessary.
 */
export const deliveryListener = {
  async onStatusChange(trx, changes) {
    for (const change of changes) {
      await stopExpectingAnswer(trx, change);
      // Messages that still wait would reach a family in mourning.
      if (change.referral.status_reason?.code === 'died')
        await suppressAllButRemovals(trx, change, whyNotSent.personDied);
      if (isReopening(change.from, change.referral.status)) await suppressAfterReopening(trx, change);
      if (isMistake(change)) await suppressAfterMistake(trx, change);
      if (!openStatuses.includes(change.referral.status)) await suppressAfterEnd(trx, change);
    }
    const deliveries: NewDelivery[] = [];
    for (const change of changes)
      for (const planned of planDeliveries(change))
        if (await isNeeded(trx, change, planned)) deliveries.push(newDelivery(change, planned));
    await storeAndQueue(trx, changes, deliveries);
  },
  async onFollowUp(trx, followUp) {
    const { referral, kind, at } = followUp;
    // The letter at the end will say it.
    if (!hasEnded(referral)) return;
    if (kind === 'person-page') await notePracticeNews(trx, referral.id, { at, isMeasure: false });
    if (kind === 'measures' && changesWhatMeasuresSay(followUp))
      await notePracticeNews(trx, referral.id, { at, isMeasure: true });
  },
  async onContentChange(trx, change) {
    await remakeOfflineCopies(trx, change.referral);
    const letters = await planContentLetters(trx, change);
    const removal = await planWrongPracticeRemoval(trx, change);
    await suppressSuperseded(trx, change, letters);
    const deliveries = [...letters, ...removal].map((planned) => newDelivery(change, planned));
    await storeAndQueue(trx, [change], deliveries);
  },
  // Deliveries of a restricted referral are not sent (deliver.ts) until it is unrestricted.
  async onRecordChange(trx, { referral, kind }) {
    if (kind === 'erased') await deleteDeliveriesAndLinks(trx, referral.id);
    if (kind === 'unrestricted') return queueWaiting(trx, referral.id);
    await remakeOfflineCopies(trx, referral, { deleteNow: true });
  },
  onDeathHoldLifted: queueWaiting,
  async onEndingChecked(trx, referralId, { isRight, at }) {
    if (!isRight) return setEndingUndone(trx, referralId);
    await setEndingChecked(trx, referralId, at);
    await releaseCheckedEnding(trx, referralId, at);
  },
} satisfies ReferralListener;

/** What the delivery room knows about a referral. */
export const deliveryKnowledge = {
  listLetterReceivers,
  findEndingByLink: findEndedByLink,
  loadDeliverySummaries: listDeliverySummaries,
};

/** Sends the deliveries that were queued and waited. `restore-jobs.ts` would find them too, but only minutes later. */
async function queueWaiting(trx: Trx, referralId: string): Promise<void> {
  await queueDeliveries(trx, await listQueuedDeliveryIds(trx, referralId));
}

/** Whether a letter about the end would say something else after measures were added. */
function changesWhatMeasuresSay({ before, referral }: Pick<ContentChange, 'before' | 'referral'>): boolean {
  return !isDeepStrictEqual(changesOfMeasures(before), changesOfMeasures(referral));
}

/** Ends the wait for an answer: an answer acknowledges the delivery; an end without one clears the operators’ worklist. */
async function stopExpectingAnswer(trx: Trx, change: StatusChange): Promise<void> {
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

/** The letters that a change of the content makes necessary. Only what the practice may read makes a letter to it necessary. */
async function planContentLetters(trx: Trx, change: ContentChange): Promise<PlannedDelivery[]> {
  if (change.endFollows) return [];
  const referral = await forPractice(trx, change.referral);
  // If a sensitive service changes its own details, nothing changes for the practice.
  const isHidden = change.by === 'provider' && referral !== change.referral;
  const before = isHidden ? referral : await forPractice(trx, change.before);
  const { consent, full_copies_since: fullCopiesSince } = change.referral.content;
  const odsCode = change.referral.gp_practice?.ods_code;
  const sent = await findLettersToPractice(trx, change.referral.id, {
    odsCode,
    sinceVersion: consent.share_with_gp === true ? (fullCopiesSince ?? 0) : 0,
  });
  // After a mistake, any letter that may have arrived has to be removed.
  const mayHaveLetter =
    isMistake(change) && odsCode !== undefined
      ? await practiceMayHaveLetter(trx, change.referral.id, odsCode)
      : sent.hasFirstLetter;
  return planAfterContentChange({ ...change, referral, before }, { ...sent, hasFirstLetter: mayHaveLetter });
}

/**
 * The request to a practice that was named by mistake to remove the letter that it has. One that has closed is not asked: its records
 * have gone to others.
 */
async function planWrongPracticeRemoval(
  trx: Trx,
  change: Pick<ContentChange, 'referral' | 'before' | 'at'>,
): Promise<PlannedDelivery[]> {
  const removal = planRemoval(change);
  if (!removal) return [];
  const hasLetter = await practiceMayHaveLetter(trx, change.referral.id, removal.receiverCode!);
  const practice = await findPractice(trx, removal.receiverCode!);
  const isClosed = practice !== undefined && hasClosed(practice, change.at);
  return hasLetter && !isClosed ? [removal] : [];
}

/** Stops messages that have not been sent yet, and that a change of the content makes wrong. */
async function suppressSuperseded(
  trx: Trx,
  change: ContentChange,
  letters: readonly PlannedDelivery[],
): Promise<void> {
  const { referral, kind, at } = change;
  if (planRemoval(change)) await suppressAfterPracticeChange(trx, change);
  if (kind === 'reopened') await suppressAllButRemovals(trx, change, whyNotSent.deathUndone);
  for (const { leg, purpose } of letters) {
    const unsent = { leg, purposes: [purpose], reason: whyNotSent.superseded, at };
    // After a transfer nobody needs to reach the old service. Otherwise the new letter goes to the same receiver, and resolves the row of
    // the worklist.
    if (kind === 'transfer') await suppressAndResolve(trx, referral.id, unsent);
    else await suppressDeliveries(trx, referral.id, unsent);
  }
  // After a mistake, the only letter that still waits asks the practice to remove what it has.
  if (!mayTellPractice(referral.content.consent.share_with_gp) && !isMistake(change))
    await stopTellingPractice(trx, referral.id, at);
}

/** Stops the removal notice to a practice that is named again. */
async function suppressAfterPracticeChange(
  trx: Trx,
  { referral, before, at }: Pick<ContentChange, 'referral' | 'before' | 'at'>,
): Promise<void> {
  const toPractice = { leg: 'gp_practice', reason: whyNotSent.anotherPractice, at } as const;
  const wrongCode = before.gp_practice!.ods_code;
  await suppressAndResolve(trx, referral.id, {
    ...toPractice,
    purposes: ['referral'],
    receiverCode: wrongCode,
  });
  const receiverCode = referral.gp_practice?.ods_code;
  if (receiverCode !== undefined)
    await suppressDeliveries(trx, referral.id, { ...toPractice, purposes: ['removal'], receiverCode });
}

/** Stops letters about the referral and its end. A removal notice still goes. */
async function suppressAllButRemovals(
  trx: Trx,
  { referral, at }: Pick<StatusChange, 'referral' | 'at'>,
  reason: string,
): Promise<void> {
  for (const leg of ['service', 'gp_practice'] as const)
    await suppressAndResolve(trx, referral.id, {
      leg,
      purposes: ['referral', 'outcome'],
      reason,
      at,
    });
}

/** Stops the letter about the end, which is not true any more. A copy of the referral that still waits is true. */
function suppressAfterReopening(trx: Trx, { referral, by, at }: StatusChange): Promise<void> {
  return suppressAndResolve(trx, referral.id, {
    leg: 'gp_practice',
    purposes: ['outcome'],
    reason: by === 'provider' ? whyNotSent.declineTakenBack : whyNotSent.endingUndone,
    at,
  });
}

/** Suppresses letters that were not sent, so that no practice is asked to remove what it never had. */
function suppressAfterMistake(
  trx: Trx,
  { referral, at }: Pick<StatusChange, 'referral' | 'at'>,
): Promise<void> {
  return suppressAndResolve(trx, referral.id, {
    leg: 'gp_practice',
    purposes: ['referral', 'outcome'],
    reason: whyNotSent.madeInError,
    at,
  });
}

/** Stops a letter to the service that was never sent: it would ask for an answer to a referral that has ended. */
function suppressAfterEnd(trx: Trx, change: Pick<StatusChange, 'referral' | 'at'>): Promise<void> {
  return suppressAndResolve(trx, change.referral.id, {
    leg: 'service',
    purposes: ['referral'],
    reason: isMistake(change) ? whyNotSent.madeInError : whyNotSent.ended,
    at: change.at,
  });
}

function isMistake({ referral }: Pick<StatusChange, 'referral'>): boolean {
  return referral.status === 'entered-in-error';
}

/**
 * Whether the receiver needs the message. A practice gets a removal notice only if it may have our letter, and a service learns of the end
 * only if it may know of the referral.
 */
async function isNeeded(trx: Trx, change: StatusChange, planned: PlannedDelivery): Promise<boolean> {
  const { leg, purpose, receiverCode, suppressedBecause } = planned;
  if (leg === 'service') return purpose !== 'outcome' || serviceMayKnow(trx, change.referral.id);
  const asksToRemove = isMistake(change) && suppressedBecause === null;
  return !asksToRemove || practiceMayHaveLetter(trx, change.referral.id, receiverCode!);
}

/** Stores deliveries, holds those that have to wait, and adds the job that sends the others. */
export async function storeAndQueue(
  trx: Trx,
  changes: readonly Pick<StatusChange, 'referral' | 'at'>[],
  deliveries: readonly NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await insertDeliveries(trx, deliveries);
  for (const { referral, at } of changes) await holdProvisionalEnding(trx, referral, deliveries, at);
  await addMissingPractices(trx, deliveries);
  const queued = deliveries.filter((each) => each.messageId !== null).map(({ id }) => id);
  if (queued.length > 0) await addJobs(trx, 'deliver-new', [{ delivery_ids: queued }]);
}

export function newDelivery(
  { referral, at }: Pick<StatusChange, 'referral' | 'at'>,
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
async function addMissingPractices(trx: Trx, deliveries: readonly NewDelivery[]): Promise<void> {
  for (const { id: deliveryId, purpose, suppressedBecause, at } of deliveries) {
    if (suppressedBecause !== whyNotSent.noPractice || purpose !== 'referral') continue;
    await addUndelivered(trx, { deliveryId, kind: 'no-practice', reason: whyNotSent.noPractice, at });
  }
}
