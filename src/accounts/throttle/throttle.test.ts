import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storedThrottles } from '../../../test/accounts/stored.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { tooManyAttempts } from '../model/problems.ts';
import { beginAttempt, recordSuccess } from './throttle.ts';
import type { AttemptKind } from './throttle-rules.ts';
import { deleteOldThrottles } from './throttles-store.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const second = 1000;
const day = 24 * 60 * 60 * second;

/** An address that nobody has tried yet, from networks that nobody has used. */
const someone = () => `${newId()}@example.org`;
let network = 0;
const freshNetwork = () => {
  network += 1;
  return `2001:db8:${network.toString(16)}::1`;
};

/** Makes an attempt. @returns undefined if it is allowed, or the seconds until it is. */
async function tried(on: {
  kind?: AttemptKind;
  identifier: string;
  ipAddress: string;
}): Promise<number | undefined> {
  try {
    await beginAttempt(site.deps, { kind: 'sign-in', ...on });
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    const { kind, headers } = error as Problem;
    expect(kind).toBe(tooManyAttempts);
    return Number(headers?.['retry-after']);
  }
}

async function succeeded(email: string, ipAddress: string): Promise<void> {
  const attempt = await beginAttempt(site.deps, { kind: 'sign-in', identifier: email, ipAddress });
  await inTransaction(site.deps.db, (trx) => recordSuccess(trx, site.deps, attempt));
}

/** Makes wrong attempts, and waits before each exactly as long as needed. */
async function guess(times: number, on: { identifier: string; ipAddress: string }): Promise<void> {
  for (let made = 0; made < times; ) {
    const seconds = await tried(on);
    if (seconds === undefined) made += 1;
    else site.clock.moveOn(seconds * second);
  }
}

describe('the throttle of an account from everywhere', () => {
  it('allows one attempt a minute, more from the holder’s network', async () => {
    const email = someone();
    const usual = freshNetwork();
    await succeeded(email, usual);
    for (let guesses = 0; guesses < 70; ) {
      const wait = await tried({ identifier: email, ipAddress: freshNetwork() });
      if (wait === undefined) guesses += 1;
      else site.clock.moveOn(wait * second);
    }
    expect(await tried({ identifier: email, ipAddress: freshNetwork() })).toBe(60);
    expect(await tried({ identifier: email, ipAddress: usual })).toBeUndefined();
    // Until the site has forgotten the network.
    site.clock.moveOn(91 * day);
    for (let guesses = 0; guesses < 60; ) {
      const wait = await tried({ identifier: email, ipAddress: freshNetwork() });
      if (wait === undefined) guesses += 1;
      else site.clock.moveOn(wait * second);
    }
    expect(await tried({ identifier: email, ipAddress: usual })).toBe(60);
  });
});

describe('the throttle of a network', () => {
  it('slows down one password for everybody, but not its holders', async () => {
    const office = freshNetwork();
    const colleague = someone();
    await succeeded(colleague, office);
    for (let guesses = 0; guesses < 300; guesses += 1)
      expect(await tried({ identifier: someone(), ipAddress: office })).toBeUndefined();
    expect(await tried({ identifier: someone(), ipAddress: office })).toBe(1);
    expect(await tried({ identifier: colleague, ipAddress: office })).toBeUndefined();
  });

  it('counts a /64 as one network, and IPv4 in IPv6 as IPv4', async () => {
    const email = someone();
    for (let host = 1; host <= 5; host += 1)
      await tried({ identifier: email, ipAddress: `2001:db8:ffff:1::${host}` });
    expect(await tried({ identifier: email, ipAddress: '2001:db8:ffff:1:9:9:9:9' })).toBe(1);
    expect(await tried({ identifier: email, ipAddress: '2001:db8:ffff:2::1' })).toBeUndefined();
    for (let again = 1; again <= 5; again += 1) await tried({ identifier: email, ipAddress: '198.51.100.4' });
    expect(await tried({ identifier: email, ipAddress: '::ffff:198.51.100.4' })).toBe(1);
  });
});

