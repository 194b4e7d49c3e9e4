import { type RawBuilder, sql } from 'kysely';
import type { TextQuery } from './text-query.ts';

/** Whether the row `s` is what was searched for. */
export function matches(text: TextQuery): RawBuilder<unknown> {
  return sql`s.search @@ ${tsquery(text)}`;
}

function tsquery(text: TextQuery): RawBuilder<unknown> {
  if ('words' in text) {
    const each = text.words.map(anyOf);
    return sql`(${sql.join(each, text.wanted === 'all' ? sql` && ` : sql` || `)})`;
  }
  const words = sql`websearch_to_tsquery('library', ${text.web})`;
  return text.ending === '' ? words : sql`(${words} && to_tsquery('library', ${text.ending}))`;
}

/** A meaning of several words is a phrase. */
function anyOf(words: readonly string[]): RawBuilder<unknown> {
  return sql`websearch_to_tsquery('library', ${words.map((word) => `"${word}"`).join(' or ')})`;
}

/**
 * Title above other names above description above terms; long texts, which hold every word, count a little less. Where
 * any word will do, how many of them a service has counts above all that: that rank is always less than 1.
 */
export function rankOf(text: TextQuery): RawBuilder<unknown> {
  const rank = rankBy(tsquery(text));
  if ('words' in text) {
    if (text.wanted === 'all') return rank;
    const counts = text.words.map((each) => sql`(s.search @@ ${anyOf(each)})::int`);
    return sql`${sql.join(counts, sql` + `)} + ${rank}`;
  }
  return text.exact === undefined
    ? rank
    : sql`${rankBy(tsquery({ web: text.exact, ending: '' }))} + 0.1 * ${rank}`;
}

function rankBy(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`ts_rank('{0.1, 0.3, 0.6, 1}', s.search, ${query}, 1)`;
}
