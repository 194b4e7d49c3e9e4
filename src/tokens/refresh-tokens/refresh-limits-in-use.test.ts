import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { callerFor, refreshTokenOf } from '../../../test/app/keys.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { waitingForLocks } from '../../../test/database/locks.ts';
import { withoutTable } from '../../../test/database/stored.ts';
import { sendQueuedMails } from '../../../test/people/mail-fixture.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { listCapturedMails } from '../../platform/mail/index.ts';
import { storeNewAccessToken } from '../model/access-tokens.ts';
import { changeFirstPairLimits, regenerateFirstPair } from './first-pair.ts';
import { findKeyActivity, insertKeyNetwork, isKnownNetwork } from './key-activity-store.ts';
import type { RefreshTokenLimits } from './refresh-tokens-store.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const minute = 60_000;
const day = 24 * 60 * minute;
const home = '192.0.2.7';

async function aHolder(limits: Partial<RefreshTokenLimits> = {}) {
  const { deps } = site;
  const account = await anAccount(deps);
  const caller = await callerFor(deps, account.id);
  const set = (changed: Partial<RefreshTokenLimits>) =>
    changeFirstPairLimits(deps, caller, { networks: [], idleDays: null, ...changed }, home);
  if (Object.keys(limits).length > 0) await set(limits);
  const refreshToken = await refreshTokenOf(deps, account.id);
  return { ...account, caller, set, refreshToken };
}

const refresh = (refreshToken: string, remoteAddress = home) =>
  site.app.inject({ method: 'POST', url: '/api/token/refresh', payload: { refreshToken }, remoteAddress });
const status = async (token: string, remoteAddress = home) =>
  (
    await site.app.inject({
      url: '/api/token/status',
      headers: { authorization: `Bearer ${token}` },
      remoteAddress,
    })
  ).statusCode;

async function keyEntriesOf(accountId: string) {
  const entries = await storedEntries(site.deps.db, { subjectId: accountId });
  const ofKeys = entries.filter(({ action }) => action.startsWith('keys.'));
  return ofKeys.map(({ action, outcome, address }) => [action, outcome, address].join(' '));
}

/** The emails that somebody was sent, the oldest first. */
async function mailsTo(email: string) {
  await sendQueuedMails(site.deps);
  const mails = await listCapturedMails(site.deps, { address: email }, { before: undefined, limit: 100 });
  return mails.reverse();
}

describe('a list of IP addresses', () => {
  it('applies to refreshes and their tokens, not to copied tokens', async () => {
    const holder = await aHolder({ networks: ['192.0.2.0/24', '2001:db8:5::/48'] });
    for (const inside of [home, '::ffff:192.0.2.9', '2001:db8:5::1'])
      expect((await refresh(holder.refreshToken, inside)).statusCode, inside).toBe(200);
    const { access_token: access } = (await refresh(holder.refreshToken)).json();
    expect([await status(access), await status(access, '198.51.100.1')]).toEqual([200, 403]);
    for (const outside of ['198.51.100.1', '2001:db8:6::1', '127.0.0.1']) {
      const answer = await refresh(holder.refreshToken, outside);
      expect(answer.statusCode, outside).toBe(403);
      expect(answer.json().type).toContain('address-not-allowed');
      expect(answer.body).not.toContain(outside);
    }
    const copied = await storeNewAccessToken(site.deps, holder.id, 'apikeys');
    expect(await status(copied.text, '198.51.100.1')).toBe(200);
  });

  it('applies at once when it is changed', async () => {
    const holder = await aHolder();
    const { access_token: access } = (await refresh(holder.refreshToken)).json();
    expect(await status(access)).toBe(200);
    await holder.set({ networks: ['10.0.0.0/8'] });
    await until(async () => (await status(access)) === 403);
    expect((await refresh(holder.refreshToken)).statusCode).toBe(403);
    await holder.set({});
    await until(async () => (await status(access)) === 200);
    expect((await refresh(holder.refreshToken)).statusCode).toBe(200);
  });

  it('refuses a caller without an IP address', async () => {
    const behind = await makeApp({ env: { ONWARD_TRUSTED_PROXIES: '127.0.0.1' } });
    try {
      const account = await anAccount(behind.deps);
      const caller = await callerFor(behind.deps, account.id);
      await changeFirstPairLimits(behind.deps, caller, { networks: ['127.0.0.0/8'], idleDays: null }, home);
      const refreshToken = await refreshTokenOf(behind.deps, account.id);
      const answerTo = async (forwarded: string) =>
        behind.app.inject({
          method: 'POST',
          url: '/api/token/refresh',
          payload: { refreshToken },
          headers: { 'x-forwarded-for': forwarded },
        });
      expect((await answerTo('unknown')).statusCode).toBe(403);
      expect((await answerTo('127.0.0.2')).statusCode).toBe(200);
      const tooLong = await answerTo('x'.repeat(9000));
      expect(tooLong.statusCode).toBe(403);
    } finally {
      await behind.close();
    }
  });
});

