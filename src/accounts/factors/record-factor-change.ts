import { recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import { tellHolder } from '../model/security-emails.ts';

type FactorChange = {
  caller: Caller;
  ipAddress: string;
  change: 'added' | 'removed';
  factor: 'authenticator app' | 'passkey';
};

/** Audits a change of somebody's own second factors, and tells them by email. */
export async function recordFactorChange(
  trx: Trx,
  deps: Platform,
  factorChange: FactorChange,
): Promise<void> {
  const { caller, ipAddress, change, factor } = factorChange;
  await recordAudit(trx, {
    at: deps.clock.now(),
    actor: actorOf(caller, ipAddress),
    action: `second_factor.${change}`,
    subject: { type: 'account', id: caller.accountId },
    details: { factor },
  });
  const article = factor === 'passkey' ? 'A' : 'An';
  const preposition = change === 'added' ? 'added to' : 'removed from';
  await tellHolder(trx, deps, caller, `${article} ${factor} was ${preposition} your account`, { ipAddress });
}
