import { anonymousActor, recordRefusalOncePerMinute } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { networkOf } from '../../platform/ip-addresses/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { findAccount } from '../model/accounts-store.ts';
import { actorOf, callerOf } from '../model/caller.ts';
import { tooManyAttempts } from '../model/problems.ts';
import {
  type AttemptKind,
  countAttempt,
  type Gate,
  isSignIn,
  limits,
  msToWait,
  type PerGate,
} from './throttle-rules.ts';
import {
  clearFailedAttempts,
  findThrottles,
  listClosedThrottles,
  lockThrottles,
  updateThrottles,
  upsertTrustedNetwork,
} from './throttles-store.ts';

/**
 * What is attempted, and on what: on what was typed to say who somebody is (an email address, a telephone number), or on the
 * account if it is known. What people do for their whole organisation is counted for the organisation.
 */
export type AttemptTarget = { kind: AttemptKind; ipAddress: string } & AttemptSubject;

type AttemptSubject = { identifier: string } | { accountId: string; organisationId?: string };

/** An attempt that was let through. It counts as failed until `recordSuccess` is called. */
export type Attempt = { readonly keys: PerGate<Buffer> };

/**
 * Call it before a password or a code is checked, outside a transaction. It counts the attempt before the outcome is known:
 * fifty attempts at once see each other, and an interrupted one counts too. It does the same whether the account exists or
 * not.
 * @throws Problem `too-many-attempts` saying when to try again; such an attempt is not counted.
 */
export async function beginAttempt(deps: Platform, on: AttemptTarget): Promise<Attempt> {
  const keys = keysOf(deps, on);
  const now = deps.clock.now();
  // Checked first without a lock, so that a flood on closed gates does not wait for their rows.
  try {
    refuseIfClosed(await findThrottles(deps.db, keys), now);
    await inTransaction(deps.db, async (trx) => {
      const locked = await lockThrottles(trx, keys, now);
      refuseIfClosed(locked, now);
      const counted = Object.entries(limits[on.kind]).map(([gate, limit]) =>
        countAttempt(locked[gate as Gate]!, limit, now),
      );
      await updateThrottles(trx, counted);
    });
  } catch (error) {
    if (error instanceof Problem) await recordSlowdown(deps, on);
    throw error;
  }
  return { keys };
}

/** What was typed is not looked up, since the time would tell whether there is such an account. */
async function recordSlowdown(deps: Platform, on: AttemptTarget): Promise<void> {
  if (isSignIn(on.kind)) deps.metrics.signInRefusals.inc({ method: 'slowed_down' });
  const account = 'accountId' in on ? await findAccount(deps.db, on.accountId) : undefined;
  const actor = account ? actorOf(callerOf(account, 'session'), on.ipAddress) : anonymousActor(on.ipAddress);
  await recordRefusalOncePerMinute(deps, {
    actor,
    action: 'attempt.slowed_down',
    details: { kind: on.kind },
  });
}

/**
 * Takes back the count of a successful attempt, and remembers that the holder comes from this network, so that others
 * elsewhere do not keep them out.
 */
export function recordSuccess(trx: Trx, deps: Platform, attempt: Attempt): Promise<void> {
  return clearFailedAttempts(trx, attempt.keys, deps.clock.now());
}

/** Remembers that the holder comes from this network, if they proved it in another way. */
export function trustNetwork(trx: Trx, deps: Platform, on: AttemptTarget): Promise<void> {
  return upsertTrustedNetwork(trx, keysOf(deps, on).accountAndNetwork, deps.clock.now());
}

/** Until when guesses keep accounts closed: their holders can sign in only from where they did lately. Accounts that are open have no entry. */
export async function findLockedAccounts(
  deps: Platform,
  accounts: readonly { id: string; email: string }[],
): Promise<Map<string, Date>> {
  const keysByAccount = accounts.map(({ id, email }) => ({
    id,
    keys: [
      keyOf(deps, 'sign-in', subjectOf({ identifier: email })),
      keyOf(deps, 'code', subjectOf({ accountId: id })),
    ],
  }));
  const keys = keysByAccount.flatMap((each) => each.keys);
  const closed = await listClosedThrottles(deps.db, keys, deps.clock.now());
  const until = new Map(closed.map(({ key, blockedUntil }) => [key.toString('hex'), blockedUntil]));
  const locked = new Map<string, Date>();
  for (const { id, keys } of keysByAccount) {
    const times = keys.flatMap((key) => until.get(key.toString('hex'))?.getTime() ?? []);
    if (times.length > 0) locked.set(id, new Date(Math.max(...times)));
  }
  return locked;
}

/** Each kind is counted by itself: knowing the password gives no further attempts at the code. */
function keysOf(deps: Platform, on: AttemptTarget): PerGate<Buffer> {
  const account = subjectOf(on);
  const network = networkOf(on.ipAddress);
  return {
    accountAndNetwork: keyOf(deps, on.kind, account, network),
    account: keyOf(deps, on.kind, account),
    network: keyOf(deps, on.kind, 'network', network),
    ...(limits[on.kind].site && { site: keyOf(deps, on.kind, 'site') }),
  };
}

function keyOf({ secrets }: Platform, kind: AttemptKind, ...parts: string[]): Buffer {
  return secrets.hash('throttle', JSON.stringify([kind, ...parts]));
}

function subjectOf(on: AttemptSubject): string {
  // The hash keeps the word “email”, because the counts that are stored were hashed with it.
  if ('identifier' in on) return `email ${canonicalEmail(on.identifier)}`;
  return on.organisationId === undefined ? `account ${on.accountId}` : `organisation ${on.organisationId}`;
}

function refuseIfClosed(throttles: Parameters<typeof msToWait>[0], now: Date): void {
  const seconds = Math.ceil(msToWait(throttles, now) / 1000);
  if (seconds <= 0) return;
  const minutes = Math.ceil(seconds / 60);
  const when = seconds < 60 ? plural(seconds, 'second') : plural(minutes, 'minute');
  throw new Problem(tooManyAttempts, `Try again in ${when}.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

function plural(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
