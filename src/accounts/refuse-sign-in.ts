import { recordAudit } from '../audit/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { defineCounter } from '../platform/metrics/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Account } from './account.ts';
import { actorOf, callerOf } from './caller.ts';

/** In the audit each of them has an entry; this is for whoever watches their number. */
export const signInRefusals = defineCounter(
  'onward_sign_in_refusals_total',
  'Attempts to sign in that were refused, by what was shown; slowed_down: it was not even looked at',
  'method',
  ['password', 'code', 'passkey', 'openid_connect', 'slowed_down'],
);

type Refusal = {
  /** Whose account was tried, where there is one. */
  account: Account | undefined;
  address: string;
  /** What was shown, and was not enough. */
  method: 'password' | 'code' | 'passkey';
};

/** Writes down that somebody was not let in. The address they typed is not written: it may be a password. */
export function refuseSignIn(trx: Trx, deps: Platform, { account, address, method }: Refusal): Promise<void> {
  signInRefusals[method] += 1;
  return recordAudit(trx, {
    at: deps.clock.now(),
    actor: account ? actorOf(callerOf(account, 'session'), address) : { name: 'somebody', address },
    action: 'session.started',
    outcome: 'refused',
    details: { method },
  });
}
