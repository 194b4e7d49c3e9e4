import {
  type Connection,
  recordConnectionFailure,
  recordConnectionWorking,
} from '../../platform/connections/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  type DeliveryLeg,
  type DeliveryPurpose,
  lockReferrals,
  mayBeSent,
  type ReferralStatus,
  type RefusalCause,
} from '../../referrals/index.ts';
import {
  CannotDeliver,
  type Channel,
  type Failure,
  type OutgoingMessage,
  type SendResult,
} from '../channels/channel.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { recordHeldAttempt } from '../held/held-store.ts';
import { announceStatus } from '../model/announce-status.ts';
import {
  recordAttempt,
  type SendingOutcome,
  type StartedAttempt,
  startAttempt,
} from '../model/attempts-store.ts';
import { addPromptUpdateJob } from '../model/deliver-jobs.ts';
import type { HeldBy } from '../model/held-by.ts';
import { addUndelivered } from '../model/undelivered-store.ts';
import { addAttemptJobAfterPause } from './jobs-store.ts';

/** For each channel. With the growing pauses between them they take about four days. */
export const maxAttempts = 25;

type AttemptResult = {
  outcome: SendingOutcome | 'held';
  detail: string;
  /** What the referrer can check. */
  cause?: RefusalCause | undefined;
  externalId?: string;
  /** The connection that does not accept this site, if the outcome is `held`. */
  nowHeldBy?: Connection;
  /** What the attempt showed about the channel's connection, if anything. */
  connectionState?: 'working' | 'away';
};

type AfterAttempt = 'done' | 'look-again';

export type NewAttempt = { channel: Channel; message: OutgoingMessage; heldBy: HeldBy | null };

/**
 * One attempt: marks the delivery as being sent, sends it, and records the result.
 * @returns `look-again` for the next step if the referral or the delivery changed just before it was sent, or if this channel has given up
 * the message, so that another one may be tried.
 */
export async function runAttempt(deps: DeliveryDeps, attempt: NewAttempt): Promise<AfterAttempt> {
  const { channel, message } = attempt;
  const started = await startUnlessChanged(deps, attempt);
  if (!started) return 'look-again';
  // Without a transaction: a slow receiver must not hold a connection and the row's lock.
  const result = await sendByChannel(deps, channel, message, started);
  const { id: referralId, status: referralStatus } = message.referral;
  const delivery = { ...message, referralId, referralStatus };
  const finished = { ...started, ...result, pauseSeconds: secondsUntilNextAttempt(started) };
  return inTransaction(deps.db, (trx) => recordResult(trx, channel, delivery, finished, deps.clock.now()));
}

/** Every change locks the referral, too. So a change finds the delivery either waiting, and can stop it, or being sent, and says so. */
function startUnlessChanged(
  { db, clock }: DeliveryDeps,
  { channel, message, heldBy }: NewAttempt,
): Promise<StartedAttempt | undefined> {
  const { id, version } = message.referral;
  return inTransaction(db, async (trx) => {
    const current = (await lockReferrals(trx, [id])).get(id);
    if (!current || !mayBeSent(current) || current.version !== version) return undefined;
    return startAttempt(trx, message.deliveryId, channel.name, heldBy, clock.now());
  });
}

/** Sends a message, unless it has arrived already. Never throws: every failure is a result. */
async function sendByChannel(
  deps: Pick<Platform, 'db' | 'log'>,
  channel: Channel,
  message: OutgoingMessage,
  { channelAttempts, wasUncertain }: StartedAttempt,
): Promise<AttemptResult> {
  if (channelAttempts > maxAttempts) return giveUp('The site stopped in the middle of the last attempt.');
  try {
    const { status, ...sent } = await sendOrTrack(deps.db, channel, message, { wasUncertain });
    return { ...sent, outcome: status, connectionState: 'working' };
  } catch (error) {
    const failure = failureOf(channel, error);
    const { detail } = failure;
    if (failure.kind === 'permanent')
      return {
        outcome: 'failed',
        detail,
        cause: failure.cause,
        // Any other permanent failure is an answer of the carrying system, so the connection works.
        ...(!(error instanceof CannotDeliver) && { connectionState: 'working' }),
      };
    const { deliveryId: delivery } = message;
    const facts = {
      delivery,
      channel: channel.name,
      channelAttempts,
      kind: failure.kind,
      error: describeError(error),
    };
    deps.log.warn(facts, 'a delivery attempt failed');
    if (failure.kind === 'held') return { outcome: 'held', detail, nowHeldBy: failure.by };
    if (failure.kind === 'uncertain') return { outcome: 'uncertain', detail };
    const result =
      channelAttempts === maxAttempts ? giveUp(detail) : ({ outcome: 'will-retry', detail } as const);
    return failure.away ? { ...result, connectionState: 'away' } : result;
  }
}

async function sendOrTrack(
  db: Db,
  channel: Channel,
  message: OutgoingMessage,
  { wasUncertain }: Pick<StartedAttempt, 'wasUncertain'>,
): Promise<SendResult> {
  const tracked = wasUncertain ? await channel.track?.(message) : undefined;
  return tracked ?? channel.send(message, await channel.render(db, message));
}

/** The message of an unknown error is not shown, because it may quote something about the patient. */
function failureOf(channel: Channel, error: unknown): Failure {
  if (error instanceof CannotDeliver) return { kind: 'permanent', detail: error.message };
  return channel.classify(error) ?? { kind: 'retry', detail: 'Something went wrong on this site.' };
}

function giveUp(detail: string): AttemptResult {
  return { outcome: 'failed', detail: `${detail} It was tried ${maxAttempts} times.` };
}

