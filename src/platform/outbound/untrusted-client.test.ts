import { once } from 'node:events';
import { createServer } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedServer } from '../../../test/network/feed-server.ts';
import { aHangingSystem } from '../../../test/network/hanging-system.ts';
import { isPublicAddress, mayCallTyped } from './addresses.ts';
import { createUntrustedPost, createUntrustedRead } from './untrusted-client.ts';

const may = (mode: 'test' | 'live', address: string) => mayCallTyped(new URL(address), mode);
const message = { headers: { 'x-one': '1' }, body: 'häagen' };
const failure = (call: Promise<unknown>) =>
  call.then(
    () => 'answered',
    (error) => error.code,
  );

describe('calling an address that somebody typed', () => {
  it('is limited to this computer, when live to public https', () => {
    for (const address of ['http://localhost:1/', 'https://127.0.0.1/', 'http://[::1]:3000/told'])
      expect([address, may('test', address), may('live', address)]).toEqual([address, true, false]);
    for (const address of [
      'https://client.example.org/',
      'https://93.184.215.14/',
      'https://[2600:1406::1]/',
    ])
      expect([address, may('test', address), may('live', address)]).toEqual([address, false, true]);
    for (const address of [
      'http://client.example.org/',
      'https://me:secret@client.example.org/',
      'https://10.0.0.1/',
      'https://192.168.1.1/',
      'https://172.31.255.255/',
      'https://169.254.169.254/',
      'https://0.0.0.0/',
      'https://100.64.0.1/',
      'https://224.0.0.1/',
      'https://[fe80::1]/',
      'https://[fd00::1]/',
      'https://[::10.0.0.1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://[64:ff9b::a00:1]/',
      'https://[2002:a00:1::]/',
      'https://[ff02::1]/',
      'https://[::]/',
      // The same addresses in notations that other programs read.
      'https://0x7f.1.1.1/',
      'https://2130706434/',
      'https://0300.0250.0.1/',
      'ftp://client.example.org/',
    ])
      expect([address, may('live', address)]).toEqual([address, false]);
  });

  it('never takes a private address for a public one', () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const hidden = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127, 224, 239, 240, 255), octet, octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
    );
    fc.assert(
      fc.property(hidden, (parts) => {
        for (const address of [parts.join('.'), `::ffff:${parts.join('.')}`, `64:ff9b::${parts.join('.')}`])
          expect([address, isPublicAddress(address)]).toEqual([address, false]);
      }),
    );
    expect(isPublicAddress('hello')).toBe(false);
  });

  it('refuses a name that leads to this machine once it connects', async () => {
    let asked = 0;
    const server = createServer(() => {
      asked += 1;
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { port: number };
    const leadsTo = (...addresses: string[]) =>
      createUntrustedPost('live', {
        timeoutMs: 60_000,
        resolve: (_host, _options, done) =>
          done(
            null,
            addresses.map((address) => ({ address, family: 4 })),
          ),
      });
    const address = `https://client.example.org:${port}/told`;
    expect(await failure(leadsTo('127.0.0.1')(address, message))).toBe('ADDRESS_NOT_ALLOWED');
    expect(await failure(leadsTo('10.1.2.3', '192.168.0.1')(address, message))).toBe('ADDRESS_NOT_ALLOWED');
    expect(await failure(leadsTo()(address, message))).toBe('ADDRESS_NOT_ALLOWED');
    expect(asked).toBe(0);
    server.close();
  });

  it('takes a redirect as an answer, and waits for nobody too long', async () => {
    const received: unknown[] = [];
    let answers = true;
    const server = createServer(async (request, response) => {
      received.push([request.headers['x-one'], (await request.toArray()).join('')]);
      if (answers)
        response.writeHead(307, { location: '/elsewhere', 'retry-after': '7' }).write('x'.repeat(100_000));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `http://localhost:${(server.address() as { port: number }).port}/`;
    const call = createUntrustedPost('test', { timeoutMs: 60_000 });
    expect(await call(address, message)).toEqual({ status: 307, retryAfter: '7' });
    expect(received).toEqual([['1', 'häagen']]);
    answers = false;
    const impatient = createUntrustedPost('test', { timeoutMs: 200 });
    expect(await failure(impatient(address, message))).toBe('ABORT_ERR');
    expect(await failure(call('https://client.example.org/', message))).toBe('ADDRESS_NOT_ALLOWED');
    server.closeAllConnections();
    server.close();
  });

  // Without the time limit, the call would never end, and its job would hold a slot of the queue for good.
  it('does not wait longer for a system that never begins TLS', async () => {
    const hanging = await aHangingSystem();
    const address = hanging.url.replace('http:', 'https:');
    try {
      const post = createUntrustedPost('test', { timeoutMs: 200 });
      await expect(post(address, message)).rejects.toMatchObject({ code: 'ABORT_ERR', wasConnected: false });
      const read = createUntrustedRead('test', { timeoutMs: 60_000, maxBytes: 1000 });
      expect(await failure(read(address, {}, AbortSignal.timeout(200)))).toBe('ABORT_ERR');
      expect(await failure(read(address, {}, AbortSignal.abort()))).toBe('ABORT_ERR');
      expect(hanging.calls()).toBe(2);
    } finally {
      hanging.close();
    }
  });

  it('hangs up on an endless answer', async () => {
    const ended = Promise.withResolvers<void>();
    const server = createServer((_request, response) => {
      const talk = () => {
        while (response.write('x'.repeat(1000)));
      };
      response.writeHead(200).on('drain', talk).on('close', ended.resolve);
      talk();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `http://localhost:${(server.address() as { port: number }).port}/`;
    // Long enough that it is not the time limit which ends it.
    const call = createUntrustedPost('test', { timeoutMs: 600_000 });
    expect(await call(address, message)).toEqual({ status: 200, retryAfter: undefined });
    await ended.promise;
    server.close();
  });
});

describe('reading from an address that somebody typed', () => {
  let server: Awaited<ReturnType<typeof feedServer>>;
  beforeAll(async () => {
    server = await feedServer();
  });
  afterAll(() => server.close());

  const limits = { timeoutMs: 60_000, maxBytes: 1000 };
  const failure = (mode: 'test' | 'live', address: string) =>
    createUntrustedRead(
      mode,
      limits,
    )(address).then(
      () => 'answered',
      (error) => error.code,
    );

  it('reads from this machine on a test site, never on a live one', async () => {
    server.answers((_request, response) => void response.end('hello'));
    expect((await createUntrustedRead('test', limits)(server.base)).body.toString()).toBe('hello');
    for (const address of ['https://example.org/', 'http://10.0.0.1/', 'https://169.254.169.254/'])
      expect(await failure('test', address)).toBe('ADDRESS_NOT_ALLOWED');
    server.asked.length = 0;
    for (const address of [
      server.base,
      server.base.replace('http:', 'https:'),
      'https://10.0.0.1/',
      'https://[::1]/',
    ])
      expect(await failure('live', address)).toBe('ADDRESS_NOT_ALLOWED');
    expect(server.asked).toEqual([]);
  });

  it('stops reading an answer that is too large', async () => {
    server.answers((_request, response) => void response.end('x'.repeat(1001)));
    expect(await failure('test', server.base)).toBe('ANSWER_TOO_LARGE');
  });

  it('does not read the body of a refusal', async () => {
    server.answers((_request, response) => void response.writeHead(429, { 'retry-after': '7' }).end('later'));
    expect(await createUntrustedRead('test', limits)(server.base)).toEqual({
      status: 429,
      retryAfter: '7',
      location: undefined,
      body: Buffer.alloc(0),
    });
  });
});
