import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { mayCallFromSettings } from './addresses.ts';
import { NoAnswer } from './request.ts';
import { createTrustedFetch } from './trusted-fetch.ts';

let close: (() => void) | undefined;
afterEach(() => close?.());

async function aServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
}

const limited = (timeoutMs: number) =>
  createTrustedFetch({ mode: 'test' }, [], { timeoutMs, maxBytes: 1000 });
const outbound = limited(60_000);

/** What kind of failure a call ended in. */
const failure = (address: string, call = outbound) =>
  call(address).then(
    () => 'answered',
    (error) => (typeof error.code === 'string' ? error.code : error.name),
  );

describe('calling a server of the settings', () => {
  it('returns status, headers and body', async () => {
    const address = await aServer((request, response) => {
      response.writeHead(418, { 'x-method': request.method! });
      request.pipe(response);
    });
    const answer = await outbound(address, { method: 'POST', body: 'tea' });
    expect([answer.status, answer.headers.get('x-method'), await answer.text()]).toEqual([
      418,
      'POST',
      'tea',
    ]);
  });

  it('returns no body for an answer without one', async () => {
    const address = await aServer((_request, response) => response.writeHead(204).end());
    expect((await outbound(address)).body).toBeNull();
  });

  it('follows no redirect', async () => {
    let asked = 0;
    const address = await aServer((request, response) => {
      asked += 1;
      response.writeHead(request.url === '/' ? 307 : 200, { location: '/elsewhere' }).end();
    });
    expect(await failure(address)).toBe('REDIRECTED');
    expect(asked).toBe(1);
  });

  it('does not wait for an answer that never begins or ends', async () => {
    const impatient = limited(100);
    expect(await failure(await aServer(() => undefined), impatient)).toBe('ABORT_ERR');
    close?.();
    const endless = await aServer((_request, response) => response.writeHead(200).write('a'));
    expect(await failure(endless, impatient)).toBe('ABORT_ERR');
  });

  it('throws NoAnswer with the code of the network’s error', async () => {
    await expect(outbound('http://127.0.0.1:2/')).rejects.toBeInstanceOf(NoAnswer);
    expect(await failure('http://127.0.0.1:2/')).toBe('ECONNREFUSED');
    const hangsUp = await aServer((_request, response) => response.destroy());
    expect(await failure(hangsUp)).toBe('ECONNRESET');
  });

  it('does not read an answer that is too large to its end', async () => {
    let ended = false;
    const address = await aServer((_request, response) => {
      const more = () => {
        while (!ended && response.write('x'.repeat(500)));
      };
      response.on('drain', more).on('close', () => {
        ended = true;
      });
      more();
    });
    expect(await failure(address)).toBe('ANSWER_TOO_LARGE');
  });

  it('never asks an address that may not be reached', async () => {
    expect(await failure('https://example.org/')).toBe('ADDRESS_NOT_ALLOWED');
  });

  it('leaves a test site’s machine only for hosts that it names', () => {
    const named = [new URL('https://login.example.org/tenant')];
    const reach = (mode: 'test' | 'live', address: string) =>
      mayCallFromSettings(new URL(address), mode, named);
    for (const address of [
      'https://login.example.org/keys',
      'http://127.0.0.1:9/',
      'http://[::1]:9/',
      'http://localhost/',
    ])
      expect([address, reach('test', address), reach('live', address)]).toEqual([address, true, true]);
    for (const address of ['https://other.example.org/', 'https://login.example.org.evil.example/'])
      expect([address, reach('test', address), reach('live', address)]).toEqual([address, false, true]);
    for (const address of [
      'http://login.example.org/',
      'ftp://127.0.0.1/',
      'https://me:secret@login.example.org/',
      'http://127.0.0.1.evil.example/',
      'http://localhost.evil.example/',
      'file:///etc/passwd',
    ])
      expect([address, reach('test', address), reach('live', address)]).toEqual([address, false, false]);
  });
});
