import {
  findAccount,
  listActiveProviders,
  listActiveReferrers,
  listOnLeave,
  listOtherOperators,
} from '../../accounts/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Side } from '../model/state-machine.ts';

export type Person = { id: string; email: string };

/** The people of one side of a referral whose account is not disabled. */
export type PeopleOfSide = {
  /** Whether the side has anybody at all, on leave or not. */
  hasPeople: boolean;
  /** Those who are not on leave. */
  present: Person[];
  /** This person, or who stands in for them; undefined if neither of them is here. */
  inPlaceOf(accountId: string | null): Person | undefined;
};

type SideOfReferral = {
  side: Side;
  serviceOrganizationId: string | null;
  referrerOrganisationId: string | null;
  referrerAccountId: string;
};

export async function listPeopleOfSide(
  db: Db,
  { side, serviceOrganizationId, referrerOrganisationId, referrerAccountId }: SideOfReferral,
  now: Date,
): Promise<PeopleOfSide> {
  if (side === 'provider') return listStaff(db, serviceOrganizationId, now);
  if (referrerOrganisationId !== null)
    return withoutLeave(db, await listActiveReferrers(db, referrerOrganisationId), now);
  const account = await findAccount(db, referrerAccountId);
  return withoutLeave(db, account && account.disabledAt === null ? [account] : [], now);
}

/** The staff of an organisation of the library. */
export async function listStaff(
  db: Db,
  libraryOrganizationId: string | null,
  now: Date,
): Promise<PeopleOfSide> {
  const staff = libraryOrganizationId === null ? [] : await listActiveProviders(db, libraryOrganizationId);
  return withoutLeave(db, staff, now);
}

async function withoutLeave(db: Db, people: readonly Person[], now: Date): Promise<PeopleOfSide> {
  const ids = people.map(({ id }) => id);
  const onLeave = await listOnLeave(db, ids, now);
  const present = people.filter(({ id }) => !onLeave.has(id));
  const find = (id: string | null | undefined) => present.find((each) => each.id === id);
  return {
    hasPeople: people.length > 0,
    present,
    inPlaceOf: (accountId) => find(accountId) ?? (accountId ? find(onLeave.get(accountId)) : undefined),
  };
}

/** The operators who are not on leave; all of them if everybody is, because somebody has to be told. */
export async function listPresentOperators(db: Db, now: Date): Promise<Person[]> {
  const operators = await listOtherOperators(db, []);
  const { present } = await withoutLeave(db, operators, now);
  return present.length > 0 ? present : operators;
}
