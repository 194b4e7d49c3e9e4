import type { Filters, Place, Which } from '../search/filters.ts';
import { type Catalogue, capacityNumber, reaches } from './catalogue.ts';
import { type HoursTest, isOpenAt, opensIn } from './fits-hours.ts';
import { chordOf, type Spot, spotOf } from './spot.ts';

/** Whether the service of this ordinal, or the place of this number, is one of those that are wanted. */
export type Test = (number: number) => boolean;

/** The tests by what they are of, so that a facet can leave out its own; none where nothing is asked for. */
export type Tests = {
  terms?: Test | undefined;
  hours?: Test | undefined;
  capacities?: Test | undefined;
  others: readonly Test[];
};

export function passes({ terms, hours, capacities, others }: Tests): Test {
  const all = [...others, terms, capacities, hours].filter((test) => test !== undefined);
  const [first, second] = all;
  if (!first) return () => true;
  if (!second) return first;
  return (number) => all.every((test) => test(number));
}

/** What services must be, wherever they are open. */
export function serviceTests(catalogue: Catalogue, which: Which): Tests {
  const { filters, place, today } = which;
  const { openAt, hours, proximity } = filters;
  const atService = (test: HoursTest): Test => {
    const { week } = catalogue;
    return (ordinal) => test(week.of[ordinal]!, () => hoursOf(catalogue, ordinal, 0));
  };
  return {
    ...ownTests(catalogue, filters),
    hours: hours && atService(opensIn(catalogue, hours, today)),
    others: [
      ...ownTests(catalogue, filters).others,
      ...(openAt ? [atService(isOpenAt(catalogue, openAt))] : []),
      ...(place && proximity !== undefined ? [serviceWithin(catalogue, place, proximity)] : []),
    ],
  };
}

/** What places must be, of services that are what is wanted wherever they are. */
export function placeTest(catalogue: Catalogue, { filters, place, today }: Which): Test {
  const { openAt, hours, proximity } = filters;
  const { owner, number, weekThere, isListed } = catalogue;
  const there = (test: HoursTest): Test => {
    const others = (at: number) => () => hoursOf(catalogue, owner.of[at]!, number.of[at]!);
    return (at) => test(weekThere.of[at]!, others(at));
  };
  const ofService = passes(ownTests(catalogue, filters));
  return passes({
    others: [
      (at) => isListed.of[at] === 1 && ofService(owner.of[at]!),
      ...(place && proximity !== undefined ? [placeWithin(catalogue, place, proximity)] : []),
      ...(hours ? [there(opensIn(catalogue, hours, today))] : []),
      ...(openAt ? [there(isOpenAt(catalogue, openAt))] : []),
    ],
  });
}

function hoursOf({ hours }: Catalogue, ordinal: number, place: number) {
  return (hours.get(ordinal) ?? []).filter(({ number }) => number === place);
}

/** Of the service alone, not of where and when. */
function ownTests(catalogue: Catalogue, filters: Filters): Tests {
  const { isLive } = catalogue;
  return {
    terms: filters.termIds && termTest(catalogue, catalogue.terms.withDescendants(filters.termIds)),
    capacities: filters.capacities && capacityTest(catalogue, filters.capacities),
    others: [(ordinal) => isLive.of[ordinal] === 1, ...plainTests(catalogue, filters)],
  };
}

