import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral } from '../app/builders.ts';
import { countJobs } from '../app/jobs.ts';
import { countDeliveries } from '../app/referral-load.ts';
import { until } from '../app/until.ts';
import { inDatabaseOf } from '../database/site-database.ts';
import { capturedMessages } from '../delivery/stored.ts';
import { apiClient, copyKeys } from '../people/api-client.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { type SitePair, startSitePair } from '../process/site-pair.ts';
import { addJob } from '../rehearsal/add-job.ts';

// One of two machines has a wrong clock: eight days ahead, and then eight days behind. Nothing ends early there or lives
// longer, nothing is forgotten, and nobody is told that somebody has not answered for days.

let pair: SitePair;
beforeAll(async () => {
  pair = await startSitePair({
    NODE_OPTIONS: `--import=${join(import.meta.dirname, '..', 'process', 'wrong-clock.ts')}`,
    TEST_CLOCK_DAYS: '8',
  });
});
afterAll(() => pair.close());

describe('a machine’s clock that jumps', () => {
  it('is ignored: both processes use the database’s clock', async () => {
    const { first, second, secondUrl } = pair;
    const person = pageVisitor(first.baseUrl);
    await person.signIn(first.logins.referrer);
    const operator = pageVisitor(first.baseUrl);
    await operator.signIn(first.logins.operator);
    const { access, refresh } = await copyKeys(person);
    const here = apiClient(first.baseUrl, access);
    const { contents } = (await here.get('/api/library/services?search=befriending')).body;
    const refer = async (baseUrl: string, token: string, key: string) => {
      const body = aReferral(contents[0].id, { gp_practice: { ods_code: 'Z99001' }, allow_duplicate: true });
      const answer = await apiClient(baseUrl, token).post('/api/referrals', body, { 'idempotency-key': key });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body;
    };
    const made: string[] = [];

    for (const jump of ['ahead', 'behind']) {
      if (jump === 'behind') second.process.kill('SIGUSR2');
      const wrongDay = new Date(Date.now() + (jump === 'ahead' ? 8 : -8) * 86_400_000)
        .toISOString()
        .slice(0, 10);
      const log = () => second.output().stderr;
      // Keys and sessions of the one are those of the other, and end when they do.
      const there = await fetch(`${secondUrl}/api/token/refresh`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refreshToken: refresh }),
      });
      const refreshed = (await there.json()) as { access_token: string; valid_to: string };
      const minutes = (Date.parse(refreshed.valid_to) - Date.now()) / 60_000;
      expect(Math.round(minutes)).toBe(180);
      const asOne = pageVisitor(secondUrl, first.baseUrl);
      for (const [cookie, value] of person.cookies) asOne.cookies.set(cookie, value);
      expect((await asOne.visit('/referrals')).url).toBe('/referrals');

      await until(() => log().includes(`"time":"${wrongDay}T`));

      const key = randomUUID();
      const atSecond = await refer(secondUrl, access, key);
      expect(Math.abs(Date.parse(atSecond.created_at) - Date.now())).toBeLessThan(60_000);
      // What each process looks after by the clock, the first one's jobs by the second, and the other way round.
      for (const job of [
        'delete-expired',
        'restore-mail-jobs',
        'watch-deliveries',
        'restore-delivery-jobs',
        'remind-overdue',
      ])
        await addJob(first, job);
      await until(async () => (await jobsLeft()) === 0);
      expect((await refer(first.baseUrl, refreshed.access_token, key)).id).toBe(atSecond.id);
      made.push(atSecond.id, (await refer(first.baseUrl, refreshed.access_token, randomUUID())).id);
      for (const token of [access, refreshed.access_token])
        for (const baseUrl of [first.baseUrl, secondUrl])
          expect((await apiClient(baseUrl, token).get('/api/token/status')).status).toBe(200);
    }

    await until(async () => (await countDeliveries(first.baseUrl, access, ['queued', 'sending'])) === 0);
    const captured = await inDatabaseOf(first, ({ db }) => capturedMessages(db));
    expect(captured.map(({ referral_id }) => referral_id).sort()).toEqual([...made, ...made].sort());
    expect((await operator.visit('/operator/deliveries')).text).toContain('Every message has arrived');
  });
});

const jobsLeft = () => inDatabaseOf(pair.first, ({ pool }) => countJobs(pool, { isDue: true }));
