import { type Algorithm, hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unavailable, unprocessable } from '../../platform/problem/index.ts';
import type { StoredAccount } from '../model/accounts-store.ts';
import { hasSecondFactor } from '../model/second-factors-store.ts';
import { checkNewPassword } from './password-rules.ts';

/** argon2id with the cost for one pass from OWASP's password storage cheat sheet. Tests of other things lower it. */
export const passwordCost = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 47_104,
  timeCost: 1,
  parallelism: 1,
};

/** Each hash takes 46 MB, so that a burst of sign-ins must not run all at once. */
const maxConcurrent = 2;
const maxWaiting = 100;
// For the whole process, because the memory is.
const queue = pLimit(maxConcurrent);

/** Hashes a password for storing. The result names its own parameters, so that they can be raised later. */
export function hashPassword(password: string): Promise<string> {
  return queueHashing(() => hash(password.normalize('NFKC'), passwordCost));
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password is the one that was hashed. Without a hash (no account, or no password yet) it takes as long and says
 * no, so that the time does not tell which email addresses have accounts.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('the password of nobody at all');
  const against = stored ?? (await decoy);
  const matches = await queueHashing(() => verify(against, password.normalize('NFKC')));
  return stored !== null && matches;
}

/** @throws Problem `unavailable` if too many hashes are waiting. */
async function queueHashing<T>(work: () => Promise<T>): Promise<T> {
  if (queue.pendingCount < maxWaiting) return queue(work);
  throw new Problem(unavailable, 'Too many people are signing in at once. Try again in a few seconds.', {
    headers: { 'retry-after': '5' },
  });
}

/**
 * Checks and hashes the new password of an account. Call it outside a transaction, because hashing waits its turn.
 * @throws Problem `unprocessable` saying what is wrong with the password.
 */
export async function newPasswordHash(
  deps: Platform,
  account: StoredAccount,
  password: string,
): Promise<string> {
  const errors = checkNewPassword(password, {
    hasSecondFactor: await hasSecondFactor(deps.db, account.id),
    about: [account.email, account.name, deps.settings.siteName],
  });
  if (errors.length > 0) throw new Problem(unprocessable, 'The password was not changed.', { errors });
  return hashPassword(password);
}
