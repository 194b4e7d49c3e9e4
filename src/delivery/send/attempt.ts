import { type Connection, noteTrouble, noteWorking } from '../../platform/connections/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { CannotDeliver, type Channel, type Failure, type Message, type Sent } from '../channels/channel.ts';
import { recordHeldAttempt } from '../held/held-store.ts';
import { announceStatus } from '../model/announce-status.ts';
import { recordAttempt, type SendingOutcome, type StartedAttempt } from '../model/attempts-store.ts';
import type { Purpose, ReceiverKind } from '../model/delivery.ts';
import { addToWorklist } from '../model/worklist-store.ts';
import { addJobAfterPause } from './jobs-store.ts';

/** By each channel. With the growing pauses between them this is about four days. */
export const maxAttempts = 25;

export type SendingResult = {
  outcome: SendingOutcome | 'held';
  detail: string;
  externalId?: string;
  /** What refuses this site, for an attempt that ended as `held`. */
  refusedBy?: Connection;
  /** What the attempt has shown of the channel's connection, if anything. */
  connectionIs?: 'working' | 'away';
};

/** Sends a message, or finds out that it has arrived; says what came of it, whatever that is. */
export async function sendMessage(
  deps: Pick<Platform, 'log'>,
  channel: Channel,
  message: Message,
  { channelAttempts, mayHaveArrived }: StartedAttempt,
): Promise<SendingResult> {
  if (channelAttempts > maxAttempts) return giveUp('The site stopped in the middle of the last attempt.');
  try {
    const { status, ...sent } = await send(channel, message, mayHaveArrived);
    return { ...sent, outcome: status, connectionIs: 'working' };
  } catch (error) {
    const failure = judge(channel, error);
    const { detail } = failure;
    if (failure.kind === 'permanent')
      return {
        outcome: 'failed',
        detail,
        ...(!(error instanceof CannotDeliver) && { connectionIs: 'working' }),
      };
    const { deliveryId: delivery } = message;
    const facts = {
      delivery,
      channel: channel.name,
      channelAttempts,
      kind: failure.kind,
      error: describeError(error),
    };
    deps.log.warn(facts, 'a delivery did not work');
    if (failure.kind === 'held') return { outcome: 'held', detail, refusedBy: failure.by };
    if (failure.kind === 'uncertain') return { outcome: 'uncertain', detail };
    const ended =
      channelAttempts === maxAttempts ? giveUp(detail) : ({ outcome: 'will-retry', detail } as const);
    return failure.away ? { ...ended, connectionIs: 'away' } : ended;
  }
}

async function send(channel: Channel, message: Message, mayHaveArrived: boolean): Promise<Sent> {
  const found = mayHaveArrived ? await channel.track?.(message) : undefined;
  return found ?? channel.send(message, await channel.render(message));
}

/** The message of an error that nobody foresaw may quote a patient's detail, so it is not shown. */
function judge(channel: Channel, error: unknown): Failure {
  if (error instanceof CannotDeliver) return { kind: 'permanent', detail: error.message };
  return channel.classify(error) ?? { kind: 'retry', detail: 'Something went wrong on this site.' };
}

function giveUp(detail: string): SendingResult {
  return { outcome: 'failed', detail: `${detail} It was tried ${maxAttempts} times.` };
}

const hour = 3_600_000;
/** For how long a receiver may say nothing before somebody is told. */
const timeoutMs = 24 * hour;

type About = { deliveryId: string; referralId: string; receiverKind: ReceiverKind; purpose: Purpose };

/**
 * Writes down how an attempt ended, with all that follows: status, event, worklist, the job of the next attempt.
 * @returns whether this channel turned the message away for good, and another one may be tried.
 */
export async function recordResult(
  trx: Trx,
  channel: Channel,
  about: About,
  made: StartedAttempt & SendingResult,
  at: Date,
): Promise<boolean> {
  const { deliveryId, referralId } = about;
  const { number, channelAttempts, mayHaveArrived, outcome, detail, externalId = null } = made;
  await noteConnection(trx, channel, made, at);
  if (outcome === 'held') {
    await holdAfterAttempt(trx, channel, about, made, at);
    return false;
  }
  const status = statusAfter(outcome, mayHaveArrived);
  const followUpAt = nextCheckAfter(outcome, channel, about, at);
  const ended = { deliveryId, number, channel: channel.name, outcome, detail, externalId, followUpAt, at };
  if (!(await recordAttempt(trx, ended, status))) return false;
  // That it is uncertain is no news where it was before.
  if (status !== 'queued' && !(status === 'uncertain' && mayHaveArrived))
    await announceStatus(trx, { id: deliveryId, referralId }, { status, reason: detail, at });
  const again = outcome === 'will-retry' || (outcome === 'uncertain' && channelAttempts < maxAttempts);
  if (again) await addJobAfterPause(trx, deliveryId, channelAttempts);
  return outcome === 'failed' && status === 'queued';
}

/** Writes down what an attempt has shown of the connection that it went through. */
async function noteConnection(
  trx: Trx,
  { connection }: Channel,
  { heldBy: heldUntilNow, connectionIs, refusedBy, detail: reason }: StartedAttempt & SendingResult,
  at: Date,
): Promise<void> {
  if (refusedBy) return noteTrouble(trx, { connection: refusedBy, kind: 'refuses', reason }, at);
  if (connection && connectionIs === 'away') await noteTrouble(trx, { connection, kind: 'away', reason }, at);
  if (connectionIs !== 'working') return;
  for (const each of new Set([connection, heldUntilNow])) if (each) await noteWorking(trx, each, at);
}

/** The message is not to blame: it waits, and somebody is told, until the connection accepts this site again. */
async function holdAfterAttempt(
  trx: Trx,
  channel: Channel,
  { deliveryId }: About,
  { number, mayHaveArrived, heldBy, refusedBy, detail }: StartedAttempt & SendingResult,
  at: Date,
): Promise<void> {
  const attempt = { deliveryId, number, channel: channel.name, detail, mayHaveArrived, at };
  const isFirst = heldBy !== refusedBy;
  if (!(await recordHeldAttempt(trx, { ...attempt, by: refusedBy!, isFirst }))) return;
  if (!mayHaveArrived) await addToWorklist(trx, { deliveryId, kind: 'held', reason: detail, at });
}

/** When somebody looks whether the receiver has answered; null where nobody waits for that. */
export function nextCheckAfter(
  outcome: SendingOutcome,
  channel: Pick<Channel, 'confirms'>,
  about: Pick<About, 'receiverKind' | 'purpose'>,
  at: Date,
): Date | null {
  const waits = (outcome === 'sent' || outcome === 'received') && awaitsAnswer(channel, about);
  return waits ? new Date(at.getTime() + timeoutMs) : null;
}

/** What may have arrived once stays in doubt, whatever becomes of its repetition, until one of them is known to have. */
function statusAfter(outcome: SendingOutcome, mayHaveArrived: boolean) {
  if (outcome === 'sent' || outcome === 'received' || outcome === 'acknowledged') return outcome;
  return mayHaveArrived || outcome === 'uncertain' ? 'uncertain' : 'queued';
}

/** A service answers whatever way it was told; a practice only where its way lets it. */
function awaitsAnswer(
  channel: Pick<Channel, 'confirms'>,
  { receiverKind, purpose }: Pick<About, 'receiverKind' | 'purpose'>,
): boolean {
  return channel.confirms || (receiverKind === 'service' && purpose === 'referral');
}