describe('an idle limit', () => {
  it('stops the refresh token exactly when it is reached', async () => {
    const holder = await aHolder({ idleDays: 7 });
    site.clock.moveOn(7 * day - 1);
    expect((await refresh(holder.refreshToken)).statusCode).toBe(200);
    site.clock.moveOn(7 * day);
    const refused = await refresh(holder.refreshToken);
    expect(refused.statusCode).toBe(401);
    expect(refused.json().type).toContain('invalid-refresh-token');
    expect(refused.json().detail).toContain('has not been used');
    await holder.set({ idleDays: 8 });
    expect((await refresh(holder.refreshToken)).statusCode, 'its holder allowed more').toBe(200);
    await regenerateFirstPair(site.deps, holder.caller, home);
    const refreshToken = await refreshTokenOf(site.deps, holder.id);
    site.clock.moveOn(8 * day);
    expect((await refresh(refreshToken)).statusCode, 'one that was never used').toBe(401);
  });
});

describe('a new IP address', () => {
  it('is audited and mailed once, also with many uses at once', async () => {
    const holder = await aHolder();
    const uses = [home, home, '198.51.100.1', '2001:db8::1', '2001:db8::2', '::ffff:192.0.2.7'];
    await Promise.all(
      uses.flatMap((address) => [
        refresh(holder.refreshToken, address),
        refresh(holder.refreshToken, address),
      ]),
    );
    const seen = await keyEntriesOf(holder.id);
    expect(seen.length).toBe(3);
    expect(seen.sort().slice(0, 2)).toEqual([
      'keys.new_address done 192.0.2.7',
      'keys.new_address done 198.51.100.1',
    ]);
    expect(seen[2]).toMatch(/^keys\.new_address done 2001:db8::[12]$/);
    const mails = await mailsTo(holder.email);
    expect(mails.length).toBe(3);
    const mail = mails.find(({ text }) => text.includes('198.51.100.1'))!;
    expect(mail.subject).toBe('Your refresh token was used from a new IP address – Onward test site');
    expect(mail.text).toContain('http://localhost:8080/apikeys');
    expect(mail.text).not.toContain('onr_');
  });

  it('is reported once when refused, and again when first allowed', async () => {
    const holder = await aHolder({ networks: [home] });
    for (let times = 0; times < 3; times += 1) await refresh(holder.refreshToken, '198.51.100.1');
    expect(await keyEntriesOf(holder.id)).toEqual([
      `keys.limits_changed done ${home}`,
      'keys.new_address refused 198.51.100.1',
    ]);
    expect((await mailsTo(holder.email)).map(({ text }) => text.includes('Nothing was given'))).toEqual([
      true,
    ]);
    await holder.set({});
    await refresh(holder.refreshToken, '198.51.100.1');
    expect((await keyEntriesOf(holder.id)).at(-1)).toBe('keys.new_address done 198.51.100.1');
  });

  it('is mailed ten times a day at most, and always audited', async () => {
    const holder = await aHolder();
    for (let host = 1; host <= 12; host += 1) await refresh(holder.refreshToken, `198.51.100.${host}`);
    const mails = await mailsTo(holder.email);
    expect(mails.length).toBe(10);
    expect(mails.map(({ text }) => text.includes('until tomorrow')).indexOf(true)).toBe(9);
    expect((await keyEntriesOf(holder.id)).length).toBe(12);
    site.clock.moveOn(day);
    await refresh(holder.refreshToken, '198.51.100.99');
    expect((await mailsTo(holder.email)).length).toBe(11);
  });

  it('counts as new again after new keys were made', async () => {
    const holder = await aHolder();
    const regenerate = regenerateFirstPair(site.deps, holder.caller, home);
    await Promise.all([regenerate, ...Array.from({ length: 30 }, () => refresh(holder.refreshToken, home))]);
    const hash = site.deps.secrets.hash('refresh token', await refreshTokenOf(site.deps, holder.id));
    const use = { hash, ipAddress: home, network: home };
    expect(await isKnownNetwork(site.deps.db, use, { at: site.clock.now(), refused: false })).toBe(false);
    const refreshToken = await refreshTokenOf(site.deps, holder.id);
    const before = (await keyEntriesOf(holder.id)).length;
    expect((await refresh(refreshToken)).statusCode).toBe(200);
    expect((await keyEntriesOf(holder.id)).length).toBe(before + 1);
  });

  it('is forgotten if new keys are being made meanwhile', async () => {
    const { deps } = site;
    const holder = await aHolder();
    const use = {
      hash: deps.secrets.hash('refresh token', holder.refreshToken),
      ipAddress: home,
      network: home,
    };
    let done = false;
    const late = await inTransaction(deps.db, async (trx) => {
      await regenerateFirstPair({ ...deps, db: trx }, holder.caller, home);
      const inserted = inTransaction(deps.db, (other) =>
        insertKeyNetwork(other, use, { at: site.clock.now(), refused: false }),
      ).finally(() => {
        done = true;
      });
      await until(async () => done || (await waitingForLocks(deps.db)) > 0);
      return { inserted };
    });
    expect(await late.inserted).toBeUndefined();
  });
});

