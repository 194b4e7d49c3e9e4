import { type Kysely, sql } from 'kysely';

/** Writes again what services are filtered by, from their stored documents. */
export type DeriveFilterRows = (
  db: Kysely<unknown>,
  services: readonly { id: string; document: string }[],
  now: Date,
) => Promise<void>;

const batchSize = 500;
const usualTime = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?(Z|[+-]\\d\\d:\\d\\d)?';
const usualDay = '[+-]?\\d{0,2}(MO|TU|WE|TH|FR|SA|SU)';
/** Finds times such as “5:00pm”, which used to mean five in the morning, and days such as “Saturday”, which also meant Tuesday. */
const unusual = `"(opens|closes)_at":"(?!${usualTime}")|"byday":"(?!${usualDay}(,${usualDay})*")`;

/** Reads opening times again, if the service's source writes them in its own way. */
export async function readTimesAgain(db: Kysely<unknown>, derive: DeriveFilterRows): Promise<void> {
  const { rows: clock } = await sql<{ now: Date }>`select now() as now`.execute(db);
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; document: string }>`
      select service_id as id, document from service_documents where service_id > ${after} and document ~ ${unusual}
      order by service_id limit ${batchSize}`.execute(db);
    await derive(db, rows, clock[0]!.now);
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.id;
  }
}
