import type { Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { newSecret } from '../../platform/secrets/index.ts';
import { findStep, insertStep } from '../model/sessions-store.ts';
import { hostCookie } from './host-cookie.ts';

/** How long somebody has for the second step. */
const stepForMs = 5 * 60_000;

/** So many wrong codes, and the password is asked for again; the throttle counts them beyond that. */
const tries = 5;

/** Holds the secret of the first step; only the browser that took it can take the second. */
export const stepCookie = hostCookie('onward-sign-in-step', stepForMs);

export const secondStepPath = '/signin/code';

/** The page of the second step, which goes on to `next`. */
export function stepPath(goOn: string | undefined): string {
  return goOn === undefined ? secondStepPath : `${secondStepPath}?next=${encodeURIComponent(goOn)}`;
}

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

/** Whose second step it is, while it lasts. */
export function findStepAccount(deps: Platform, stepId: string): Promise<string | undefined> {
  return findStep(deps.db, deps.secrets.hash('sign-in step', stepId), deps.clock.now());
}
