import { recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { actorOf, type Caller } from '../model/caller.ts';
import { tellHolder } from '../model/tell-people.ts';

type FactorChange = {
  caller: Caller;
  address: string;
  change: 'added' | 'removed';
  factor: 'authenticator app' | 'passkey';
};

/** Whatever its holder does to the second factors of an account is written down, and told to them by email. */
export async function noteFactorChange(trx: Trx, deps: Platform, noted: FactorChange): Promise<void> {
  const { caller, address, change, factor } = noted;
  await recordAudit(trx, {
    at: deps.clock.now(),
    actor: actorOf(caller, address),
    action: `second_factor.${change}`,
    subject: { type: 'account', id: caller.accountId },
    details: { factor },
  });
  const article = factor === 'passkey' ? 'A' : 'An';
  const place = change === 'added' ? 'added to' : 'removed from';
  await tellHolder(trx, deps, caller, `${article} ${factor} was ${place} your account`, { address });
}
