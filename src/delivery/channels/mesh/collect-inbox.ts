import { describeError } from '../../../platform/log/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { News, TellNews } from '../channel.ts';
import type { Exchange } from './exchange.ts';
import { hasTaken, keepMessage, markTaken } from './messages-store.ts';
import { newsIn } from './news-in.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'log'>;

/** As many as the exchange lists at once. */
const wholePage = 500;

/**
 * Empties the mailbox. A message is kept here, then what it says is told, and only then acknowledged, which lets the
 * exchange forget it: after a kill at any point it comes again, and a second time it says nothing.
 */
export async function collectInbox(deps: Deps, exchange: Exchange, tell: TellNews): Promise<void> {
  for (;;) {
    const ids = await exchange.list();
    let taken = 0;
    for (const id of ids) if (await takeOne(deps, exchange, tell, id)) taken += 1;
    if (ids.length < wholePage || taken === 0) return;
  }
}

/** @returns whether it is out of the mailbox. One that cannot be taken does not stop those behind it. */
async function takeOne(deps: Deps, exchange: Exchange, tell: TellNews, id: string): Promise<boolean> {
  const { db, clock, log } = deps;
  try {
    if (!(await hasTaken(db, id))) {
      const message = await exchange.open(id);
      await keepMessage(db, message, clock.now());
      const understood = await tellAll(newsIn(message), tell);
      if (!understood) log.warn({ mesh_message: id }, 'an unexpected message from the exchange is kept');
      await markTaken(db, id, { understood, at: clock.now() });
    }
    await exchange.acknowledge(id);
    return true;
  } catch (error) {
    log.warn({ mesh_message: id, error: describeError(error) }, 'a message stays at the exchange for now');
    return false;
  }
}

/** @returns whether one of these, which name the same message in different ways, was about one of ours. */
async function tellAll(news: readonly News[], tell: TellNews): Promise<boolean> {
  for (const each of news) if (await tell(each)) return true;
  return false;
}
