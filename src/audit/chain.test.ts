import { readFile, rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestApp } from '../../test/app/make-app.ts';
import { type AuditStage, auditStage } from '../../test/audit/stage.ts';
import type { Trx } from '../platform/database/index.ts';
import { isAnythingUnsealed } from './chain-store.ts';
import { describeBreak, verifyAudit } from './check-chain.ts';
import { HeadContradicted, headFile, moveHead } from './head-file.ts';
import { sealAudit } from './seal-audit.ts';

let site: TestApp;
let stage: AuditStage;
let write: AuditStage['write'];
let sixSealed: AuditStage['sixSealed'];
let tamper: AuditStage['tamper'];
let idAt: AuditStage['idAt'];
beforeAll(async () => {
  stage = await auditStage();
  ({ site, write, sixSealed, tamper, idAt } = stage);
});
afterAll(() => site.close());
beforeEach(() => stage.empty());

const brokenAfter = async (change: (trx: Trx) => Promise<unknown>) => {
  await sixSealed();
  await tamper(change);
  return (await verifyAudit(site.deps)).broken;
};

describe('a whole chain', () => {
  test('seals every entry once, in order', async () => {
    await sixSealed();
    await write();
    await sealAudit(site.deps);
    await sealAudit(site.deps);
    expect(await verifyAudit(site.deps)).toMatchObject({ links: 7, broken: undefined });
    expect(await isAnythingUnsealed(site.deps.db)).toBe(false);
  });

  test('may be empty', async () => {
    expect(await verifyAudit(site.deps)).toEqual({ links: 0, head: undefined, broken: undefined });
  });

  test('cannot be changed or deleted by a mistaken query', async () => {
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

  test('covers every column of an entry', async () => {
    const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = 'audit_entries'
      and column_name not in ('writer', 'number', 'code')
    order by ordinal_position`.execute(site.deps.db);
    const text = await readFile(new URL('./chain-store.ts', import.meta.url), 'utf8');
    const form = text.slice(text.indexOf('json_build_array'), text.indexOf('::text end'));
    expect([...form.matchAll(/e\.(\w+)/g)].map((match) => match[1])).toEqual(rows.map(({ name }) => name));
  });
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

describe('a check of the chain', () => {
  test('names the entry if any of its columns was changed', async () => {
    await sixSealed();
    const entryId = await idAt(3);
    for (const [column, to] of Object.entries(changes)) {
      const back = new Error('not for long');
      const trying = tamper(async (trx) => {
        await sql`update audit_entries set ${sql.id(column)} = ${to} where id = ${entryId}`.execute(trx);
        const { broken } = await verifyAudit({ ...site.deps, db: trx });
        expect(broken, column).toMatchObject({ kind: 'entry-changed', position: 3, entryId });
        expect(describeBreak(broken!)).toContain('Position 3');
        throw back;
      });
      await expect(trying).rejects.toBe(back);
    }
  });

  test('finds a change of the newest entry, with or without the head', async () => {
    const broken = await brokenAfter((trx) =>
      sql`update audit_entries set actor_name = 'x' where id = (select max(id) from audit_entries)`.execute(
        trx,
      ),
    );
    expect(broken).toMatchObject({ kind: 'entry-changed', position: 6 });
    await rm(headFile(site.deps.settings));
    expect((await verifyAudit(site.deps)).broken).toMatchObject({ kind: 'link-foreign', position: 6 });
  });

  test('finds a deleted entry, also when its link is deleted too', async () => {
    const broken = await brokenAfter((trx) =>
      sql`delete from audit_entries where id = (select entry_id from audit_links where position = 4)`.execute(
        trx,
      ),
    );
    expect(broken).toMatchObject({ kind: 'entry-missing', position: 4, entryId: await idAt(4) });
    await tamper((trx) => sql`delete from audit_links where position = 4`.execute(trx));
    expect((await verifyAudit(site.deps)).broken).toEqual({ kind: 'link-missing', position: 4 });
  });

  test('finds a deleted link although the others move up', async () => {
    const broken = await brokenAfter(async (trx) => {
      await sql`delete from audit_links where position = 4`.execute(trx);
      await sql`update audit_links set position = position - 1 where position > 4`.execute(trx);
    });
    expect(broken).toMatchObject({ kind: 'link-foreign', position: 4 });
  });

  test('finds a cut-off end, even after the chain went on', async () => {
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

  test('finds that the whole chain was deleted', async () => {
    const broken = await brokenAfter(async (trx) => {
      await sql`delete from audit_entries`.execute(trx);
      await sql`delete from audit_links`.execute(trx);
    });
    expect(broken).toMatchObject({ kind: 'tail-cut', position: 1 });
  });

  test('finds an entry without a link after a minute, and forged ones', async () => {
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

  test('finds two entries, or two links, that changed places', async () => {
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

  test('finds an entry that belongs to another history of the site', async () => {
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
    expect(await verifyAudit(site.deps)).toMatchObject({ links: 7, broken: { kind: 'entry-dropped' } });
    // The sixth entry and its link, as they were before.
    await tamper(async (trx) => {
      await forget(trx);
      await sql`
      insert into audit_entries overriding system value
      select * from json_populate_record(null::audit_entries, ${entries[0]!.text}::json)`.execute(trx);
      await sql`insert into audit_links values (6, ${links[0]!.id}, ${links[0]!.hash}, now())`.execute(trx);
    });
    expect((await verifyAudit(site.deps)).broken).toMatchObject({ position: 7 });
  });

  test('goes on past a time that is not a real time', async () => {
    const broken = await brokenAfter((trx) =>
      sql`update audit_entries set at = 'infinity' where id = (select entry_id from audit_links where position = 2)`.execute(
        trx,
      ),
    );
    expect(broken).toMatchObject({ kind: 'entry-changed', position: 2 });
    expect(describeBreak(broken!)).toContain('Position 2');
  });
});
