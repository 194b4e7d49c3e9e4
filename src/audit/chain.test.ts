import { readFile, rm, writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeApp, type TestApp } from '../../test/make-app.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import { createSecrets, randomOctets } from '../platform/secrets/index.ts';
import { checkAudit } from './check-audit.ts';
import { describeBreak } from './describe-break.ts';
import type { AuditEntry } from './entry.ts';
import { headFile, readHead } from './head-file.ts';
import { HeadContradicted, moveHead } from './move-head.ts';
import { sealAudit } from './seal-audit.ts';
import { startSealing } from './start-sealing.ts';
import { recordAudit } from './store.ts';
import { verifyAudit } from './verify-audit.ts';

let site: TestApp;
beforeEach(async () => {
  site = await makeApp();
});
afterEach(() => site.close());

const entry = (given: Partial<AuditEntry> = {}): AuditEntry => ({
  at: site.clock.now(),
  actor: { name: 'Asha Patel', role: 'operator', address: '192.0.2.7' },
  action: 'account.created',
  ...given,
});

const write = (given: Partial<AuditEntry> = {}) =>
  inTransaction(site.deps.db, (trx) => recordAudit(trx, entry(given)));

/** Six entries in the chain, and the head noted. */
async function sixSealed(): Promise<void> {
  for (const number of [1, 2, 3, 4, 5, 6]) await write({ details: { number } });
  await sealAudit(site.deps);
  await moveHead(site.deps);
}

/** What somebody does who owns the database, but has no site key. */
const tamper = (change: (trx: Trx) => Promise<unknown>) =>
  inTransaction(site.deps.db, async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await change(trx);
  });

const brokenAfter = async (change: (trx: Trx) => Promise<unknown>) => {
  await sixSealed();
  await tamper(change);
  return (await verifyAudit(site.deps)).broken;
};

const idAt = async (position: number) => {
  const { rows } = await sql<{ id: number }>`
    select entry_id as id from audit_links where position = ${position}`.execute(site.deps.db);
  return rows[0]!.id;
};

test('what was written is sealed once, in order, and the chain is whole', async () => {
  await sixSealed();
  await write();
  await sealAudit(site.deps);
  await sealAudit(site.deps);
  expect(await verifyAudit(site.deps)).toMatchObject({ links: 7, broken: undefined });
  const { rows } = await sql`select 1 from audit_unsealed`.execute(site.deps.db);
  expect(rows).toEqual([]);
});

test('an empty chain is whole', async () => {
  expect(await verifyAudit(site.deps)).toEqual({ links: 0, head: undefined, broken: undefined });
});

test('a mistaken query changes neither entries nor links', async () => {
  await sixSealed();
  for (const table of ['audit_entries', 'audit_links']) {
    for (const statement of [`update ${table} set`, `delete from ${table}`, `truncate ${table} cascade`]) {
      const whole = statement.startsWith('update')
        ? `${statement} ${table === 'audit_links' ? 'sealed_at = sealed_at' : 'at = at'}`
        : statement;
      await expect(sql.raw(whole).execute(site.deps.db), whole).rejects.toThrow('append-only');
    }
  }
});

