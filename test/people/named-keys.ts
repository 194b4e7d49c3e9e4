import { actorOf } from '../../src/accounts/index.ts';
import { createNamedKey, regenerateNamedKey } from '../../src/tokens/named-keys/named-keys.ts';
import type { KeySettings } from '../../src/tokens/named-keys/named-keys-store.ts';
import { anAccount } from '../app/builders.ts';
import { callerFor } from '../app/keys.ts';
import type { TestApp } from '../app/make-app.ts';
import { until } from '../app/until.ts';

let made = 0;

/** A named key of an account, and calls with it. */
export async function aNamedKey(site: TestApp, accountId: string, given: Partial<KeySettings> = {}) {
  made += 1;
  const settings = {
    name: `Key ${made}`,
    scopes: ['referrals:read'],
    networks: [],
    idleDays: null,
    ...given,
  };
  const actor = actorOf(await callerFor(site.deps, accountId), '127.0.0.1');
  const { id, refreshToken } = await createNamedKey(site.deps, { accountId, actor }, settings);
  const refresh = (token = refreshToken, remoteAddress = '192.0.2.7') =>
    site.app.inject({
      method: 'POST',
      url: '/api/token/refresh',
      payload: { refreshToken: token },
      remoteAddress,
    });
  const change = { accountId, actor };
  return {
    id,
    change,
    /** Makes the key's second refresh token. The first works beside it for some hours. */
    regenerate: (hours: 0 | 1 | 8 | 24) =>
      regenerateNamedKey(site.deps, change, id, { seenVersion: 1, hours }),
    settings,
    refreshToken,
    refresh,
    /** A new access token of this key. */
    accessToken: async (): Promise<string> => (await refresh()).json().access_token,
  };
}

/** An account with one named key. */
export async function aKeyHolder(
  site: TestApp,
  given: Parameters<typeof anAccount>[1] = {},
  key: Partial<KeySettings> = {},
) {
  const account = await anAccount(site.deps, given);
  return { ...account, key: await aNamedKey(site, account.id, key) };
}

/** Calls of `GET /api/token/status` with an access token. */
export function statusCalls(site: TestApp) {
  const status = (token: string, remoteAddress = '192.0.2.7') =>
    site.app.inject({
      url: '/api/token/status',
      headers: { authorization: `Bearer ${token}` },
      remoteAddress,
    });
  const codeOf = async (token: string, remoteAddress?: string) =>
    (await status(token, remoteAddress)).statusCode;
  return { status, codeOf, hasEnded: (token: string) => until(async () => (await codeOf(token)) === 401) };
}
