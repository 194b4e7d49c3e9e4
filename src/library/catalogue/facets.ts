import { dayCodes, dayNames } from '../hours/week.ts';
import { capacities, capacityNames, type Facet } from '../search/filter-parameters.ts';
import type { FacetCount, Facets, Which } from '../search/filters.ts';
import { type Catalogue, capacityNumber } from './catalogue.ts';
import { passes, serviceTests, type Test } from './fits.ts';

const mostTerms = 50;

/**
 * Counts the values of each facet among the services that fit all but the facet's own filter: how many somebody would
 * see who chose that value instead.
 * @param found by a search; undefined where nothing was searched for
 */
export function countFacets(
  catalogue: Catalogue,
  which: Which,
  facets: readonly Facet[],
  found: ArrayLike<number> | undefined,
): Facets {
  const { terms, hours, capacities: rooms, others } = serviceTests(catalogue, which);
  const isCandidate = passes({ others });
  const fits = { terms: terms ?? always, hours: hours ?? always, capacities: rooms ?? always };
  const counters = facets.map((facet) => ({ facet, ...makers[facet](catalogue, which) }));
  const count = (ordinal: number) => {
    if (!isCandidate(ordinal)) return;
    const [term, hour, room] = [fits.terms(ordinal), fits.hours(ordinal), fits.capacities(ordinal)];
    for (const { own, add } of counters) {
      if ((term || own === 'terms') && (hour || own === 'hours') && (room || own === 'capacities'))
        add(ordinal);
    }
  };
  if (found) for (let at = 0; at < found.length; at += 1) count(found[at]!);
  else for (let ordinal = 0; ordinal < catalogue.size; ordinal += 1) count(ordinal);
  return Object.fromEntries(counters.map(({ facet, counts }) => [facet, counts()]));
}

const always: Test = () => true;

/** `own` is the filter that a facet leaves out. */
type Counter = {
  own: 'terms' | 'hours' | 'capacities';
  add(ordinal: number): void;
  counts(): FacetCount[];
};

const makers: Readonly<Record<Facet, (catalogue: Catalogue, which: Which) => Counter>> = {
  taxonomy_term_id: countTerms,
  day: countDays,
  capacity: countCapacities,
};

/** The terms that most services have, each with those below it, as the filter counts them too. */
function countTerms(catalogue: Catalogue): Counter {
  const { term, firstTerm, termNumbers, terms } = catalogue;
  const numbers = new Map<string, number>();
  const countOnce = (id: string) => numbers.set(id, (numbers.get(id) ?? 0) + 1);
  return {
    own: 'terms',
    add(ordinal) {
      const [first, end] = [firstTerm.of[ordinal]!, firstTerm.of[ordinal + 1]!];
      if (end === first) return;
      if (end === first + 1) {
        for (const id of terms.withAncestors(termNumbers.text(term.of[first]!))) countOnce(id);
        return;
      }
      const own = Array.from(term.of.subarray(first, end), (number) => termNumbers.text(number));
      for (const id of new Set(own.flatMap((each) => terms.withAncestors(each)))) countOnce(id);
    },
    counts() {
      const known = [...numbers].flatMap(([id, count]) => {
        const row = terms.get(id);
        return row ? [{ row, count }] : [];
      });
      known.sort(
        (one, other) =>
          other.count - one.count ||
          compareTexts(one.row.sortName, other.row.sortName) ||
          compareTexts(one.row.id, other.row.id),
      );
      return known.slice(0, mostTerms).map(({ row: { id, name, taxonomy }, count }) => ({
        value: id,
        name,
        ...(taxonomy !== null && { taxonomy }),
        count,
      }));
    },
  };
}

const compareTexts = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);

/** All seven days. Times that are asked for hold for each of them. */
function countDays(catalogue: Catalogue, { filters, today }: Which): Counter {
  const numbers = dayCodes.map(() => 0);
  const tests = dayCodes.map((_, day) => {
    const hours = { ...filters.hours, days: [day] };
    return serviceTests(catalogue, { filters: { hours }, today }).hours!;
  });
  return {
    own: 'hours',
    add(ordinal) {
      for (const [day, test] of tests.entries()) if (test(ordinal)) numbers[day]! += 1;
    },
    counts: () => dayCodes.map((value, day) => ({ value, name: dayNames[day]!, count: numbers[day]! })),
  };
}

function countCapacities({ capacity }: Catalogue): Counter {
  const numbers = [0, ...capacities.map(() => 0)];
  return {
    own: 'capacities',
    add(ordinal) {
      numbers[capacity.of[ordinal]!]! += 1;
    },
    counts: () =>
      capacities.map((value) => ({
        value,
        name: capacityNames[value],
        count: numbers[capacityNumber(value)]!,
      })),
  };
}
