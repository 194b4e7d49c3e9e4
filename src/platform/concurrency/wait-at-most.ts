import { setTimeout as delay } from 'node:timers/promises';

/** Waits until it settles, but at most `ms`. */
export async function waitAtMost(ms: number, ending: Promise<unknown>): Promise<void> {
  await Promise.race([ending.catch(() => undefined), delay(ms, undefined, { ref: false })]);
}
