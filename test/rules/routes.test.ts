import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredRoutes } from '../../src/platform/http/access.ts';
import { operationsOf } from '../app/api-operations.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';
import { signedInBrowser } from '../people/signed-in-browser.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_PUBLIC_DIRECTORY: 'true', ONWARD_SELF_REFERRAL: 'true' } });
});
afterAll(() => site.close());

describe('an API call that needs a token', () => {
  it('is refused without one', async () => {
    for (const { path, method, operation } of operationsOf(site.app)) {
      if (operation.security?.length === 0) continue;
      const url = path.replaceAll(/\{\w+\}/g, 'anything');
      const answer = await site.app.inject({ method: method.toUpperCase() as 'GET', url });
      expect(answer.statusCode, `${method} ${path}`).toBe(401);
      expect(answer.headers['www-authenticate'], `${method} ${path}`).toBe('Bearer realm="onward"');
      expect(answer.headers['content-type'], `${method} ${path}`).toContain('application/problem+json');
    }
  });
});

describe('the routes open to anyone', () => {
  it('are on this list, and no others are', () => {
    const open = declaredRoutes(site.app as never).filter(
      // HEAD is GET without the body, and has GET's checks.
      ({ kind, method }) => method !== 'HEAD' && (kind === 'anyone' || kind === 'visitor'),
    );
    const names = open.map(({ method, url }) =>
      `${method} ${url.replace(/^\/assets\/.*/, '/assets/…')}`.replace(
        /^OPTIONS \/api\/.*/,
        'OPTIONS /api/…',
      ),
    );
    expect([...new Set(names)].sort()).toEqual([
      'GET /',
      'GET /.well-known/security.txt',
      'GET /accessibility',
      'GET /answer/:secret',
      'GET /answer/:secret/file',
      'GET /api/',
      'GET /api/docs',
      'GET /api/docs/:operation.json',
      'GET /api/docs/collection.json',
      'GET /api/docs/start-reference.js',
      'GET /api/docs/swagger-ui-bundle.js',
      'GET /api/docs/swagger-ui.css',
      'GET /api/openapi.json',
      'GET /apilogin',
      'GET /apilogin/send-form.js',
      'GET /assets/…',
      'GET /clinical-safety',
      'GET /confirm/:token',
      'GET /contact',
      'GET /cookies',
      'GET /delivery-address/:secret',
      'GET /delivery-address/confirmed',
      'GET /find',
      'GET /find/:id',
      'GET /find/:id/refer-yourself',
      'GET /find/:id/refer-yourself/sent/:form',
      'GET /guide',
      'GET /guide/:chapter',
      'GET /guide/first-referral.json',
      'GET /healthz',
      'GET /help',
      'GET /invitation/:secret',
      'GET /map.pmtiles',
      // Checks for itself where a request comes from (src/health/metrics.test.ts).
      'GET /metrics',
      'GET /my/:secret',
      'GET /openapi.json',
      'GET /privacy',
      'GET /problems',
      'GET /problems/:type',
      'GET /readyz',
      'GET /reset-password',
      'GET /reset-password/:secret',
      'GET /reset-password/done',
      'GET /reset-password/sent',
      'GET /rights',
      'GET /rights/sent/:id',
      'GET /robots.txt',
      'GET /signin',
      'GET /signin/code',
      'GET /signin/oidc',
      'GET /signin/oidc/callback',
      'OPTIONS /api/…',
      'POST /answer/:secret',
      'POST /answer/:secret/file',
      'POST /api/token/refresh',
      'POST /apilogin',
      'POST /apilogin/other-account',
      'POST /confirm/:token',
      'POST /delivery-address/:secret',
      'POST /find/:id/refer-yourself',
      'POST /invitation/:secret',
      'POST /my/:secret',
      'POST /reset-password',
      'POST /reset-password/:secret',
      'POST /rights',
      'POST /signin',
      'POST /signin/code',
      'POST /signin/code/passkey',
      'POST /signin/code/passkey/options',
      'POST /signin/oidc/invitation',
      'POST /signin/passkey',
      'POST /signin/passkey/options',
      'POST /signout',
    ]);
  });
});

