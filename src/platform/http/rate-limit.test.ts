import { afterEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { createLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';
import { Problem, tooManyRequests } from '../problem/index.ts';
import { readSettings } from '../settings/index.ts';
import {
  type App,
  anyone,
  createApp,
  describeRateLimits,
  installAccess,
  installRateLimits,
  page,
  signedIn,
  visitor,
  withToken,
} from './index.ts';

let app: App;
afterEach(() => app?.close());

/** An app with one call for accounts, one for anyone and a page; the token is the account. It notes who was looked up. */
function anApp(env: Record<string, string> = {}) {
  const settings = readSettings({
    ONWARD_CALLS_PER_MINUTE_OF_ACCOUNT: '10',
    ONWARD_CALLS_PER_MINUTE_OF_NETWORK: '25',
    ...env,
  });
  const clock = manualClock();
  const lookedUp: string[] = [];
  app = createApp({
    settings,
    log: createLog('silent'),
    metrics: createMetrics(),
    errorPage: (_request, reply) => reply.send('no'),
  });
  describeRateLimits(app);
  const token = ({ headers }: { headers: Record<string, string | string[] | undefined> }) => {
    const accountId = String(headers.authorization);
    lookedUp.push(accountId);
    if (accountId.startsWith('made-up')) throw new Problem({ type: 'x', title: 'x', status: 401 });
    return { accountId, name: accountId, roles: [] };
  };
  const open = () => undefined;
  const session = () => void lookedUp.push('session');
  installAccess(
    app,
    { token, session, visitor: open, reader: open },
    {
      scopes: ['things'],
      signInPath: '/signin',
      secondFactorPath: '/set-up',
      hasSignedInRecently: () => true,
      auditWrongRole: () => undefined,
      returnUnsentForm: async (_request, reply) => reply,
      openKeptForm: () => undefined,
      storeUnsentForm: async () => ({ id: '', notKept: undefined }),
      findUnsentForm: async () => undefined,
      deleteUnsentForm: async () => undefined,
    },
  );
  installRateLimits(app, { settings, clock });
  app.get('/api/thing', { config: { access: withToken(), scope: 'things' } }, () => 'thing');
  app.get('/api/docs', { config: page(anyone) }, () => 'docs');
  app.get('/api/openapi.json', { config: { access: anyone } }, () => 'description');
  app.get('/page', { config: page(anyone) }, () => 'page');
  app.get(
    '/sensitive',
    { config: page(signedIn(), { needsRecentSignIn: true, countsAsCall: true }) },
    () => 'done',
  );
  app.get('/stores', { config: page(visitor, { countsAsCall: true }) }, () => 'stored');
  const call = (who: string, remoteAddress = '192.0.2.1', more: object = {}) =>
    app.inject({ url: '/api/thing', headers: { authorization: who }, remoteAddress, ...more });
  /** The different statuses of this many calls. */
  const flood = async (count: number, ...args: Parameters<typeof call>) => {
    const answers = await Promise.all(Array.from({ length: count }, () => call(...args)));
    return [...new Set(answers.map(({ statusCode }) => statusCode))];
  };
  return { clock, lookedUp, call, flood };
}

describe('the limit of an account', () => {
  it('counts calls in a minute, and says how many are left', async () => {
    const { clock, call, flood } = anApp();
    const first = await call('anna');
    expect(first.headers['ratelimit-policy']).toBe('"account";q=10;w=60, "network";q=25;w=60');
    expect(first.headers.ratelimit).toBe('"account";r=9;t=60');
    expect(first.headers['retry-after']).toBeUndefined();
    clock.moveOn(20_500);
    expect(await flood(9, 'anna', '192.0.2.2')).toEqual([200]);
    const refused = await call('anna', '192.0.2.3');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['content-type']).toContain('application/problem+json');
    expect(refused.json()).toMatchObject({ title: tooManyRequests.title, status: 429 });
    expect(refused.headers.ratelimit).toBe('"account";r=0;t=40');
    expect(refused.headers['retry-after']).toBe('40');
    expect(refused.headers['content-security-policy']).toContain('none');
    expect((await call('ben')).statusCode).toBe(200);
    clock.moveOn(39_499);
    expect((await call('anna', '192.0.2.3')).statusCode).toBe(429);
    clock.moveOn(1);
    expect((await call('anna', '192.0.2.3')).statusCode).toBe(200);
  });

  it('counts HEAD once, but no page and no API document', async () => {
    const { call } = anApp();
    await call('anna', '192.0.2.1', { method: 'HEAD' });
    for (const url of ['/page', '/api/docs', '/api/openapi.json']) {
      const { statusCode, headers } = await app.inject({ url, remoteAddress: '192.0.2.1' });
      expect([url, statusCode, headers.ratelimit]).toEqual([url, 200, undefined]);
    }
    expect((await call('anna')).headers.ratelimit).toBe('"account";r=8;t=60');
  });
});

describe('the limit of a network', () => {
  it('refuses a flood of made-up tokens before they are looked up', async () => {
    const { call, flood, lookedUp, clock } = anApp();
    expect(await flood(25, 'made-up')).toEqual([401]);
    expect(await flood(100, 'made-up')).toEqual([429]);
    expect(lookedUp.length).toBe(25);
    const refused = await call('anna');
    expect(refused.headers.ratelimit).toBe('"network";r=0;t=60');
    expect(refused.json().detail).toContain('this network. Call again in 60 seconds.');
    clock.moveOn(59_000);
    expect((await call('anna')).json().detail).toContain('Call again in 1 second.');
    expect((await call('anna', '192.0.2.9')).statusCode).toBe(200);
  });

  it('is counted before the look-up, also on sensitive pages', async () => {
    const { lookedUp } = anApp();
    const send = () => app.inject('/sensitive');
    for (let count = 0; count < 25; count += 1) expect((await send()).statusCode).not.toBe(429);
    expect(lookedUp.length).toBe(25);
    expect((await send()).statusCode).toBe(429);
    expect(lookedUp.length).toBe(25);
  });

  it('is told to a call without a valid token', async () => {
    const { call } = anApp();
    const { headers } = await call('made-up');
    expect([headers['ratelimit-policy'], headers.ratelimit]).toEqual([
      '"network";q=25;w=60',
      '"network";r=24;t=60',
    ]);
  });

  it('is reported to the client if it will be reached first', async () => {
    const { call, flood } = anApp();
    for (const who of ['anna', 'ben']) await flood(10, who);
    expect((await call('carl')).headers.ratelimit).toBe('"network";r=4;t=60');
  });

  it('counts an IPv6 /64 as one, and IPv4 in IPv6 as IPv4', async () => {
    const { call, flood } = anApp();
    expect(await flood(25, 'made-up', '2001:db8:1:2::5')).toEqual([401]);
    expect((await call('made-up', '2001:db8:1:2:ffff:1:2:3')).statusCode).toBe(429);
    expect((await call('made-up', '2001:db8:1:3::5')).statusCode).toBe(401);
    expect(await flood(25, 'made-up', '::ffff:192.0.2.7')).toEqual([401]);
    expect((await call('made-up', '192.0.2.7')).statusCode).toBe(429);
  });

  it('believes another address only from the site’s own proxy', async () => {
    const forged = (address: string) => ({
      headers: { authorization: 'made-up', 'x-forwarded-for': address },
    });
    const direct = anApp();
    expect(await direct.flood(25, 'made-up')).toEqual([401]);
    expect((await direct.call('made-up', '192.0.2.1', forged('198.51.100.1'))).statusCode).toBe(429);
    await app.close();
    const behind = anApp({ ONWARD_TRUSTED_PROXIES: '192.0.2.1' });
    expect(await behind.flood(25, 'made-up', '192.0.2.1', forged('198.51.100.1'))).toEqual([401]);
    expect((await behind.call('made-up', '192.0.2.1', forged('198.51.100.2'))).statusCode).toBe(401);
    const both = forged('198.51.100.3, 198.51.100.1');
    expect((await behind.call('made-up', '192.0.2.1', both)).statusCode).toBe(429);
  });

  it('counts pages on which anybody can store something', async () => {
    const { call, flood } = anApp();
    await flood(25, 'made-up');
    const answer = await app.inject({ url: '/stores', remoteAddress: '192.0.2.1' });
    expect(answer.statusCode).toBe(429);
    expect((await app.inject({ url: '/stores', remoteAddress: '192.0.2.2' })).statusCode).toBe(200);
    expect((await call('made-up', '192.0.2.2')).statusCode).toBe(401);
  });
});
