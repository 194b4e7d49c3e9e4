import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import type { ReferralDeps } from '../deps.ts';
import { patientKeys, ungrouped } from '../patient.ts';
import { type PresentedReferral, presentReferral } from '../present.ts';
import type { Draft, Referral } from '../referral.ts';
import { findByPerson } from './records-store.ts';

/** By what one person is told from all others. */
export type Person = {
  nhs_number?: string | undefined;
  given_name?: string | undefined;
  family_name?: string | undefined;
  birth_date?: string | undefined;
};

const names = ['given_name', 'family_name', 'birth_date'] as const;

/**
 * All referrals of one person, drafts too. Last name and birth date alone would find twins together, and give one of
 * them the other's record.
 * @throws Problem `unprocessable` that names what is missing.
 */
export function findOfPerson(
  deps: Pick<ReferralDeps, 'secrets'>,
  trx: Trx,
  person: Person,
): Promise<(Referral | Draft)[]> {
  const missing = names.filter((name) => person[name] === undefined);
  const unnamed = missing.length === names.length;
  if (unnamed && person.nhs_number === undefined)
    throw refusal(['nhs_number'], 'is required where the names and birth_date are not given');
  if (!unnamed && missing.length > 0) throw refusal(missing, 'is required with the other two');
  return findByPerson(trx, patientKeys(deps.secrets, ungrouped(person)));
}

/**
 * How the referrals of one person stand, without what they say. Who was looked for is not written down; what was found is.
 * @throws Problem `unprocessable`, as above.
 */
export async function findPerson(
  deps: ReferralDeps,
  caller: Caller,
  { person, address }: { person: Person; address: string },
): Promise<PresentedReferral[]> {
  const now = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const found = await findOfPerson(deps, trx, person);
    await recordAudit(trx, {
      at: now,
      actor: actorOf(caller, address),
      action: 'patient.searched',
      details: { referrals: found.map(({ id }) => id) },
    });
    return found.map((referral) => presentReferral(caller, referral, { now }));
  });
}

function refusal(fields: readonly string[], message: string): Problem {
  const errors = fields.map((name) => ({ pointer: `/${name}`, message }));
  return new Problem(unprocessable, 'See `errors` for what is missing.', { errors });
}
