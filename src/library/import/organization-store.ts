import { sql } from 'kysely';
import type { Trx } from '../../platform/database/index.ts';
import { latestById } from './latest-by-id.ts';
import { longestSearched, type ServiceRow } from './service-row.ts';
import { described, singleValues } from './single-values.ts';

/** The organisations of a batch of services. */
export async function saveOrganizations(
  trx: Trx,
  rows: readonly Pick<ServiceRow, 'organization'>[],
  at: Date,
): Promise<void> {
  const organizations = latestById(rows.flatMap(({ organization }) => organization ?? [])).map(described);
  if (organizations.length === 0) return;
  await sql`
    insert into organizations as o (id, name, document, summary, search, updated_at)
    select id, name, document, summary, service_search(name, other_names, description, null), ${at}
    from unnest(${organizations.map(({ id }) => id)}::text[], ${organizations.map(({ name }) => name)}::text[],
      ${organizations.map((each) => each.alternate_name)}::text[],
      ${organizations.map(({ description }) => description.slice(0, longestSearched))}::text[],
      ${organizations.map((each) => JSON.stringify(each))}::text[],
      ${organizations.map((each) => JSON.stringify(singleValues(each)))}::text[])
      as given(id, name, other_names, description, document, summary)
    on conflict (id) do update set name = excluded.name, document = excluded.document, summary = excluded.summary,
      search = excluded.search, updated_at = excluded.updated_at
    where o.document <> excluded.document`.execute(trx);
}
