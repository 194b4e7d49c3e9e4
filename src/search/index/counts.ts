import {
  availabilities,
  availabilityNames,
  dayCodes,
  dayNames,
  featureNames,
  features,
  foldText,
  wayNames,
  ways,
} from '../../library/index.ts';
import type { Criteria, Facet, FacetCount, Facets } from '../query/criteria.ts';
import { openDaysFinder, otherHoursOf } from './filter.ts';
import { availabilityNumber, type ServiceColumns, type ServiceNumber } from './service-columns.ts';
import type { Terms } from './terms.ts';

const maxTerms = 50;

/** Counts the values of a filter that can be chosen beside the results. */
export type Counter = {
  facet: Facet;
  add(service: ServiceNumber): void;
  counts(): FacetCount[];
};

export function countersFor(
  services: ServiceColumns,
  terms: Terms,
  criteria: Criteria,
  facets: readonly Facet[],
  termWords?: string,
): Counter[] {
  const make = {
    taxonomy_term_id: () => termCounter(services, terms, termWords),
    day: () => dayCounter(services, criteria),
    capacity: () => availabilityCounter(services),
    way: () => bitCounter('way', services.ways.values, ways, wayNames),
    language: () => languageCounter(services),
    // A service must have all wanted features, so a service with one feature more is among the results.
    feature: () => bitCounter('feature', services.features.values, features, featureNames),
  };
  return facets.map((facet) => make[facet]());
}

export function countsOf(counters: readonly Counter[]): Facets {
  return Object.fromEntries(counters.map(({ facet, counts }) => [facet, counts()]));
}

/**
 * Counts the terms that most services have. A term includes the terms below it, as in the filter. @param words in the names of the
 * terms that are wanted
 */
function termCounter({ terms: column, termNumbers }: ServiceColumns, terms: Terms, words = ''): Counter {
  const wanted = foldText(words).trim();
  // The list grows while counting: ancestors that no service has get their numbers on the way.
  const countByTerm: number[] = [];
  const increment = (termNumber: number) => {
    countByTerm[termNumber] = (countByTerm[termNumber] ?? 0) + 1;
  };
  return {
    facet: 'taxonomy_term_id',
    add(service) {
      const [start, end] = [column.starts.values[service]!, column.ends.values[service]!];
      if (end - start === 1) {
        for (const number of terms.withAncestors(column.values[start]!)) increment(number);
      } else if (end > start) {
        const own = Array.from(column.of(service));
        for (const number of new Set(own.flatMap((each) => terms.withAncestors(each)))) increment(number);
      }
    },
    counts() {
      const known = countByTerm.flatMap((count, number) => {
        const row = terms.get(termNumbers.text(number));
        return row?.sortName.includes(wanted) ? [{ row, count }] : [];
      });
      known.sort(
        (one, other) =>
          other.count - one.count ||
          compareTexts(one.row.sortName, other.row.sortName) ||
          compareTexts(one.row.id, other.row.id),
      );
      return known.slice(0, maxTerms).map(({ row: { id, name, taxonomy }, count }) => ({
        value: id,
        name,
        ...(taxonomy !== null && { taxonomy }),
        count,
      }));
    },
  };
}

const compareTexts = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);

/** Counts the services that are open on each of the seven days, at the wanted times. */
function dayCounter(services: ServiceColumns, { filters, today }: Criteria): Counter {
  const counts = dayCodes.map(() => 0);
  const findOpenDays = openDaysFinder(services, filters.hours ?? {}, today);
  const { week } = services;
  return {
    facet: 'day',
    add(service) {
      const others = () => otherHoursOf(services, service, 0);
      const open = findOpenDays(week.values[service]!, others);
      for (let day = 0; day < counts.length; day += 1) if (open & (1 << day)) counts[day]! += 1;
    },
    counts: () => dayCodes.map((value, day) => ({ value, name: dayNames[day]!, count: counts[day]! })),
  };
}

function availabilityCounter({ availability }: ServiceColumns): Counter {
  const counts = [0, ...availabilities.map(() => 0)];
  return {
    facet: 'capacity',
    add(service) {
      counts[availability.values[service]!]! += 1;
    },
    counts: () =>
      availabilities.map((value) => ({
        value,
        name: availabilityNames[value],
        count: counts[availabilityNumber(value)]!,
      })),
  };
}

function bitCounter<T extends string>(
  facet: Facet,
  column: Uint8Array,
  known: readonly T[],
  names: Readonly<Record<T, string>>,
): Counter {
  const counts = known.map(() => 0);
  return {
    facet,
    add(service) {
      const bits = column[service]!;
      for (let bit = 0; bit < counts.length; bit += 1) if (bits & (1 << bit)) counts[bit]! += 1;
    },
    counts: () => known.map((value, bit) => ({ value, name: names[value], count: counts[bit]! })),
  };
}

function languageCounter({ languages, languageNumbers }: ServiceColumns): Counter {
  const counts = new Uint32Array(languageNumbers.size);
  return {
    facet: 'language',
    add(service) {
      const end = languages.ends.values[service]!;
      for (let at = languages.starts.values[service]!; at < end; at += 1) counts[languages.values[at]!]! += 1;
    },
    counts: () =>
      Array.from(counts, (count, number) => ({ value: languageNumbers.text(number), count }))
        .filter(({ count }) => count > 0)
        .sort((one, other) => other.count - one.count || compareTexts(one.value, other.value))
        .slice(0, maxTerms)
        .map(({ value, count }) => ({ value, name: value, count })),
  };
}
