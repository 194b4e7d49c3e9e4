import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredRoutes } from '../../src/platform/http/access.ts';
import { scopes } from '../../src/tokens/index.ts';
import { operationsOf } from '../app/api-operations.ts';
import { anAccount } from '../app/builders.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';
import { aNamedKey } from '../people/named-keys.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({
    env: { ONWARD_CALLS_PER_MINUTE_OF_ACCOUNT: '100000', ONWARD_CALLS_PER_MINUTE_OF_NETWORK: '100000' },
  });
});
afterAll(() => site.close());

/** The scope of each call, by its method and path. */
const calls = () =>
  declaredRoutes(site.app as never)
    .filter(({ kind, method }) => (kind === 'token' || kind === 'reader') && method !== 'HEAD')
    .map(({ method, url, scope, roles }) => ({ name: `${method} ${url}`, scope: scope!, roles }));

describe('the scope of a call', () => {
  it('is in the list, except for the call every key may make', () => {
    expect(calls().length).toBeGreaterThan(80);
    const others = calls().filter(({ scope }) => !(scopes as readonly string[]).includes(scope));
    expect(others.map(({ name }) => name)).toEqual(['GET /api/token/status']);
    expect(new Set(calls().map(({ scope }) => scope))).toEqual(new Set([...scopes, 'any']));
  });

  it('is for reading if and only if the call changes nothing', () => {
    const reading = calls().filter(({ scope }) => scope.endsWith(':read'));
    // Searches whose words are not for an address.
    const searches = ['POST /api/library/services/search', 'POST /api/referrals/search'];
    expect(reading.filter(({ name }) => !name.startsWith('GET ')).map(({ name }) => name)).toEqual(searches);
    const writing = calls().filter(({ scope }) => scope.endsWith(':write'));
    expect(writing.filter(({ name }) => name.startsWith('GET ')).map(({ name }) => name)).toEqual([]);
  });

  it('is its own if the call is for operators only', () => {
    const forOperators = calls().filter(({ roles }) => roles.join() === 'operator');
    expect(new Set(forOperators.map(({ scope }) => scope))).toEqual(
      new Set(['records', 'deliveries', 'channels']),
    );
  });

  it('is in the document, with the refusal of a key that lacks it', () => {
    const declared = new Map(
      calls().map(({ name, scope }) => [name.replaceAll(/:(\w+)/g, '{$1}').replace(/\/\*$/, '/'), scope]),
    );
    for (const { path, method, operation } of operationsOf(site.app)) {
      const name = `${method.toUpperCase()} ${path}`;
      if (name === 'POST /api/token/refresh' || name === 'GET /api/') continue;
      const scope = declared.get(name);
      expect(scope, name).toBeDefined();
      if (scope === 'any') {
        expect(operation.security, name).toBeUndefined();
        continue;
      }
      expect(operation.security, name).toEqual([{ access_token: [scope] }]);
      expect(operation.description, name).toContain(`Scope: \`${scope}\`.`);
      expect(operation.responses, name).toHaveProperty('403');
    }
  });
});

describe('a key with one scope', () => {
  it.each(scopes)('%s can make the calls of this scope, and no others', async (scope) => {
    const organisation = { name: 'Test provider', libraryOrganizationId: randomUUID() };
    const account = await anAccount(site.deps, { roles: ['operator', 'referrer', 'provider'], organisation });
    const key = await aNamedKey(site, account.id, { scopes: [scope] });
    const headers = { authorization: `Bearer ${await key.accessToken()}` };
    const outcomes = await Promise.all(
      calls().map(async ({ name, scope: needed }) => {
        const [method, url] = name.split(' ') as ['GET', string];
        const answer = await site.app.inject({ method, url: url.replaceAll(/:\w+/g, randomUUID()), headers });
        const refused = answer.statusCode === 403 && answer.json().type.endsWith('/insufficient-scope');
        if (refused)
          expect(answer.headers['www-authenticate'], name).toBe(
            `Bearer realm="onward", error="insufficient_scope", scope="${needed}"`,
          );
        expect(answer.statusCode, name).not.toBe(401);
        expect(answer.statusCode, name).toBeLessThan(500);
        return { name, works: !refused, shouldWork: needed === scope || needed === 'any' };
      }),
    );
    expect(outcomes.filter(({ works, shouldWork }) => works !== shouldWork)).toEqual([]);
    expect(outcomes.filter(({ works }) => works).length).toBeGreaterThan(1);
  });
});
