import type { Trx } from '../platform/database/index.ts';
import { type Ending, recordAttempt, type StartedAttempt } from './attempts-store.ts';
import type { Channel } from './channels/channel.ts';
import { comeToStatus } from './come-to-status.ts';
import type { Leg, Purpose } from './delivery.ts';
import { addJobAfterPause } from './jobs-store.ts';
import { type Ended, mostTries } from './try-sending.ts';

const hour = 3_600_000;
/** For how long a receiver may say nothing before somebody is told. */
const patienceMs = 24 * hour;

type About = { deliveryId: string; referralId: string; leg: Leg; purpose: Purpose };

/**
 * Writes down how an attempt ended, with all that follows: status, event, worklist, the job of the next attempt.
 * @returns whether this channel turned the message away for good, and another one may be tried.
 */
export async function endAttempt(
  trx: Trx,
  channel: Channel,
  about: About,
  made: StartedAttempt & Ended,
  at: Date,
): Promise<boolean> {
  const { deliveryId, referralId } = about;
  const { number, tries, doubtful, outcome, detail, trackedAs = null } = made;
  const status = statusAfter(outcome, doubtful);
  const lookAgainAt = lookAgainAfter(outcome, channel, about, at);
  const ended = { deliveryId, number, channel: channel.name, outcome, detail, trackedAs, lookAgainAt, at };
  if (!(await recordAttempt(trx, ended, status))) return false;
  // That it is uncertain is no news where it was before.
  if (status !== 'queued' && !(status === 'uncertain' && doubtful))
    await comeToStatus(trx, { id: deliveryId, referralId }, { status, reason: detail, at });
  const again = outcome === 'will-retry' || (outcome === 'uncertain' && tries < mostTries);
  if (again) await addJobAfterPause(trx, deliveryId, tries);
  return outcome === 'failed' && status === 'queued';
}

/** When somebody looks whether the receiver has answered; null where nobody waits for that. */
export function lookAgainAfter(
  outcome: Ending,
  channel: Pick<Channel, 'confirms'>,
  about: Pick<About, 'leg' | 'purpose'>,
  at: Date,
): Date | null {
  const waits = (outcome === 'sent' || outcome === 'received') && awaitsAnswer(channel, about);
  return waits ? new Date(at.getTime() + patienceMs) : null;
}

/** What may have arrived once stays in doubt, whatever becomes of its repetition, until one of them is known to have. */
function statusAfter(outcome: Ending, doubtful: boolean) {
  if (outcome === 'sent' || outcome === 'received' || outcome === 'acknowledged') return outcome;
  return doubtful || outcome === 'uncertain' ? 'uncertain' : 'queued';
}

/** A service answers whatever way it was told; a practice only where its way lets it. */
function awaitsAnswer(
  channel: Pick<Channel, 'confirms'>,
  { leg, purpose }: Pick<About, 'leg' | 'purpose'>,
): boolean {
  return channel.confirms || (leg === 'service' && purpose === 'referral');
}
