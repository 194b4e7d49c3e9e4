import { createHash } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { makeApp } from '../../../test/app/make-app.ts';
import { textOfTable } from '../../../test/database/stored.ts';
import { newKey, startOidcProvider } from '../../../test/network/oidc-provider.ts';
import { callback, declined, done, makeOidcSite, notAsItShould } from '../../../test/people/oidc-site.ts';
import { freePort } from '../../../test/process/site-process.ts';
import { createProvider } from './provider.ts';

const { site, provider, start, comeBack, signInOnce, mend, close } = await makeOidcSite();
afterEach(mend);
afterAll(close);

describe('the times of an ID token', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([-3, 3])('are compared with the database’s clock (ours %i hours off)', async (hours) => {
    const offMs = site.clock.now().getTime() + hours * 60 * 60_000 - Date.now();
    const machine = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => machine() + offMs);
    expect(await signInOnce()).toEqual(done);
    const now = provider.seconds();
    provider.changeClaims({ exp: now + 5 });
    expect(await signInOnce()).toEqual(done);
    for (const changes of [
      { exp: now - 60 },
      { nbf: now + 120 },
      { iat: now + 120 },
      { auth_time: now + 120 },
    ]) {
      provider.changeClaims(changes);
      expect([changes, await signInOnce()]).toEqual([changes, notAsItShould]);
    }
  });

  it('may be up to a minute ahead', async () => {
    const now = provider.seconds();
    for (const [changes, expected] of [
      [{ auth_time: now + 60 }, done],
      [{ auth_time: now + 61 }, notAsItShould],
      [{ iat: now + 600, auth_time: now + 600 }, notAsItShould],
      [{ auth_time: 1e300 }, notAsItShould],
      [{ auth_time: -1 }, notAsItShould],
    ] as const) {
      provider.changeClaims(changes);
      expect([changes, await signInOnce()]).toEqual([changes, expected]);
    }
    expect(site.logLines.join('')).toContain('SIGN_IN_IN_FUTURE');
  });
});

describe('an ID token with an authorised party (`azp`)', () => {
  it('is refused when that is another client', async () => {
    for (const changes of [
      { azp: 'another' },
      { azp: '' },
      { azp: 42 },
      { aud: ['onward-test'], azp: 'another' },
      { aud: ['onward-test', 'another'] },
      { aud: ['onward-test', 'another'], azp: 'another' },
    ]) {
      provider.changeClaims(changes);
      expect([changes, await signInOnce()]).toEqual([changes, notAsItShould]);
    }
  });

  it('is accepted when that is this site', async () => {
    for (const aud of ['onward-test', ['onward-test'], ['onward-test', 'another']]) {
      provider.changeClaims({ aud, azp: 'onward-test' });
      expect([aud, await signInOnce()]).toEqual([aud, done]);
    }
  });
});

describe('an ID token', () => {
  it('is refused unless it is exactly for us', async () => {
    const now = provider.seconds();
    const someonesKey = newKey(1);
    for (const [changes, key] of [
      [{ nonce: undefined }],
      [{ nonce: 'another' }],
      [{ iss: 'https://evil.example' }],
      [{ aud: 'another client' }],
      [{ exp: now - 60 }],
      [{ iat: undefined }],
      [{ sub: undefined }],
      [{ sub: '' }],
      [{ sub: 42 }],
      [{ sub: 'a\0sha' }],
      [{ sub: 'x'.repeat(256) }],
      [{ auth_time: 'yesterday' }],
      // Its claims are right, but somebody else signed it with the id of the provider's key.
      [{}, someonesKey],
    ] as [Record<string, unknown>, typeof someonesKey | undefined][]) {
      provider.changeClaims(changes, key);
      expect([changes, await signInOnce()]).toEqual([changes, notAsItShould]);
    }
    // Without a change the token is accepted.
    provider.changeClaims({});
    expect(await signInOnce()).toEqual(done);
  });

  it('is refused when it claims to need no signature', async () => {
    provider.state.tamper['/token'] = (text) => {
      const answer = JSON.parse(text);
      const header = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
      return JSON.stringify({ ...answer, id_token: `${header}.${answer.id_token.split('.')[1]}.` });
    };
    expect(await signInOnce()).toEqual(notAsItShould);
  });

  it('is checked with the provider’s present keys', async () => {
    expect(await signInOnce()).toEqual(done);
    const old = provider.state.key;
    provider.rotateKeys();
    expect(await signInOnce()).toEqual(done);
    provider.changeClaims({}, old);
    expect(await signInOnce()).toEqual(notAsItShould);
  });
});

