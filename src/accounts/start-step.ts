import type { Trx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { newSecret } from '../platform/secrets/index.ts';
import { insertStep } from './sign-in-steps-store.ts';

/** How long somebody has for the second step. */
export const stepForMs = 5 * 60_000;

/** So many wrong codes, and the password is asked for again; the throttle counts them beyond that. */
const tries = 5;

/**
 * Notes that somebody has shown an account's password. It is no session: it opens nothing but the second step.
 * @returns its secret, for a cookie of its own.
 */
export async function startStep(trx: Trx, deps: Platform, accountId: string): Promise<string> {
  const id = newSecret();
  const expiresAt = new Date(deps.clock.now().getTime() + stepForMs);
  await insertStep(trx, { idHash: deps.secrets.hash('sign-in step', id), accountId, tries, expiresAt });
  return id;
}
