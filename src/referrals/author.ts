import type { Caller } from '../accounts/index.ts';

/** Who wrote a message or attached a file, as it names them for ever. */
export type Author = { authorId: string; authorName: string; authorOrganisation: string | null };

export function authorOf({ accountId, name, organisation }: Caller): Author {
  return { authorId: accountId, authorName: name, authorOrganisation: organisation?.name ?? null };
}

export function presentAuthor({ authorName, authorOrganisation }: Author) {
  return { name: authorName, organisation: authorOrganisation };
}
