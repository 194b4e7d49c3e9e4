import { sql } from 'kysely';
import { newId } from '../ids/index.ts';
import type { Db, Trx } from './connect.ts';

export type Mode = 'test' | 'live';

/** What a database says about its site. All are undefined until a site has used the database. */
export type SiteFacts = {
  readonly mode: Mode | undefined;
  readonly id: string | undefined;
  /** The keyed hash by which the site key is recognised. */
  readonly keyFingerprint: Buffer | undefined;
};

const names = { mode: 'mode', id: 'site id', keyFingerprint: 'site key' } as const;

/** Reads them from a database of any version, one without tables included. */
export async function readSiteFacts(db: Db): Promise<SiteFacts> {
  const { rows: tables } = await sql<{ there: boolean }>`
    select to_regclass('site_facts') is not null as there`.execute(db);
  if (!tables[0]!.there) return { mode: undefined, id: undefined, keyFingerprint: undefined };
  const { rows } = await sql<{ name: string; value: Buffer }>`select name, value from site_facts`.execute(db);
  return siteFactsOf(new Map(rows.map(({ name, value }) => [name, value])));
}

/** @param values the rows of the table `site_facts`, by their names. */
export function siteFactsOf(values: ReadonlyMap<string, Buffer>): SiteFacts {
  return {
    mode: values.get(names.mode)?.toString() as Mode | undefined,
    id: values.get(names.id)?.toString(),
    keyFingerprint: values.get(names.keyFingerprint),
  };
}

/**
 * Records what the database does not say yet. When processes start together on a new database, the first one decides, so each
 * must read the facts afterwards.
 */
export async function recordSiteFacts(
  db: Db,
  { mode, keyFingerprint }: { mode: Mode; keyFingerprint: Buffer },
): Promise<void> {
  await sql`
    insert into site_facts (name, value) values
      (${names.mode}, ${Buffer.from(mode)}), (${names.id}, ${Buffer.from(newId())}), (${names.keyFingerprint}, ${keyFingerprint})
    on conflict do nothing`.execute(db);
}

/** For the command that changes the mode. A process that starts meanwhile waits for it in `readSiteFactsAfterChanges`. */
export async function changeMode(trx: Trx, mode: Mode): Promise<void> {
  await sql`update site_facts set value = ${Buffer.from(mode)} where name = ${names.mode}`.execute(trx);
}

/** For the command that replaces the site key. */
export async function changeKeyFingerprint(trx: Trx, fingerprint: Buffer): Promise<void> {
  await sql`update site_facts set value = ${fingerprint} where name = ${names.keyFingerprint}`.execute(trx);
}

/** Waits for changes of the facts that are under way, and then reads them. */
export async function readSiteFactsAfterChanges(trx: Trx): Promise<SiteFacts> {
  await sql`select from site_facts for share`.execute(trx);
  return readSiteFacts(trx);
}
