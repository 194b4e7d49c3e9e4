import { takeProbeOrFindRefusal } from '../../platform/connections/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import { minuteMs, secondMs } from '../../platform/durations.ts';
import { findRestoreCheck } from '../../platform/restore-check/index.ts';
import {
  findReferral,
  loadContactElsewhereForLetters,
  mayBeSent,
  openStatuses,
  type Referral,
  type ReferralStatus,
} from '../../referrals/index.ts';
import type { Channel, OutgoingMessage } from '../channels/channel.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { findWantedChannels, type WantedChannels } from '../channels/receiver.ts';
import { holdDelivery } from '../held/hold-delivery.ts';
import { holdForCheck } from '../held/hold-for-check.ts';
import { announceStatus } from '../model/announce-status.ts';
import { endInterrupted, failDelivery, interruptedDetail } from '../model/attempts-store.ts';
import {
  findDelivery,
  hasLetterToRemove,
  serviceMayKnow,
  suppressDelivery,
} from '../model/deliveries-store.ts';
import { type Delivery, mayTellPractice, needsSending, referralForReceiver } from '../model/delivery.ts';
import { type HeldBy, heldByAddress, waitsForDecision } from '../model/held-by.ts';
import { stopTellingPractice } from '../model/suppress-deliveries.ts';
import { addUndelivered, resolveUndelivered } from '../model/undelivered-store.ts';
import { whyNotSent } from '../model/why-not-sent.ts';
import { type NewAttempt, recordResult, runAttempt } from './attempt.ts';
import { chooseChannel, isRealPatientOnTestSite } from './choose-channel.ts';
import { composeMessage } from './compose-message.ts';
import { addAttemptJob, addAttemptJobAfterPause } from './jobs-store.ts';

/**
 * `receiver`: the system that this job may call; the queue limits how many jobs call one at a time. `try_now`: somebody asked for an attempt
 * now, even if the connection has just refused this site.
 */
type DeliverOptions = { receiver?: string | undefined; try_now?: boolean | undefined };

/**
 * The `deliver` job: sends one delivery. It may be killed at any point and run again, because the message stays the same.
 * If its channel is not idempotent, the delivery is then uncertain until a report or an operator says more. An attempt
 * that should be repeated adds the job for that. When this throws, most likely because the database is down, the queue
 * runs it again.
 */
export async function deliver(
  deps: DeliveryDeps,
  { delivery_id: id, ...options }: { delivery_id: string } & DeliverOptions,
): Promise<void> {
  // It loops once for each channel that gives up the message, and again if the referral or the delivery changes just before it is sent.
  for (;;) {
    const step = await findNextStep(deps, id, options);
    if (step?.kind !== 'send') return recordStep(deps, id, step);
    if ((await runAttempt(deps, step)) === 'done') return;
  }
}

/** What to do about a delivery now; undefined when there is nothing to do. */
type NextStep =
  | ({ kind: 'send' } & NewAttempt)
  | { kind: 'hold'; by: HeldBy; reason: string }
  | { kind: 'hold-for-restore-check' }
  | { kind: 'fail'; delivery: Delivery; reason: string }
  /** The site stopped in the middle of an attempt. */
  | { kind: 'mark-uncertain'; delivery: Delivery; channel: Channel; referralStatus: ReferralStatus }
  /** A job of its own for the receiver’s system sends it. */
  | { kind: 'queue'; options: { receiver: string; try_now: boolean | undefined } }
  /** The person does not agree: nothing that waits for the practice is sent. */
  | { kind: 'stop-telling-practice'; delivery: Delivery }
  /** Only this delivery is not sent. */
  | { kind: 'suppress'; reason: string }
  | { kind: 'ask-again-later' };

