import { setTimeout as delay } from 'node:timers/promises';

/** Waits for the end of something, whichever it is, but not for ever. */
export async function within(ms: number, end: Promise<unknown>): Promise<void> {
  await Promise.race([end.catch(() => undefined), delay(ms, undefined, { ref: false })]);
}
