import { decisive, type Form, type Idea, type IdeasQuery, totalRarity } from '../search/text-query.ts';
import type { Catalogue } from './catalogue.ts';
import { entryOf, ordinalOf, weightOf } from './postings.ts';
import { type OrdinalList, type Scratch, scratchOf } from './scratch.ts';

/** The services that have what is looked for, some that are gone among them, and how well each: from 0 to 1. */
export type Matched = { ordinals: Uint32Array; scores: Float32Array };

/** Services of which alone something is looked for: those that have this mark, or a later one. */
type Among = { list: OrdinalList; marks: Uint32Array; mark: number };

/** Words that stand together say more than the same words apart. */
const worthOfMore = 1.6;

export function matchText(catalogue: Catalogue, { ideas, share }: IdeasQuery): Matched {
  const search = { catalogue, scratch: scratchOf(catalogue) };
  if (share === 1) keepAll(search, ideas);
  else keepEnough(search, ideas, share * totalRarity(ideas));
  const { kept, score } = search.scratch;
  // The scratch is another search's before long.
  const ordinals = kept.of.slice(0, kept.length);
  const total = totalRarity(ideas) || 1;
  const scores = new Float32Array(ordinals.length);
  for (let at = 0; at < ordinals.length; at += 1) scores[at] = score[ordinals[at]!]! / total;
  return { ordinals, scores };
}

type Search = { catalogue: Catalogue; scratch: Scratch };

/** Keeps the services that have every idea. The rarest one is looked for first, and the others in what has it. */
function keepAll(search: Search, ideas: readonly Idea[]): void {
  const { scratch } = search;
  const { score, best, member } = scratch;
  scratch.kept.length = 0;
  let among: Among | undefined;
  for (const { idea } of bySize(search.catalogue, ideas)) {
    take(search, idea, among);
    scratch.keepTaken();
    const { kept } = scratch;
    const mark = scratch.marks();
    for (let at = 0; at < kept.length; at += 1) {
      const ordinal = kept.of[at]!;
      score[ordinal] = (among ? score[ordinal]! : 0) + idea.rarity * best[ordinal]!;
      member[ordinal] = mark;
    }
    among = { list: kept, marks: member, mark };
  }
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

/**
 * Keeps the services that have so much of the ideas, by their rarity. Common ideas are only weighed on what has a rare
 * one.
 */
function keepEnough(search: Search, ideas: readonly Idea[], needed: number): void {
  const { kept, mass, member } = search.scratch;
  const first = new Set(decisive(ideas, needed));
  const among = { list: kept, marks: member, mark: search.scratch.marks() };
  kept.length = 0;
  for (const idea of first) {
    take(search, idea);
    weigh(search, idea, among.mark);
  }
  for (const idea of ideas) {
    if (first.has(idea)) continue;
    take(search, idea, among);
    weigh(search, idea, among.mark);
  }
  let enough = 0;
  for (let at = 0; at < kept.length; at += 1) {
    const ordinal = kept.of[at]!;
    if (mass[ordinal]! < needed - tiny) continue;
    kept.of[enough] = ordinal;
    enough += 1;
  }
  kept.length = enough;
}

/** Single-precision sums of the same numbers may differ by so much. */
const tiny = 1e-4;

/** Adds what was taken to what is kept, which are the members of this mark. */
function weigh({ scratch }: Search, { rarity }: Idea, mark: number): void {
  const { taken, kept, member, score, mass, best } = scratch;
  for (let at = 0; at < taken.length; at += 1) {
    const ordinal = taken.of[at]!;
    if (member[ordinal] !== mark) {
      member[ordinal] = mark;
      score[ordinal] = 0;
      mass[ordinal] = 0;
      kept.push(ordinal);
    }
    score[ordinal]! += rarity * best[ordinal]!;
    mass[ordinal]! += rarity;
  }
}

/** Takes the services that have an idea in any of its forms, with what the best of these is worth. */
function take({ scratch, catalogue }: Search, { forms }: Idea, among?: Among): void {
  scratch.takeNone();
  for (const form of forms) {
    const parts = entriesOf(catalogue, form);
    const [lists] = parts;
    if (parts.length === 1 && lists!.length === 1) takeWord(scratch, lists![0]!, form.worth, among);
    else takeParts(scratch, parts, form.worth, among);
  }
}

type Entries = Uint32Array;

/** Where each part of a form is: in any of some words. */
function entriesOf({ postings }: Catalogue, { parts }: Form): Entries[][] {
  return parts.map((part) => postings.ofPart(part));
}

function takeWord(scratch: Scratch, entries: Entries, worth: number, among: Among | undefined): void {
  each(entries, among, (entry) => scratch.take(ordinalOf(entry), worth * Math.sqrt(weightOf(entry))));
}

/** Takes what has every part, with the sum of what its words weigh there. */
function takeParts(scratch: Scratch, parts: Entries[][], worth: number, among: Among | undefined): void {
  const { staged, stage, sum } = scratch;
  const mark = scratch.marks(parts.length);
  staged.length = 0;
  for (const [index, lists] of parts.entries()) {
    const now = mark + index;
    const note = (entry: number) => {
      const ordinal = ordinalOf(entry);
      if (stage[ordinal] === now) {
        sum[ordinal]! += weightOf(entry);
      } else if (index === 0) {
        stage[ordinal] = now;
        sum[ordinal] = weightOf(entry);
        staged.push(ordinal);
      } else if (stage[ordinal] === now - 1) {
        stage[ordinal] = now;
        sum[ordinal]! += weightOf(entry);
      }
    };
    const within = index === 0 ? among : { list: staged, marks: stage, mark: now - 1 };
    for (const entries of lists) each(entries, within, note);
  }
  const last = mark + parts.length - 1;
  const boost = parts.length > 1 ? worthOfMore : 1;
  for (let at = 0; at < staged.length; at += 1) {
    const ordinal = staged.of[at]!;
    if (stage[ordinal] === last) scratch.take(ordinal, worth * Math.sqrt(Math.min(1, boost * sum[ordinal]!)));
  }
}

/** So many times as many entries are looked through faster one by one than each of the services is looked up. */
const worthLookingUp = 8;

function each(entries: Entries, among: Among | undefined, visit: (entry: number) => void): void {
  if (!among) {
    for (let at = 0; at < entries.length; at += 1) visit(entries[at]!);
    return;
  }
  const { list, marks, mark } = among;
  if (entries.length <= worthLookingUp * list.length) {
    for (let at = 0; at < entries.length; at += 1) {
      if (marks[ordinalOf(entries[at]!)]! >= mark) visit(entries[at]!);
    }
    return;
  }
  for (let at = 0; at < list.length; at += 1) {
    const entry = entryOf(entries, list.of[at]!);
    if (entry !== undefined) visit(entry);
  }
}
