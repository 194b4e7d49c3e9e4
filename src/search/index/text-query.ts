/*
 * The words of ranking, from the parts to the whole:
 * - rarity: how well a concept tells services apart; the fewer services have it, the higher.
 * - share: of the total rarity of a query, how much a service must have to be found.
 * - worth: how much a wording counts for its concept; 1 for the words that were typed.
 * - weight: how prominently a service has a word (name before description), from 0 to 1.
 * - score: how well a service matches the whole text, from 0 to 1 (`text-index.ts`).
 * - rank: the score with what its name and ages add (`ranking.ts`).
 * - key: what a list is ordered by, smallest first (`order.ts`): a negated rank, a distance or a name.
 */

/** What somebody is looking for, as the text index understands it. */
export type TextQuery = {
  concepts: readonly Concept[];
  /** The share of the concepts, by rarity, that a service must have; 1 for all. */
  share: number;
  /** The text as it was typed, in lower case without accents. Services with it in their names come first. */
  typed: string;
  /** Whether each of the concepts, by itself, is in too many services. Then only names can tell them apart. */
  isBroad: boolean;
};

/** One thing to look for. A service has it if it has any of its wordings. */
export type Concept = {
  /** How well the concept tells services apart. */
  rarity: number;
  wordings: readonly Wording[];
};

/** One way to say a concept. A service has it if it has all of its parts. */
export type Wording = {
  parts: readonly WordingPart[];
  /** About how many services have the wording. */
  serviceCount: number;
  /** How much the wording counts for its concept; the words that were typed count 1. */
  worth: number;
};

/** A word: any of these stems, or any stem that begins like this. */
export type WordingPart = { stems: readonly string[]; beginning?: string };

export const totalRarity = (concepts: readonly Concept[]) =>
  concepts.reduce((sum, { rarity }) => sum + rarity, 0);

/** A service that matches has at least one of these concepts, because all commoner ones together are not enough. */
export function decisiveConcepts(concepts: readonly Concept[], needed: number): readonly Concept[] {
  const fromCommon = concepts.toSorted((one, other) => one.rarity - other.rarity);
  return fromCommon.filter((_, index) => totalRarity(fromCommon.slice(0, index + 1)) >= needed);
}
