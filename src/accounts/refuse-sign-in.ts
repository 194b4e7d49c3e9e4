import { recordAudit } from '../audit/index.ts';
import type { Trx } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import type { Account } from './account.ts';
import { actorOf, callerOf } from './caller.ts';

type Refusal = {
  /** Whose account was tried, where there is one. */
  account: Account | undefined;
  address: string;
  /** What was shown, and was not enough. */
  method: 'password' | 'code' | 'passkey';
};

/** Writes down that somebody was not let in. The address they typed is not written: it may be a password. */
export function refuseSignIn(trx: Trx, deps: Platform, { account, address, method }: Refusal): Promise<void> {
  return recordAudit(trx, {
    at: deps.clock.now(),
    actor: account ? actorOf(callerOf(account, 'session'), address) : { name: 'somebody', address },
    action: 'session.started',
    outcome: 'refused',
    details: { method },
  });
}
