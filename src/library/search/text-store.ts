import { type RawBuilder, sql } from 'kysely';
import type { Form, Idea, IdeasQuery, TextQuery } from './text-query.ts';

/** Whether the row `s` is what was searched for. */
export function matches(text: TextQuery): RawBuilder<unknown> {
  if ('web' in text) return sql`s.search @@ ${asTyped(text.web)}`;
  const { ideas, share } = text;
  if (share === 1) return sql`s.search @@ ${tsquery(ideas, ' & ')}`;
  const needed = share * total(ideas);
  const parts = ideas.map(
    (idea) => sql`case when s.search @@ ${tsquery([idea])} then ${idea.rarity}::float8 else 0 end`,
  );
  return sql`s.search @@ ${tsquery(decisive(ideas, needed))} and ${sql.join(parts, sql` + `)} >= ${needed}::float8`;
}

/**
 * The ideas of which a service must have one to have enough: those that are left when the commonest are put aside that
 * are not enough even together. So the index is asked for the rare words, and common ones only weighed.
 */
function decisive(ideas: readonly Idea[], needed: number): readonly Idea[] {
  const fromCommon = ideas.toSorted((one, other) => one.rarity - other.rarity);
  return fromCommon.filter((_, index) => total(fromCommon.slice(0, index + 1)) >= needed);
}

function tsquery(ideas: readonly Idea[], between = ' | '): RawBuilder<unknown> {
  const each = ideas.map(({ forms }) => forms.map(({ query }) => `(${query})`).join(' | '));
  return sql`${each.map((idea) => `(${idea})`).join(between)}::tsquery`;
}

function asTyped(web: string): RawBuilder<unknown> {
  return sql`websearch_to_tsquery('library', ${web})`;
}

const total = (ideas: readonly Idea[]) => ideas.reduce((sum, { rarity }) => sum + rarity, 0);

/** What a name is worth that begins with what was typed, or has it inside; and a text that has it as a phrase. */
const worthOf = { beginning: 0.5, inside: 0.3, phrase: 0.15 };
/** Of names with the same words, one that has little else is worth a little more. */
const worthOfShortName = 0.2;

/**
 * The rarer the word, the more; and title above other names above description above terms. Of the ways to say an idea
 * the best one counts.
 */
export function rankOf(text: TextQuery): RawBuilder<unknown> {
  if ('web' in text) return rankBy(asTyped(text.web));
  const { ideas, typed, isBroad } = text;
  const name = sql`
    case when starts_with(s.sort_name, ${typed}) then ${worthOf.beginning}::float8
      when strpos(s.sort_name, ${typed}) > 0 then ${worthOf.inside}::float8 else 0 end`;
  if (isBroad) return name;
  const each = ideas.map(
    ({ rarity, forms }) => sql`${rarity}::float8 * greatest(${sql.join(forms.map(rankOfForm))})`,
  );
  const words = sql`(${sql.join(each, sql` + `)}) / ${total(ideas) || 1}::float8`;
  const filled = sql`least(1, ${typed.length}::float8 / greatest(1, length(s.sort_name)))`;
  const ranked = sql`${words} * (1 + ${worthOfShortName}::float8 * ${filled}) + ${name}`;
  return ideas.length === 1 ? ranked : sql`${ranked} + ${phraseBonus(text)}`;
}

/** The root, so that one word in a title does not outdo three in a description. */
function rankOfForm({ query, size, worth }: Form): RawBuilder<unknown> {
  return sql`${worth}::float8 * sqrt(least(1, ${size}::int * ${rankBy(sql`${query}::tsquery`)}))`;
}

function phraseBonus({ typed }: IdeasQuery): RawBuilder<unknown> {
  return sql`
    case when s.search @@ phraseto_tsquery('library', ${typed}) then ${worthOf.phrase}::float8 else 0 end`;
}

/** Long texts, which hold every word, count a little less. */
function rankBy(query: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`ts_rank('{0.1, 0.3, 0.6, 1}', s.search, ${query}, 1)`;
}
