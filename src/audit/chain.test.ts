import { readFile, rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestApp } from '../../test/app/make-app.ts';
import { type AuditFixture, auditFixture } from '../../test/audit/fixture.ts';
import {
  changeColumn,
  changeStoredEntry,
  deleteEntriesAt,
  deleteLinksAt,
  forgeLink,
  keepPosition,
  moveLinksUp,
  restorePosition,
  sealedColumns,
  storeUnsignedEntry,
  swapEntries,
  swapLinks,
} from '../../test/audit/stored.ts';
import { columnsOf } from '../../test/database/stored.ts';
import type { Trx } from '../platform/database/index.ts';
import { hasUnsealedEntries } from './chain-store.ts';
import { checkChain, describeBreak } from './check-chain.ts';
import { HeadMismatch, headFile, moveHead } from './head-file.ts';
import { sealAudit } from './seal-audit.ts';

let site: TestApp;
let fixture: AuditFixture;
let write: AuditFixture['write'];
let sixSealed: AuditFixture['sixSealed'];
let tamper: AuditFixture['tamper'];
let idAt: AuditFixture['idAt'];
beforeAll(async () => {
  fixture = await auditFixture();
  ({ site, write, sixSealed, tamper, idAt } = fixture);
});
afterAll(() => site.close());
beforeEach(() => fixture.empty());

const brokenAfter = async (change: (trx: Trx) => Promise<unknown>) => {
  await sixSealed();
  await tamper(change);
  return (await checkChain(site.deps)).broken;
};

