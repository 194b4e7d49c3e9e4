import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setApiAccess } from '../../src/accounts/index.ts';
import { siteActor } from '../../src/audit/index.ts';
import {
  type CallReport,
  isProblem,
  NoAnswerError,
  Onward,
  type ProblemError,
  type StoredToken,
} from '../src/index.ts';
import { type ClientFixture, makeClientFixture } from './client-fixture.ts';
import type { Fate } from './unreliable-line.ts';

let fixture: ClientFixture;
beforeAll(async () => {
  fixture = await makeClientFixture();
});
afterAll(() => fixture.close());
beforeEach(() => fixture.line.reset());

/** How often something like `POST /api/token/refresh` was sent. */
const count = (path: RegExp) =>
  fixture.line.sent.filter((each) => path.test(`${each.method} ${each.path}`)).length;
const refresh = /token\/refresh/;
const status = /token\/status/;
const create = /POST \/api\/referrals$/;

const errorOf = (call: Promise<unknown>): Promise<ProblemError> =>
  call.then(
    () => expect.unreachable('the call was answered'),
    (error) => error,
  );
const problem = (status: number, code: string, headers: Record<string, string> = {}): Fate => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: JSON.stringify({ type: `https://a.example/problems/${code}`, title: 'No.', status, detail: '' }),
});
const times = (count: number, fate: Fate) => Array.from({ length: count }, () => fate);

describe('the access token', () => {
  it('is asked for once by calls that come together, and kept', async () => {
    const onward = fixture.client();
    const answers = await Promise.all(Array.from({ length: 20 }, () => onward.whoAmI()));
    expect(new Set(answers.map(({ account }) => account.id))).toEqual(
      new Set([fixture.accounts.referrer.id]),
    );
    await onward.whoAmI();
    expect(count(refresh)).toBe(1);
  });

  it('is renewed once when the site refuses it; calls are repeated', async () => {
    const onward = fixture.client();
    await onward.whoAmI();
    fixture.site.clock.moveOn(181 * 60_000);
    await Promise.all(Array.from({ length: 20 }, () => onward.whoAmI()));
    expect(count(refresh)).toBe(2);
  });

  it('is not asked for endlessly if the site goes on refusing', async () => {
    fixture.line.next(status, ...times(5, problem(401, 'invalid-token')));
    expect(await errorOf(fixture.client().whoAmI())).toMatchObject({ code: 'invalid-token', status: 401 });
    expect([count(status), count(refresh)]).toEqual([2, 2]);
  });

  it('is the one that another call got while this one waited', async () => {
    const onward = fixture.client();
    await onward.whoAmI();
    fixture.line.next(create, problem(503, 'unavailable', { 'retry-after': '2' }));
    const creating = onward.referrals.create(fixture.newReferral());
    await expect.poll(() => count(create)).toBe(1);
    fixture.site.clock.moveOn(181 * 60_000);
    await onward.whoAmI();
    await creating;
    // Its own renewal is left for a token that is refused after that.
    expect([count(create), count(refresh)]).toEqual([2, 2]);
  });

  it('is asked for again when its answer was lost', async () => {
    fixture.line.next(refresh, 'lose-answer', 'refuse');
    await fixture.client().whoAmI();
    expect([count(refresh), count(status)]).toEqual([3, 1]);
  });

  it('is shared through a store', async () => {
    let kept: StoredToken | undefined;
    const tokens = {
      load: async () => kept,
      async save(token: StoredToken) {
        kept = token;
      },
    };
    const first = fixture.client('referrer', { tokens });
    await first.whoAmI();
    await fixture.client('referrer', { tokens }).whoAmI();
    expect(count(refresh)).toBe(1);
    fixture.site.clock.moveOn(181 * 60_000);
    await fixture.client('referrer', { tokens }).whoAmI();
    await first.whoAmI();
    expect(count(refresh)).toBe(2);
  });

  it('may be given, and is then not renewed', async () => {
    const auth = { accessToken: fixture.accounts.referrer.token };
    const fresh = fixture.client('referrer', { auth });
    fixture.site.clock.moveOn(181 * 60_000);
    expect(await errorOf(fresh.whoAmI())).toMatchObject({ code: 'invalid-token' });
    expect([count(status), count(refresh)]).toEqual([1, 0]);
  });

  it('is the error of the call if it cannot be had', async () => {
    const { id } = fixture.accounts.provider;
    const { deps } = fixture.site;
    const onward = fixture.client('provider');
    const allow = (allowed: boolean) => setApiAccess(deps, siteActor, { id }, { isAllowed: allowed });
    await allow(false);
    const error = await errorOf(onward.referrals.get('any'));
    expect(error).toMatchObject({ operationId: 'refreshToken', code: 'api-access-disabled', status: 403 });
    await allow(true);
    expect((await onward.whoAmI()).account.id).toBe(id);
  });
});

