import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { eraseAnswers } from '../model/idempotency/idempotency-store.ts';

// A client that got no answer repeats what it sent to a referral, with the same key.

let site: TestApp;
let referrer: Awaited<ReturnType<typeof aTokenHolder>>;
let id: string;
beforeAll(async () => {
  site = await makeApp();
  const { serviceId } = await aService(site.deps);
  referrer = await aTokenHolder(site.deps);
  id = (await call('POST', '/api/referrals', aReferral(serviceId))).json().id;
});
afterAll(() => site.close());

const call = (method: 'GET' | 'POST', url: string, payload?: object | Buffer, more = {}) =>
  site.app.inject({ method, url, headers: { ...referrer.headers, ...more }, ...(payload && { payload }) });
const listed = async (what: string) => (await call('GET', `/api/referrals/${id}/${what}`)).json().items;

const write = (text: string, key: string) =>
  call('POST', `/api/referrals/${id}/messages`, { text }, { 'idempotency-key': key });

function attach(content: string, key: string) {
  const head = '--edge\r\ncontent-disposition: form-data; name="file"; filename="letter.pdf"\r\n\r\n';
  return call(
    'POST',
    `/api/referrals/${id}/attachments`,
    Buffer.from(`${head}%PDF-1.7 ${content}\r\n--edge--\r\n`),
    { 'content-type': 'multipart/form-data; boundary=edge', 'idempotency-key': key },
  );
}

/** A repetition that comes a moment too soon is refused, and may be sent again. */
function isAnswered(answer: Awaited<ReturnType<typeof write>>): boolean {
  return answer.statusCode !== 409 || !answer.json().type.endsWith('/still-in-progress');
}

describe('a request with an idempotency key', () => {
  it.each([
    { what: 'messages', send: write },
    { what: 'attachments', send: attach },
  ])('adds one of the $what, and refuses another with the same key', async ({ what, send }) => {
    const answers = await Promise.all([1, 2, 3].map(() => send('Is a morning good?', what)));
    const [first, ...others] = answers.toSorted((one, other) => one.statusCode - other.statusCode);
    expect(first!.statusCode, first!.body).toBe(201);
    for (const each of [...others.filter(isAnswered), await send('Is a morning good?', what)])
      expect([each.statusCode, each.json()]).toEqual([201, first!.json()]);
    expect(await listed(what)).toEqual([first!.json()]);
    expect((await send('Is an evening good?', what)).statusCode).toBe(422);
    expect((await send('Is a morning good?', `another of ${what}`.replaceAll(' ', '-'))).statusCode).toBe(
      201,
    );
    expect(await listed(what)).toHaveLength(2);
  });

  it('is refused when the key made a referral', async () => {
    const { serviceId } = await aService(site.deps);
    await call('POST', '/api/referrals', aReferral(serviceId), { 'idempotency-key': 'made' });
    expect((await write('Hello.', 'made')).statusCode).toBe(422);
  });

  it('is refused when the key made a referral that was erased', async () => {
    const { serviceId } = await aService(site.deps);
    const payload = aReferral(serviceId);
    const made = (await call('POST', '/api/referrals', payload, { 'idempotency-key': 'erased' })).json();
    await inTransaction(site.deps.db, (trx) => eraseAnswers(trx, site.deps.secrets, made.id));
    for (const send of [write, attach]) {
      const answer = await send('Hello.', 'erased');
      expect(answer.statusCode, answer.body).toBe(422);
      expect(answer.json().type).toContain('idempotency-key-reused');
    }
  });
});
