import { type Ages, agesIn } from '../query/ages.ts';
import type { ServiceColumns, ServiceNumber } from './service-columns.ts';
import type { Terms } from './terms.ts';
import type { Matches } from './text-index.ts';
import type { TextQuery } from './text-query.ts';

/** Added when the name begins with what was typed, or contains it. */
export const nameBonus = { beginning: 0.5, inside: 0.3 };
/** A name with few other words counts a little more. */
export const shortNameBonus = 0.2;
/** A match for other ages counts half. It stays in the list, because ages are often incomplete. */
const otherAgesFactor = 0.5;
/** At this distance, five miles, a match counts half. */
const halvingMetres = 8000;
/** How far away a service counts as that has no place or, where the nearest are best, one that comes to the person. */
export const assumedMetres = 3000;

/** How well matches rank, by their index: an upper bound, and the exact rank, which takes more work. */
export type Ranking = { atMost: ArrayLike<number>; exactly(index: number): number };

/**
 * The rarer the words, the more they count; and title above other names above description above terms. Where each
 * concept, by itself, is in very many services, only the beginning of the name counts.
 */
export function rankingOf(
  services: ServiceColumns,
  terms: Terms,
  { services: matches, scores }: Matches,
  { typed, isBroad }: TextQuery,
): Ranking {
  const { names } = services;
  if (isBroad) {
    return {
      atMost: new Float64Array(matches.length).fill(1),
      exactly: (index) => Number(names[matches[index]!]!.startsWith(typed)),
    };
  }
  const ages = agesIn(typed);
  const agesFactor = ages && agesFactorFor(services, terms, ages);
  return {
    atMost: scores.map((score) => score * (1 + shortNameBonus) + nameBonus.beginning),
    exactly(index) {
      const service = matches[index]!;
      const name = names[service]!;
      const filled = Math.min(1, typed.length / Math.max(1, name.length));
      const rank = scores[index]! * (1 + shortNameBonus * filled) + bonusOf(name, typed);
      return agesFactor ? rank * agesFactor(service) : rank;
    },
  };
}

function bonusOf(name: string, typed: string): number {
  if (name.startsWith(typed)) return nameBonus.beginning;
  return name.includes(typed) ? nameBonus.inside : 0;
}

/** What a match counts at a distance: half at five miles, a third at ten. */
export function distanceFactor(metres: number): number {
  return 1 / (1 + metres / halvingMetres);
}

/** How much a service counts for somebody of these ages, by its own ages and those that its terms speak of. */
function agesFactorFor(
  { minimumAge, maximumAge, terms: column }: ServiceColumns,
  terms: Terms,
  ages: Ages,
): (service: ServiceNumber) => number {
  const overlaps = (from: number, to: number) => from <= ages.to && to >= ages.from;
  return (service) => {
    if (!overlaps(minimumAge.values[service]!, maximumAge.values[service]!)) return otherAgesFactor;
    let isForOthers = false;
    for (let at = column.starts.values[service]!; at < column.ends.values[service]!; at += 1) {
      const termAges = terms.agesOf(column.values[at]!);
      if (termAges && overlaps(termAges.from, termAges.to)) return 1;
      isForOthers ||= termAges !== null;
    }
    return isForOthers ? otherAgesFactor : 1;
  };
}
