import { sql } from 'kysely';
import { binaryTexts, type Trx } from '../../platform/database/index.ts';
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
  type Organization = (typeof organizations)[number];
  const texts = (of: (each: Organization) => string | null) =>
    sql`${binaryTexts(organizations.map(of))}::text[]`;
  await sql`
    /* prepared as save-organizations */ insert into organizations as o (id, name, document, summary, search, updated_at)
    select id, name, document, summary, service_search(name, other_names, description, null), ${at}
    from unnest(${texts(({ id }) => id)}, ${texts(({ name }) => name)},
      ${texts((each) => each.alternate_name ?? null)},
      ${texts(({ description }) => description.slice(0, longestSearched))},
      ${texts((each) => JSON.stringify(each))}, ${texts((each) => JSON.stringify(singleValues(each)))})
      as given(id, name, other_names, description, document, summary)
    on conflict (id) do update set name = excluded.name, document = excluded.document, summary = excluded.summary,
      search = excluded.search, updated_at = excluded.updated_at
    where o.document <> excluded.document`.execute(trx);
}
