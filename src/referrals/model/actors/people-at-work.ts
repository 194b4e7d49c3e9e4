import {
  listActiveReferrers,
  listEnabledPeople,
  listEnabledProviders,
  listOnLeave,
  listOperators,
  listOwnedSystems,
} from '../../../accounts/index.ts';
import type { Db } from '../../../platform/database/index.ts';

export type StaffMember = { id: string; email: string };

/** The people of one side of a referral whose account is not disabled. */
export type PeopleOfSide = {
  /** Whether the side has anybody at all, on leave or not. */
  hasPeople: boolean;
  /** Those who are not on leave. */
  present: StaffMember[];
  /** This person or the owner of this system, or who stands in for them; undefined if neither of them is at work. */
  ownerOrStandIn(accountId: string | null): StaffMember | undefined;
};

/** One side of a referral: the service's staff; the referrer's colleagues, or a referrer who has none; or nobody but operators. */
type SideOfReferral =
  | { side: 'provider'; serviceOrganizationId: string | null }
  | { side: 'referrer'; referrerOrganisationId: string | null; referrerAccountId: string }
  | { side: 'operators' };

/** The people of several sides. */
export async function findPeople(
  db: Db,
  sides: readonly SideOfReferral[],
  now: Date,
): Promise<(side: SideOfReferral) => PeopleOfSide> {
  const services: string[] = [];
  const organisations: string[] = [];
  const accounts: string[] = [];
  for (const each of sides) {
    if (each.side === 'provider' && each.serviceOrganizationId !== null)
      services.push(each.serviceOrganizationId);
    if (each.side !== 'referrer') continue;
    if (each.referrerOrganisationId !== null) organisations.push(each.referrerOrganisationId);
    else accounts.push(each.referrerAccountId);
  }
  const people = [
    ...(await listEnabledProviders(db, services)).map((each) => ({
      ...each,
      of: each.libraryOrganizationId,
    })),
    ...(await listActiveReferrers(db, organisations)).map((each) => ({ ...each, of: each.organisationId })),
    ...(await listEnabledPeople(db, accounts)).map((each) => ({ ...each, of: each.id })),
  ];
  const onLeave = await listOnLeave(
    db,
    people.map(({ id }) => id),
    now,
  );
  const owners = await listOwnedSystems(
    db,
    people.map(({ id }) => id),
  );
  const bySide = Map.groupBy(people, ({ of }) => of);
  return (side) => peopleOfSide(bySide.get(idOf(side) ?? '') ?? [], onLeave, owners);
}

function idOf(side: SideOfReferral): string | null {
  if (side.side === 'operators') return null;
  if (side.side === 'provider') return side.serviceOrganizationId;
  return side.referrerOrganisationId ?? side.referrerAccountId;
}

/** The staff of several organisations of the library. */
export async function findStaff(
  db: Db,
  libraryOrganizationIds: readonly (string | null)[],
  now: Date,
): Promise<(libraryOrganizationId: string | null) => PeopleOfSide> {
  const sideOf = (serviceOrganizationId: string | null) =>
    ({ side: 'provider', serviceOrganizationId }) as const;
  const peopleOf = await findPeople(db, libraryOrganizationIds.map(sideOf), now);
  return (id) => peopleOf(sideOf(id));
}

/** The operators who are not on leave; all of them if everybody is, because somebody has to be told. */
export async function listOperatorsAtWork(db: Db, now: Date): Promise<StaffMember[]> {
  const operators = await listOperators(db);
  const onLeave = await listOnLeave(
    db,
    operators.map(({ id }) => id),
    now,
  );
  const { present } = peopleOfSide(operators, onLeave, new Map());
  return present.length > 0 ? present : operators;
}

function peopleOfSide(
  people: readonly StaffMember[],
  onLeave: ReadonlyMap<string, string | null>,
  owners: ReadonlyMap<string, string>,
): PeopleOfSide {
  const present = people.filter(({ id }) => !onLeave.has(id));
  const find = (id: string | null | undefined) => present.find((each) => each.id === id);
  return {
    hasPeople: people.length > 0,
    present,
    ownerOrStandIn(accountId) {
      const personId = owners.get(accountId ?? '') ?? accountId ?? '';
      return find(personId) ?? find(onLeave.get(personId));
    },
  };
}