describe('when keys were last used', () => {
  it('is written once a minute, and no answer waits for it', async () => {
    const holder = await aHolder();
    const use = async () => (await findKeyActivity(site.deps.db, [holder.id])).get(holder.id)!;
    const { access_token: access } = (await refresh(holder.refreshToken)).json();
    expect((await use()).refreshedIpAddress).toBe(home);
    expect((await use()).calledAt).toBeNull();
    const first = site.clock.now();
    await status(access, '198.51.100.1');
    await until(async () => (await use()).calledIpAddress === '198.51.100.1');
    site.clock.moveOn(minute - 1);
    await status(access, '198.51.100.2');
    await refresh(holder.refreshToken, '198.51.100.2');
    expect(await use()).toMatchObject({ calledAt: first, refreshedAt: first, lastUsedAt: first });
    site.clock.moveOn(2);
    await status(access, '198.51.100.2');
    await until(async () => (await use()).calledIpAddress === '198.51.100.2');
    expect(await use()).toMatchObject({ lastUsedIpAddress: '198.51.100.2', refreshedIpAddress: home });
  });

  it('fails no call when it cannot be written', async () => {
    const holder = await aHolder();
    const { access_token: access } = (await refresh(holder.refreshToken)).json();
    await withoutTable(site.deps.db, 'key_calls', async () => {
      expect(await status(access)).toBe(200);
      await until(() => site.logLines.join('').includes('the last use of a key could not be recorded'));
    });
  });
});
