import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestApp } from '../../test/app/make-app.ts';
import { type AuditFixture, auditFixture } from '../../test/audit/fixture.ts';
import {
  changeStoredEntry,
  copyNewestEntry,
  deleteUnsealedEntry,
  queueForSealing,
  storedEntries,
  storeUnsignedEntry,
  whileDroppingEntriesOf,
} from '../../test/audit/stored.ts';
import { connect, inTransaction, type Trx } from '../platform/database/index.ts';
import { createLog } from '../platform/log/index.ts';
import { checkChain, describeBreak } from './check-chain.ts';
import { recordAudit } from './entries-store.ts';
import { openAudit } from './open-audit.ts';
import { auditAlarm, sealAudit } from './seal-audit.ts';
import { listEntries } from './search-store.ts';

// Somebody who has the database but not the site key tampers with entries before they are sealed.

let site: TestApp;
let fixture: AuditFixture;
let entry: AuditFixture['entry'];
let write: AuditFixture['write'];
let tamper: AuditFixture['tamper'];
let idAt: AuditFixture['idAt'];
beforeAll(async () => {
  fixture = await auditFixture();
  ({ site, entry, write, tamper, idAt } = fixture);
});
afterAll(() => site.close());
beforeEach(() => fixture.empty());

const alarms = async () => {
  const newestFirst = await listEntries(site.deps.db, { action: auditAlarm }, undefined, 100);
  return newestFirst.map(({ details }) => details.kind).reverse();
};
const broken = async () => (await checkChain(site.deps)).broken;
const sealed = async () => {
  await sealAudit(site.deps);
  // An alarm is an entry, too.
  await sealAudit(site.deps);
};

const writeUnsigned = async () => queueForSealing(site.deps.db, await storeUnsignedEntry(site.deps.db));
const copyOf = (newest: { number: number | null }) => ({
  actor_name: 'Somebody Else',
  number: newest.number! + 1,
});
const copySignature = async () => queueForSealing(site.deps.db, await copyNewestEntry(site.deps.db, copyOf));
const repeatEntry = async () => queueForSealing(site.deps.db, await copyNewestEntry(site.deps.db));

describe('an entry written with SQL', () => {
  it.each([
    ['without a signature', writeUnsigned, 'entry-unsigned'],
    ['with the signature of another', copySignature, 'entry-forged'],
    ['as the very copy of another', repeatEntry, 'entry-forged'],
  ])('%s gets no link and raises an alarm', async (_, forge, alarm) => {
    await write();
    await sealed();
    await forge();
    await sealed();
    expect(await alarms()).toEqual([alarm]);
    expect(site.logLines.join('')).toContain('somebody tampered with the audit');
    expect(await broken()).toMatchObject({ kind: 'entry-unsealed' });
  });

  it('is noticed when it changes another before that is sealed', async () => {
    await write();
    const [entry] = await storedEntries(site.deps.db, {});
    await tamper((trx) => changeStoredEntry(trx, entry!.id, { actor_name: 'Somebody Else' }));
    await sealed();
    expect(await alarms()).toEqual(['entry-forged']);
  });

  it('is noticed when it removes a signature after sealing', async () => {
    for (const number of [1, 2, 3]) await write({ details: { number } });
    await sealed();
    const signature = { writer: null, number: null, code: null };
    await tamper(async (trx) => changeStoredEntry(trx, await idAt(2), signature));
    expect(await broken()).toMatchObject({ kind: 'entry-unsigned', position: 2 });
  });
});

