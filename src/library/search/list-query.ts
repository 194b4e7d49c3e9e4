import { type Static, Type } from 'typebox';
import { badRequest, type FieldError, Problem } from '../../platform/problem/index.ts';
import { momentOf } from '../import/check-record.ts';
import { searchText } from './text-query.ts';

export const longestSearch = 500;
const highestPage = 1_000_000_000;
const identifier = (description: string) => Type.String({ maxLength: 100, description });

/** What a list of services can be asked for. Names that are not here are ignored: HSDS clients send what they like. */
export const listQuerySchema = Type.Object(
  {
    search: Type.Optional(
      Type.String({
        maxLength: longestSearch,
        description:
          'Words to look for in the name, the organisation, the description and the terms, best matches first. The last word may be unfinished. "Quoted words" stand together; -word leaves out; or between words means either. If nothing has all the words, misspelt ones are corrected, then words that mean the same are taken too, and then services with any of them are listed, those with most of them first.',
        examples: ['walking group'],
      }),
    ),
    page: Type.Optional(
      Type.Integer({ minimum: 1, maximum: highestPage, default: 1, description: 'Which page, from 1.' }),
    ),
    per_page: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 500,
        description: 'How many services a page has: 50 unless told. With `minimal`, 50,000.',
      }),
    ),
    taxonomy_term_id: Type.Optional(
      Type.Array(Type.String({ maxLength: 100 }), {
        maxItems: 50,
        description: 'Services with this term. Repeat the parameter to take any of several terms.',
      }),
    ),
    taxonomy_id: Type.Optional(identifier('Services with any term of this taxonomy.')),
    organization_id: Type.Optional(identifier('Services of this organisation.')),
    modified_after: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Services that changed at this moment or later: 2026-11-21T09:30:00Z, or 2026-11-21.',
      }),
    ),
    minimal: Type.Optional(
      Type.Boolean({
        description: 'Only `id` and `last_modified` of each service: for keeping a copy up to date.',
      }),
    ),
    full: Type.Optional(
      Type.Boolean({ description: 'Each service in full, nested, as from /services/{id}.' }),
    ),
    format: Type.Optional(
      Type.Enum(['json', 'ndjson'], {
        description: 'ndjson: every service that fits, one a line, without pages, in the order of their ids.',
      }),
    ),
  },
  { additionalProperties: true },
);

export type ListQuery = Static<typeof listQuerySchema>;

/** Which services. */
export type Filters = {
  termIds?: readonly string[] | undefined;
  taxonomyId?: string | undefined;
  organizationId?: string | undefined;
  modifiedAfter?: Date | undefined;
};

/** How much of each. */
export type Form = 'summary' | 'document' | 'minimal';

export type ListRequest = {
  search: string | undefined;
  filters: Filters;
  form: Form;
  page: number;
  perPage: number;
};

/** One page is to hold the whole library where only ids and dates are asked for, so that a copy is compared in one. */
const perPageUnlessTold: Readonly<Record<Form, number>> = { summary: 50, document: 50, minimal: 50_000 };

export function listRequest(query: ListQuery): ListRequest {
  const form = query.minimal ? 'minimal' : query.full ? 'document' : 'summary';
  return {
    search: searchText(query.search),
    filters: {
      termIds: query.taxonomy_term_id,
      taxonomyId: query.taxonomy_id,
      organizationId: query.organization_id,
      modifiedAfter: query.modified_after === undefined ? undefined : momentOf(query.modified_after),
    },
    form,
    page: query.page ?? 1,
    perPage: query.per_page ?? perPageUnlessTold[form],
  };
}

const known = new Set(Object.keys(listQuerySchema.properties));
const wholeNumbers = new Set(['page', 'per_page']);
const truths = new Set(['minimal', 'full']);

/**
 * Makes the raw texts of a query ready for the schema: empty ones count as left out, as forms send them.
 * @throws Problem `bad-request` for what the schema's conversion would let through: 1.5 as a page, or the character NUL.
 */
export function tidyQuery(raw: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(raw).filter(([name, value]) => known.has(name) && value !== '');
  const errors = given.flatMap(([name, value]) => {
    const message = [value]
      .flat()
      .map((each) => complaint(name, String(each)))
      .find((found) => found !== undefined);
    return message === undefined ? [] : [{ pointer: `/query/${name}`, message } satisfies FieldError];
  });
  if (errors.length > 0)
    throw new Problem(badRequest, 'See `errors` for what to change, and where.', { errors });
  // In a query a plus sign stands for a space, and so does that of a time zone which was not encoded.
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      name === 'modified_after' ? String(value).replace(/ (\d\d:?\d\d)$/, '+$1') : value,
    ]),
  );
}

function complaint(name: string, value: string): string | undefined {
  if (value.includes('\0')) return 'must not hold the character NUL';
  if (wholeNumbers.has(name) && !/^\d{1,10}$/.test(value)) return 'must be a whole number, 1 or more';
  if (truths.has(name) && value !== 'true' && value !== 'false') return 'must be true or false';
  const dated = value.replace(/ (\d\d:?\d\d)$/, '+$1');
  if (name === 'modified_after' && !momentOf(dated)) {
    return 'must be a moment such as 2026-11-21T09:30:00Z, or a day such as 2026-11-21';
  }
  return undefined;
}
