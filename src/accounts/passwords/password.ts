import { type Algorithm, hash, verify } from '@node-rs/argon2';
import type { Platform } from '../../platform/platform.ts';
import { Problem, unavailable, unprocessable } from '../../platform/problem/index.ts';
import type { StoredAccount } from '../model/accounts-store.ts';
import { hasSecondFactor } from '../model/second-factors-store.ts';
import { passwordErrors } from './password-rules.ts';

/**
 * argon2id with the cost that OWASP's password storage cheat sheet gives for one pass. Tests of anything else lower it.
 */
export const passwordCost = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 47_104,
  timeCost: 1,
  parallelism: 1,
};

const maxConcurrent = 2;
const maxWaiting = 100;
let running = 0;
const waiting: (() => void)[] = [];

/** Hashes a password for storing. The result names its own parameters, so that they can be raised later. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFKC'), passwordCost));
}

/**
 * Whether the password is the one that was hashed. Without a hash (no such account, or none set yet) it takes the same
 * time and says no, so that the time does not tell which email addresses have accounts.
 */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword('the password of nobody at all');
  const against = stored ?? (await decoy);
  const matches = await inTurn(() => verify(against, password.normalize('NFKC')));
  return stored !== null && matches;
}

let decoy: Promise<string> | undefined;

/**
 * Each hash takes 46 MB for its while: a burst of sign-ins waits its turn instead of taking all the memory, and a flood
 * is turned away. @throws Problem `unavailable`.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting.length >= maxWaiting) {
    throw new Problem(unavailable, 'Too many people are signing in at once. Try again in a few seconds.', {
      headers: { 'retry-after': '5' },
    });
  }
  if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The turn is handed on: nobody who comes between can take it.
    if (next) next();
    else running -= 1;
  }
}

/**
 * The hash of a password that an account may have, for storing. To be asked for in no transaction: hashing waits its
 * turn. @throws Problem `unprocessable` saying what is wrong with the password.
 */
export async function newPasswordHash(
  deps: Platform,
  account: StoredAccount,
  password: string,
): Promise<string> {
  const errors = passwordErrors(password, {
    hasSecondFactor: await hasSecondFactor(deps.db, account.id),
    about: [account.email, account.name, deps.settings.siteName],
  });
  if (errors.length > 0) throw new Problem(unprocessable, 'The password was not changed.', { errors });
  return hashPassword(password);
}