/** How long a receiver has to answer before an operator is told. */
const answerExpectedWithinMs = dayMs;

type AnswerContext = { leg: DeliveryLeg; purpose: DeliveryPurpose; referralStatus: ReferralStatus };
type AttemptedDelivery = AnswerContext & { deliveryId: string; referralId: string };

/** `pauseSeconds`: the pause before the next attempt, if there is to be one. */
type FinishedAttempt = Omit<StartedAttempt, 'channelAttempts'> &
  AttemptResult & { pauseSeconds: number | undefined };

/**
 * Records the result of an attempt and what follows: status, event, worklist, the job of the next attempt.
 * @returns `look-again` if this channel has given up the message, so that another one may be tried.
 */
export async function recordResult(
  trx: Trx,
  channel: Channel,
  delivery: AttemptedDelivery,
  attempt: FinishedAttempt,
  at: Date,
): Promise<AfterAttempt> {
  const { deliveryId, referralId } = delivery;
  const { number, wasUncertain, outcome, detail, cause, externalId = null, pauseSeconds } = attempt;
  await noteConnection(trx, channel, attempt, at);
  if (outcome === 'held') {
    await holdAfterAttempt(trx, channel, delivery, attempt, at);
    return 'done';
  }
  const status = statusAfter(outcome, { wasUncertain });
  const followUpAt = nextCheckAfter(outcome, channel, delivery, at);
  const stored = {
    deliveryId,
    number,
    channel: channel.name,
    outcome,
    detail,
    cause,
    externalId,
    followUpAt,
    at,
  };
  if (!(await recordAttempt(trx, stored, status))) return 'done';
  if (cause) await addPromptUpdateJob(trx);
  // An uncertain delivery that stays uncertain is not announced again.
  if (status !== 'queued' && !(status === 'uncertain' && wasUncertain))
    await announceStatus(trx, { id: deliveryId, referralId }, { status, reason: detail, at });
  const isRepeated = outcome === 'will-retry' || outcome === 'uncertain';
  if (isRepeated && pauseSeconds !== undefined) await addAttemptJobAfterPause(trx, deliveryId, pauseSeconds);
  return outcome === 'failed' && status === 'queued' ? 'look-again' : 'done';
}

/** Records what an attempt showed about its connection. */
async function noteConnection(
  trx: Trx,
  { connection }: Channel,
  {
    heldBefore,
    connectionState,
    nowHeldBy,
    detail: reason,
  }: Pick<StartedAttempt, 'heldBefore'> & AttemptResult,
  at: Date,
): Promise<void> {
  if (nowHeldBy) return recordConnectionFailure(trx, { connection: nowHeldBy, kind: 'refuses', reason }, at);
  if (connection && connectionState === 'away')
    await recordConnectionFailure(trx, { connection, kind: 'away', reason }, at);
  if (connectionState !== 'working') return;
  if (connection) await recordConnectionWorking(trx, connection, at);
  if (heldBefore && heldBefore !== connection) await recordConnectionWorking(trx, heldBefore, at);
}

/** The connection does not accept this site. The message waits, on the worklist, until the site is accepted again. */
async function holdAfterAttempt(
  trx: Trx,
  channel: Channel,
  { deliveryId }: AttemptedDelivery,
  { number, wasUncertain, heldBefore, nowHeldBy, detail }: FinishedAttempt,
  at: Date,
): Promise<void> {
  const attempt = { deliveryId, number, channel: channel.name, detail, wasUncertain, at };
  const isFirst = heldBefore !== nowHeldBy;
  if (!(await recordHeldAttempt(trx, { ...attempt, by: nowHeldBy!, isFirst }))) return;
  if (!wasUncertain) await addUndelivered(trx, { deliveryId, kind: 'held', reason: detail, at });
}

/** When to check whether the receiver has answered; null when no answer is expected. */
export function nextCheckAfter(
  outcome: SendingOutcome,
  channel: Pick<Channel, 'receiverCanConfirm'>,
  delivery: AnswerContext,
  at: Date,
): Date | null {
  const waits = (outcome === 'sent' || outcome === 'received') && awaitsAnswer(channel, delivery);
  return waits ? new Date(at.getTime() + answerExpectedWithinMs) : null;
}

/**
 * The pause before the next attempt by the same channel: exp(n) seconds after attempt n, with n at most 10 (about six hours). The job
 * varies it by up to a quarter either way. Undefined after the last attempt.
 */
function secondsUntilNextAttempt({ channelAttempts }: StartedAttempt): number | undefined {
  return channelAttempts < maxAttempts ? Math.exp(Math.min(channelAttempts, 10)) : undefined;
}

/**
 * A message that may have arrived stays uncertain, even if a later attempt fails, until one is known to have arrived. A
 * delivery that one channel has given up is queued again, because the next channel is tried.
 */
function statusAfter(outcome: SendingOutcome, { wasUncertain }: Pick<StartedAttempt, 'wasUncertain'>) {
  if (outcome === 'sent' || outcome === 'received' || outcome === 'acknowledged') return outcome;
  return wasUncertain || outcome === 'uncertain' ? 'uncertain' : 'queued';
}

/** A service always answers a referral, once. A practice can answer only by some channels. */
function awaitsAnswer(
  channel: Pick<Channel, 'receiverCanConfirm'>,
  { leg, purpose, referralStatus }: AnswerContext,
): boolean {
  const isUnanswered = leg === 'service' && purpose === 'referral' && referralStatus === 'requested';
  return channel.receiverCanConfirm || isUnanswered;
}