describe('a whole chain', () => {
  it('seals every entry once, in order', async () => {
    await sixSealed();
    await write();
    await sealAudit(site.deps);
    await sealAudit(site.deps);
    expect(await checkChain(site.deps)).toMatchObject({ links: 7, broken: undefined });
    expect(await hasUnsealedEntries(site.deps.db)).toBe(false);
  });

  it('may be empty', async () => {
    expect(await checkChain(site.deps)).toEqual({ links: 0, head: undefined, broken: undefined });
  });

  it('cannot be changed or deleted by a mistaken query', async () => {
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

  it('covers every column of an entry', async () => {
    const columns = await columnsOf(site.deps.db, 'audit_entries');
    const sealed = columns.filter((column) => !['writer', 'number', 'code'].includes(column));
    const text = await readFile(new URL('./chain-store.ts', import.meta.url), 'utf8');
    const form = text.slice(text.indexOf('json_build_array'), text.indexOf('::text end'));
    expect([...form.matchAll(/e\.(\w+)/g)].map((match) => match[1])).toEqual(sealed);
  });
});

describe('a check of the chain', () => {
  it('names the entry if any of its columns was changed', async () => {
    await sixSealed();
    const entryId = await idAt(3);
    for (const column of sealedColumns) {
      const back = new Error('not for long');
      const trying = tamper(async (trx) => {
        await changeColumn(trx, entryId, column);
        const { broken } = await checkChain({ ...site.deps, db: trx });
        expect(broken, column).toMatchObject({ kind: 'entry-changed', position: 3, entryId });
        expect(describeBreak(broken!)).toContain('Position 3');
        throw back;
      });
      await expect(trying).rejects.toBe(back);
    }
  });

  it('finds a change of the newest entry, with or without the head', async () => {
    const broken = await brokenAfter(async (trx) =>
      changeStoredEntry(trx, await idAt(6), { actor_name: 'x' }),
    );
    expect(broken).toMatchObject({ kind: 'entry-changed', position: 6 });
    await rm(headFile(site.deps.settings));
    expect((await checkChain(site.deps)).broken).toMatchObject({ kind: 'link-foreign', position: 6 });
  });

  it('finds a deleted entry, also when its link is deleted too', async () => {
    const broken = await brokenAfter((trx) => deleteEntriesAt(trx, 4));
    expect(broken).toMatchObject({ kind: 'entry-missing', position: 4, entryId: await idAt(4) });
    await tamper((trx) => deleteLinksAt(trx, 4));
    expect((await checkChain(site.deps)).broken).toEqual({ kind: 'link-missing', position: 4 });
  });

  it('finds a deleted link although the others move up', async () => {
    const broken = await brokenAfter(async (trx) => {
      await deleteLinksAt(trx, 4);
      await moveLinksUp(trx, 4);
    });
    expect(broken).toMatchObject({ kind: 'link-foreign', position: 4 });
  });

  it('finds that the newest links were deleted, also later', async () => {
    const broken = await brokenAfter(async (trx) => {
      await deleteEntriesAt(trx, 5, 6);
      await deleteLinksAt(trx, 5, 6);
    });
    expect(broken).toMatchObject({ kind: 'tail-cut', position: 5 });
    for (const number of [1, 2, 3]) await write({ details: { number } });
    await sealAudit(site.deps);
    await expect(moveHead(site.deps)).rejects.toThrow(HeadMismatch);
    expect((await checkChain(site.deps)).broken).toMatchObject({ kind: 'history-replaced', position: 6 });
  });

  it('finds that the whole chain was deleted', async () => {
    const broken = await brokenAfter(async (trx) => {
      await deleteEntriesAt(trx, 1, 6);
      await deleteLinksAt(trx, 1, 6);
    });
    expect(broken).toMatchObject({ kind: 'tail-cut', position: 1 });
  });

  it('finds forged entries, and after a minute one without a link', async () => {
    await sixSealed();
    await write({ action: 'service.edited' });
    expect((await checkChain(site.deps)).broken).toBeUndefined();
    site.clock.moveOn(61_000);
    expect((await checkChain(site.deps)).broken).toMatchObject({ kind: 'entry-unsealed' });
    await sealAudit(site.deps);
    expect((await checkChain(site.deps)).broken).toBeUndefined();
    const forged = await storeUnsignedEntry(site.deps.db, new Date('2099-01-01'));
    await sealAudit(site.deps);
    const { broken } = await checkChain(site.deps);
    expect(broken).toMatchObject({ kind: 'entry-unsealed', at: expect.stringContaining('2099-01-01') });
    await forgeLink(site.deps.db, 8, forged);
    expect((await checkChain(site.deps)).broken).toMatchObject({ kind: 'link-foreign', position: 8 });
  });

  it('finds two entries, or two links, that changed places', async () => {
    const broken = await brokenAfter(async (trx) => swapEntries(trx, await idAt(2), await idAt(3)));
    expect(broken).toMatchObject({ position: 2 });
    await tamper((trx) => swapLinks(trx, 1, 2));
    expect((await checkChain(site.deps)).broken).toMatchObject({ position: 1 });
  });

  it('finds an entry from a copy of the database that went on', async () => {
    await sixSealed();
    await rm(headFile(site.deps.settings));
    const sixth = await keepPosition(site.deps.db, 6);
    const forgetSixth = async (trx: Trx) => {
      await deleteEntriesAt(trx, 6);
      await deleteLinksAt(trx, 6);
    };
    await tamper(forgetSixth);
    for (const number of [7, 8]) await write({ details: { number } });
    await sealAudit(site.deps);
    expect(await checkChain(site.deps)).toMatchObject({ links: 7, broken: { kind: 'entry-dropped' } });
    await tamper(async (trx) => {
      await forgetSixth(trx);
      await restorePosition(trx, sixth);
    });
    expect((await checkChain(site.deps)).broken).toMatchObject({ position: 7 });
  });

  it('goes on past a time that is not a real time', async () => {
    const broken = await brokenAfter(async (trx) =>
      changeStoredEntry(trx, await idAt(2), { at: 'infinity' }),
    );
    expect(broken).toMatchObject({ kind: 'entry-changed', position: 2 });
    expect(describeBreak(broken!)).toContain('Position 2');
  });
});
