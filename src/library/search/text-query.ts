/** What PostgreSQL is asked for. */
export type TextQuery = SignsQuery | IdeasQuery;

/** A search with signs that say how its words are meant, in the language of `websearch_to_tsquery`. */
type SignsQuery = { web: string };

/** A word of a form: any of these stems, or any stem that begins so. */
export type Part = { stems: readonly string[]; beginning?: string };

/** One way to say an idea: a service has it that has all of its parts. */
export type Form = {
  parts: readonly Part[];
  /** How many services have it, or about so many. */
  services: number;
  /** How much it is worth beside the word itself, which is worth 1. */
  worth: number;
};

/** Something that is looked for: a service has it in any of its forms. */
export type Idea = {
  /** How much it tells services apart. */
  rarity: number;
  forms: readonly Form[];
};

export type IdeasQuery = {
  ideas: readonly Idea[];
  /** Which part of what was asked for a service must have, by the rarity of the ideas: 1 for all of it. */
  share: number;
  /** As it was typed, in small letters without accents: names that have it come first. */
  typed: string;
  /** So many services have it that to rank each by its text would take too long. */
  isBroad: boolean;
};

export const totalRarity = (ideas: readonly Idea[]) => ideas.reduce((sum, { rarity }) => sum + rarity, 0);

/**
 * The ideas of which a service must have one to have enough: those that are left when the commonest are put aside that
 * are not enough even together. So rare words are looked for, and common ones only weighed.
 */
export function decisive(ideas: readonly Idea[], needed: number): readonly Idea[] {
  const fromCommon = ideas.toSorted((one, other) => one.rarity - other.rarity);
  return fromCommon.filter((_, index) => totalRarity(fromCommon.slice(0, index + 1)) >= needed);
}

/** What a name is worth that begins with what was typed, or has it inside. */
export const worthOfName = { beginning: 0.5, inside: 0.3 };
/** Of names with the same words, one that has little else is worth a little more. */
export const worthOfShortName = 0.2;

/** The search, or none where it has neither a letter nor a digit to look for. */
export function searchText(search: string | undefined): string | undefined {
  return search !== undefined && /[\p{L}\p{N}]/u.test(search) ? search : undefined;
}

/** Whether the search has signs that say how its words are meant: a pair of quotes, or a minus before a word. */
export function hasSigns(search: string): boolean {
  return /"[^"]*[\p{L}\p{N}][^"]*"|(^|\s)-["\p{L}\p{N}]/u.test(search);
}
