import type { Trx } from '../../platform/database/index.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { newSecret } from '../../platform/secrets/index.ts';
import { findSignInStepAccountId, insertSignInStep } from '../model/sessions-store.ts';
import { hostCookie } from './host-cookie.ts';

/** How long somebody has for the second step. */
const stepLifetimeMs = 5 * minuteMs;

/** Wrong codes after which the password is asked for again. The throttle counts them as well. */
const maxAttempts = 5;

/** Holds the secret of the first step, so that only the same browser can take the second. */
export const stepCookie = hostCookie('onward-sign-in-step', stepLifetimeMs);

export const secondStepPath = '/signin/code';

/**
 * Remembers that somebody gave an account's password. This is not a session: it opens only the second step.
 * @returns its secret, for a cookie of its own.
 */
export async function startSecondStep(trx: Trx, deps: Platform, accountId: string): Promise<string> {
  const secret = newSecret();
  const expiresAt = new Date(deps.clock.now().getTime() + stepLifetimeMs);
  await insertSignInStep(trx, {
    secretHash: deps.secrets.hash('sign-in step', secret),
    accountId,
    attempts: maxAttempts,
    expiresAt,
  });
  return secret;
}

/** The account of a second step that is still open. */
export function findSecondStepAccountId(deps: Platform, stepSecret: string): Promise<string | undefined> {
  return findSignInStepAccountId(deps.db, deps.secrets.hash('sign-in step', stepSecret), deps.clock.now());
}
