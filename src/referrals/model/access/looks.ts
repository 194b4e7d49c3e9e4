import type { Caller } from '../../../accounts/index.ts';
import { compactPostcode } from '../../../library/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type { SiteSecrets } from '../../../platform/secrets/index.ts';
import { londonDate } from '../due/dates.ts';
import { mayShareLastName, normaliseName, plainAddress } from '../person/identity/names.ts';
import { withCompactNumber } from '../person/identity/nhs-number.ts';
import { patientKeys } from '../person/identity/patient.ts';
import type { Draft, Referral } from '../referral.ts';
import type { Side } from '../status/state-machine.ts';
import { isUsable } from '../status/usable.ts';
import { addToListed, insertLook, type ListReader, type Look } from './looks-store.ts';
import { writingSide } from './sides.ts';

// Access records: what people saw of others’ clients is kept for the Caldicott guardian: see decision 9. Searches for a person, and
// openings of colleagues' referrals, are kept with keyed hashes of who was looked for, found or not. So somebody who
// asks “did my neighbour look for me?” gets an answer, and curious staff are noticed: see operator/unusual-access.

type Secrets = { readonly secrets: SiteSecrets };

export type SearchedPerson = {
  family_name?: string | undefined;
  nhs_number?: string | undefined;
  postcode?: string | undefined;
};

/** Somebody searched for a person. If no last name was typed, that of the first referral found is used. */
export async function recordAccessBySearch(
  trx: Trx,
  deps: Secrets,
  caller: Caller,
  { person, referrals, at }: { person: SearchedPerson; referrals: readonly (Referral | Draft)[]; at: Date },
): Promise<void> {
  const patients = referrals.flatMap(({ content }) => content.patient ?? []);
  const familyName = person.family_name ?? patients[0]?.family_name;
  const emails = patients.map(({ email }) => email);
  await insertLook(trx, {
    ...lookOf(deps, caller, { ...person, family_name: familyName }, emails, at),
    kind: 'search',
    referralId: null,
    side: null,
    resultCount: referrals.length,
  });
}

/** Somebody read what a referral says that another person made. An operator reads it only once they have given a reason. */
export async function recordAccess(
  trx: Trx,
  deps: Secrets,
  caller: Caller,
  {
    referral,
    sides,
    gaveReason,
  }: { referral: Referral | Draft; sides: readonly Side[]; gaveReason: boolean },
  at: Date,
): Promise<void> {
  const side = writingSide(sides) ?? (gaveReason ? 'operator' : undefined);
  if (side === undefined || referral.referrerAccountId === caller.accountId || !isUsable(referral)) return;
  const { patient = {} } = referral.content as Draft['content'];
  const person = { ...patient, postcode: patient.address?.postcode };
  await insertLook(trx, {
    ...lookOf(deps, caller, person, [patient.email], at),
    kind: 'opening',
    referralId: referral.id,
    side,
    resultCount: 1,
  });
}

/**
 * Somebody saw names in a list, of referrals that they may read. It is how everybody begins their day, so it is
 * one row a day, which is found when a person asks who saw them, and not listed for the guardian each week.
 */
export async function recordAccessByList(
  trx: Trx,
  caller: Caller,
  listed: readonly (Referral | Draft)[],
  at: Date,
): Promise<void> {
  const ids = listed
    .filter((referral) => referral.referrerAccountId !== caller.accountId && isUsable(referral))
    .map(({ id }) => id);
  await saveListed(trx, { kind: 'list', accountId: caller.accountId }, ids, at);
}

/** Somebody took the copy for days without the site, or it was sent to an address. */
export function recordAccessByCopy(
  trx: Trx,
  by: { organisationId: string } & ({ accountId: string } | { sentTo: string }),
  referralIds: readonly string[],
  at: Date,
): Promise<void> {
  const kind = 'sentTo' in by ? 'copy-by-email' : 'copy';
  return saveListed(trx, { kind, ...by }, referralIds, at);
}

async function saveListed(trx: Trx, by: ListReader, ids: readonly string[], at: Date) {
  if (ids.length > 0) await addToListed(trx, { id: newId(at.getTime()), day: londonDate(at), at, by, ids });
}

function lookOf(
  { secrets }: Secrets,
  { accountId, keyName, name, email, formerNames, formerEmails }: Caller,
  person: SearchedPerson,
  emails: readonly (string | undefined)[],
  at: Date,
): Omit<Look, 'kind' | 'referralId' | 'side' | 'resultCount'> {
  // Somebody who changes their name before they look is still noticed.
  const ownEmails = [email, ...formerEmails].map(plainAddress);
  const hasOwnEmail = emails.some((each) => each !== undefined && ownEmails.includes(plainAddress(each)));
  const { family_name: lastName } = person;
  const hasOwnName =
    lastName !== undefined && [name, ...formerNames].some((each) => mayShareLastName(each, lastName));
  return {
    id: newId(at.getTime()),
    at,
    day: londonDate(at),
    accountId,
    keyName: keyName ?? null,
    ...lookKeys(secrets, person),
    own: hasOwnEmail ? 'email' : hasOwnName ? 'name' : null,
  };
}

/** The keyed hashes by which looks for a person are found. */
export function lookKeys(secrets: SiteSecrets, person: SearchedPerson) {
  const { family_name, postcode } = person;
  const plainName = family_name && normaliseName(family_name);
  const plainPostcode = postcode && compactPostcode(postcode);
  return {
    surnameKey: plainName ? secrets.hash('looked-for last name', plainName) : null,
    postcodeKey: plainPostcode ? secrets.hash('looked-for postcode', plainPostcode) : null,
    numberKey: patientKeys(secrets, withCompactNumber({ nhs_number: person.nhs_number })).number,
  };
}
