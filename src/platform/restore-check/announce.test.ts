import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/database/test-database.ts';
import { type Database, inTransaction } from '../database/index.ts';
import type { App } from '../http/index.ts';
import { createLog } from '../log/index.ts';
import { addRestoreCheckHeader } from './announce.ts';
import { beginRestoreCheck } from './restore-check-store.ts';

const backupMadeAt = new Date('2026-05-04T03:00:00.000Z');

let database: Database;
/** What the site does at the beginning of each request. */
let onRequest: (request: unknown, reply: { header(name: string, value: string): void }) => Promise<void>;
/** What the site does when notices may have been missed. */
let missNotices: () => void;
beforeEach(async () => {
  database = await testDatabase();
  await inTransaction(database.db, (trx) => beginRestoreCheck(trx, { backupMadeAt, at: new Date() }));
  const app = {
    addHook: (_name: string, hook: typeof onRequest) => {
      onRequest = hook;
    },
  } as unknown as App;
  const notices = {
    on: () => undefined,
    onGap: (forget: () => void) => {
      missNotices = forget;
    },
    healthy: () => true,
    stop: async () => undefined,
  };
  addRestoreCheckHeader(app, { db: database.db, notices, log: createLog('silent') });
});
afterEach(() => database.close());

/** The header of an answer; undefined if it has none. */
async function header(): Promise<string | undefined> {
  const headers: Record<string, string> = {};
  await onRequest(undefined, {
    header(name, value) {
      headers[name] = value;
    },
  });
  return headers['onward-check-first'];
}

const hideState = () => sql`alter table check_first rename to check_first_away`.execute(database.db);
const showState = () => sql`alter table check_first_away rename to check_first`.execute(database.db);

describe('the header of a restored site that is being checked', () => {
  it('is on the first answer', async () => {
    expect(await header()).toBe(backupMadeAt.toISOString());
  });

  it('is there again after the first reading failed', async () => {
    await hideState();
    expect(await header()).toBeUndefined();
    await showState();
    expect(await header()).toBe(backupMadeAt.toISOString());
  });

  it('stays while the database cannot say', async () => {
    expect(await header()).toBe(backupMadeAt.toISOString());
    await hideState();
    missNotices();
    for (const _ of [1, 2]) expect(await header()).toBe(backupMadeAt.toISOString());
  });
});
