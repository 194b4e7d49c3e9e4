import type { Caller } from '../accounts/index.ts';
import type { Trx } from '../platform/database/index.ts';
import { Problem } from '../platform/problem/index.ts';
import { maySee } from './access.ts';
import { findOpenReferral, lockPatientForService } from './duplicates-store.ts';
import type { PatientKeys } from './patient.ts';
import { possibleDuplicate } from './problems.ts';
import { openStatuses } from './referral.ts';

/** Names the open referral only to somebody who may see it: that it exists tells others where the person goes. */
export async function refuseDuplicate(
  trx: Trx,
  caller: Caller,
  { service_id, allow_duplicate }: { service_id: string; allow_duplicate?: boolean | undefined },
  keys: PatientKeys,
): Promise<void> {
  await lockPatientForService(trx, service_id, keys);
  if (allow_duplicate) return;
  const open = await findOpenReferral(trx, service_id, keys, openStatuses);
  if (!open) return;
  const yours = maySee(caller, open);
  const detail = yours ? 'Follow that one' : 'Another organisation made it: ask the service';
  throw new Problem(possibleDuplicate, `${detail}, or send allow_duplicate: true if a second one is meant.`, {
    extra: yours ? { reference: open.reference, referral_id: open.id } : {},
  });
}
