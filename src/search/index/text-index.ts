import { integers, ListColumn } from './columns.ts';
import type { ServiceNumber } from './service-columns.ts';
import { SortedWords } from './sorted-words.ts';
import {
  type Concept,
  decisiveConcepts,
  type TextQuery,
  totalRarity,
  type WordingPart,
} from './text-query.ts';
import { readTsvector } from './tsvector.ts';

/** The services that have a word, in ascending order, and how much it weighs in each, from 0 to 1. */
type Postings = { services: ServiceNumber[]; weights: number[] };

/** The services that match, in ascending order, and how well each does, from 0 to 1. */
export type Matches = { services: ServiceNumber[]; scores: number[] };

/**
 * Weights are rounded up to this many steps, so that services with nearly the same text score alike and are sorted by name. Their roots
 * are rounded, because scores are made of roots.
 */
const steps = 511;
/** A service with all words of one wording is worth more than the words apart. */
const togetherFactor = 1.6;
/** Adding the same numbers in another order may differ by this much. */
const rounding = 1e-9;

/**
 * Which services have which words. Words are stems, as PostgreSQL makes them. Here and in ranking.ts beside it services are ranked, in
 * memory. PostgreSQL ranks organisations, taxonomies and terms, whose lists are short, and services searched with quotes or a minus, because
 * only PostgreSQL knows which words are next to each other (listings/text-match-store.ts).
 */
export class TextIndex {
  readonly #numbers = new Map<string, number>();
  readonly #stems = new SortedWords();
  readonly #postings: Postings[] = [];
  readonly #wordsOfService = new ListColumn(integers());

  /** @param tsvector as PostgreSQL writes it */
  put(service: ServiceNumber, tsvector: string): void {
    const words: number[] = [];
    for (const { lexeme, weight } of readTsvector(tsvector)) {
      const word = this.#numberOf(lexeme);
      const { services, weights } = this.#postings[word]!;
      const rounded = (Math.ceil(Math.sqrt(Math.min(1, weight)) * steps) / steps) ** 2;
      // While the index is filled, services come in order, so nearly all go to the end.
      const isLast = (services.at(-1) ?? -1) < service;
      const index = isLast ? services.length : indexFrom(services, service, 0);
      services.splice(index, 0, service);
      weights.splice(index, 0, rounded);
      words.push(word);
    }
    this.#wordsOfService.set(service, words);
  }

  remove(service: ServiceNumber): void {
    for (const word of this.#wordsOfService.of(service)) {
      const { services, weights } = this.#postings[word]!;
      const index = indexFrom(services, service, 0);
      services.splice(index, 1);
      weights.splice(index, 1);
    }
    this.#wordsOfService.set(service, []);
  }

  countWith(stem: string): number {
    return this.#of(stem).services.length;
  }

  stemsStartingWith(beginning: string): string[] {
    return this.#stems.startingWith(beginning);
  }

  match({ concepts, share }: TextQuery): Matches {
    const total = totalRarity(concepts);
    const needed = share * total;
    const byConcept = concepts.map((concept) => this.#find(concept));
    const needsOneOf = share === 1 ? [] : decisiveConcepts(concepts, needed);
    const first =
      share === 1 ? [smallest(byConcept)] : byConcept.filter(({ concept }) => needsOneOf.includes(concept));
    const candidates = union(first.flatMap((each) => each.candidates)).services;
    const rarities = new Float64Array(candidates.length);
    const scores = new Float64Array(candidates.length);
    for (const { concept, wordings } of byConcept) {
      const weights = weightsIn(candidates, wordings);
      for (let index = 0; index < weights.length; index += 1) {
        if (weights[index] === 0) continue;
        rarities[index]! += concept.rarity;
        scores[index]! += concept.rarity * weights[index]!;
      }
    }
    const matches: Matches = { services: [], scores: [] };
    for (let index = 0; index < candidates.length; index += 1) {
      if (rarities[index] === 0 || rarities[index]! < needed - rounding) continue;
      matches.services.push(candidates[index]!);
      matches.scores.push(scores[index]! / (total || 1));
    }
    return matches;
  }

  /** The services that have a concept, by its wordings. A service with a wording has its rarest part, so those are the candidates. */
  #find(concept: Concept): FoundConcept {
    const wordings = concept.wordings.map(({ parts, worth }) => ({
      worth,
      parts: parts.map((part) => this.#ofPart(part)),
    }));
    const candidates = wordings.map(({ parts }) => rarest(parts));
    const size = candidates.reduce((sum, { services }) => sum + services.length, 0);
    return { concept, wordings, candidates, size };
  }

  #ofPart({ stems, beginning }: WordingPart): Postings {
    const begun = beginning === undefined ? [] : this.stemsStartingWith(beginning);
    return union([...new Set([...stems, ...begun])].map((stem) => this.#of(stem)));
  }

  #of(stem: string): Postings {
    const number = this.#numbers.get(stem);
    return number === undefined ? nothing : this.#postings[number]!;
  }

  #numberOf(stem: string): number {
    const known = this.#numbers.get(stem);
    if (known !== undefined) return known;
    const number = this.#postings.push({ services: [], weights: [] }) - 1;
    this.#numbers.set(stem, number);
    this.#stems.add(stem);
    return number;
  }
}

