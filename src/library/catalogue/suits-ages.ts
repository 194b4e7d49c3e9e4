import { oneForEach } from '../../platform/one-for-each.ts';
import { type Ages, saidAges } from '../search/said-ages.ts';
import type { Catalogue } from './catalogue.ts';
import type { Terms } from './terms.ts';

/** What a match is worth that is for other ages. It stays in the list: what is known of ages is seldom the whole truth. */
const worthForOthers = 0.5;

/** By the terms' numbers: what a term's name speaks of is read once, until the terms change. */
const agesOfTerms = oneForEach((_: Terms) => new Map<number, Ages | undefined>());

/** What a service is worth to somebody of these ages, by its own ages and those that its terms speak of. */
export function worthForAges(catalogue: Catalogue, ages: Ages): (ordinal: number) => number {
  const { minimumAge, maximumAge, firstTerm, term, terms, termNumbers } = catalogue;
  const suits = (from: number, to: number) => from <= ages.to && to >= ages.from;
  const known = agesOfTerms(terms);
  const agesOfTerm = (number: number) => {
    if (!known.has(number))
      known.set(number, saidAges(terms.get(termNumbers.text(number))?.name.toLowerCase() ?? ''));
    return known.get(number);
  };
  return (ordinal) => {
    if (!suits(minimumAge.of[ordinal]!, maximumAge.of[ordinal]!)) return worthForOthers;
    let isForOthers = false;
    for (let at = firstTerm.of[ordinal]!; at < firstTerm.of[ordinal + 1]!; at += 1) {
      const its = agesOfTerm(term.of[at]!);
      if (its && suits(its.from, its.to)) return 1;
      isForOthers ||= its !== undefined;
    }
    return isForOthers ? worthForOthers : 1;
  };
}
