import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral, aService, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { beginRequest } from '../../../test/network/begin-request.ts';
import { virusScanner } from '../../../test/network/virus-scanner.ts';
import { describeFailure, listConnectionFailures } from '../../platform/connections/index.ts';
import { hourMs } from '../../platform/durations.ts';

// What was sent with a file is either taken or refused: nothing of it is left out without a word.

let site: TestApp;
let headers: Record<string, string>;
let path: string;
beforeAll(async () => {
  site = await makeApp();
  const { serviceId } = await aService(site.deps);
  ({ headers } = await aTokenHolder(site.deps));
  const url = '/api/referrals';
  const made = await site.app.inject({ method: 'POST', url, headers, payload: aReferral(serviceId) });
  path = `${url}/${made.json().id}/attachments`;
});
afterAll(() => site.close());

const aFile = (name = 'file', content = '%PDF-1.7 A letter.') =>
  `--edge\r\ncontent-disposition: form-data; name="${name}"; filename="letter.pdf"\r\n\r\n${content}\r\n`;
const aField = (name: string) => `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nhello\r\n`;

function send(form: string | PassThrough, as = headers) {
  const type = { 'content-type': 'multipart/form-data; boundary=edge' };
  return site.app.inject({ method: 'POST', url: path, headers: { ...as, ...type }, payload: form });
}
const listed = async () => (await site.app.inject({ url: path, headers })).json().items;

describe('an upload', () => {
  it.each([
    { what: 'a second file', form: aFile() + aFile(), pointers: ['/file'] },
    { what: 'a large second file', form: aFile() + aFile('file', 'x'.repeat(2 ** 20)), pointers: ['/file'] },
    { what: 'a file in another field', form: aFile() + aFile('other'), pointers: ['/other'] },
    { what: 'a field after the file', form: aFile() + aField('note'), pointers: ['/note'] },
    { what: 'a file in no field', form: aFile().replace('name="file"; ', ''), pointers: ['/file', '/'] },
    { what: 'a field before the file', form: aField('note') + aFile(), pointers: ['/note'] },
  ])('with $what is refused, naming it', async ({ form, pointers }) => {
    const answer = await send(`${form}--edge--\r\n`);
    expect(answer.statusCode, answer.body).toBe(400);
    expect(answer.json().errors.map((each: { pointer: string }) => each.pointer)).toEqual(pointers);
    expect(await listed()).toEqual([]);
  });

  it('is told to be a form if it comes as JSON or any other type', async () => {
    const address = await site.app.listen({ port: 0, host: '127.0.0.1' });
    const sendAs = async (type: string, body: string) => {
      const sent = { method: 'POST', headers: { ...headers, 'content-type': type }, body };
      const answer = await fetch(`${address}${path}`, sent);
      return [answer.status, ((await answer.json()) as { detail: string }).detail];
    };
    const told = [415, 'Send the file as multipart/form-data, in the field “file”.'];
    expect(await sendAs('application/pdf', '%PDF-1.7')).toEqual(told);
    expect(await sendAs('application/json', '{"file": "x"}')).toEqual(told);
  });

  it('stores nothing if it is cut off anywhere', async () => {
    const whole = `${aFile()}--edge--\r\n`;
    for (let length = 0; length < whole.length - 4; length += 7) {
      const answer = await send(whole.slice(0, length));
      expect(answer.statusCode, `${length}: ${answer.body}`).toBe(400);
    }
    expect(await listed()).toEqual([]);
  });

  it('is told the limit if it is too large', async () => {
    const answer = await send(`${aFile('file', `%PDF-1.7 ${'x'.repeat(10 * 2 ** 20)}`)}--edge--\r\n`);
    expect(answer.json()).toMatchObject({ status: 413, detail: 'A file may have at most 10 megabytes.' });
    expect(await listed()).toEqual([]);
  });

  it('is stored if it has one file', async () => {
    expect((await send(`${aFile()}--edge--\r\n`)).statusCode).toBe(201);
    expect(await listed()).toHaveLength(1);
  });

  it('waits while two uploads of the same account are being read', async () => {
    const slow = [new PassThrough(), new PassThrough(), new PassThrough()];
    const sent = slow.map((each) => send(each));
    for (const each of slow) each.write(aFile());
    const isRead = () => slow.map((each) => each.readableLength === 0);
    await until(async () => isRead()[1]!);
    const { headers: stranger } = await aTokenHolder(site.deps);
    expect((await send(`${aFile()}--edge--\r\n`, stranger)).statusCode).toBe(404);
    expect(isRead()).toEqual([true, true, false]);
    for (const each of slow) each.end('--edge--\r\n');
    expect((await Promise.all(sent)).map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
  });

  it('frees its slot if it is aborted', async () => {
    const lines = [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: ${headers.authorization}`,
      'Content-Type: multipart/form-data; boundary=edge',
      'Content-Length: 100000',
    ];
    const leave: (() => Promise<void>)[] = [];
    for (let count = 0; count < 4; count += 1)
      leave.unshift(await beginRequest(site, `${lines.join('\r\n')}\r\n\r\n${aFile()}`));
    for (const each of leave) await each();
    expect((await send(`${aFile()}--edge--\r\n`)).statusCode).toBe(201);
  });
});

describe('a virus scanner', () => {
  it('keeps a virus out, and operators hear if it does not answer', async () => {
    const scanner = await virusScanner();
    const scanned = await makeApp({ env: { ONWARD_SCAN_URL: scanner.url } });
    try {
      const { serviceId } = await aService(scanned.deps);
      const { headers: sender } = await aTokenHolder(scanned.deps);
      const referral = { method: 'POST', url: '/api/referrals', headers: sender } as const;
      const made = await scanned.app.inject({ ...referral, payload: aReferral(serviceId) });
      const type = { 'content-type': 'multipart/form-data; boundary=edge' };
      const attach = (content: string) =>
        scanned.app.inject({
          method: 'POST',
          url: `/api/referrals/${made.json().id}/attachments`,
          headers: { ...sender, ...type },
          payload: `${aFile('file', content)}--edge--\r\n`,
        });
      const virus = await attach('%PDF-1.7 EICAR');
      expect([virus.statusCode, virus.json().errors]).toEqual([
        422,
        [{ pointer: '/file', message: 'has a virus, so nothing was stored' }],
      ]);
      expect((await attach('%PDF-1.7 A letter.')).json().scanned).toBe(true);
      expect((await attach('%PDF-1.7 trailer<</Encrypt 5 0 R>>')).json().scanned).toBe(false);
      const refused = await storedEntries(scanned.deps.db, { action: 'referral.file_refused' });
      expect(refused.map(({ subject_id }) => subject_id)).toEqual([made.json().id]);
      const failures = async () => {
        const at = new Date(scanned.clock.now().getTime() + hourMs);
        return (await listConnectionFailures(scanned.deps.db, at)).map(describeFailure);
      };
      expect(await failures()).toEqual([]);
      scanner.close();
      expect((await attach('%PDF-1.7 Another.')).json().scanned).toBe(false);
      expect(await failures()).toMatchObject([{ heading: 'The virus scanner does not look at files' }]);
    } finally {
      await scanned.close();
    }
  });
});