describe('every other route', () => {
  it('gives nothing to a request without a session or a token', async () => {
    const closed = declaredRoutes(site.app as never).filter(
      ({ kind }) => kind !== 'anyone' && kind !== 'visitor',
    );
    expect(closed.length).toBeGreaterThan(25);
    for (const { method, url, kind } of closed) {
      const path = url.replaceAll(/:\w+/g, 'anything');
      const headers = { origin: 'http://localhost:8080' };
      const answer = await site.app.inject({ method: method as 'GET', url: path, headers });
      const name = `${method} ${url}`;
      if (kind === 'session' && (method === 'GET' || method === 'HEAD')) {
        expect([answer.statusCode, answer.headers.location], name).toEqual([
          303,
          `/signin?next=${encodeURIComponent(path)}`,
        ]);
      } else {
        expect(answer.statusCode, name).toBe(401);
      }
    }
  });
});

describe('a recent sign-in', () => {
  it('is needed for accounts and keys, except by the forms listed', () => {
    const asked = declaredRoutes(site.app as never).filter(({ needsRecentSignIn }) => needsRecentSignIn);
    const names = asked
      .filter(({ method }) => method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url}`);
    expect(names.sort()).toEqual([
      'GET /account/authenticator',
      'GET /account/authenticator/remove',
      'GET /account/passkeys',
      'GET /account/passkeys/:id/remove',
      'GET /account/password',
      'GET /account/recovery-codes',
      'GET /account/second-factor',
      'GET /apikeys',
      'GET /apikeys/keys/:key',
      'GET /apikeys/keys/:key/change',
      'GET /apikeys/keys/:key/end-overlap',
      'GET /apikeys/keys/:key/regenerate',
      'GET /apikeys/keys/:key/revoke',
      'GET /apikeys/keys/new',
      'GET /apikeys/limits',
      'GET /apikeys/regenerate',
      'GET /offline-copy',
      'GET /offline-copy/file',
      'GET /operator/accounts/:id/api-access',
      'GET /operator/accounts/:id/disabled',
      'GET /operator/accounts/:id/email',
      'GET /operator/accounts/:id/invitation',
      'GET /operator/accounts/:id/leave',
      'GET /operator/accounts/:id/leave-end',
      'GET /operator/accounts/:id/organisation',
      'GET /operator/accounts/:id/owner',
      'GET /operator/accounts/:id/roles',
      'GET /operator/accounts/:id/second-factors',
      'GET /operator/accounts/invite-team',
      'GET /operator/accounts/invite-team/file',
      'GET /operator/accounts/new',
      'GET /operator/accounts/new-system',
      'GET /operator/deliveries/causes/:id/address',
      'GET /operator/deliveries/unmatched/:id',
      'GET /operator/deliveries/unmatched/:id/message',
      'GET /operator/library/lists/postcodes',
      'GET /operator/library/lists/practices',
      'GET /operator/organisations/:id/merge',
      'GET /operator/organisations/:id/name',
      'GET /operator/organisations/:id/questionnaires',
      'GET /operator/patients',
      'GET /operator/patients/copies/:id',
      'GET /operator/patients/copies/:id/files/:file',
      'GET /operator/patients/copies/:id/leave-out',
      'GET /operator/patients/copies/:id/preview',
      'GET /operator/patients/referrals/:id',
      'GET /operator/patients/several/erase',
      'GET /operator/patients/several/restrict',
      'GET /operator/practices/:ods_code',
      'GET /operator/requests/:id',
      'GET /operator/self-referrals',
      'GET /services/:id/referral-settings',
      'GET /system-accounts/:id',
      'GET /system-accounts/:id/keys/:key',
      'GET /system-accounts/:id/keys/:key/change',
      'GET /system-accounts/:id/keys/:key/end-overlap',
      'GET /system-accounts/:id/keys/:key/regenerate',
      'GET /system-accounts/:id/keys/:key/revoke',
      'GET /system-accounts/:id/keys/new',
      'GET /system-accounts/:id/owner',
      'GET /webhooks/:id/change',
      'GET /webhooks/new',
      'POST /account/authenticator',
      'POST /account/authenticator/confirm',
      'POST /account/authenticator/remove',
      'POST /account/identities/link',
      'POST /account/identities/unlink',
      'POST /account/passkeys',
      'POST /account/passkeys/:id/remove',
      'POST /account/passkeys/options',
      'POST /account/password',
      'POST /account/recovery-codes',
      'POST /api/docs/key',
      'POST /apikeys/keys/:key/change',
      'POST /apikeys/keys/:key/end-overlap',
      'POST /apikeys/keys/:key/regenerate',
      'POST /apikeys/keys/:key/revoke',
      'POST /apikeys/keys/new',
      'POST /apikeys/limits',
      'POST /apikeys/regenerate',
      'POST /apikeys/requests/:id/password',
      'POST /offline-copy',
      'POST /offline-copy/stop',
      'POST /operator/account-claims/:id/decline',
      'POST /operator/account-claims/:id/grant',
      'POST /operator/accounts/:id/api-access',
      'POST /operator/accounts/:id/disabled',
      'POST /operator/accounts/:id/email',
      'POST /operator/accounts/:id/invitation',
      'POST /operator/accounts/:id/leave',
      'POST /operator/accounts/:id/leave-end',
      'POST /operator/accounts/:id/organisation',
      'POST /operator/accounts/:id/owner',
      'POST /operator/accounts/:id/roles',
      'POST /operator/accounts/:id/second-factors',
      'POST /operator/accounts/invite-team',
      'POST /operator/accounts/invite-team/file',
      'POST /operator/accounts/new',
      'POST /operator/accounts/new-system',
      'POST /operator/audit/open',
      'POST /operator/check-first/confirm',
      'POST /operator/deliveries/causes/:id/address',
      'POST /operator/developer-requests/:id/decline',
      'POST /operator/developer-requests/:id/grant',
      'POST /operator/library/imports/:id/import',
      'POST /operator/library/imports/:id/undo',
      'POST /operator/library/lists/postcodes',
      'POST /operator/library/lists/practices',
      'POST /operator/looks/:id/checked',
      'POST /operator/organisations/:id/merge',
      'POST /operator/organisations/:id/name',
      'POST /operator/organisations/:id/questionnaires',
      'POST /operator/patients',
      'POST /operator/patients/copies/:id/asked-back',
      'POST /operator/patients/copies/:id/hand-out',
      'POST /operator/patients/copies/:id/leave-out',
      'POST /operator/patients/copies/:id/marks/:mark/take-back',
      'POST /operator/patients/copies/:id/review-again',
      'POST /operator/patients/copies/:id/reviewed',
      'POST /operator/patients/erasure/approve',
      'POST /operator/patients/export',
      'POST /operator/patients/legal-hold',
      'POST /operator/patients/looks',
      'POST /operator/patients/referrals/:id/erase',
      'POST /operator/patients/referrals/:id/legal-hold',
      'POST /operator/patients/referrals/:id/lift-legal-hold',
      'POST /operator/patients/referrals/:id/put-off-erasure',
      'POST /operator/patients/referrals/:id/restrict',
      'POST /operator/patients/referrals/:id/unrestrict',
      'POST /operator/patients/several/erase',
      'POST /operator/patients/several/restrict',
      'POST /operator/practices/:ods_code',
      'POST /operator/practices/:ods_code/closed',
      'POST /operator/requests/:id/acknowledge',
      'POST /operator/requests/:id/answer',
      'POST /operator/requests/:id/note',
      'POST /operator/requests/:id/owner',
      'POST /operator/return-addresses',
      'POST /operator/return-addresses/localhost',
      'POST /operator/return-addresses/remove',
      'POST /operator/self-referrals',
      'POST /services/:id/referral-settings',
      'POST /system-accounts/:id/keys/:key/change',
      'POST /system-accounts/:id/keys/:key/end-overlap',
      'POST /system-accounts/:id/keys/:key/regenerate',
      'POST /system-accounts/:id/keys/:key/revoke',
      'POST /system-accounts/:id/keys/new',
      'POST /system-accounts/:id/owner',
      'POST /webhooks/:id/change',
      'POST /webhooks/:id/off',
      'POST /webhooks/:id/on',
      'POST /webhooks/:id/remove',
      'POST /webhooks/:id/rotate-secret',
      'POST /webhooks/new',
    ]);
    const others = declaredRoutes(site.app as never).filter(
      ({ method, url, needsRecentSignIn }) =>
        method === 'POST' && !needsRecentSignIn && /^\/(account|apikeys|operator)\b/.test(url),
    );
    expect(others.map(({ url }) => url).sort()).toEqual([
      '/account/contact',
      '/account/emails',
      '/account/leave',
      '/account/leave/end',
      '/account/name',
      '/account/sessions/end',
      '/account/sessions/end-others',
      // These only ask an operator.
      '/apikeys/requests/account',
      '/apikeys/requests/return-address',
      '/apikeys/troubles',
      '/apikeys/troubles/clear',
      '/apikeys/troubles/move-on',
      '/operator/audit/check',
      '/operator/check-first/ask',
      '/operator/deliveries/:id/another-way',
      '/operator/deliveries/:id/done',
      '/operator/deliveries/:id/owner',
      '/operator/deliveries/:id/retry',
      '/operator/deliveries/causes/:id/another-way',
      '/operator/deliveries/causes/:id/ask',
      '/operator/deliveries/causes/:id/done',
      '/operator/deliveries/causes/:id/retry',
      '/operator/deliveries/unmatched/:id/done',
      '/operator/deliveries/unmatched/:id/retry',
      // These only try out or discard an import: the library stays as it is.
      '/operator/library/feeds',
      '/operator/library/feeds/unschedule',
      '/operator/library/files',
      '/operator/library/imports/:id/discard',
      '/operator/library/imports/:id/stop',
      '/operator/library/review',
      // This only keeps hidden what is hidden already.
      '/operator/library/sensitive',
      '/operator/library/synonyms',
      '/operator/library/synonyms/remove',
      '/operator/organisations',
      '/operator/organisations/:id',
      '/operator/reports/true-figures',
      '/operator/site/:name',
      '/operator/site/:name/default-text',
      '/operator/site/colour',
      '/operator/site/contacts',
      '/operator/site/logo',
      '/operator/site/logo/remove',
    ]);
  });

  it('is asked for by sending the user to sign in, then to a page', async () => {
    const browser = await signedInBrowser(site, { roles: ['operator', 'referrer'] });
    site.clock.moveOn(15 * 60_000 + 1);
    const routes = declaredRoutes(site.app as never).map((route) => ({
      ...route,
      url: route.url.replaceAll(/:\w+/g, 'anything'),
    }));
    const pages = routes.filter(({ method }) => method === 'GET').map(({ url }) => url);
    const isSentBack = async ({ method, url }: (typeof routes)[number]) => {
      const answer = await site.app.inject({ method: method as 'GET', url, headers: browser.headers });
      const way = answer.headers.location ?? answer.json().go_to;
      expect(way, `${method} ${url}`).toMatch(/^\/signin\?next=/);
      const next = new URL(way, 'http://localhost').searchParams.get('next')!;
      expect(pages, `after ${method} ${url}`).toContain(next.split('?')[0]);
    };
    const asking = routes.filter(({ needsRecentSignIn }) => needsRecentSignIn);
    for (const route of asking.filter(({ signedInWithinMinutes }) => !signedInWithinMinutes))
      await isSentBack(route);
    // Somebody who chose a file on such a page, or reads and types for long, has twice as long to send it.
    const sending = asking.filter(({ signedInWithinMinutes }) => signedInWithinMinutes);
    expect(sending.map(({ url, signedInWithinMinutes }) => [url, signedInWithinMinutes])).toEqual([
      ['/operator/patients/copies/anything/leave-out', 30],
      ['/operator/patients/copies/anything/reviewed', 30],
      ['/operator/accounts/invite-team', 30],
      ['/operator/accounts/invite-team/file', 30],
      ['/operator/library/lists/practices', 30],
      ['/operator/library/lists/postcodes', 30],
    ]);
    site.clock.moveOn(15 * 60_000);
    for (const route of sending) await isSentBack(route);
  });
});

describe('a form', () => {
  it('is refused if another site sends it, signed in or not', async () => {
    const forms = declaredRoutes(site.app as never).filter(
      ({ method, url }) => method === 'POST' && !url.startsWith('/api/'),
    );
    expect(forms.length).toBeGreaterThan(4);
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ];
    for (const { url } of forms) {
      for (const headers of foreign) {
        const answer = await site.app.inject({
          method: 'POST',
          url: url.replaceAll(/:\w+/g, 'anything'),
          headers,
        });
        expect(answer.statusCode, `${url} ${JSON.stringify(headers)}`).toBe(403);
      }
    }
  });
});

describe('every answer', () => {
  it('has the security headers, refusals too', async () => {
    for (const url of ['/', '/signin', '/api/token/status', '/api/nothing', '/nothing', '/%']) {
      const { headers } = await site.app.inject(url);
      expect(headers['content-security-policy'], url).toContain("default-src 'none'");
      expect(headers['x-content-type-options'], url).toBe('nosniff');
      expect(headers['cache-control'], url).toContain('no-store');
    }
  });
});
