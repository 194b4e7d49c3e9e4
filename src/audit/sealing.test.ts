import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestApp } from '../../test/app/make-app.ts';
import { type AuditFixture, auditFixture } from '../../test/audit/fixture.ts';
import { changeStoredEntry, deleteLinksAt } from '../../test/audit/stored.ts';
import { waitingForLocks } from '../../test/database/locks.ts';
import { inTransaction } from '../platform/database/index.ts';
import { createSecrets, newRandomBytes } from '../platform/secrets/index.ts';
import { auditChecked, checkChain, sealCheckAndRecord } from './check-chain.ts';
import { recordAudit, recordAudits } from './entries-store.ts';
import { headFile, moveHead, readAuditHead } from './head-file.ts';
import { sealAudit, startSealing } from './seal-audit.ts';
import { listEntries } from './search-store.ts';

let site: TestApp;
let fixture: AuditFixture;
let entry: AuditFixture['entry'];
let write: AuditFixture['write'];
let sixSealed: AuditFixture['sixSealed'];
let tamper: AuditFixture['tamper'];
let idAt: AuditFixture['idAt'];
beforeAll(async () => {
  fixture = await auditFixture();
  ({ site, entry, write, sixSealed, tamper, idAt } = fixture);
});
afterAll(() => site.close());
beforeEach(() => fixture.empty());

describe('the head beside the chain', () => {
  it('moves only forward; a damaged file is reported and kept', async () => {
    await sixSealed();
    expect(await moveHead(site.deps)).toBeUndefined();
    await write();
    await sealAudit(site.deps);
    expect(await moveHead(site.deps)).toMatchObject({ position: 7 });
    const file = headFile(site.deps.settings);
    const whole = await readFile(file, 'utf8');
    for (const text of [
      '',
      whole.slice(0, 20),
      '{}',
      'null',
      '{"position": 1.5}',
      whole.replace('7', '-7'),
    ]) {
      await writeFile(file, text);
      expect((await checkChain(site.deps)).broken, text).toEqual({ kind: 'head-unreadable' });
      await expect(moveHead(site.deps), text).rejects.toThrow();
    }
  });

  it('is not moved back when another process moved it meanwhile', async () => {
    await sixSealed();
    for (const moment of [1, 2]) {
      await write();
      await sealAudit(site.deps);
      let asked = 0;
      // The other process acts after this one’s first or second query.
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
      expect((await readAuditHead(site.deps.settings))?.position).toBe(6 + 2 * moment);
    }
  });
});

describe('sealing', () => {
  it('waits for another sealer, also with other entries to seal', async () => {
    const { db } = site.deps;
    // Sealed once before, because the first sealing also waits to recognise the site key.
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
    // A whole batch more, so that the second sealer has other entries.
    await inTransaction(db, (trx) =>
      recordAudits(
        trx,
        Array.from({ length: 1000 }, () => entry()),
      ),
    );
    const second = sealAudit(site.deps);
    await expect.poll(() => waitingForLocks(db)).toBe(1);
    goOn.resolve();
    await Promise.all([first, second]);
    expect(await checkChain(site.deps)).toMatchObject({ links: 1002, broken: undefined });
  });

  it('neither seals nor trusts links under another site key', async () => {
    await sixSealed();
    await write();
    const other = { ...site.deps, secrets: createSecrets(newRandomBytes(32)) };
    await sealAudit(other);
    expect((await checkChain(other)).broken).toMatchObject({ kind: 'link-foreign', position: 1 });
    await sealAudit(site.deps);
    expect(await checkChain(site.deps)).toMatchObject({ links: 7, broken: undefined });
  });

  it('gives each entry one place while twenty write, three seal', async () => {
    const writing = Array.from({ length: 20 }, async (_, writer) => {
      for (const number of [1, 2, 3, 4, 5]) await write({ details: { writer, number } });
    });
    const sealing = [1, 2, 3].map(async () => {
      for (let round = 0; round < 10; round += 1) await sealAudit(site.deps);
    });
    await Promise.all([...writing, ...sealing]);
    await sealAudit(site.deps);
    expect(await checkChain(site.deps)).toMatchObject({ links: 100, broken: undefined });
  });

  it('seals an entry late whose transaction ends late', async () => {
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
    expect(await checkChain(site.deps)).toMatchObject({ links: 2, broken: undefined });
    expect(await idAt(2)).toBeLessThan(await idAt(1));
  });

  it('leaves everything to the next sealer when it is killed', async () => {
    await write();
    const killed = inTransaction(site.deps.db, async (trx) => {
      await sealAudit({ ...site.deps, db: trx });
      throw new Error('killed');
    });
    await expect(killed).rejects.toThrow('killed');
    await sealAudit(site.deps);
    // The same for one that is killed before it wrote the head.
    expect(await checkChain(site.deps)).toMatchObject({ links: 1, head: undefined, broken: undefined });
    expect(await moveHead(site.deps)).toMatchObject({ position: 1 });
  });

  it('runs at start and stop, and logs the head at most hourly', async () => {
    await write();
    const sealing = startSealing(site.deps);
    await expect.poll(async () => (await checkChain(site.deps)).links).toBe(1);
    await write();
    await sealing.stop();
    expect(await checkChain(site.deps)).toMatchObject({
      links: 2,
      head: { position: 2 },
      broken: undefined,
    });
    expect(site.logLines.filter((line) => line.includes('has come this far'))).toHaveLength(1);
  });

  it('logs that the end was cut off while the site ran', async () => {
    await sixSealed();
    await tamper((trx) => deleteLinksAt(trx, 4, 6));
    await startSealing(site.deps).stop();
    expect(site.logLines.filter((line) => line.includes('HeadMismatch'))).toHaveLength(1);
  });
});

describe('a check by an operator', () => {
  it('records its result; only a whole chain moves the head', async () => {
    await sixSealed();
    expect(await sealCheckAndRecord(site.deps, { name: 'command line' })).toMatchObject({
      links: 6,
      broken: undefined,
    });
    await tamper(async (trx) => changeStoredEntry(trx, await idAt(1), { outcome: 'refused' }));
    expect(await sealCheckAndRecord(site.deps, { name: 'command line' })).toMatchObject({
      broken: { position: 1 },
    });
    const checks = await listEntries(site.deps.db, { action: auditChecked }, undefined, 10);
    expect(checks).toMatchObject([
      { details: { links: 0, broken: expect.any(String), what: expect.stringContaining('Position 1') } },
      { details: { links: 6 } },
    ]);
  });
});
