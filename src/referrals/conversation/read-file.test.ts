import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { deleteAttachments } from '../../../test/referrals/stored.ts';

const pdf = Buffer.concat([Buffer.from('%PDF-1.7 '), randomBytes(8 * 1024 * 1024)]);

let site: TestApp;
let headers: Record<string, string>;
let url: string;
/** How often anything was asked of the database. */
let questions = 0;
beforeAll(async () => {
  site = await makeApp();
  const { serviceId } = await aService(site.deps);
  ({ headers } = await aTokenHolder(site.deps));
  const post = async (path: string, payload: Buffer | object, type = 'application/json') => {
    const answer = await site.app.inject({
      method: 'POST',
      url: path,
      payload,
      headers: { ...headers, 'content-type': type },
    });
    return answer.headers.location!.toString().replace(site.deps.settings.baseUrl, '');
  };
  const referral = await post('/api/referrals', aReferral(serviceId));
  const head = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
  const form = Buffer.concat([Buffer.from(head), pdf, Buffer.from('\r\n--edge--\r\n')]);
  url = await post(`${referral}/attachments`, form, 'multipart/form-data; boundary=edge');
  site.database.pool.on('acquire', () => {
    questions += 1;
  });
});
afterAll(() => site.close());

const read = async () => {
  const answer = await site.app.inject({ url, headers, payloadAsStream: true });
  expect([answer.statusCode, answer.headers['content-length']]).toEqual([200, String(pdf.length)]);
  return answer.stream();
};

describe('a download', () => {
  it('is read in pieces, as the reader takes them', async () => {
    const stream = await read();
    const before = questions;
    expect((await buffer(stream)).equals(pdf)).toBe(true);
    expect(questions - before).toBeGreaterThan(20);
  });

  it('breaks off when the file is erased meanwhile', async () => {
    const stream = await read();
    await deleteAttachments(site.deps.db);
    await expect(buffer(stream)).rejects.toThrow();
  });
});
