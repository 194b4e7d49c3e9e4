import { decisive, type Form, type Idea, type IdeasQuery, totalRarity } from '../search/text-query.ts';
import type { Catalogue } from './catalogue.ts';
import { entryOf, ordinalOf, weightOf } from './postings.ts';
import { type Scratch, scratchOf } from './scratch.ts';

/** The services that have what is looked for, some that are gone among them, and how well each: from 0 to 1. */
export type Matched = { ordinals: readonly number[]; scores: Float32Array };

/** Services of which alone something is looked for. */
type Among = { ordinals: readonly number[]; has(ordinal: number): boolean };

/** Words that stand together say more than the same words apart. */
const worthOfMore = 1.6;

export function matchText(catalogue: Catalogue, { ideas, share }: IdeasQuery): Matched {
  const search = { catalogue, scratch: scratchOf(catalogue) };
  const ordinals = share === 1 ? allOf(search, ideas) : enoughOf(search, ideas, share * totalRarity(ideas));
  const total = totalRarity(ideas) || 1;
  // The scratch is another search's before long.
  const scores = new Float32Array(ordinals.length);
  for (const [index, ordinal] of ordinals.entries()) scores[index] = search.scratch.score[ordinal]! / total;
  return { ordinals, scores };
}

type Search = { catalogue: Catalogue; scratch: Scratch };

/** The services that have every idea. The rarest one is looked for first, and the others in what has it. */
function allOf(search: Search, ideas: readonly Idea[]): readonly number[] {
  const { score } = search.scratch;
  let among: Among | undefined;
  for (const { idea } of bySize(search.catalogue, ideas)) {
    const found = gather(search, idea, among);
    for (const ordinal of found) {
      const before = among ? score[ordinal]! : 0;
      score[ordinal] = before + idea.rarity * search.scratch.best[ordinal]!;
    }
    among = members(search, found);
  }
  return among?.ordinals ?? [];
}

function bySize(catalogue: Catalogue, ideas: readonly Idea[]) {
  return ideas
    .map((idea) => ({ idea, size: idea.forms.reduce((sum, form) => sum + sizeOf(catalogue, form), 0) }))
    .sort((one, other) => one.size - other.size);
}

function sizeOf(catalogue: Catalogue, form: Form): number {
  return Math.min(
    ...entriesOf(catalogue, form).map((lists) => lists.reduce((sum, { length }) => sum + length, 0)),
  );
}

/** The services that have so much of the ideas, by their rarity. Common ideas are only weighed on what has a rare one. */
function enoughOf(search: Search, ideas: readonly Idea[], needed: number): readonly number[] {
  const { score, mass, best, member } = search.scratch;
  const first = new Set(decisive(ideas, needed));
  const mark = search.scratch.marks();
  const ordinals: number[] = [];
  const add = (ordinal: number, { rarity }: Idea) => {
    if (member[ordinal] !== mark) {
      member[ordinal] = mark;
      score[ordinal] = 0;
      mass[ordinal] = 0;
      ordinals.push(ordinal);
    }
    score[ordinal]! += rarity * best[ordinal]!;
    mass[ordinal]! += rarity;
  };
  for (const idea of first) for (const ordinal of gather(search, idea)) add(ordinal, idea);
  const among = { ordinals, has: (ordinal: number) => member[ordinal] === mark };
  for (const idea of ideas) {
    if (!first.has(idea)) for (const ordinal of gather(search, idea, among)) add(ordinal, idea);
  }
  return ordinals.filter((ordinal) => mass[ordinal]! >= needed - tiny);
}

/** Single-precision sums of the same numbers may differ by so much. */
const tiny = 1e-4;

function members({ scratch }: Search, ordinals: readonly number[]): Among {
  const mark = scratch.marks();
  const { member } = scratch;
  for (const ordinal of ordinals) member[ordinal] = mark;
  return { ordinals, has: (ordinal) => member[ordinal] === mark };
}

/** The services that have an idea in any of its forms, and in `best` what the best of these is worth. */
function gather(search: Search, { forms }: Idea, among?: Among): number[] {
  const { scratch, catalogue } = search;
  const { taken, best } = scratch;
  const mark = scratch.marks();
  const found: number[] = [];
  const take = (ordinal: number, worth: number) => {
    if (taken[ordinal] !== mark) {
      taken[ordinal] = mark;
      best[ordinal] = worth;
      found.push(ordinal);
    } else if (best[ordinal]! < worth) {
      best[ordinal] = worth;
    }
  };
  for (const form of forms) {
    const parts = entriesOf(catalogue, form);
    const [only] = parts[0]!;
    if (parts.length === 1 && parts[0]!.length === 1) {
      each(only!, among, (entry) => take(ordinalOf(entry), form.worth * Math.sqrt(weightOf(entry))));
    } else {
      const boost = parts.length > 1 ? worthOfMore : 1;
      gatherParts(scratch, parts, among, (ordinal, weight) =>
        take(ordinal, form.worth * Math.sqrt(Math.min(1, boost * weight))),
      );
    }
  }
  return found;
}

type Entries = readonly number[];

/** Where each part of a form is: in any of some words. */
function entriesOf({ postings }: Catalogue, { parts }: Form): Entries[][] {
  return parts.map((part) => postings.ofPart(part));
}

/** What has every part, and the sum of what its words weigh there. */
function gatherParts(
  scratch: Scratch,
  parts: Entries[][],
  among: Among | undefined,
  take: (ordinal: number, weight: number) => void,
): void {
  const { stage, sum } = scratch;
  const mark = scratch.marks(parts.length);
  const ordinals: number[] = [];
  for (const [index, lists] of parts.entries()) {
    const now = mark + index;
    const within = index === 0 ? among : { ordinals, has: (ordinal: number) => stage[ordinal]! >= now - 1 };
    const note = (entry: number) => {
      const ordinal = ordinalOf(entry);
      if (stage[ordinal] === now) {
        sum[ordinal]! += weightOf(entry);
      } else if (index === 0) {
        stage[ordinal] = now;
        sum[ordinal] = weightOf(entry);
        ordinals.push(ordinal);
      } else if (stage[ordinal] === now - 1) {
        stage[ordinal] = now;
        sum[ordinal]! += weightOf(entry);
      }
    };
    for (const entries of lists) each(entries, within, note);
  }
  const last = mark + parts.length - 1;
  for (const ordinal of ordinals) if (stage[ordinal] === last) take(ordinal, sum[ordinal]!);
}

/** So many times as many entries are looked through faster one by one than each of the services is looked up. */
const worthLookingUp = 8;

function each(entries: Entries, among: Among | undefined, visit: (entry: number) => void): void {
  if (!among) {
    for (const entry of entries) visit(entry);
  } else if (entries.length <= worthLookingUp * among.ordinals.length) {
    for (const entry of entries) if (among.has(ordinalOf(entry))) visit(entry);
  } else {
    for (const ordinal of among.ordinals) {
      const entry = entryOf(entries, ordinal);
      if (entry !== undefined) visit(entry);
    }
  }
}