describe('the throttle of an account from one network', () => {
  it('gives five tries, then doubles the wait up to 15 minutes', async () => {
    const on = { identifier: someone(), ipAddress: freshNetwork() };
    for (let free = 1; free <= 5; free += 1) expect(await tried(on)).toBeUndefined();
    for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      expect(await tried(on)).toBe(wait);
      site.clock.moveOn(wait * second - 1);
      expect(await tried(on)).toBe(1);
      site.clock.moveOn(1);
      expect(await tried(on)).toBeUndefined();
    }
  });

  it('allows an attempt that began before one already counted', async () => {
    const ipAddress = freshNetwork();
    const email = someone();
    expect(await tried({ identifier: someone(), ipAddress })).toBeUndefined();
    await succeeded(email, ipAddress);
    site.clock.moveOn(-40);
    expect(await tried({ identifier: someone(), ipAddress })).toBeUndefined();
    expect(await tried({ identifier: email, ipAddress })).toBeUndefined();
    site.clock.moveOn(40);
  });

  it('checks five of two hundred guesses at once', async () => {
    const email = someone();
    const ipAddress = freshNetwork();
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, () => tried({ identifier: email, ipAddress })),
    );
    expect(outcomes.filter((wait) => wait === undefined)).toHaveLength(5);
  });

  it('opens after the wait, and a right password clears it', async () => {
    const [email, ipAddress] = [someone(), freshNetwork()];
    await guess(12, { identifier: email, ipAddress });
    const wait = await tried({ identifier: email, ipAddress });
    expect(wait).toBeGreaterThan(100);
    site.clock.moveOn(wait! * second);
    await succeeded(email, ipAddress);
    for (let again = 0; again < 4; again += 1)
      expect(await tried({ identifier: email, ipAddress })).toBeUndefined();
  });

  it('does not slow down the holder elsewhere, nor others there', async () => {
    const email = someone();
    const [guesser, elsewhere] = [freshNetwork(), freshNetwork()];
    await guess(20, { identifier: email, ipAddress: guesser });
    expect(await tried({ identifier: email, ipAddress: guesser })).toBeGreaterThan(0);
    expect(await tried({ identifier: email, ipAddress: elsewhere })).toBeUndefined();
    expect(await tried({ identifier: someone(), ipAddress: guesser })).toBeUndefined();
  });

  it('counts spellings of an email address as one', async () => {
    const email = someone();
    const ipAddress = freshNetwork();
    for (let again = 1; again <= 5; again += 1)
      await tried({ identifier: ` ${email.toUpperCase()}`, ipAddress });
    expect(await tried({ identifier: email, ipAddress })).toBe(1);
  });

  it('counts each kind by itself: a password gives no more codes', async () => {
    const email = someone();
    const ipAddress = freshNetwork();
    for (let code = 0; code < 5; code += 1) {
      expect(await tried({ kind: 'code', identifier: email, ipAddress })).toBeUndefined();
      await succeeded(email, ipAddress);
    }
    expect(await tried({ kind: 'code', identifier: email, ipAddress })).toBe(1);
    // Ten attempts are allowed from all networks together.
    for (let code = 5; code < 10; code += 1)
      await tried({ kind: 'code', identifier: email, ipAddress: freshNetwork() });
    expect(await tried({ kind: 'code', identifier: email, ipAddress: freshNetwork() })).toBe(1);
  });

  it('does not count refused attempts', async () => {
    const email = someone();
    const ipAddress = freshNetwork();
    for (let knock = 0; knock < 100; knock += 1) await tried({ identifier: email, ipAddress });
    expect(await tried({ identifier: email, ipAddress })).toBe(1);
    expect(await tried({ identifier: email, ipAddress: freshNetwork() })).toBeUndefined();
  });

  it('is forgotten after a day, later for the holder’s network', async () => {
    const email = someone();
    const [ipAddress, usual] = [freshNetwork(), freshNetwork()];
    await succeeded(email, usual);
    for (let again = 0; again < 5; again += 1) await tried({ identifier: email, ipAddress });
    site.clock.moveOn(day + second);
    for (let again = 0; again < 4; again += 1)
      expect(await tried({ identifier: email, ipAddress })).toBeUndefined();
    site.clock.moveOn(day + second);
    await deleteOldThrottles(site.deps.db, site.clock.now());
    const kept = await storedThrottles(site.deps.db);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.every((throttle) => throttle.trusted_until !== null)).toBe(true);
  });
});
