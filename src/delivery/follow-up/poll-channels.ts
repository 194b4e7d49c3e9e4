import { noteTrouble, noteWorking } from '../../platform/connections/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Channel } from '../channels/channel.ts';
import { type Channels, createChannels } from '../create-channels.ts';
import { findNextHeld } from '../held/held-store.ts';
import { receiveReport } from './apply-report.ts';

/** The `poll-channels` job: asks every channel that can be asked what was heard. A test site hears of nobody. */
export function pollChannels(deps: Platform): Promise<void> {
  return pollBy(deps, createChannels(deps));
}

export async function pollBy(deps: Platform, { live }: Channels): Promise<void> {
  const { db, clock, log, settings } = deps;
  if (settings.mode === 'test') return;
  for (const channel of live) {
    if (!channel.poll) continue;
    try {
      const reached = await channel.poll((news) =>
        inTransaction(db, (trx) => receiveReport(trx, channel.name, news, clock.now())),
      );
      if (reached) await recordReached(deps, channel);
    } catch (error) {
      // One system that is away does not keep the others from being asked; the next round is soon.
      log.warn({ channel: channel.name, error: describeError(error) }, 'a channel could not be asked');
      await recordUnreached(deps, channel, error);
    }
  }
}

/** Messages that are held were refused when they were sent: one of them has to show that sending works again. */
async function recordReached({ db, clock }: Platform, { connection }: Channel): Promise<void> {
  if (!connection) return;
  await inTransaction(db, async (trx) => {
    if (!(await findNextHeld(trx, connection))) await noteWorking(trx, connection, clock.now());
  });
}

/** Writes down that a channel's system could not be asked, and whether it refused this site. */
export async function recordUnreached(
  { db, clock }: Platform,
  channel: Channel,
  error: unknown,
): Promise<void> {
  const failure = channel.classify(error);
  if (!failure || !channel.connection) return;
  const { connection } = channel;
  const trouble =
    failure.kind === 'held'
      ? ({ connection: failure.by, kind: 'refuses' } as const)
      : ({ connection, kind: 'away' } as const);
  await inTransaction(db, (trx) => noteTrouble(trx, { ...trouble, reason: failure.detail }, clock.now()));
}
