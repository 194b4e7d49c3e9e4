import { editDistance } from '../../../../platform/edit-distance.ts';
import { normaliseName } from './names.ts';
import type { PatientIdentity } from './patient.ts';
import { shortNames } from './short-names.ts';

/**
 * Whether two records that share a name with birth date, or an NHS number, are of one person. A number alone does not say so: with
 * another last name and another birth date it was mistyped for one of them, or `mismatch_override` let it through.
 */
export function isSamePersonIfKeysMatch(one: PatientIdentity, other: PatientIdentity): boolean {
  return (
    one.birth_date === other.birth_date ||
    normaliseName(one.family_name ?? '') === normaliseName(other.family_name ?? '')
  );
}

/**
 * Stricter: the first names are the same as well. It decides whether the records of both are erased together, and twins share a last name
 * and a birth date, and by a slip of the keyboard a number.
 */
export function isCertainlySamePerson(one: PatientIdentity, other: PatientIdentity): boolean {
  const isSameGiven = normaliseName(one.given_name ?? '') === normaliseName(other.given_name ?? '');
  return isSameGiven && isSamePersonIfKeysMatch(one, other);
}

/**
 * Whether two first names can hardly be of one person: twins share a last name and a birth date, and often the first letter of their
 * names. Initials, short forms, a shared beginning and other spellings are not different, and nor is a name that is not known.
 */
export function haveDifferentFirstNames(one: PatientIdentity, other: PatientIdentity): boolean {
  const names = [one, other].map(({ given_name }) => normaliseName(given_name ?? ''));
  const [first = '', second = ''] = names;
  if (first.includes(second) || second.includes(first)) return false;
  if (first[0] === second[0] && areSpeltAlike(first, second)) return false;
  return !shortNames.some((group) => names.every((name) => group.includes(name)));
}

/**
 * Whether first names may be of two people: neither is a part of the other. It warns of more than `haveDifferentFirstNames`, which takes a
 * shared beginning, another spelling or a short form for the same name.
 */
export function mayBeTwins(one: PatientIdentity, other: PatientIdentity): boolean {
  const [first, second] = [one, other].map(({ given_name }) => normaliseName(given_name ?? ''));
  return first !== '' && second !== '' && !first!.includes(second!) && !second!.includes(first!);
}

const minSharedLetters = 3;

/** “Jon” and “John”, “Mohammed” and “Muhammad”, “Christine” and “Chrissie”; not “Anna” and “Amelia”. */
function areSpeltAlike(one: string, other: string): boolean {
  if (one.slice(0, minSharedLetters) === other.slice(0, minSharedLetters)) return true;
  return editDistance(one, other) <= (Math.min(one.length, other.length) < 5 ? 1 : 2);
}
