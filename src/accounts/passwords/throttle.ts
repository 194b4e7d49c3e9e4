import { recordRefusal } from '../../audit/index.ts';
import { networkOf } from '../../platform/addresses/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { canonicalEmail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { defineProblem, Problem } from '../../platform/problem/index.ts';
import { findAccount } from '../model/accounts-store.ts';
import { actorOf, callerOf } from '../model/caller.ts';
import { type AttemptKind, countAttempt, type Gate, gates, limits, waitMs } from './throttle-rules.ts';
import {
  findThrottles,
  holdThrottles,
  updateSucceeded,
  updateThrottles,
  upsertVouched,
} from './throttles-store.ts';

export const tooManyAttempts = defineProblem({
  type: 'too-many-attempts',
  status: 429,
  title: 'There were too many attempts',
});

/** Who is tried: by the address that somebody typed, or, where somebody is known already, by the account. */
export type AttemptOn = { kind: AttemptKind; address: string } & ({ email: string } | { accountId: string });

/** An attempt that was let through. It counts as failed until `noteSuccess` says otherwise. */
export type Attempt = { readonly keys: Readonly<Record<Gate, Buffer>> };

/**
 * To be called before a password, code or the like is looked at, in no transaction. The attempt is counted here, before
 * its outcome is known: of fifty that come at once each finds those before it counted, and one that never comes to its
 * end is counted too. Whether there is such an account makes no difference.
 * @throws Problem `too-many-attempts` saying when to try again; such an attempt is not counted.
 */
export async function beforeAttempt(deps: Platform, on: AttemptOn): Promise<Attempt> {
  const keys = keysOf(deps, on);
  const now = deps.clock.now();
  // Asked first without a lock, so that a flood on closed gates does not queue up at the rows it has closed.
  try {
    refuseIfClosed(await findThrottles(deps.db, keys), now);
    await inTransaction(deps.db, async (trx) => {
      const held = await holdThrottles(trx, keys, now);
      refuseIfClosed(held, now);
      const counted = gates.map((gate) => countAttempt(held[gate]!, limits[on.kind][gate], now));
      await updateThrottles(trx, counted);
    });
  } catch (error) {
    if (error instanceof Problem) await noteSlowedDown(deps, on);
    throw error;
  }
  return { keys };
}

/** Whose address was typed is not looked up: how long that takes would tell whether there is such an account. */
async function noteSlowedDown(deps: Platform, on: AttemptOn): Promise<void> {
  deps.metrics.signInRefusals.inc({ method: 'slowed_down' });
  const account = 'accountId' in on ? await findAccount(deps.db, on.accountId) : undefined;
  const actor = account
    ? actorOf(callerOf(account, 'session'), on.address)
    : { name: 'somebody', address: on.address };
  await recordRefusal(deps, { actor, action: 'attempt.slowed_down', details: { kind: on.kind } });
}

/**
 * The attempt was right: it is no longer counted, and the account's holder is known to come from this network, so that
 * what others do elsewhere does not keep them out.
 */
export function noteSuccess(trx: Trx, deps: Platform, attempt: Attempt): Promise<void> {
  return updateSucceeded(trx, attempt.keys, deps.clock.now());
}

/** The account's holder has shown in another way that they are here. */
export function vouchFor(trx: Trx, deps: Platform, on: AttemptOn): Promise<void> {
  return upsertVouched(trx, keysOf(deps, on).here, deps.clock.now());
}

/** Each kind counts for itself: who knows a password has no more tries at the code for it. */
function keysOf({ secrets }: Platform, on: AttemptOn): Record<Gate, Buffer> {
  const account = 'email' in on ? `email ${canonicalEmail(on.email)}` : `account ${on.accountId}`;
  const network = networkOf(on.address);
  const key = (...parts: string[]) => secrets.hash('throttle', JSON.stringify([on.kind, ...parts]));
  return { here: key(account, network), account: key(account), network: key('network', network) };
}

function refuseIfClosed(throttles: Parameters<typeof waitMs>[0], now: Date): void {
  const seconds = Math.ceil(waitMs(throttles, now) / 1000);
  if (seconds <= 0) return;
  const minutes = Math.ceil(seconds / 60);
  const when = seconds < 60 ? counted(seconds, 'second') : counted(minutes, 'minute');
  throw new Problem(tooManyAttempts, `To keep accounts safe, this is slowed down. Try again in ${when}.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

function counted(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
}