/** Loads a delivery and its referral, and checks whether it can be sent, and how. */
async function findNextStep(
  deps: DeliveryDeps,
  id: string,
  options: DeliverOptions,
): Promise<NextStep | undefined> {
  const { db, settings, clock } = deps;
  const delivery = await findDelivery(db, id);
  if (!delivery || !needsSending(delivery.status) || waitsForDecision(delivery.heldBy)) return undefined;
  const stored = await findReferral(db, delivery.referralId);
  const referral = stored && (await referralForReceiver(db, delivery, stored));
  // Nothing is sent about a restricted referral. Once it may be sent, a queued delivery gets a job (`queueWaiting`). An uncertain one
  // gets none, because that may have been its last attempt: it checks again by itself.
  if (!referral || !mayBeSent(referral) || isRealPatientOnTestSite(settings.mode, referral))
    return delivery.status === 'uncertain' ? { kind: 'ask-again-later' } : undefined;
  const unwanted =
    stepInsteadOfPracticeLetter(delivery, referral) ??
    (await stepInsteadOfRemoval(db, delivery, referral)) ??
    (await stepInsteadOfServiceLetter(db, delivery, referral));
  if (unwanted) return unwanted;
  const toReach = { delivery, referral };
  const wanted = (await findWantedChannels(db, [toReach], clock.now())).get(toReach)!;
  const channel = chooseChannel(deps.channels, settings.mode, delivery, wanted.channels);
  // The process may have been killed during an attempt, and by this channel the receiver could get the message twice.
  if (delivery.status === 'sending' && channel && !channel.idempotent)
    return { kind: 'mark-uncertain', delivery, channel, referralStatus: referral.status };
  if (wanted.isClosed || !channel) return stepWithoutChannel(delivery, referral, wanted);
  const contactElsewhere = (await loadContactElsewhereForLetters(db, [referral])).get(referral.id) ?? [];
  const wait = await stepToWait(deps, channel, { leg: delivery.leg, referral }, options);
  return (
    wait ?? {
      kind: 'send',
      channel,
      message: composeMessage(deps, { ...delivery, contactElsewhere }, referral),
      heldBy: delivery.heldBy,
    }
  );
}

/** Why a letter must not go to the practice any more: the person does not agree, or the referral has changed since it was queued. */
function stepInsteadOfPracticeLetter(delivery: Delivery, referral: Referral): NextStep | undefined {
  const { leg, purpose, receiverCode } = delivery;
  // A practice that was named by mistake always gets the notice to remove its letter.
  if (leg !== 'gp_practice' || purpose === 'removal') return undefined;
  if (!mayTellPractice(referral.content.consent.share_with_gp))
    return { kind: 'stop-telling-practice', delivery };
  if (receiverCode !== (referral.gp_practice?.ods_code ?? null))
    return { kind: 'suppress', reason: whyNotSent.anotherPractice };
  // The letter says that the person has died. Only a death can be taken back after its letter was queued: letters about other endings
  // are held until these are final (`held/hold-endings.ts`).
  if (purpose === 'outcome' && openStatuses.includes(referral.status))
    return { kind: 'suppress', reason: whyNotSent.deathUndone };
  return undefined;
}

/** A practice gets a removal notice only if it has our letter, or may have it. */
async function stepInsteadOfRemoval(
  db: Db,
  { id, leg, purpose }: Delivery,
  { status }: Referral,
): Promise<NextStep | undefined> {
  if (leg !== 'gp_practice' || status !== 'entered-in-error') return undefined;
  if (purpose === 'referral') return { kind: 'suppress', reason: whyNotSent.madeInError };
  return (await hasLetterToRemove(db, id))
    ? undefined
    : { kind: 'suppress', reason: whyNotSent.nothingToRemove };
}

/**
 * After the end the service gets no letter about the referral any more, and the letter about the end only if it may know of the referral.
 */
async function stepInsteadOfServiceLetter(
  db: Db,
  { leg, purpose }: Delivery,
  { id, status }: Referral,
): Promise<NextStep | undefined> {
  if (leg !== 'service') return undefined;
  const isOpen = openStatuses.includes(status);
  if (purpose === 'outcome') {
    if (isOpen) return { kind: 'suppress', reason: whyNotSent.goesOn };
    return (await serviceMayKnow(db, id)) ? undefined : { kind: 'suppress', reason: whyNotSent.nothingToEnd };
  }
  if (isOpen) return undefined;
  return {
    kind: 'suppress',
    reason: status === 'entered-in-error' ? whyNotSent.madeInError : whyNotSent.ended,
  };
}

function stepWithoutChannel(delivery: Delivery, referral: Referral, wanted: WantedChannels): NextStep {
  const { receiverName, lastFailure } = delivery;
  if (wanted.isClosed) return { kind: 'fail', delivery, reason: practiceClosedText(receiverName) };
  if (wanted.unconfirmed.length > 0) return { kind: 'hold', ...unconfirmedAddress(delivery, referral) };
  return { kind: 'fail', delivery, reason: lastFailure ?? noChannelText(receiverName, wanted.channels) };
}

