import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { ReferralDeps } from './deps.ts';
import { DuplicateOfOthers } from './refuse-duplicate.ts';

/**
 * Makes a referral. Where that is refused because another organisation has an open one, whoever asked has learnt where
 * the person goes: so it is written down beside that referral, although nothing else of the transaction is.
 */
export async function orNoteDuplicate<T>(
  { db, clock }: Pick<ReferralDeps, 'db' | 'clock'>,
  caller: Caller,
  address: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DuplicateOfOthers) {
      const subject = { type: 'referral', id: error.referralId };
      const entry = { actor: actorOf(caller, address), action: 'referral.duplicate_told', subject };
      await inTransaction(db, (trx) => recordAudit(trx, { ...entry, at: clock.now(), outcome: 'refused' }));
    }
    throw error;
  }
}
