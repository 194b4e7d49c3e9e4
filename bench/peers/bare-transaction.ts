import { randomBytes } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { newId } from '../../src/platform/ids/index.ts';
import { newReference } from '../../src/referrals/submit/reference.ts';
import { percentile } from '../lib/figures.ts';
import type { Rate } from '../lib/load.ts';
import { withPlatformOf } from '../lib/platform-of.ts';

// The ceiling of making a referral: only the transaction that writes its row, the first line of its history and its
// audit entry, again and again, with a pool like the site's. Runs beside the site, on its database. Prints the rate as
// JSON. Arguments: how many seconds, and how many callers share the pool.
const [seconds = 3, callers = 50] = process.argv.slice(2).map(Number);

type Row = Record<string, unknown>;
type Template = { referral: Row; history: Row; entry: Row };

const rate = await withPlatformOf(process.env, async (_platform, pool) => {
  const template = await readTemplate(pool);
  await insertFor(pool, template, 1);
  return insertFor(pool, template, seconds);
});
console.log(JSON.stringify(rate));

/** The rows of a referral that was made through the API, so that the bench writes rows of the same size. */
async function readTemplate(pool: Pool): Promise<Template> {
  const first = async (text: string): Promise<Row> => (await pool.query(text)).rows[0];
  const referral = await first(`select * from referrals where status = 'requested' order by id desc limit 1`);
  const history = await first('select * from referral_history order by referral_id desc limit 1');
  const { id: _, ...entry } = await first(
    `select * from audit_entries where action = 'referral.requested' order by id desc limit 1`,
  );
  return { referral, history, entry };
}

async function insertFor(pool: Pool, template: Template, duration: number): Promise<Rate> {
  const times: number[] = [];
  const began = performance.now();
  const end = began + duration * 1000;
  const callRepeatedly = async () => {
    while (performance.now() < end) {
      const startedAt = performance.now();
      const client = await pool.connect();
      try {
        await insertOnce(client, template);
      } finally {
        client.release();
      }
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: callers }, callRepeatedly));
  const took = (performance.now() - began) / 1000;
  return { perSecond: times.length / took, p99Ms: percentile(times, 99), calls: times.length };
}

async function insertOnce(client: PoolClient, { referral, history, entry }: Template): Promise<void> {
  const id = newId();
  const keys = Object.fromEntries(
    ['patient_name_key', 'patient_number_key', 'patient_family_key'].map((key) => [key, randomBytes(32)]),
  );
  await client.query('begin');
  await insert(client, 'referrals', { ...referral, ...keys, id, reference: newReference() });
  await insert(client, 'referral_history', { ...history, referral_id: id });
  await insert(client, 'audit_entries', { ...entry, subject_id: id });
  await client.query('commit');
}

function insert(client: PoolClient, table: string, row: Row): Promise<unknown> {
  const placeholders = Object.keys(row).map((_, index) => `$${index + 1}`);
  return client.query({
    // Prepared once for each connection.
    name: table,
    text: `insert into ${table} (${Object.keys(row)}) values (${placeholders})`,
    values: Object.values(row).map(toParameter),
  });
}

/** The driver reads JSON as an object, but does not write an object as JSON. */
function toParameter(value: unknown): unknown {
  const isJson =
    value !== null && typeof value === 'object' && !(value instanceof Date || Buffer.isBuffer(value));
  return isJson ? JSON.stringify(value) : value;
}
