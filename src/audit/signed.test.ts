import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestApp } from '../../test/app/make-app.ts';
import { type AuditStage, auditStage } from '../../test/audit/stage.ts';
import { connect, inTransaction, type Trx } from '../platform/database/index.ts';
import { createLog } from '../platform/log/index.ts';
import { describeBreak, verifyAudit } from './check-chain.ts';
import { recordAudit } from './entries-store.ts';
import { openAudit } from './open-audit.ts';
import { auditAlarm, sealAudit } from './seal-audit.ts';
import { listEntries } from './search-store.ts';

// Somebody who has the database but not the site key tampers with entries before they are sealed.

let site: TestApp;
let stage: AuditStage;
let entry: AuditStage['entry'];
let write: AuditStage['write'];
let tamper: AuditStage['tamper'];
beforeAll(async () => {
  stage = await auditStage();
  ({ site, entry, write, tamper } = stage);
});
afterAll(() => site.close());
beforeEach(() => stage.empty());

const alarms = async () => {
  const newestFirst = await listEntries(site.deps.db, { action: auditAlarm }, undefined, 100);
  return newestFirst.map(({ details }) => details.kind).reverse();
};
const broken = async () => (await verifyAudit(site.deps)).broken;
const sealed = async () => {
  await sealAudit(site.deps);
  // An alarm is an entry, too.
  await sealAudit(site.deps);
};

const forged = sql`
  with forged as (
    insert into audit_entries (at, actor_name, action, outcome) values (now(), 'Asha Patel', 'account.created', 'done')
    returning id)
  insert into audit_unsealed select id from forged`;
const copied = sql`
  with copied as (
    insert into audit_entries (at, actor_name, action, outcome, writer, number, code)
    select at, 'Somebody Else', action, outcome, writer, number + 1, code from audit_entries
    order by id desc limit 1 returning id)
  insert into audit_unsealed select id from copied`;

const repeated = sql`
  with repeated as (
    insert into audit_entries (at, actor_name, actor_role, action, outcome, address, writer, number, code)
    select at, actor_name, actor_role, action, outcome, address, writer, number, code from audit_entries
    order by id desc limit 1 returning id)
  insert into audit_unsealed select id from repeated`;

describe('an entry written with SQL', () => {
  for (const [name, statement] of [
    ['without a signature', forged],
    ['with the signature of another', copied],
    ['as the very copy of another', repeated],
  ] as const) {
    test(`${name} gets no link and raises an alarm`, async () => {
      await write();
      await sealed();
      await statement.execute(site.deps.db);
      await sealed();
      expect(await alarms()).toEqual([statement === forged ? 'entry-unsigned' : 'entry-forged']);
      expect(site.logLines.join('')).toContain('somebody tampered with the audit');
      expect(await broken()).toMatchObject({ kind: 'entry-unsealed' });
    });
  }

  test('is noticed when it changes another before that is sealed', async () => {
    await write();
    await tamper((trx) => sql`update audit_entries set actor_name = 'Somebody Else'`.execute(trx));
    await sealed();
    expect(await alarms()).toEqual(['entry-forged']);
  });

  test('is noticed when it removes a signature after sealing', async () => {
    for (const number of [1, 2, 3]) await write({ details: { number } });
    await sealed();
    await tamper((trx) =>
      sql`
        update audit_entries set writer = null, number = null, code = null
        where id = (select entry_id from audit_links where position = 2)`.execute(trx),
    );
    expect(await broken()).toMatchObject({ kind: 'entry-unsigned', position: 2 });
  });
});

describe('an entry kept out of the audit', () => {
  const dropping = async (work: () => Promise<unknown>) => {
    await sql`
      create function drop_entry() returns trigger language plpgsql as
      $$ begin if new.actor_name = 'Mallory' then return null; end if; return new; end $$`.execute(
      site.deps.db,
    );
    await sql`
      create trigger drop_entry before insert on audit_entries for each row execute function drop_entry()`.execute(
      site.deps.db,
    );
    try {
      await work();
    } finally {
      await sql`drop function drop_entry cascade`.execute(site.deps.db);
    }
  };

  test('is missed at the next sealing when a trigger dropped it', async () => {
    await dropping(() => write({ actor: { name: 'Mallory' } }));
    await sealed();
    expect(await alarms()).toContain('entry-lost');
  });

  test('leaves a gap in the numbers of its writer', async () => {
    await write();
    await dropping(() => write({ actor: { name: 'Mallory' } }));
    await write();
    await sealed();
    expect(await alarms()).toEqual(['entry-dropped']);
    const found = await broken();
    expect(found).toMatchObject({ kind: 'entry-dropped', number: 3 });
    expect(describeBreak(found!)).toContain('kept out of the audit');
  });

  test('is missed when it was deleted before sealing', async () => {
    await write();
    await sealed();
    await write({ details: { number: 2 } });
    await tamper(async (trx) => {
      await sql`delete from audit_entries where details = '{"number": 2}'`.execute(trx);
      await sql`delete from audit_unsealed`.execute(trx);
    });
    await write();
    await sealed();
    expect(await broken()).toMatchObject({ kind: 'entry-dropped', number: 3 });
  });
});

describe('no alarm is raised', () => {
  test('by transactions that are rolled back', async () => {
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

  test('by many writers at once, while some are rolled back', async () => {
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
    expect((await verifyAudit(site.deps)).links).toBe(80);
  });

  test('by a process that is killed before it commits', async () => {
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

  test('by any value that an entry can have', async () => {
    const details = {
      z: 1e21,
      a: [-0, 1e-7, 0.1, null, { y: undefined, b: 'é\u2028😀"\\' }],
      when: new Date(0),
      10: 'x',
      9: true,
    };
    const actor = { id: crypto.randomUUID(), name: 'Ålesund\n', role: '', address: '::FFFF:192.0.2.7' };
    await write({ details, actor, subject: { type: 'referral', id: '' }, at: new Date(1) });
    await sealed();
    expect([await alarms(), await broken()]).toEqual([[], undefined]);
  });
});

describe('a site from before there were signatures', () => {
  const unsigned = async () => {
    await forged.execute(site.deps.db);
    await sealed();
  };

  test('keeps a whole chain and continues with signatures', async () => {
    await unsigned();
    await unsigned();
    await write();
    // A process of the earlier version, during an update without downtime.
    await unsigned();
    await write();
    await sealed();
    expect([await alarms(), await broken()]).toEqual([[], undefined]);
  });

  test('accepts no unsigned entry after an hour', async () => {
    await unsigned();
    await write();
    await sealed();
    site.clock.moveOn(61 * 60_000);
    await unsigned();
    expect(await alarms()).toEqual(['entry-unsigned']);
    expect(await broken()).toMatchObject({ kind: 'entry-unsealed' });
  });
});

test('a commit that the database turns into a rollback is an error, not a gap', async () => {
  const swallowed = inTransaction(site.deps.db, async (trx) => {
    await recordAudit(trx, entry());
    await sql`select 1 / 0`.execute(trx).catch(() => undefined);
  });
  await expect(swallowed).rejects.toThrow('undone at its end');
  await write();
  await sealed();
  expect([await alarms(), await broken()]).toEqual([[], undefined]);
});
