/** What somebody is looking for, as the text index understands it. */
export type TextQuery = {
  concepts: readonly Concept[];
  /** Which share of the concepts a service must have, by their rarity: 1 for all of them. */
  share: number;
  /** As it was typed, in small letters without accents: names that have it come first. */
  typed: string;
  /** So many services have every concept that only their names can tell them apart. */
  isBroad: boolean;
};

/** One thing that is looked for: a service has it if it has any of its wordings. */
export type Concept = {
  /** How well it tells services apart. */
  rarity: number;
  wordings: readonly Wording[];
};

/** One way to say a concept: a service has it if it has all of its parts. */
export type Wording = {
  parts: readonly WordingPart[];
  /** About how many services have it. */
  services: number;
  /** How much it counts beside the words that were typed, which count 1. */
  worth: number;
};

/** A word: any of these stems, or any stem that begins like this. */
export type WordingPart = { stems: readonly string[]; beginning?: string };

export const totalRarity = (concepts: readonly Concept[]) =>
  concepts.reduce((sum, { rarity }) => sum + rarity, 0);

/**
 * The concepts of which a service must have at least one: those that are left when the commonest are put aside that are
 * not enough even together.
 */
export function decisive(concepts: readonly Concept[], needed: number): readonly Concept[] {
  const fromCommon = concepts.toSorted((one, other) => one.rarity - other.rarity);
  return fromCommon.filter((_, index) => totalRarity(fromCommon.slice(0, index + 1)) >= needed);
}
