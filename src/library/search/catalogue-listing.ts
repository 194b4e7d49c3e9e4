import type { Db } from '../../platform/database/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { countFacets } from '../catalogue/facets.ts';
import { sortedInTurns } from '../catalogue/in-turns.ts';
import { catalogueAt } from '../catalogue/keep-catalogue.ts';
import type { Level } from '../catalogue/levels.ts';
import { ordinalsOf, select } from '../catalogue/select.ts';
import type { Facet } from './filter-parameters.ts';
import { foundText } from './found-text.ts';
import { inPieces } from './in-pieces.ts';
import type { Selection } from './list-query.ts';
import { joined, placeMembers } from './place-members.ts';
import type { Listing } from './search-listing.ts';

/** What is listed out of the catalogue. */
export type Listed = {
  /** What tells the list from those of other things. */
  key: string;
  selection: Selection;
  levelOf(catalogue: Catalogue): Level;
  facets?: readonly Facet[];
  /** The answers of items as JSON texts, without what they say of a place; none of what was deleted just now. */
  documents(catalogue: Catalogue, items: readonly number[]): Promise<readonly (string | undefined)[]>;
  /** Makes an answer of such a text and of what it says of a place, where the text is not whole yet. */
  whole?(text: string, members: string): string;
};

/** As many as people look at before they put a question differently. */
const enoughServices = 5;

export function catalogueListing(db: Db, listed: Listed): Listing {
  const { selection, facets = [] } = listed;
  const { filters, place, today, sort } = selection;
  return {
    key: () => JSON.stringify([listed.key, filters, today, sort, facets]),
    isCommon: place === undefined,
    // Where the best matches do not come first, vague ones would stand among them.
    enough: sort === 'relevance' ? enoughServices : 1,
    async look(text, version) {
      const catalogue = await catalogueAt(db, version);
      const level = listed.levelOf(catalogue);
      const found = text && (await foundText(db, catalogue, text, version));
      const selected = select(catalogue, level, selection, found);
      const contentsOf = (items: readonly number[]) => readContents(db, catalogue, level, listed, items);
      return {
        total: selected.total,
        reaches: (count) => select(catalogue, level, beforeChoices(selection), found).total >= count,
        async page(window) {
          const contents = await contentsOf(await selected.window(window));
          const page = { version, total: selected.total, size: contents.length, contents };
          if (facets.length === 0) return page;
          return { ...page, facets: countFacets(catalogue, selection, facets, found && ordinalsOf(found)) };
        },
        lines: () => linesOf(catalogue, level, selected.items(), contentsOf),
      };
    },
  };
}

/** Without what facets count. */
function beforeChoices(selection: Selection): Selection {
  const filters = { ...selection.filters, termIds: undefined, hours: undefined, capacities: undefined };
  return { ...selection, filters };
}

async function readContents(
  db: Db,
  catalogue: Catalogue,
  level: Level,
  { documents, whole = joined, selection }: Listed,
  items: readonly number[],
): Promise<string[]> {
  const [texts, members] = await Promise.all([
    documents(catalogue, items),
    placeMembers(db, catalogue, level, selection.place, items),
  ]);
  return texts.flatMap((text, index) => (text === undefined ? [] : [whole(text, members[index]!)]));
}

const linesAtOnce = 500;

/** In the order of the services' ids. */
async function* linesOf(
  { ids }: Catalogue,
  level: Level,
  items: readonly number[],
  contentsOf: (items: readonly number[]) => Promise<string[]>,
): AsyncGenerator<string> {
  const inOrder = (one: number, other: number) =>
    ids.compare(level.ownerOf(one), level.ownerOf(other)) || one - other;
  const sorted = await sortedInTurns(items, inOrder);
  for (let from = 0; from < sorted.length; from += linesAtOnce) {
    const contents = await contentsOf(sorted.slice(from, from + linesAtOnce));
    yield* inPieces(contents.map((content) => `${content}\n`));
  }
}
