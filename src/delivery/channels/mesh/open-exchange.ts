import { createPartnerCall } from '../../../platform/outbound/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { NoWay } from '../channel.ts';
import { createExchange, type Exchange } from './exchange.ts';
import { readMailbox } from './mailbox.ts';

/** What the exchange takes in one request, and the longest that an answer may be. */
const megabytes100 = 100_000_000;

/** Whom its jobs speak to. */
export const theExchange = 'the message exchange';

/** The exchange that the settings name. @throws NoWay where they name none. */
export function openExchange({ settings, clock }: Pick<Platform, 'settings' | 'clock'>): Exchange {
  const mailbox = readMailbox(settings);
  if (!mailbox) throw new NoWay('This site has no mailbox at the NHS message exchange.');
  const { tls } = mailbox;
  const call = createPartnerCall(settings.mode, { tls, timeoutMs: 60_000, mostBytes: megabytes100 });
  return createExchange({ mailbox, call, clock, largestRequest: megabytes100 });
}
