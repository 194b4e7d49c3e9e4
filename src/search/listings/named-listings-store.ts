import { type RawBuilder, sql } from 'kysely';
import { type OrganizationDetail, organizationColumnsSql, organizationContent } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Window } from '../index/order.ts';
import type { InterpretedText, Listing, ListingResult } from './listing.ts';
import { entryRankSql, matchesSql } from './text-match-store.ts';

/** Rows that are listed by their names: organisations, taxonomies, terms. A row is called `s`. */
type NamedList<Content> = {
  table: 'organizations' | 'taxonomies' | 'taxonomy_terms';
  where: readonly RawBuilder<unknown>[];
  columns: RawBuilder<unknown>;
  /** Makes an answer from `columns`. */
  answer(content: Content): object;
};

export function organizationsListing(db: Db, detail: OrganizationDetail): Listing {
  return namedListing<Parameters<typeof organizationContent>[1]>(db, {
    table: 'organizations',
    where: [],
    columns: organizationColumnsSql[detail],
    answer: (content) => organizationContent(detail, content),
  });
}

export function taxonomiesListing(db: Db): Listing {
  return namedListing(db, { table: 'taxonomies', where: [], ...documents });
}

export type TermFilters = {
  taxonomyId?: string | undefined;
  parentId?: string | undefined;
  topOnly?: boolean | undefined;
};

export function termsListing(db: Db, { taxonomyId, parentId, topOnly }: TermFilters): Listing {
  const where = [
    ...(taxonomyId === undefined ? [] : [sql`s.taxonomy_id = ${taxonomyId}`]),
    ...(parentId === undefined ? [] : [sql`s.parent_id = ${parentId}`]),
    ...(topOnly ? [isAtTopSql] : []),
  ];
  return namedListing(db, { table: 'taxonomy_terms', where, ...documents });
}

const documents = {
  columns: sql`s.document`,
  answer: (document: string): object => JSON.parse(document),
};

/** A term whose parent is not in the library counts as one at the top. Otherwise nothing would lead down to it. */
const isAtTopSql = sql`not exists (select from taxonomy_terms above where above.id = s.parent_id and above.id <> s.id)`;

/** An exact match of the name comes first. */
const enough = 1;
const readAtOnce = 500;

function namedListing<Content>(db: Db, list: NamedList<Content>): Listing {
  return {
    enough,
    async find(_, text, window): Promise<ListingResult> {
      const { rows: counted } = await sql<{ total: number }>`
        select count(*)::int as total from ${sql.table(list.table)} as s where ${conditionsSql(list, text)}`.execute(
        db,
      );
      const { total } = counted[0]!;
      return { total, totalBeforeChoices: total, read: () => readPage(db, list, text, window) };
    },
    async *all(_, text) {
      for (let after = ''; ; ) {
        const { rows: batch } = await sql<{ id: string; content: Content }>`
          select s.id, ${list.columns} as content from ${sql.table(list.table)} as s
          where ${conditionsSql(list, text)} and s.id > ${after} order by s.id limit ${readAtOnce}`.execute(
          db,
        );
        if (batch.length > 0) yield batch.map(({ content }) => list.answer(content));
        if (batch.length < readAtOnce) return;
        after = batch.at(-1)!.id;
      }
    },
  };
}

async function readPage<Content>(
  db: Db,
  list: NamedList<Content>,
  text: InterpretedText | undefined,
  { limit, offset }: Window,
): Promise<object[]> {
  const from = sql`${sql.table(list.table)} as s`;
  // The page is cut out first, so that only its rows are read in full.
  const { rows: entries } = await sql<{ content: Content }>`
    with page as materialized (
      select s.id, s.sort_name, ${text ? entryRankSql(text) : sql`0`} as rank from ${from} where ${conditionsSql(list, text)}
      order by rank desc, s.sort_name, s.id limit ${limit} offset ${offset})
    select ${list.columns} as content from page join ${from} on s.id = page.id
    order by page.rank desc, page.sort_name, page.id`.execute(db);
  return entries.map(({ content }) => list.answer(content));
}

function conditionsSql<Content>(
  { where }: NamedList<Content>,
  text: InterpretedText | undefined,
): RawBuilder<unknown> {
  return sql.join(text ? [matchesSql(text), ...where] : [sql`true`, ...where], sql` and `);
}
