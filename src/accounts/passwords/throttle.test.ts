import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { beforeAttempt, noteSuccess, tooManyAttempts } from './throttle.ts';
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

/** What an attempt comes to: undefined where it may be made, or the seconds until it may. */
async function tried(on: {
  kind?: AttemptKind;
  email: string;
  address: string;
}): Promise<number | undefined> {
  try {
    await beforeAttempt(site.deps, { kind: 'sign-in', ...on });
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    const { kind, headers } = error as Problem;
    expect(kind).toBe(tooManyAttempts);
    return Number(headers?.['retry-after']);
  }
}

async function succeeded(email: string, address: string): Promise<void> {
  const attempt = await beforeAttempt(site.deps, { kind: 'sign-in', email, address });
  await inTransaction(site.deps.db, (trx) => noteSuccess(trx, site.deps, attempt));
}

/** As many wrong attempts as a guesser gets through who always waits just as long as told. */
async function guess(times: number, on: { email: string; address: string }): Promise<void> {
  for (let made = 0; made < times; ) {
    const seconds = await tried(on);
    if (seconds === undefined) made += 1;
    else site.clock.moveOn(seconds * second);
  }
}

test('five attempts are free; then each makes the wait twice as long, up to a quarter of an hour', async () => {
  const on = { email: someone(), address: freshNetwork() };
  for (let free = 1; free <= 5; free += 1) expect(await tried(on)).toBeUndefined();
  for (const wait of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    expect(await tried(on)).toBe(wait);
    site.clock.moveOn(wait * second - 1);
    expect(await tried(on)).toBe(1);
    site.clock.moveOn(1);
    expect(await tried(on)).toBeUndefined();
  }
});

test('an attempt that another overtook is not refused for that: an office signs in at nine', async () => {
  const address = freshNetwork();
  const email = someone();
  expect(await tried({ email: someone(), address })).toBeUndefined();
  await succeeded(email, address);
  site.clock.moveOn(-40);
  expect(await tried({ email: someone(), address })).toBeUndefined();
  expect(await tried({ email, address })).toBeUndefined();
  site.clock.moveOn(40);
});

test('of two hundred guesses at once five are looked at', async () => {
  const email = someone();
  const address = freshNetwork();
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => tried({ email, address })));
  expect(outcomes.filter((wait) => wait === undefined)).toHaveLength(5);
});

test('the holder gets in after the wait, and then has no wait', async () => {
  const [email, address] = [someone(), freshNetwork()];
  await guess(12, { email, address });
  const wait = await tried({ email, address });
  expect(wait).toBeGreaterThan(100);
  site.clock.moveOn(wait! * second);
  await succeeded(email, address);
  for (let again = 0; again < 4; again += 1) expect(await tried({ email, address })).toBeUndefined();
});

test('somebody else’s guesses do not slow down the holder elsewhere, nor other people there', async () => {
  const email = someone();
  const [guesser, elsewhere] = [freshNetwork(), freshNetwork()];
  await guess(20, { email, address: guesser });
  expect(await tried({ email, address: guesser })).toBeGreaterThan(0);
  expect(await tried({ email, address: elsewhere })).toBeUndefined();
  expect(await tried({ email: someone(), address: guesser })).toBeUndefined();
});

test('guessed at from a thousand networks, an account opens once a minute; its holder still gets in from where they were before', async () => {
  const email = someone();
  const usual = freshNetwork();
  await succeeded(email, usual);
  for (let guesses = 0; guesses < 70; ) {
    const wait = await tried({ email, address: freshNetwork() });
    if (wait === undefined) guesses += 1;
    else site.clock.moveOn(wait * second);
  }
  expect(await tried({ email, address: freshNetwork() })).toBe(60);
  expect(await tried({ email, address: usual })).toBeUndefined();
  // Only as long as the site remembers them.
  site.clock.moveOn(91 * day);
  for (let guesses = 0; guesses < 60; ) {
    const wait = await tried({ email, address: freshNetwork() });
    if (wait === undefined) guesses += 1;
    else site.clock.moveOn(wait * second);
  }
  expect(await tried({ email, address: usual })).toBe(60);
});

test('who tries one password on everybody is slowed down by the network, and its office still gets in', async () => {
  const office = freshNetwork();
  const colleague = someone();
  await succeeded(colleague, office);
  for (let guesses = 0; guesses < 300; guesses += 1)
    expect(await tried({ email: someone(), address: office })).toBeUndefined();
  expect(await tried({ email: someone(), address: office })).toBe(1);
  expect(await tried({ email: colleague, address: office })).toBeUndefined();
});

test('a /64 is one network, and IPv4 written as IPv6 is IPv4', async () => {
  const email = someone();
  for (let host = 1; host <= 5; host += 1) await tried({ email, address: `2001:db8:ffff:1::${host}` });
  expect(await tried({ email, address: '2001:db8:ffff:1:9:9:9:9' })).toBe(1);
  expect(await tried({ email, address: '2001:db8:ffff:2::1' })).toBeUndefined();
  for (let again = 1; again <= 5; again += 1) await tried({ email, address: '198.51.100.4' });
  expect(await tried({ email, address: '::ffff:198.51.100.4' })).toBe(1);
});

test('capitals and spaces do not make another account', async () => {
  const email = someone();
  const address = freshNetwork();
  for (let again = 1; again <= 5; again += 1) await tried({ email: ` ${email.toUpperCase()}`, address });
  expect(await tried({ email, address })).toBe(1);
});

test('each kind counts for itself: who has the password gets no more tries at the code', async () => {
  const email = someone();
  const address = freshNetwork();
  for (let code = 0; code < 5; code += 1) {
    expect(await tried({ kind: 'code', email, address })).toBeUndefined();
    await succeeded(email, address);
  }
  expect(await tried({ kind: 'code', email, address })).toBe(1);
  // And from everywhere together it is ten.
  for (let code = 5; code < 10; code += 1) await tried({ kind: 'code', email, address: freshNetwork() });
  expect(await tried({ kind: 'code', email, address: freshNetwork() })).toBe(1);
});

test('what is refused is not counted: who keeps knocking does not close the account to others', async () => {
  const email = someone();
  const address = freshNetwork();
  for (let knock = 0; knock < 100; knock += 1) await tried({ email, address });
  expect(await tried({ email, address })).toBe(1);
  expect(await tried({ email, address: freshNetwork() })).toBeUndefined();
});

test('a day later it is forgotten, and swept away; where the holder was is remembered longer', async () => {
  const email = someone();
  const [address, usual] = [freshNetwork(), freshNetwork()];
  await succeeded(email, usual);
  for (let again = 0; again < 5; again += 1) await tried({ email, address });
  site.clock.moveOn(day + second);
  for (let again = 0; again < 4; again += 1) expect(await tried({ email, address })).toBeUndefined();
  site.clock.moveOn(day + second);
  await deleteOldThrottles(site.deps.db, site.clock.now());
  const { rows } = await sql<{ vouched: boolean }>`
    select trusted_until is not null as vouched from throttles`.execute(site.deps.db);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ vouched }) => vouched)).toBe(true);
});
