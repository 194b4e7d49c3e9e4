import type { FaultCode } from './faults.ts';

/** One patient, as the national demographics know them; `practices` are mailboxes. */
export type Registration = {
  nhsNumber: string;
  birthDate: string;
  surname: string;
  practices: readonly string[];
};

/**
 * Finds the mailbox of the practice where a patient is registered by `GPPROVIDER_{NHS number}_{birth date}_{surname}`.
 * The surname is compared as the national demographics do: case does not matter, but hyphens, spaces and apostrophes
 * do.
 */
export function routeToPractice(
  to: string,
  registrations: readonly Registration[],
): { mailbox: string } | { fault: FaultCode } {
  const [, nhsNumber, birthDate, surname] = /^GPPROVIDER_([^_]*)_(\d{8})_(.+)$/.exec(to) ?? [];
  if (!nhsNumber || !birthDate || !surname) return { fault: 'EPL-152' };
  if (!isNhsNumber(nhsNumber)) return { fault: 'EPL-152' };
  const known = registrations.find((each) => each.nhsNumber === nhsNumber);
  if (!known) return { fault: 'EPL-153' };
  const same = known.birthDate === birthDate && known.surname.toUpperCase() === surname.toUpperCase();
  if (!same) return { fault: 'EPL-154' };
  const [mailbox, ...others] = known.practices;
  if (mailbox === undefined) return { fault: 'EPL-151' };
  return others.length > 0 ? { fault: 'EPL-150' } : { mailbox };
}

function isNhsNumber(text: string): boolean {
  if (!/^\d{10}$/.test(text)) return false;
  const sum = [...text.slice(0, 9)].reduce((total, digit, index) => total + Number(digit) * (10 - index), 0);
  return (11 - (sum % 11)) % 11 === Number(text[9]);
}
