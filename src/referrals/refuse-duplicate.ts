import type { Caller } from '../accounts/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { Problem } from '../platform/problem/index.ts';
import { maySee } from './access.ts';
import { findOpenReferrals, lockPatientForService } from './duplicates-store.ts';
import type { PatientKeys } from './patient.ts';
import { possibleDuplicate } from './problems.ts';
import { openStatuses } from './referral.ts';

/** The refusal for an open referral that the caller may not see: of it nothing is told but that there is one. */
export class DuplicateOfOthers extends Problem {
  readonly referralId: string;
  constructor(referralId: string) {
    super(possibleDuplicate, `Another organisation made it: ask the service, or ${ifMeant}`);
    this.referralId = referralId;
  }
}

const ifMeant = 'send allow_duplicate: true if a second one is meant.';

/**
 * Names the open referral only to somebody who may see it: that it exists tells others where the person goes.
 * @throws Problem `possible-duplicate`; `DuplicateOfOthers` where none of them is the caller's.
 */
export async function refuseDuplicate(
  trx: Trx,
  caller: Caller,
  { service_id, allow_duplicate }: { service_id: string; allow_duplicate?: boolean | undefined },
  keys: PatientKeys,
): Promise<void> {
  await lockPatientForService(trx, service_id, keys);
  if (allow_duplicate) return;
  const open = await findOpenReferrals(trx, service_id, keys, openStatuses);
  if (open.length === 0) return;
  const yours = open.find((each) => maySee(caller, each));
  if (!yours) throw new DuplicateOfOthers(open[0]!.id);
  throw new Problem(possibleDuplicate, `Follow that one, or ${ifMeant}`, {
    extra: { reference: yours.reference, referral_id: yours.id },
  });
}
