import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { nameBonus, shortNameBonus } from '../index/ranking.ts';
import {
  type Concept,
  decisiveConcepts,
  totalRarity,
  type Wording,
  type WordingPart,
} from '../index/text-query.ts';
import { wordWeights } from '../index/tsvector.ts';
import type { InterpretedText } from './listing.ts';

/** Whether the row `s` matches. */
export function matchesSql(text: InterpretedText): RawBuilder<unknown> {
  if ('websearch' in text) return sql`s.search @@ ${websearchTsquerySql(text.websearch)}`;
  const { concepts, share } = text;
  if (share === 1) return sql`s.search @@ ${tsquerySql(concepts, ' & ')}`;
  const needed = share * totalRarity(concepts);
  const parts = concepts.map(
    (concept) =>
      sql`case when s.search @@ ${tsquerySql([concept])} then ${concept.rarity}::float8 else 0 end`,
  );
  return sql`s.search @@ ${tsquerySql(decisiveConcepts(concepts, needed))} and ${sql.join(parts, sql` + `)} >= ${needed}::float8`;
}

function tsquerySql(concepts: readonly Concept[], between = ' | '): RawBuilder<unknown> {
  const each = concepts.map(({ wordings }) =>
    wordings.map((wording) => `(${inTsquery(wording)})`).join(' | '),
  );
  return sql`${each.map((concept) => `(${concept})`).join(between)}::tsquery`;
}

function inTsquery({ parts }: Wording): string {
  return parts.map((part) => `(${wordsOf(part).join(' | ')})`).join(' & ');
}

function wordsOf({ stems, beginning }: WordingPart): string[] {
  return [...(beginning === undefined ? [] : [`${quoteLexeme(beginning)}:*`]), ...stems.map(quoteLexeme)];
}

/** A lexeme, quoted for a tsquery. */
function quoteLexeme(lexeme: string): string {
  return `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`;
}

function websearchTsquerySql(web: string): RawBuilder<unknown> {
  return sql`websearch_to_tsquery('library', ${web})`;
}

/**
 * Rare words count more, and title more than other names, description and terms. A concept counts by its best wording. This ranks
 * organisations, taxonomies and terms; services have their own ranking, which also knows ages and distance (index/ranking.ts).
 */
export function entryRankSql(text: InterpretedText): RawBuilder<unknown> {
  if ('websearch' in text) return rankBySql(websearchTsquerySql(text.websearch));
  const { concepts, typed, isBroad } = text;
  const name = sql`
    case when starts_with(s.sort_name, ${typed}) then ${nameBonus.beginning}::float8
      when strpos(s.sort_name, ${typed}) > 0 then ${nameBonus.inside}::float8 else 0 end`;
  if (isBroad) return name;
  const each = concepts.map(
    ({ rarity, wordings }) => sql`${rarity}::float8 * greatest(${sql.join(wordings.map(rankOfWordingSql))})`,
  );
  const words = sql`(${sql.join(each, sql` + `)}) / ${totalRarity(concepts) || 1}::float8`;
  const filled = sql`least(1, ${typed.length}::float8 / greatest(1, length(s.sort_name)))`;
  return sql`${words} * (1 + ${shortNameBonus}::float8 * ${filled}) + ${name}`;
}

/**
 * The square root, so that one word in a title does not outdo three in a description. `ts_rank` divides what it finds of words
 * joined by “or” by their number, which is undone here; it does not divide words joined by “and”.
 */
function rankOfWordingSql(wording: Wording): RawBuilder<unknown> {
  const [first, ...others] = wording.parts;
  const size = first && others.length === 0 ? wordsOf(first).length : 1;
  return sql`${wording.worth}::float8 * sqrt(least(1, ${size}::int * ${rankBySql(sql`${inTsquery(wording)}::tsquery`)}))`;
}

/** As `ts_rank` takes them. */
const weightsFromD = [wordWeights.D, wordWeights.C, wordWeights.B, wordWeights.A];

/** Long texts count a little less. */
function rankBySql(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`ts_rank(${weightsFromD}::float4[], s.search, ${query}, 1)`;
}

/** The services that match a search with quotes or a minus, and how well they do. */
export async function rankWebsearch(db: Db, websearch: string): Promise<{ id: string; rank: number }[]> {
  const query = websearchTsquerySql(websearch);
  const { rows } = await sql<{ id: string; rank: number }>`
    select s.id, ${rankBySql(query)} as rank from services s where s.status = 'active' and s.search @@ ${query}`.execute(
    db,
  );
  return rows;
}