test('the canonical form has every column of an entry', async () => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = 'audit_entries'
    order by ordinal_position`.execute(site.deps.db);
  const text = await readFile(new URL('./chain-store.ts', import.meta.url), 'utf8');
  const form = text.slice(text.indexOf('json_build_array'), text.indexOf('::text end'));
  expect([...form.matchAll(/e\.(\w+)/g)].map((match) => match[1])).toEqual(rows.map(({ name }) => name));
});

const changes = {
  at: sql`at + interval '1 microsecond'`,
  actor_id: sql`gen_random_uuid()`,
  actor_name: sql`'Somebody Else'`,
  actor_role: sql`null`,
  organisation: sql`''`,
  action: sql`'account.disabled'`,
  subject_type: sql`'referral'`,
  subject_id: sql`'x'`,
  outcome: sql`'refused'`,
  address: sql`null`,
  details: sql`'{"number": 30}'`,
};

test('a change of any column is named, with its entry', async () => {
  await sixSealed();
  const entryId = await idAt(3);
  for (const [column, to] of Object.entries(changes)) {
    const back = new Error('not for long');
    const trying = inTransaction(site.deps.db, async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`update audit_entries set ${sql.id(column)} = ${to} where id = ${entryId}`.execute(trx);
      const { broken } = await verifyAudit({ ...site.deps, db: trx });
      expect(broken, column).toMatchObject({ kind: 'entry-changed', position: 3, entryId });
      expect(describeBreak(broken!)).toContain('Position 3');
      throw back;
    });
    await expect(trying).rejects.toBe(back);
  }
});

test('a change of the very last entry is noticed, too, with and without the head', async () => {
  const broken = await brokenAfter((trx) =>
    sql`update audit_entries set actor_name = 'x' where id = (select max(id) from audit_entries)`.execute(
      trx,
    ),
  );
  expect(broken).toMatchObject({ kind: 'entry-changed', position: 6 });
  await rm(headFile(site.deps.settings));
  expect((await verifyAudit(site.deps)).broken).toMatchObject({ kind: 'link-foreign', position: 6 });
});

test('an entry that is deleted in the middle is missed, and so is one that went with its link', async () => {
  const broken = await brokenAfter((trx) =>
    sql`delete from audit_entries where id = (select entry_id from audit_links where position = 4)`.execute(
      trx,
    ),
  );
  expect(broken).toMatchObject({ kind: 'entry-missing', position: 4, entryId: await idAt(4) });
  await tamper((trx) => sql`delete from audit_links where position = 4`.execute(trx));
  expect((await verifyAudit(site.deps)).broken).toEqual({ kind: 'link-missing', position: 4 });
});

test('a link that is deleted while the others move up is missed', async () => {
  const broken = await brokenAfter(async (trx) => {
    await sql`delete from audit_links where position = 4`.execute(trx);
    await sql`update audit_links set position = position - 1 where position > 4`.execute(trx);
  });
  expect(broken).toMatchObject({ kind: 'link-foreign', position: 4 });
});

test('a tail that is cut off is missed, also after the chain went on', async () => {
  const broken = await brokenAfter(async (trx) => {
    await sql`delete from audit_entries where id in (select entry_id from audit_links where position > 4)`.execute(
      trx,
    );
    await sql`delete from audit_links where position > 4`.execute(trx);
  });
  expect(broken).toMatchObject({ kind: 'tail-cut', position: 5 });
  for (const number of [1, 2, 3]) await write({ details: { number } });
  await sealAudit(site.deps);
  await expect(moveHead(site.deps)).rejects.toThrow(HeadContradicted);
  expect((await verifyAudit(site.deps)).broken).toMatchObject({ kind: 'history-replaced', position: 6 });
});

test('a chain that was wiped out altogether is missed', async () => {
  const broken = await brokenAfter(async (trx) => {
    await sql`delete from audit_entries`.execute(trx);
    await sql`delete from audit_links`.execute(trx);
  });
  expect(broken).toMatchObject({ kind: 'tail-cut', position: 1 });
});

test('a forged entry stands out, without a link and with one; one that nobody sealed, after a minute', async () => {
  await sixSealed();
  await write({ action: 'waits.long' });
  expect((await verifyAudit(site.deps)).broken).toBeUndefined();
  site.clock.moveOn(61_000);
  expect((await verifyAudit(site.deps)).broken).toMatchObject({ kind: 'entry-unsealed' });
  await sealAudit(site.deps);
  expect((await verifyAudit(site.deps)).broken).toBeUndefined();
  await sql`insert into audit_entries (at, actor_name, action, outcome) values ('2099-01-01', 'x', 'x.y', 'done')`.execute(
    site.deps.db,
  );
  await sealAudit(site.deps);
  const { broken } = await verifyAudit(site.deps);
  expect(broken).toMatchObject({ kind: 'entry-unsealed', at: expect.stringContaining('2099-01-01') });
  await sql`
    insert into audit_links select 8, max(id), sha256('a guess'), now() from audit_entries`.execute(
    site.deps.db,
  );
  expect((await verifyAudit(site.deps)).broken).toMatchObject({ kind: 'link-foreign', position: 8 });
});

test('two entries that change places are found, and so are two links', async () => {
  const broken = await brokenAfter((trx) =>
    sql`
      update audit_entries a set action = b.action, details = b.details from audit_entries b
      where (a.details ->> 'number', b.details ->> 'number') in (('2', '3'), ('3', '2'))`.execute(trx),
  );
  expect(broken).toMatchObject({ position: 2 });
  await tamper(async (trx) => {
    const { rows } = await sql<{ id: number }>`
      select entry_id as id from audit_links where position in (1, 2) order by position`.execute(trx);
    await sql`update audit_links set entry_id = -1 where position = 1`.execute(trx);
    await sql`update audit_links set entry_id = ${rows[0]!.id} where position = 2`.execute(trx);
    await sql`update audit_links set entry_id = ${rows[1]!.id} where position = 1`.execute(trx);
  });
  expect((await verifyAudit(site.deps)).broken).toMatchObject({ position: 1 });
});

test('an entry of another history of this very site does not fit in', async () => {
  await sixSealed();
  await rm(headFile(site.deps.settings));
  const { rows: links } = await sql<{ id: number; hash: Buffer }>`
    select entry_id as id, hash from audit_links where position = 6`.execute(site.deps.db);
  const { rows: entries } = await sql<{ text: string }>`
    select row_to_json(e)::text as text from audit_entries e where id = ${links[0]!.id}`.execute(
    site.deps.db,
  );
  const forget = (trx: Trx) =>
    sql`
      with link as (delete from audit_links where position = 6 returning entry_id)
      delete from audit_entries where id in (select entry_id from link)`.execute(trx);
  await tamper(forget);
  for (const number of [7, 8]) await write({ details: { number } });
  await sealAudit(site.deps);
  expect(await verifyAudit(site.deps)).toMatchObject({ links: 7, broken: undefined });
  // The sixth entry as it was before, with the link that it had before.
  await tamper(async (trx) => {
    await forget(trx);
    await sql`
      insert into audit_entries overriding system value
      select * from json_populate_record(null::audit_entries, ${entries[0]!.text}::json)`.execute(trx);
    await sql`insert into audit_links values (6, ${links[0]!.id}, ${links[0]!.hash}, now())`.execute(trx);
  });
  expect((await verifyAudit(site.deps)).broken).toMatchObject({ position: 7 });
});

test('a sealer waits for another that is not done yet, also where they seal different entries', async () => {
  const { db } = site.deps;
  // Once before, since the very first time the two meet already over whose site key it is.
  await write();
  await sealAudit(site.deps);
  await write();
  const goOn = Promise.withResolvers<void>();
  const sealed = Promise.withResolvers<void>();
  const first = inTransaction(db, async (trx) => {
    await sealAudit({ ...site.deps, db: trx });
    sealed.resolve();
    await goOn.promise;
  });
  await sealed.promise;
  // A whole batch that committed late: its numbers come before those that the first sealer has.
  await sql`
    with late as (
      insert into audit_entries (id, at, actor_name, action, outcome) overriding system value
      select -n, now(), 'x', 'came.late', 'done' from generate_series(1, 1000) n returning id)
    insert into audit_unsealed select id from late`.execute(db);
  const second = sealAudit(site.deps);
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db,
    );
    return rows.length;
  };
  await expect.poll(waiting, { interval: 5 }).toBe(1);
  goOn.resolve();
  await Promise.all([first, second]);
  expect(await verifyAudit(site.deps)).toMatchObject({ links: 1002, broken: undefined });
});

test('under another site key nothing is sealed, and nothing is believed', async () => {
  await sixSealed();
  await write();
  const other = { ...site.deps, secrets: createSecrets(randomOctets(32)) };
  await sealAudit(other);
  expect((await verifyAudit(other)).broken).toMatchObject({ kind: 'link-foreign', position: 1 });
  await sealAudit(site.deps);
  expect(await verifyAudit(site.deps)).toMatchObject({ links: 7, broken: undefined });
});

test('while twenty write at once and several seal, every entry gets its one place', async () => {
  const writing = Array.from({ length: 20 }, async (_, writer) => {
    for (const number of [1, 2, 3, 4, 5]) await write({ details: { writer, number } });
  });
  const sealing = [1, 2, 3].map(async () => {
    for (let round = 0; round < 10; round += 1) await sealAudit(site.deps);
  });
  await Promise.all([...writing, ...sealing]);
  await sealAudit(site.deps);
  expect(await verifyAudit(site.deps)).toMatchObject({ links: 100, broken: undefined });
});

test('an entry whose transaction ends late is sealed late, and the chain stays whole', async () => {
  const late = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const slow = inTransaction(site.deps.db, async (trx) => {
    await recordAudit(trx, entry({ details: { slow: true } }));
    written.resolve();
    await late.promise;
  });
  await written.promise;
  await write();
  await sealAudit(site.deps);
  late.resolve();
  await slow;
  await sealAudit(site.deps);
  expect(await verifyAudit(site.deps)).toMatchObject({ links: 2, broken: undefined });
  expect(await idAt(2)).toBeLessThan(await idAt(1));
});

test('a sealer that is killed in the middle leaves everything to the next one', async () => {
  await write();
  const killed = inTransaction(site.deps.db, async (trx) => {
    await sealAudit({ ...site.deps, db: trx });
    throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
  await sealAudit(site.deps);
  // And one that is killed before it could note the head.
  expect(await verifyAudit(site.deps)).toMatchObject({ links: 1, head: undefined, broken: undefined });
  expect(await moveHead(site.deps)).toMatchObject({ position: 1 });
});

test('the head moves forward and never back; one that is half a file is reported and left alone', async () => {
  await sixSealed();
  expect(await moveHead(site.deps)).toBeUndefined();
  await write();
  await sealAudit(site.deps);
  expect(await moveHead(site.deps)).toMatchObject({ position: 7 });
  const file = headFile(site.deps.settings);
  const whole = await readFile(file, 'utf8');
  for (const text of ['', whole.slice(0, 20), '{}', 'null', '{"position": 1.5}', whole.replace('7', '-7')]) {
    await writeFile(file, text);
    expect((await verifyAudit(site.deps)).broken, text).toEqual({ kind: 'head-unreadable' });
    await expect(moveHead(site.deps), text).rejects.toThrow();
  }
});

test('where another process moves the head meanwhile, it is not moved back', async () => {
  await sixSealed();
  for (const moment of [1, 2]) {
    await write();
    await sealAudit(site.deps);
    let asked = 0;
    // The other process comes after the first or second thing that this one asks the database.
    const db = site.deps.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        asked += 1;
        if (asked !== moment) return result;
        await write();
        await sealAudit(site.deps);
        await moveHead(site.deps);
        return result;
      },
    });
    expect(await moveHead({ ...site.deps, db })).toBeUndefined();
    expect(asked).toBeGreaterThanOrEqual(moment);
    expect((await readHead(site.deps.settings))?.position).toBe(6 + 2 * moment);
  }
});

test('a site seals as it starts and as it stops, and logs how far the chain has come at most once an hour', async () => {
  await write();
  const sealing = startSealing(site.deps);
  await expect.poll(async () => (await verifyAudit(site.deps)).links, { interval: 5 }).toBe(1);
  await write();
  await sealing.stop();
  expect(await verifyAudit(site.deps)).toMatchObject({ links: 2, head: { position: 2 }, broken: undefined });
  expect(site.logLines.filter((line) => line.includes('has come this far'))).toHaveLength(1);
});

test('where the end was cut off while the site ran, it says so in its log', async () => {
  await sixSealed();
  await tamper((trx) => sql`delete from audit_links where position > 3`.execute(trx));
  await startSealing(site.deps).stop();
  expect(site.logLines.filter((line) => line.includes('HeadContradicted'))).toHaveLength(1);
});

test('a check says what it found, moves the head only along a whole chain, and is written down', async () => {
  await sixSealed();
  expect(await checkAudit(site.deps, { name: 'command line' })).toMatchObject({
    links: 6,
    broken: undefined,
  });
  await tamper((trx) =>
    sql`update audit_entries set outcome = 'refused' where outcome = 'done'`.execute(trx),
  );
  expect(await checkAudit(site.deps, { name: 'command line' })).toMatchObject({ broken: { position: 1 } });
  const { rows } = await sql`
    select details from audit_entries where action = 'audit.checked' order by id`.execute(site.deps.db);
  expect(rows).toMatchObject([
    { details: { links: 6 } },
    { details: { links: 0, broken: expect.any(String), what: expect.stringContaining('Position 1') } },
  ]);
});

test('a moment that is no moment, put there by hand, does not keep the rest from being checked', async () => {
  const broken = await brokenAfter((trx) =>
    sql`update audit_entries set at = 'infinity' where id = (select entry_id from audit_links where position = 2)`.execute(
      trx,
    ),
  );
  expect(broken).toMatchObject({ kind: 'entry-changed', position: 2 });
  expect(describeBreak(broken!)).toContain('Position 2');
});