const nothing: Postings = { services: [], weights: [] };

type FoundWording = { worth: number; parts: readonly Postings[] };
type FoundConcept = {
  concept: Concept;
  wordings: readonly FoundWording[];
  candidates: readonly Postings[];
  size: number;
};

const smallest = (concepts: readonly FoundConcept[]) =>
  concepts.reduce((least, each) => (each.size < least.size ? each : least));

const rarest = (postings: readonly Postings[]) =>
  postings.reduce((least, each) => (each.services.length < least.services.length ? each : least));

/** How much a concept weighs in each of these services, by its heaviest wording; 0 if the service has none. */
function weightsIn(candidates: readonly number[], wordings: readonly FoundWording[]): Float64Array {
  const best = new Float64Array(candidates.length);
  for (const { worth, parts } of wordings) {
    const sums = new Float64Array(candidates.length);
    const partsFound = new Uint8Array(candidates.length);
    for (const { services, weights } of parts) {
      let at = 0;
      for (let index = 0; index < candidates.length; index += 1) {
        at = indexFrom(services, candidates[index]!, at);
        if (services[at] !== candidates[index]) continue;
        sums[index]! += weights[at]!;
        partsFound[index]! += 1;
      }
    }
    // Uses the mean: with the sum, “social group” would count more than the single word that was typed.
    const factor = parts.length > 1 ? togetherFactor / parts.length : 1;
    for (let index = 0; index < candidates.length; index += 1) {
      if (partsFound[index] !== parts.length) continue;
      const weight = worth * Math.sqrt(Math.min(1, factor * sums[index]!));
      if (weight > best[index]!) best[index] = weight;
    }
  }
  return best;
}

/** The services of all lists, with the sums of their weights. Lists are merged in pairs until one is left. */
function union(lists: readonly Postings[]): Postings {
  if (lists.length <= 1) return lists[0] ?? nothing;
  const middle = lists.length >>> 1;
  return merge(union(lists.slice(0, middle)), union(lists.slice(middle)));
}

function merge(one: Postings, other: Postings): Postings {
  const merged: Postings = { services: [], weights: [] };
  let [at, otherAt] = [0, 0];
  while (at < one.services.length || otherAt < other.services.length) {
    const service = one.services[at] ?? Infinity;
    const otherService = other.services[otherAt] ?? Infinity;
    merged.services.push(Math.min(service, otherService));
    merged.weights.push(
      (service <= otherService ? one.weights[at]! : 0) +
        (otherService <= service ? other.weights[otherAt]! : 0),
    );
    if (service <= otherService) at += 1;
    if (otherService <= service) otherAt += 1;
  }
  return merged;
}

/** The first index from `from` on whose service is not below this one: by doubling steps, then by halving. */
function indexFrom(services: readonly ServiceNumber[], service: ServiceNumber, from: number): number {
  let low = from;
  let step = 1;
  while (low + step < services.length && services[low + step]! < service) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, services.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (services[middle]! < service) low = middle + 1;
    else high = middle;
  }
  return low;
}
