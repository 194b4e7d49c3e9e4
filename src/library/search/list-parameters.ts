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
  'best matches first. The last word may be unfinished. "Quoted words" stand together; -word leaves out; or between words means either. If nothing has all the words, misspelt ones are corrected, then words that mean the same are taken too, and then those with any of them are listed, those with most of them first.';

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
      description: `ndjson: all ${things} that fit, one a line, without pages, in the order of their ids.`,
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
