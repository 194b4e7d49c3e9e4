/** What PostgreSQL is asked for. */
export type TextQuery = SignsQuery | IdeasQuery;

/** A search with signs that say how its words are meant, in the language of `websearch_to_tsquery`. */
type SignsQuery = { web: string };

/** One way to say an idea. */
export type Form = {
  /** In the language of tsquery, ready to be cast. */
  query: string;
  /** How many words the query has. */
  size: number;
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

/** The search, or none where it has neither a letter nor a digit to look for. */
export function searchText(search: string | undefined): string | undefined {
  return search !== undefined && /[\p{L}\p{N}]/u.test(search) ? search : undefined;
}

/** Whether the search has signs that say how its words are meant: a pair of quotes, or a minus before a word. */
export function hasSigns(search: string): boolean {
  return /"[^"]*[\p{L}\p{N}][^"]*"|(^|\s)-["\p{L}\p{N}]/u.test(search);
}

/** A lexeme as tsquery wants it, whatever characters it has. */
export function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`;
}
