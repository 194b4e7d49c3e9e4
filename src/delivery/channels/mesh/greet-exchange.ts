import type { Platform } from '../../../platform/platform.ts';
import { openExchange } from './open-exchange.ts';

/** The `greet-mesh` job: says once a day that the mailbox is in use, which also finds out whether it can be opened. */
export async function greetExchange(deps: Platform): Promise<void> {
  const { mode, meshUrl } = deps.settings;
  if (mode === 'live' && meshUrl !== undefined) await openExchange(deps).handshake();
}
