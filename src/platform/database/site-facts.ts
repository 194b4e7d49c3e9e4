import { sql } from 'kysely';
import { newId } from '../ids/index.ts';
import type { Db, Trx } from './connect.ts';
import { tableExists } from './table-exists.ts';

export type Mode = 'test' | 'live';

/** What a database says about its site. All are undefined until a site has used the database. */
export type SiteFacts = {
  readonly mode: Mode | undefined;
  readonly id: string | undefined;
  /** The keyed hash by which the site key is recognised. */
  readonly keyFingerprint: Buffer | undefined;
};

export const siteFactNames = { mode: 'mode', id: 'site id', keyFingerprint: 'site key' } as const;

/** Reads them from a database of any version, one without tables included. */
export async function readSiteFacts(db: Db): Promise<SiteFacts> {
  if (!(await tableExists(db, 'site_facts')))
    return { mode: undefined, id: undefined, keyFingerprint: undefined };
  const { rows } = await sql<{ name: string; value: Buffer }>`select name, value from site_facts`.execute(db);
  return siteFactsOf(new Map(rows.map(({ name, value }) => [name, value])));
}

/** @param values the rows of the table `site_facts`, by their names. */
export function siteFactsOf(values: ReadonlyMap<string, Buffer>): SiteFacts {
  return {
    mode: values.get(siteFactNames.mode)?.toString() as Mode | undefined,
    id: values.get(siteFactNames.id)?.toString(),
    keyFingerprint: values.get(siteFactNames.keyFingerprint),
  };
}

/**
 * Records what the database does not say yet. When processes start together on a new database, the first one decides, so each
 * must read the facts afterwards.
 */
export async function recordMissingSiteFacts(
  db: Db,
  { mode, keyFingerprint }: { mode: Mode; keyFingerprint: Buffer },
): Promise<void> {
  await sql`
    insert into site_facts (name, value) values
      (${siteFactNames.mode}, ${Buffer.from(mode)}), (${siteFactNames.id}, ${Buffer.from(newId())}), (${siteFactNames.keyFingerprint}, ${keyFingerprint})
    on conflict do nothing`.execute(db);
}

/** Records one fact, unless it is recorded already. */
export async function recordSiteFactOnce(db: Db, name: string, value: Buffer): Promise<void> {
  await sql`insert into site_facts (name, value) values (${name}, ${value}) on conflict do nothing`.execute(
    db,
  );
}

export async function deleteSiteFact(db: Db, name: string): Promise<void> {
  await sql`delete from site_facts where name = ${name}`.execute(db);
}

/** For the command that changes the mode. A process that starts meanwhile waits for it in `readSiteFactsAfterChanges`. */
export async function changeMode(trx: Trx, mode: Mode): Promise<void> {
  await sql`update site_facts set value = ${Buffer.from(mode)} where name = ${siteFactNames.mode}`.execute(
    trx,
  );
}

/** For the command that replaces the site key. */
export async function changeKeyFingerprint(trx: Trx, fingerprint: Buffer): Promise<void> {
  await sql`update site_facts set value = ${fingerprint} where name = ${siteFactNames.keyFingerprint}`.execute(
    trx,
  );
}

/** Waits for changes of the facts that are under way, and then reads them. */
export async function readSiteFactsAfterChanges(trx: Trx): Promise<SiteFacts> {
  await sql`select from site_facts for share`.execute(trx);
  return readSiteFacts(trx);
}
