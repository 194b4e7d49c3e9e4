import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { ReferralDeps } from '../deps.ts';
import { insertOpening } from '../openings-store.ts';
import { collectRecord, type ReferralRecord } from './collect-record.ts';
import { findOfPerson, type Person } from './find-person.ts';
import { requireNameless } from './require-nameless.ts';

export type ExportWish = { person: Person; reason: string; address: string };

/**
 * Everything that this room holds about one person, also what is restricted: it is theirs. The organisations that
 * made the referrals see who took it and why, as when an operator opens one.
 * @throws Problem `unprocessable` for too little to know the person by, and for a reason that names them.
 */
export async function exportPerson(
  deps: ReferralDeps,
  trx: Trx,
  caller: Caller,
  { person, reason, address }: ExportWish,
): Promise<ReferralRecord[]> {
  const at = deps.clock.now();
  const actor = actorOf(caller, address);
  const found = await findOfPerson(deps, trx, person);
  for (const referral of found) requireNameless(reason, referral);
  const ids = found.map(({ id }) => id);
  // What was given for nobody may name somebody.
  const details = { referrals: ids, ...(ids.length > 0 && { reason }) };
  await recordAudit(trx, { at, actor, action: 'patient.exported', details });
  const told = await deps.referralListener.summaries(trx, ids);
  const records: ReferralRecord[] = [];
  for (const referral of found) {
    const { id } = referral;
    const by = { accountId: caller.accountId, accountName: caller.name };
    await insertOpening(trx, { id: newId(at.getTime()), referralId: id, ...by, at, endsAt: at, reason });
    await recordAudit(trx, { at, actor, action: 'referral.exported', subject: { type: 'referral', id } });
    records.push(await collectRecord(trx, referral, { now: at, told: told.get(id) }));
  }
  return records;
}
