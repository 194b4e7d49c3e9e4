import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { remembered } from './remembered-store.ts';
import {
  decisive,
  type Form,
  type Idea,
  type Part,
  type TextQuery,
  totalRarity,
  worthOfName,
  worthOfShortName,
} from './text-query.ts';

/** Whether the row `s` is what was searched for. */
export function matches(text: TextQuery): RawBuilder<unknown> {
  if ('web' in text) return sql`s.search @@ ${asTyped(text.web)}`;
  const { ideas, share } = text;
  if (share === 1) return sql`s.search @@ ${tsquery(ideas, ' & ')}`;
  const needed = share * totalRarity(ideas);
  const parts = ideas.map(
    (idea) => sql`case when s.search @@ ${tsquery([idea])} then ${idea.rarity}::float8 else 0 end`,
  );
  return sql`s.search @@ ${tsquery(decisive(ideas, needed))} and ${sql.join(parts, sql` + `)} >= ${needed}::float8`;
}

function tsquery(ideas: readonly Idea[], between = ' | '): RawBuilder<unknown> {
  const each = ideas.map(({ forms }) => forms.map((form) => `(${inTsquery(form)})`).join(' | '));
  return sql`${each.map((idea) => `(${idea})`).join(between)}::tsquery`;
}

function inTsquery({ parts }: Form): string {
  return parts.map((part) => `(${wordsOf(part).join(' | ')})`).join(' & ');
}

function wordsOf({ stems, beginning }: Part): string[] {
  return [...(beginning === undefined ? [] : [`${quoted(beginning)}:*`]), ...stems.map(quoted)];
}

/** A lexeme as tsquery wants it, whatever characters it has. */
function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll(/['\\]/g, '$&$&')}'`;
}

function asTyped(web: string): RawBuilder<unknown> {
  return sql`websearch_to_tsquery('library', ${web})`;
}

/**
 * The rarer the word, the more; and title above other names above description above terms. Of the ways to say an idea
 * the best one counts.
 */
export function rankOf(text: TextQuery): RawBuilder<unknown> {
  if ('web' in text) return rankBy(asTyped(text.web));
  const { ideas, typed, isBroad } = text;
  const name = sql`
    case when starts_with(s.sort_name, ${typed}) then ${worthOfName.beginning}::float8
      when strpos(s.sort_name, ${typed}) > 0 then ${worthOfName.inside}::float8 else 0 end`;
  if (isBroad) return name;
  const each = ideas.map(
    ({ rarity, forms }) => sql`${rarity}::float8 * greatest(${sql.join(forms.map(rankOfForm))})`,
  );
  const words = sql`(${sql.join(each, sql` + `)}) / ${totalRarity(ideas) || 1}::float8`;
  const filled = sql`least(1, ${typed.length}::float8 / greatest(1, length(s.sort_name)))`;
  return sql`${words} * (1 + ${worthOfShortName}::float8 * ${filled}) + ${name}`;
}

/** The root, so that one word in a title does not outdo three in a description. */
function rankOfForm(form: Form): RawBuilder<unknown> {
  const size = form.parts.flatMap(wordsOf).length;
  return sql`${form.worth}::float8 * sqrt(least(1, ${size}::int * ${rankBy(sql`${inTsquery(form)}::tsquery`)}))`;
}

/** Long texts, which hold every word, count a little less. */
function rankBy(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`ts_rank('{0.1, 0.3, 0.6, 1}', s.search, ${query}, 1)`;
}

/** The services that have what a search with signs asks for, and how well. */
export function listSigned(
  db: Db,
  version: number,
  web: string,
): Promise<readonly { id: string; rank: number }[]> {
  const query = asTyped(web);
  return remembered(
    db,
    version,
    sql<{ id: string; rank: number }>`
      select s.id, ${rankBy(query)} as rank from services s where s.status = 'active' and s.search @@ ${query}`,
  );
}
