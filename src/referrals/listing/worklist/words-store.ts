import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';
import { hiddenServiceName } from '../../model/access/hide-sensitive-services.ts';
import { mayKnowServiceSql } from '../../model/access/hide-sensitive-services-store.ts';
import { visibilityConditionsSql } from '../list-store.ts';
import type { WorklistFilter } from './work-filter.ts';

/** If more match, the newest are listed, and the page asks for another word. */
export const maxFound = 500;

/**
 * The ids of the referrals that the reader may see and in which each of the words begins a word that the list shows them: of the reference,
 * the person’s name and the service’s name. What is hidden from the reader finds nothing, or they could guess it word by word.
 */
export async function findByWords(
  db: Db,
  { visibility, accountId, side }: Pick<WorklistFilter, 'visibility' | 'accountId' | 'side'>,
  words: string,
): Promise<string[]> {
  const visible = visibilityConditionsSql(visibility);
  if (visible.length === 0) return [];
  const wanted = sql`(
    select string_agg(quote_literal(word) || ':*', ' & ')::tsquery
    from unnest(string_to_array(practice_text(${words}::text), ' ')) as word)`;
  const reference = sql`reference || ' ' || replace(reference, '-', '')`;
  // The expression of the index `referrals_words`, letter for letter. The index also holds words that some may not read, so what follows
  // checks again what this reader may see.
  const indexedText = sql`referral_words(
    ${reference} || ' ' || coalesce(content #>> '{patient,given_name}', '')
    || ' ' || coalesce(content #>> '{patient,family_name}', '') || ' ' || coalesce(service_name, ''))`;
  const mayKnowService = mayKnowServiceSql({ accountId, receivedBy: visibility.receivedBy });
  const service = sql`case when knows_service then coalesce(service_name, '') else ${hiddenServiceName} end`;
  const name =
    side === 'operators'
      ? sql`''`
      : sql`case when restricted_at is null and erased_at is null
          then ${shownNameSql('given_name')} || ' ' || ${shownNameSql('family_name')} else '' end`;
  // Nothing of these is hidden, so the match in the index is enough. Checking each again takes most of the time.
  const isShownWhole =
    side === 'operators'
      ? sql`false`
      : sql`(knows_service is true and restricted_at is null and erased_at is null)`;
  const { rows } = await sql<{ id: string }>`
    with found as materialized (
      select id, ${mayKnowService} as knows_service from referrals
      where (${sql.join(visible, sql` or `)}) and ${indexedText} @@ ${wanted})
    select id from found join referrals using (id)
    where ${isShownWhole} or referral_words(${reference} || ' ' || ${name} || ' ' || ${service}) @@ ${wanted}
    order by id desc limit ${maxFound}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The name as the reader may know it. If the service is hidden from them, it is the one that the referrer’s side had entered. */
function shownNameSql(field: 'given_name' | 'family_name'): RawBuilder<unknown> {
  const replaced = sql.lit(`patient.${field}`);
  return sql`coalesce(case when knows_service is not true and content -> 'referrers_details' ? ${replaced}
    then content -> 'referrers_details' ->> ${replaced}
    else content #>> ${sql.lit(`{patient,${field}}`)} end, '')`;
}
