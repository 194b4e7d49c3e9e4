import { afterAll, expect, test } from 'vitest';
import { aTokenHolder } from '../../test/builders.ts';
import { storeReferral } from '../../test/delivery/test-site.ts';
import { makeApp } from '../../test/make-app.ts';

const site = await makeApp();
afterAll(() => site.close());

test('both sides read the letter by API, each time audited; others find nothing', async () => {
  const referrer = await aTokenHolder(site.deps);
  const operator = await aTokenHolder(site.deps, { role: 'operator' });
  const referral = await storeReferral(site.database.pool, { referrerAccountId: referrer.id });
  const url = `/api/referrals/${referral.id}/letter.pdf`;
  const read = (headers: typeof referrer.headers) => site.app.inject({ url, headers });
  const answer = await read(referrer.headers);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/pdf']);
  expect(answer.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  expect((await read(operator.headers)).statusCode).toBe(403);
  expect((await read((await aTokenHolder(site.deps)).headers)).statusCode).toBe(404);
});