/** What has to happen before the message can go by this channel. */
async function stepToWait(
  { db, clock }: DeliveryDeps,
  channel: Channel,
  about: Pick<OutgoingMessage, 'leg' | 'referral'>,
  { receiver, try_now: tryNow }: DeliverOptions,
): Promise<NextStep | undefined> {
  const system = await channel.systemToCall?.(db, about);
  if (await findRestoreCheck(db)) return { kind: 'hold-for-restore-check' };
  if (system !== undefined && system !== receiver)
    return { kind: 'queue', options: { receiver: system, try_now: tryNow } };
  const { connection } = channel;
  const refusal = connection && !tryNow && (await takeProbeOrFindRefusal(db, connection, clock.now()));
  return refusal ? { kind: 'hold', by: connection, reason: refusal } : undefined;
}

const askAgainAfterSeconds = (50 * minuteMs) / secondMs;

async function recordStep(
  { db, clock }: DeliveryDeps,
  id: string,
  step: Exclude<NextStep, { kind: 'send' }> | undefined,
): Promise<void> {
  if (!step) return;
  const at = clock.now();
  await inTransaction(db, async (trx) => {
    switch (step.kind) {
      case 'hold':
        await holdDelivery(trx, id, { by: step.by, reason: step.reason, at });
        break;
      case 'hold-for-restore-check':
        // The check may have ended meanwhile.
        if (!(await holdForCheck(trx, [id], at))) await addAttemptJob(trx, id);
        break;
      case 'fail':
        await recordFailure(trx, step, at);
        break;
      case 'mark-uncertain':
        await recordInterrupted(trx, step, at);
        break;
      case 'stop-telling-practice':
        await endInterrupted(trx, step.delivery.id, at);
        await stopTellingPractice(trx, step.delivery.referralId, at);
        break;
      case 'suppress':
        await endInterrupted(trx, id, at);
        if (await suppressDelivery(trx, id, step.reason, at)) await resolveUndelivered(trx, id, at);
        break;
      case 'queue':
        await addAttemptJob(trx, id, step.options);
        break;
      case 'ask-again-later':
        await addAttemptJobAfterPause(trx, id, askAgainAfterSeconds);
        break;
    }
  });
}

async function recordFailure(
  trx: Trx,
  { delivery, reason }: { delivery: Delivery; reason: string },
  at: Date,
): Promise<void> {
  const failed = await failDelivery(trx, delivery.id, reason, at);
  if (failed) await announceStatus(trx, delivery, { status: 'failed', reason, at });
  // The message may have arrived before, and is not sent again.
  else if (delivery.status === 'uncertain')
    await addUndelivered(trx, { deliveryId: delivery.id, kind: 'uncertain', reason, at });
}

/** Records that an interrupted attempt may have arrived. It is checked or repeated after a minute. */
async function recordInterrupted(
  trx: Trx,
  { delivery, channel, referralStatus }: Extract<NextStep, { kind: 'mark-uncertain' }>,
  at: Date,
): Promise<void> {
  const interrupted = {
    number: delivery.attemptsStarted,
    wasUncertain: false,
    pauseSeconds: minuteMs / secondMs,
    heldBefore: null,
    outcome: 'uncertain' as const,
    detail: interruptedDetail,
  };
  const about = { ...delivery, deliveryId: delivery.id, referralStatus };
  await recordResult(trx, channel, about, interrupted, at);
}

function unconfirmedAddress({ leg, receiverName }: Delivery, referral: Referral) {
  const receiver =
    leg === 'service' ? `service ${referral.service_id}` : `practice ${referral.gp_practice?.ods_code}`;
  const reason = `The new address of ${receiverName} is not confirmed. The link that confirms it was emailed; this is sent once it is confirmed.`;
  return { by: heldByAddress(receiver), reason };
}

function practiceClosedText(receiverName: string): string {
  return `${receiverName} has closed. Find out where the person is registered now, tell that practice, and record it here.`;
}

function noChannelText(receiverName: string, wanted: readonly string[]): string {
  if (wanted.length === 0) return `No way to reach ${receiverName} is set.`;
  return `This site has none of the channels that are set for ${receiverName}: ${wanted.join(', ')}.`;
}
