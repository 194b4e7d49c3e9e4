import { Type } from 'typebox';

/** What every list of the library can be asked for, in the words of each. */

export const longestSearch = 500;
const highestPage = 1_000_000_000;
const mostOnAPage = 500;
const perPageUnlessTold = 50;

export const identifier = (description: string) =>
  Type.Optional(Type.String({ maxLength: 100, description }));

export const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const searchSyntax =
  'best matches first: rare words count more than common ones, and names more than descriptions. The last word may be unfinished, so a search can be sent as somebody types. Any form of a word will do, and so will what the site has as its synonym (skint: debt); misspelt words are corrected. Small words of a question (somewhere, needs help with) are passed over. Where few have all the words, or you write a whole sentence, those with the most telling words are listed too. or between words means either. "Quoted words" stand together and -word leaves out: with one of these, nothing else is added.';

/** @param things such as `services` */
export const listParameters = (things: string, searched: string, example: string) => ({
  search: Type.Optional(
    Type.String({
      maxLength: longestSearch,
      description: `Words to look for in ${searched}, ${searchSyntax}`,
      examples: [example],
    }),
  ),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: highestPage, default: 1, description: 'Which page, from 1.' }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: mostOnAPage,
      description: `How many ${things} a page has: ${perPageUnlessTold} unless told.`,
    }),
  ),
  format: Type.Optional(
    Type.Enum(['json', 'ndjson'], {
      description: `ndjson: all ${things} that fit, one a line, without pages, in the order of their ids. The header \`Accept: application/x-ndjson\` asks for the same.`,
    }),
  ),
});

/** What was asked of a list, whatever the list is of. */
export type Wanted = { search: string | undefined; page: number; perPage: number };

export function pageOf(
  query: { page?: number; per_page?: number },
  unlessTold = perPageUnlessTold,
): Omit<Wanted, 'search'> {
  return { page: query.page ?? 1, perPage: query.per_page ?? unlessTold };
}