describe('a call that was not answered', () => {
  it.each<Fate>(['lose-answer', 'refuse', 'cut-answer'])('is repeated if it reads: %s', async (fate) => {
    fixture.line.next(status, fate, fate);
    await fixture.client().whoAmI();
    expect(count(status)).toBe(3);
  });

  it('is repeated when it took too long', async () => {
    const onward = fixture.client('referrer', { timeoutMs: 2000 });
    await onward.whoAmI();
    fixture.line.next(status, 'hang');
    await onward.whoAmI();
    expect(count(status)).toBe(3);
  });

  it.each<Fate>([
    'lose-answer',
    'refuse',
    'cut-answer',
  ])('makes one referral, by the key that it made: %s', async (fate) => {
    const onward = fixture.client();
    fixture.line.next(create, fate, fate);
    const made = await onward.referrals.create(fixture.newReferral());
    const keys = fixture.line.sent.filter(({ path }) => path === '/api/referrals');
    expect(new Set(keys.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(keys).toHaveLength(3);
    const all = await Array.fromAsync(onward.referrals.list({ direction: 'made' }));
    expect(all.filter(({ patient }) => patient?.nhs_number === made.patient?.nhs_number)).toHaveLength(1);
  });

  it('gives its key to the caller for a later retry', async () => {
    const onward = fixture.client('referrer', { retries: 1 });
    const referral = fixture.newReferral();
    fixture.line.next(create, 'lose-answer', 'lose-answer');
    const error = await errorOf(onward.referrals.create(referral));
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(error).toMatchObject({ operationId: 'createReferral', mayBeDone: true });
    const { idempotencyKey } = error;
    const made = await onward.referrals.create(referral, { idempotencyKey });
    expect((await onward.referrals.create(referral, { idempotencyKey })).id).toBe(made.id);
    const all = await Array.fromAsync(onward.referrals.list({ direction: 'made' }));
    expect(all.filter(({ patient }) => patient?.nhs_number === made.patient?.nhs_number)).toHaveLength(1);
  });

  it('is left to the caller if it writes without a key', async () => {
    const provider = fixture.client('provider');
    const { id } = await fixture.client().referrals.create(fixture.newReferral());
    const referral = await provider.referrals.get(id);
    fixture.line.next(/accept/, 'lose-answer');
    const error = await errorOf(provider.referrals.accept(referral));
    expect(error).toMatchObject({ name: 'NoAnswerError', mayBeDone: true, idempotencyKey: undefined });
    expect(count(/accept/)).toBe(1);
    expect((await provider.referrals.get(id)).status).toBe('accepted');
  });

  it('ends at once when its signal is aborted', async () => {
    const onward = fixture.client();
    await onward.whoAmI();
    const abort = new AbortController();
    fixture.line.next(status, 'hang');
    const call = errorOf(onward.whoAmI({ signal: abort.signal }));
    abort.abort(new Error('never mind'));
    expect((await call).message).toBe('never mind');
    expect((await errorOf(onward.whoAmI({ signal: abort.signal }))).message).toBe('never mind');
    fixture.line.next(refresh, 'hang');
    const signal = AbortSignal.timeout(50);
    expect((await errorOf(fixture.client().whoAmI({ signal }))).name).toBe('TimeoutError');
  });
});

describe('a refusal', () => {
  it('is waited for as long as the site says, if it will pass', async () => {
    const onward = fixture.client();
    await onward.whoAmI();
    for (const [code, fate] of [
      ['too-many-requests', problem(429, 'too-many-requests', { 'retry-after': '1' })],
      ['unavailable', problem(503, 'unavailable', { 'retry-after': '1' })],
    ] as const) {
      fixture.line.next(status, fate);
      const startedAt = performance.now();
      await onward.whoAmI();
      expect(performance.now() - startedAt, code).toBeGreaterThan(990);
    }
  });

  it('is left to the caller with its length if it lasts longer', async () => {
    fixture.line.next(status, problem(429, 'too-many-requests', { 'retry-after': '3600' }));
    const error = await errorOf(fixture.client().whoAmI());
    expect(error).toMatchObject({ code: 'too-many-requests', retryAfterSeconds: 3600, mayBeDone: false });
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    fixture.line.next(status, problem(503, 'unavailable', { 'retry-after': inAnHour }));
    const { retryAfterSeconds } = await errorOf(fixture.client().whoAmI());
    expect(retryAfterSeconds).toBeGreaterThan(3590);
    expect(count(status)).toBe(2);
  });

  it('is repeated only if it came before any work was done', async () => {
    const provider = fixture.client('provider');
    const { id } = await fixture.client().referrals.create(fixture.newReferral());
    const referral = await provider.referrals.get(id);
    fixture.line.next(/accept/, problem(503, 'unavailable'));
    expect(await errorOf(provider.referrals.accept(referral))).toMatchObject({ mayBeDone: true });
    fixture.line.next(/accept/, problem(429, 'too-many-requests'));
    expect((await provider.referrals.accept(referral)).status).toBe('accepted');
    expect(count(/accept/)).toBe(3);
  });

  it('is waited for while the first try is still being worked on', async () => {
    const still = problem(409, 'still-in-progress', { 'retry-after': '1' });
    fixture.line.next(create, problem(503, 'unavailable'), still);
    expect((await fixture.client().referrals.create(fixture.newReferral())).status).toBe('requested');
    expect(count(create)).toBe(3);
  });

  it('says why by its code, with what the code adds', async () => {
    const onward = fixture.client();
    const referral = fixture.newReferral();
    const made = await onward.referrals.create(referral);
    const error = await errorOf(onward.referrals.create(referral));
    expect(isProblem(error, 'wrong-state', 'possible-duplicate')).toBe(true);
    expect(isProblem(error, 'wrong-state')).toBe(false);
    expect(isProblem(error)).toBe(true);
    expect(error).toMatchObject({ status: 409, problem: { reference: made.reference }, mayBeDone: false });
    expect(error.requestId).toMatch(/^[\w-]{15,36}$/);
    expect(error.message).toMatch(/^createReferral: 409 possible-duplicate: /);
    const wrong = await errorOf(onward.referrals.create({ ...referral, consent: {} } as never));
    const needed = { pointer: '/consent/referral', message: 'is required' };
    expect([wrong.errors, wrong.problem.errors]).toEqual([expect.arrayContaining([needed]), wrong.errors]);
    expect(wrong.message).toContain('/consent/referral: is required');
    expect(error.errors).toEqual([]);
  });

  it.each([
    [200, 'text/html', '<h1>Sign in to the hotel</h1>'],
    [302, 'text/html', ''],
    [404, 'text/html', 'nginx'],
  ])('is told apart if something in between gave it: %s %s', async (code, type, body) => {
    const headers = { 'content-type': type, location: `${fixture.siteUrl}/elsewhere` };
    fixture.line.next(create, { status: code, headers, body });
    const error = await errorOf(fixture.client().referrals.create(fixture.newReferral()));
    expect(error).toMatchObject({ code: 'unexpected-answer', status: code, mayBeDone: true });
    expect(error.message).not.toContain('hotel');
    expect(count(/./)).toBe(2);
  });

  it('is repeated if a gateway has lost the site', async () => {
    fixture.line.next(create, { status: 502 }, { status: 504, headers: { 'content-type': 'text/html' } });
    expect((await fixture.client().referrals.create(fixture.newReferral())).status).toBe('requested');
  });
});

describe('every operation', () => {
  it('can be called by its name, with its parameters', async () => {
    const onward = fixture.client();
    const practice = await onward.call('getPractice', { path: { ods_code: 'Z99001' } });
    expect([practice.status, practice.body.name]).toEqual([200, 'Infirmary Lane Surgery']);
    expect(practice.headers.get('ratelimit')).toMatch(/account/);
    await onward.call('listReferrals', { query: { status: ['accepted', 'requested'], limit: 1 } });
    expect(fixture.line.sent.at(-1)!.path).toBe('/api/referrals?status=accepted&status=requested&limit=1');
    const list = await onward.call('createServiceList', { body: { name: 'For Mondays' } });
    const gone = await onward.call('deleteServiceList', { path: { id: list.body.id } });
    expect([gone.status, gone.body]).toEqual([204, undefined]);
    const { id } = await onward.referrals.create(fixture.newReferral());
    const letter = await onward.call('getReferralLetter', { path: { id } });
    expect([letter.body.type, (await letter.body.text()).slice(0, 5)]).toEqual(['application/pdf', '%PDF-']);
  });

  it('is not confused with another by its values', async () => {
    const onward = fixture.client();
    for (const id of ['', '.', '..', undefined as never, null as never])
      await expect(onward.referrals.get(id)).rejects.toThrow('path.id is missing');
    expect((await errorOf(onward.referrals.get('../token/status'))).code).toBe('not-found');
    expect(fixture.line.sent.at(-1)!.path).toBe('/api/referrals/..%2Ftoken%2Fstatus');
    await expect(onward.call('toString' as never)).rejects.toThrow('There is no operation');
  });

  it('is reported without a value, even if the log fails', async () => {
    const reports: CallReport[] = [];
    const onCall = (report: CallReport) => {
      reports.push(report);
      throw new Error('the disk is full');
    };
    const onward = fixture.client('referrer', { onCall, userAgent: 'Practice/3.1' });
    fixture.line.next(/GET .api.referrals/, 'refuse');
    await errorOf(onward.referrals.get('12'));
    const common = { method: 'GET', path: '/api/referrals/{id}', operationId: 'getReferral' };
    expect(reports).toMatchObject([
      { operationId: 'refreshToken', status: 200 },
      { ...common, attempt: 1, status: undefined, requestId: undefined },
      { ...common, attempt: 2, status: 404, requestId: expect.any(String), durationMs: expect.any(Number) },
    ]);
    await onward.call('listServices', { query: { format: 'json' } });
    expect(reports.at(-1)!.sunset).toBe('Wed, 01 Dec 2027 00:00:00 GMT');
    expect(fixture.line.sent.at(-1)!.headers['user-agent']).toMatch(/^Practice\/3\.1 onward-client\/\d/);
  });
});

describe('a client', () => {
  const auth = { accessToken: 'ona_1' };

  it.each([
    'http://onward.example.org',
    'https://me:secret@onward.example.org',
    'https://onward.example.org/api',
    'https://onward.example.org/?token=1',
    'onward.example.org',
    'localhost:8080',
  ])('is not made for %s', (site) => {
    expect(() => new Onward({ site, auth })).toThrow(/^`site` (must|is only)/);
  });

  it.each(['onward.example.org', 'localhost:8080'])('says that https is missing in %s', (site) => {
    expect(() => new Onward({ site, auth })).toThrow(/begin(s)? with https:\/\//);
  });

  it('says that it needs keys', () => {
    const make = () => new Onward({ site: 'https://onward.example.org' } as never);
    expect(make).toThrow('Give `auth`: { refreshToken } or { accessToken }.');
  });

  it('is made for a test site on another computer if you say so', () => {
    const site = 'http://onward.test:8080/';
    expect(new Onward({ site, auth, insecureHttp: true })).toBeInstanceOf(Onward);
  });

  it.each([
    {},
    { refreshToken: undefined },
    { accessToken: 'ona_1\nonr_2' },
    { accessToken: 'ona_é' },
  ])('refuses a token that is not whole, without repeating it: %j', (wrong) => {
    const make = () => new Onward({ site: 'https://onward.example.org', auth: wrong as never });
    expect(make).toThrow(/^`auth\.(access|refresh)Token` is missing or not whole\.$/);
  });

  it('is not made with a refresh token in a browser', () => {
    Object.assign(globalThis, { document: {} });
    try {
      expect(() => fixture.client()).toThrow('A refresh token belongs on a server');
      expect(fixture.client('referrer', { auth })).toBeInstanceOf(Onward);
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
  });
});