describe('a provider that fails', () => {
  it('tells somebody who cancels there that nothing happened', async () => {
    provider.state.somebody = { subject: undefined };
    expect(await signInOnce()).toEqual(declined);
    const { address, cookie } = await start();
    const state = new URL(address).searchParams.get('state');
    const iss = encodeURIComponent(provider.issuer);
    const evil = `${callback}?error=server_error&error_description=%3Cscript%3Ealert(1)&state=${state}&iss=${iss}`;
    expect(await comeBack(evil, cookie)).toEqual(notAsItShould);
  });

  it('leads to a page, whatever it answers', async () => {
    const page = { status: 200, type: 'text/html', text: '<h1>We are being serviced</h1>' };
    for (const path of ['/token', '/jwks']) {
      for (const answer of [
        page,
        { ...page, status: 500 },
        { status: 200, type: 'application/json', text: '{"half":' },
        { status: 200, type: 'application/json', text: '[]' },
        { status: 200, type: 'application/json', text: ' '.repeat(2_000_000) },
        { status: 302, type: 'text/plain', text: '' },
      ]) {
        provider.state.tamper = { [path]: () => answer };
        expect([path, answer.text.slice(0, 20), await signInOnce()]).toEqual([
          path,
          answer.text.slice(0, 20),
          notAsItShould,
        ]);
      }
    }
  });

  it('is asked for its metadata when needed, at most hourly', async () => {
    const asked = () => provider.state.asked.filter((line) => line.includes('well-known')).length;
    await signInOnce();
    const before = asked();
    await Promise.all([signInOnce(), signInOnce()]);
    expect(asked()).toBe(before);
    site.clock.moveOn(60 * 60_000);
    const startTogether = await Promise.all([start(), start(), start()]);
    expect(startTogether.length).toBe(3);
    expect(asked()).toBe(before + 1);

    site.clock.moveOn(60 * 60_000);
    const say = (change: object) => (text: string) => JSON.stringify({ ...JSON.parse(text), ...change });
    for (const answer of [
      () => ({ status: 200, type: 'text/html', text: '<h1>Sign in to our wireless network</h1>' }),
      say({ issuer: 'https://evil.example' }),
      say({ issuer: `${provider.issuer}/other` }),
      say({ issuer: `${provider.issuer}/` }),
      say({ authorization_endpoint: undefined }),
    ]) {
      provider.state.tamper['/.well-known/openid-configuration'] = answer;
      const refused = await site.app.inject('/signin/oidc');
      expect([String(answer), refused.statusCode]).toEqual([String(answer), 503]);
      expect(refused.body).toContain('The sign-in service does not answer as it should');
    }
    provider.state.tamper = {};
    expect(await signInOnce()).toEqual(done);
  });

  it('does not make a test site call hosts from its metadata', async () => {
    site.clock.moveOn(60 * 60_000);
    provider.state.tamper['/.well-known/openid-configuration'] = (text) =>
      JSON.stringify({ ...JSON.parse(text), token_endpoint: 'https://tokens.example/token' });
    expect(await signInOnce()).toEqual(notAsItShould);
    expect(site.logLines.join('')).toContain('ADDRESS_NOT_ALLOWED');
  });

  it('stops nothing else of the site', async () => {
    const port = await freePort();
    const env = { ...provider.env, ONWARD_OIDC_ISSUER: `http://127.0.0.1:${port}` };
    const other = await makeApp({ env });
    try {
      expect((await other.app.inject('/signin')).statusCode).toBe(200);
      expect((await other.app.inject('/signin/oidc')).statusCode).toBe(503);
      const late = await startOidcProvider(port, callback);
      try {
        expect((await other.app.inject('/signin/oidc')).statusCode).toBe(303);
      } finally {
        await late.stop();
      }
    } finally {
      await other.close();
    }
  });

  it('does not exist on a site without one', async () => {
    const plain = await makeApp();
    try {
      for (const url of ['/signin/oidc', '/signin/oidc/callback?code=x&state=y'])
        expect((await plain.app.inject(url)).statusCode).toBe(404);
    } finally {
      await plain.close();
    }
  });

  it('stops the start when its secret cannot be read', () => {
    for (const oidcClientSecretFile of ['/nowhere/oidc.secret', '/dev/null']) {
      const settings = { ...site.deps.settings, oidcClientSecretFile };
      expect(() => createProvider({ ...site.deps, settings })).toThrow(
        'ONWARD_OIDC_CLIENT_SECRET_FILE must name a file that holds the client secret',
      );
    }
  });

  it('leaves no secret in the log or the database', async () => {
    const { address, cookie } = await start();
    const back = await provider.signInAt(address);
    const kept = await textOfTable(site.deps.db, 'oidc_flows');
    await comeBack(back, cookie);
    await comeBack(back, cookie);
    const secrets = [
      ...['state', 'nonce'].map((name) => new URL(address).searchParams.get(name)!),
      new URL(back).searchParams.get('code')!,
      cookie.split('=')[1]!,
      provider.clientSecret,
    ];
    for (const secret of secrets) {
      expect(site.logLines.join('')).not.toContain(secret);
      for (const form of [secret, Buffer.from(secret).toString('hex')]) expect(kept).not.toContain(form);
    }
    // The verifier stays here until the code is redeemed; the browser and the provider see only its hash.
    const verifier = provider.state.bodies.at(-1)!.get('code_verifier')!;
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    expect(new URL(address).searchParams.get('code_challenge')).toBe(challenge);
    expect(kept + site.logLines.join('')).not.toContain(verifier);
  });
});