describe('an entry kept out of the audit', () => {
  const writeDropped = () =>
    whileDroppingEntriesOf(site.deps.db, 'Mallory', () => write({ actor: { name: 'Mallory' } }));

  it('raises an alarm at the next sealing if a trigger dropped it', async () => {
    await writeDropped();
    await sealed();
    expect(await alarms()).toContain('entry-lost');
  });

  it('leaves a gap in the numbers of its writer', async () => {
    await write();
    await writeDropped();
    await write();
    await sealed();
    expect(await alarms()).toEqual(['entry-dropped']);
    const found = await broken();
    expect(found).toMatchObject({ kind: 'entry-dropped', number: 3 });
    expect(describeBreak(found!)).toContain('kept out of the audit');
  });

  it('is found by the check if it was deleted before sealing', async () => {
    await write();
    await sealed();
    await write({ details: { number: 2 } });
    const newest = (await storedEntries(site.deps.db, {})).at(-1)!;
    expect(newest.details).toEqual({ number: 2 });
    await tamper((trx) => deleteUnsealedEntry(trx, newest.id));
    await write();
    await sealed();
    expect(await broken()).toMatchObject({ kind: 'entry-dropped', number: 3 });
  });
});

describe('the alarm of the signed audit', () => {
  it('is not raised by transactions that are rolled back', async () => {
    await write();
    for (const _ of [1, 2, 3]) {
      const undone = inTransaction(site.deps.db, async (trx) => {
        await recordAudit(trx, entry());
        throw new Error('changed my mind');
      });
      await expect(undone).rejects.toThrow('changed my mind');
    }
    await write();
    await sealed();
    expect([await alarms(), await broken()]).toEqual([[], undefined]);
  });

  it('is not raised by many writers, some rolled back', async () => {
    await Promise.allSettled(
      Array.from({ length: 60 }, (_, number) =>
        inTransaction(site.deps.db, async (trx) => {
          await recordAudit(trx, entry({ details: { number } }));
          await recordAudit(trx, entry());
          if (number % 3 === 0) throw new Error('undone');
        }),
      ),
    );
    await sealed();
    expect([await alarms(), await broken()]).toEqual([[], undefined]);
    expect((await checkChain(site.deps)).links).toBe(80);
  });

  it('is not raised by a process that is killed before it commits', async () => {
    const other = connect(site.database.connection, createLog('silent'));
    openAudit(other.db, site.deps.secrets);
    await inTransaction(other.db, (trx) => recordAudit(trx, entry()));
    const written = Promise.withResolvers<void>();
    const killed = inTransaction(other.db, async (trx: Trx) => {
      await recordAudit(trx, entry());
      written.resolve();
      await new Promise(() => undefined);
    });
    killed.catch(() => undefined);
    await written.promise;
    other.breakConnections();
    await write();
    await sealed();
    expect([await alarms(), await broken()]).toEqual([[], undefined]);
  });

  it('is not raised by any value that an entry can have', async () => {
    const details = {
      z: 1e21,
      a: [-0, 1e-7, 0.1, null, { y: undefined, b: 'é\u2028😀"\\' }],
      when: new Date(0),
      10: 'x',
      9: true,
    };
    const actor = { id: crypto.randomUUID(), name: 'Ålesund\n', role: '', ipAddress: '::FFFF:192.0.2.7' };
    await write({ details, actor, subject: { type: 'referral', id: '' }, at: new Date(1) });
    await sealed();
    expect([await alarms(), await broken()]).toEqual([[], undefined]);
  });
});

describe('a site from before there were signatures', () => {
  const unsigned = async () => {
    await writeUnsigned();
    await sealed();
  };

  it('keeps a whole chain and continues with signatures', async () => {
    await unsigned();
    await unsigned();
    await write();
    // A process of the earlier version, during an update without downtime.
    await unsigned();
    await write();
    await sealed();
    expect([await alarms(), await broken()]).toEqual([[], undefined]);
  });

  it('accepts no unsigned entry after an hour', async () => {
    await unsigned();
    await write();
    await sealed();
    site.clock.moveOn(61 * 60_000);
    await unsigned();
    expect(await alarms()).toEqual(['entry-unsigned']);
    expect(await broken()).toMatchObject({ kind: 'entry-unsealed' });
  });
});

describe('a commit that the database turns into a rollback', () => {
  it('is an error, and leaves no gap', async () => {
    const swallowed = inTransaction(site.deps.db, async (trx) => {
      await recordAudit(trx, entry());
      await sql`select 1 / 0`.execute(trx).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow('rolled back at its end');
    await write();
    await sealed();
    expect([await alarms(), await broken()]).toEqual([[], undefined]);
  });
});
