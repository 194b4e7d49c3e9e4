import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { testPlatform } from '../../../test/delivery/test-site.ts';
import { openAudit } from '../../audit/index.ts';
import { connect, type Database, inTransaction } from '../../platform/database/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { createSecrets, newRandomBytes } from '../../platform/secrets/index.ts';
import { beginAttempt, recordSuccess } from './throttle.ts';

// Two processes of a site: each has connections of its own, and they share nothing but the database and the key.

let first: Database;
let second: Database;
beforeAll(async () => {
  first = await testDatabase();
  second = connect(first.connection, createLog('silent'));
  openAudit(second.db, createSecrets(newRandomBytes(32)));
});
afterAll(async () => {
  await second.close();
  await first.close();
});

describe('two processes', () => {
  it('together check only five of 200 simultaneous guesses', async () => {
    const clock = manualClock();
    const sites = [first, second].map(({ db }) => testPlatform('test', { db, clock, dataDir: '/tmp' }));
    const guesses = Array.from({ length: 200 }, (_, at) =>
      beginAttempt(sites[at % 2]!, {
        kind: 'sign-in',
        identifier: 'asha@example.org',
        ipAddress: '192.0.2.1',
      }),
    );
    const outcomes = await Promise.allSettled(guesses);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  it('never wait for each other in a circle', async () => {
    const clock = manualClock();
    const sites = [first, second].map(({ db }) => testPlatform('test', { db, clock, dataDir: '/tmp' }));
    const guesses = Array.from({ length: 300 }, async (_, at) => {
      const site = sites[at % 2]!;
      const [email, ipAddress] = [`person${at % 7}@example.org`, `198.51.100.${at % 11}`];
      const attempt = await beginAttempt(site, { kind: 'sign-in', identifier: email, ipAddress });
      if (at % 3 > 0) await inTransaction(site.db, (trx) => recordSuccess(trx, site, attempt));
    });
    const outcomes = await Promise.allSettled(guesses);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason.kind?.type).toBe('too-many-attempts');
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(200);
  });
});
