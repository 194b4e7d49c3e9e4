import { inTransaction } from '../platform/database/index.ts';
import { describeError } from '../platform/log/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type Channels, createChannels } from './channels/index.ts';
import { takeNews } from './take-news.ts';

/** The `poll-channels` job: asks every channel that can be asked what was heard. A test site hears of nobody. */
export function pollChannels(deps: Platform): Promise<void> {
  return pollBy(deps, createChannels(deps));
}

export async function pollBy(deps: Platform, { live }: Channels): Promise<void> {
  const { db, clock, log, settings } = deps;
  if (settings.mode === 'test') return;
  for (const channel of live) {
    try {
      await channel.poll?.((news) =>
        inTransaction(db, (trx) => takeNews(trx, channel.name, news, clock.now())),
      );
    } catch (error) {
      // One system that is away does not keep the others from being asked; the next round is soon.
      log.warn({ channel: channel.name, error: describeError(error) }, 'a channel could not be asked');
    }
  }
}