function plainTests(catalogue: Catalogue, filters: Filters): Test[] {
  const { modifiedMs, minimumAge, maximumAge, organization, isClosed, capacity } = catalogue;
  const { taxonomyId, organizationId, modifiedAfter, accepting, answering } = filters;
  const tests: Test[] = [];
  if (organizationId !== undefined) {
    const wanted = catalogue.organizations.find(organizationId);
    tests.push((ordinal) => organization.of[ordinal] === wanted);
  }
  if (taxonomyId !== undefined) {
    tests.push(termTest(catalogue, catalogue.terms.idsOfTaxonomy(taxonomyId)));
  }
  if (modifiedAfter) {
    const from = modifiedAfter.getTime();
    tests.push((ordinal) => modifiedMs.of[ordinal]! >= from);
  }
  if (filters.minimumAge !== undefined) {
    const from = filters.minimumAge;
    tests.push((ordinal) => maximumAge.of[ordinal]! >= from);
  }
  if (filters.maximumAge !== undefined) {
    const to = filters.maximumAge;
    tests.push((ordinal) => minimumAge.of[ordinal]! <= to);
  }
  if (accepting !== undefined) {
    const full = capacityNumber('no-capacity');
    const isAnswered = answering ? answeredTest(catalogue, answering) : () => true;
    const accepts: Test = (ordinal) =>
      isClosed.of[ordinal] === 0 && capacity.of[ordinal] !== full && isAnswered(ordinal);
    tests.push((ordinal) => accepts(ordinal) === accepting);
  }
  return tests;
}

/** Whether its referrals leave this site, or come into a list that somebody of these organisations can open. */
function answeredTest({ reach, organization, organizations }: Catalogue, answering: readonly string[]): Test {
  const [out, inbox] = [reaches.indexOf('out'), reaches.indexOf('inbox')];
  const readers = new Set(answering.flatMap((id) => organizations.find(id) ?? []));
  return (ordinal) =>
    reach.of[ordinal] === out || (reach.of[ordinal] === inbox && readers.has(organization.of[ordinal]!));
}

function capacityTest({ capacity }: Catalogue, statuses: readonly string[]): Test {
  const wanted = statuses.map(capacityNumber);
  return (ordinal) => wanted.includes(capacity.of[ordinal]!);
}

function termTest({ term, firstTerm, termNumbers }: Catalogue, ids: Iterable<string>): Test {
  const isWanted = new Uint8Array(termNumbers.count);
  for (const id of ids) isWanted[termNumbers.find(id) ?? 0] = 1;
  return (ordinal) => {
    const end = firstTerm.of[ordinal + 1]!;
    for (let at = firstTerm.of[ordinal]!; at < end; at += 1) if (isWanted[term.of[at]!] === 1) return true;
    return false;
  };
}

function serviceWithin(catalogue: Catalogue, place: Place, metres: number): Test {
  const isWithin = placeWithin(catalogue, place, metres);
  const { firstPlace } = catalogue;
  return (ordinal) => {
    const end = firstPlace.of[ordinal + 1]!;
    for (let at = firstPlace.of[ordinal]!; at < end; at += 1) if (isWithin(at)) return true;
    return false;
  };
}

function placeWithin(catalogue: Catalogue, place: Place, metres: number): Test {
  const spot = spotOf(place);
  const reach = chordOf(metres) + slip;
  return (at) => chordBetween(catalogue, at, spot) <= reach;
}

/** PostgreSQL and V8 may differ in the last digit of a cosine. */
const slip = 0.001;

/** How far a place is, through the Earth; not a number where nobody knows. */
export function chordBetween({ x, y, z }: Catalogue, at: number, spot: Spot): number {
  const dx = x.of[at]! - spot.x;
  const dy = y.of[at]! - spot.y;
  const dz = z.of[at]! - spot.z;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** How far the nearest place of each of these services is; infinitely where nobody knows. */
export function nearestChords(
  { firstPlace, x, y, z }: Catalogue,
  ordinals: ArrayLike<number>,
  spot: Spot,
): Float64Array {
  const chords = new Float64Array(ordinals.length);
  for (let index = 0; index < ordinals.length; index += 1) {
    const ordinal = ordinals[index]!;
    const end = firstPlace.of[ordinal + 1]!;
    let nearest = Infinity;
    // Without a call for each place: what one gives is an object of its own to V8.
    for (let at = firstPlace.of[ordinal]!; at < end; at += 1) {
      const dx = x.of[at]! - spot.x;
      const dy = y.of[at]! - spot.y;
      const dz = z.of[at]! - spot.z;
      const squared = dx * dx + dy * dy + dz * dz;
      if (squared < nearest) nearest = squared;
    }
    chords[index] = Math.sqrt(nearest);
  }
  return chords;
}
