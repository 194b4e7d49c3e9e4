import { afterAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../test/app/builders.ts';
import { makeApp } from '../../test/app/make-app.ts';
import { pagesOfPdf } from '../../test/delivery/letters.ts';
import { storeReferral } from '../../test/delivery/test-site.ts';

const site = await makeApp();
afterAll(() => site.close());

describe('the letter of a referral', () => {
  it('is read by both sides only, and audited each time', async () => {
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

  it('says the news that nobody of the service has read', async () => {
    const referrer = await aTokenHolder(site.deps);
    const { id } = await storeReferral(site.database.pool, { referrerAccountId: referrer.id });
    const ask = { url: `/api/referrals/${id}`, headers: referrer.headers };
    const payload = { text: 'Her son was taken to hospital.' };
    await site.app.inject({ ...ask, method: 'POST', url: `${ask.url}/messages`, payload });
    const { rawPayload } = await site.app.inject({ ...ask, url: `${ask.url}/letter.pdf` });
    expect((await pagesOfPdf(rawPayload)).join(' ')).toContain(payload.text);
  });

  it('asked for many times by one reader delays nobody else', async () => {
    const [read, readOnce] = [await aReader(), await aReader()];
    let drawn = 0;
    const theirs = Array.from({ length: 16 }, () => read().then(() => (drawn += 1)));
    expect((await readOnce()).statusCode).toBe(200);
    expect(drawn).toBeLessThan(12);
    await Promise.all(theirs);
  });
});

/** @returns how somebody reads the letter of a referral of theirs. */
async function aReader() {
  const { id: referrerAccountId, headers } = await aTokenHolder(site.deps);
  const { id } = await storeReferral(site.database.pool, { referrerAccountId });
  return () => site.app.inject({ url: `/api/referrals/${id}/letter.pdf`, headers });
}
