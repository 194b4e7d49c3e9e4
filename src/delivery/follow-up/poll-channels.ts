import { recordConnectionFailure, recordConnectionWorking } from '../../platform/connections/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Channel } from '../channels/channel.ts';
import type { DeliveryDeps } from '../channels/deps.ts';
import { findNextHeld } from '../held/held-store.ts';
import { receiveReport } from './apply-report.ts';

/** The `poll-channels` job: fetches the reports that wait at each channel. A test site gets no reports. */
export async function pollChannels(deps: DeliveryDeps): Promise<void> {
  const { db, clock, log, settings, channels } = deps;
  if (settings.mode === 'test') return;
  for (const channel of channels.outgoing) {
    if (!channel.poll) continue;
    try {
      const reached = await channel.poll((report) =>
        inTransaction(db, (trx) => receiveReport(trx, channel.name, report, clock.now())),
      );
      if (reached) await recordChannelWorking(deps, channel);
    } catch (error) {
      // The other channels are still polled, and this one again in the next round.
      log.warn({ channel: channel.name, error: describeError(error) }, 'a channel could not be polled');
      await recordChannelFailure(deps, channel, error);
    }
  }
}

/** Polling may work while sending is refused. So while messages are held, a successful poll does not show that the connection works. */
async function recordChannelWorking({ db, clock }: Platform, { connection }: Channel): Promise<void> {
  if (!connection) return;
  await inTransaction(db, async (trx) => {
    if (!(await findNextHeld(trx, connection))) await recordConnectionWorking(trx, connection, clock.now());
  });
}

/** Records that a channel's system could not be reached, or that it refused this site. */
export async function recordChannelFailure(
  { db, clock }: Platform,
  channel: Channel,
  error: unknown,
): Promise<void> {
  const failure = channel.classify(error);
  if (!failure || !channel.connection) return;
  const { connection } = channel;
  const report =
    failure.kind === 'held'
      ? ({ connection: failure.by, kind: 'refuses' } as const)
      : ({ connection, kind: 'away' } as const);
  await inTransaction(db, (trx) =>
    recordConnectionFailure(trx, { ...report, reason: failure.detail }, clock.now()),
  );
}
