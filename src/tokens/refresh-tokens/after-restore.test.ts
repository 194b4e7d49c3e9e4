import { afterAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { refreshTokenOf } from '../../../test/app/keys.ts';
import { makeApp } from '../../../test/app/make-app.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { endAllAccess } from '../../accounts/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { beginRestoreCheck, endRestoreCheck, findRestoreCheck } from '../../platform/restore-check/index.ts';

const site = await makeApp();
afterAll(site.close);
const { app, deps, clock } = site;

describe('a restore', () => {
  it('ends sessions and access tokens; refresh tokens wait', async () => {
    const holder = await aTokenHolder(deps);
    const browser = await signedInBrowser(site, { role: 'operator' });
    const refreshToken = await refreshTokenOf(deps, holder.id);
    const refresh = () =>
      app.inject({ method: 'POST', url: '/api/token/refresh', payload: { refreshToken } });
    expect((await refresh()).statusCode).toBe(200);
    const at = clock.now();
    await inTransaction(deps.db, async (trx) => {
      await endAllAccess(trx);
      await beginRestoreCheck(trx, { backupMadeAt: at, at });
    });
    expect((await browser.open('/operator')).status).toBe(303);
    // Nobody has called with it yet: processes start after a restore, and remember no token.
    const called = await app.inject({ url: '/api/token/status', headers: holder.headers });
    expect(called.statusCode).toBe(401);
    const refused = await refresh();
    expect(refused.statusCode).toBe(503);
    expect(refused.json()).toMatchObject({ detail: expect.stringContaining('restored from a backup') });
    expect(refused.headers['retry-after']).toBe('3600');

    await browser.signIn();
    const { text } = await browser.open('/operator/check-first');
    expect(text).toContain('first pair of keys');
    expect(text).toContain('1 refresh token works again when you confirm');
    const { id } = (await findRestoreCheck(deps.db))!;
    await inTransaction(deps.db, (trx) => endRestoreCheck(trx, id, { accountId: browser.id, at }));
    expect((await refresh()).statusCode).toBe(200);
  });
});
