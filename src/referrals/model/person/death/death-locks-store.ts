import { holdLocks, shareLocks, type Trx } from '../../../../platform/database/index.ts';
import type { PatientKeys } from '../identity/patient.ts';

/** How others may know the person. */
type Keys = Pick<PatientKeys, 'name' | 'number'>;

/**
 * A report of a death marks the person's open referrals, and a new referral asks whether a death was told. Without a lock neither
 * would see what the other is about to store. Both take this lock before they lock a referral that the other may want.
 */
const deathLockNames = ({ name, number }: Keys): string[] =>
  [name, number].flatMap((key) => (key === null ? [] : [key.toString('hex')]));

/** Waits for new referrals and other reports of the person’s death, and makes later ones wait. */
export function lockDeathOf(trx: Trx, person: Keys): Promise<void> {
  return holdLocks(trx, 'death', deathLockNames(person));
}

/** For a new referral of these people: reports of their deaths wait for it, and other new referrals do not. */
export function shareDeathLocks(trx: Trx, people: readonly Keys[]): Promise<void> {
  return shareLocks(trx, 'death', people.flatMap(deathLockNames));
}
