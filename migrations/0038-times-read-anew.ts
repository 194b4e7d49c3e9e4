import { type Kysely, sql } from 'kysely';
import { filterRow } from '../src/library/filter/filter-row.ts';
import { saveFilterRows } from '../src/library/filter/store.ts';
import type { Service } from '../src/library/model/service.ts';
import type { Trx } from '../src/platform/database/index.ts';

const batchSize = 500;
const usualTime = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?(Z|[+-]\\d\\d:\\d\\d)?';
const usualDay = '[+-]?\\d{0,2}(MO|TU|WE|TH|FR|SA|SU)';
/** Finds times such as “5:00pm”, which was read as five in the morning, and days such as “Saturday”, which was read as Tuesday too. */
const unusual = `"(opens|closes)_at":"(?!${usualTime}")|"byday":"(?!${usualDay}(,${usualDay})*")`;

/** Reads the opening times again of services whose source writes them in its own way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows: clock } = await sql<{ now: Date }>`select now() as now`.execute(db);
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; document: string }>`
      select service_id as id, document from service_documents where service_id > ${after} and document ~ ${unusual}
      order by service_id limit ${batchSize}`.execute(db);
    await rebuildHours(db as unknown as Trx, rows, clock[0]!.now);
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.id;
  }
}

/** A migration runs in a transaction. */
async function rebuildHours(
  trx: Trx,
  rows: readonly { id: string; document: string }[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await sql`delete from service_places where service_id = any(${ids})`.execute(trx);
  await sql`delete from service_hours where service_id = any(${ids})`.execute(trx);
  await sql`delete from service_area_extents where service_id = any(${ids})`.execute(trx);
  await saveFilterRows(
    trx,
    rows.map(({ document }) => filterRow(JSON.parse(document) as Service, now)),
  );
}
