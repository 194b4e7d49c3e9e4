import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredRoutes } from '../../src/platform/http/access.ts';
import { scopes } from '../../src/tokens/index.ts';
import { operationsOf } from '../app/api-operations.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

/** The scope of each call, by its method and path. */
const calls = () =>
  declaredRoutes(site.app as never)
    .filter(({ kind, method }) => (kind === 'token' || kind === 'reader') && method !== 'HEAD')
    .map(({ method, url, scope, roles }) => ({ name: `${method} ${url}`, scope: scope!, roles }));

describe('the scope of a call', () => {
  it('is one of the list, except for the call that every key may make', () => {
    expect(calls().length).toBeGreaterThan(80);
    const others = calls().filter(({ scope }) => !(scopes as readonly string[]).includes(scope));
    expect(others.map(({ name }) => name)).toEqual(['GET /api/token/status']);
    expect(new Set(calls().map(({ scope }) => scope))).toEqual(new Set([...scopes, 'any']));
  });

  it('is for reading where the call changes nothing, and never where it changes something', () => {
    const reading = calls().filter(({ scope }) => scope.endsWith(':read'));
    // Searches whose words are not for an address.
    const searches = ['POST /api/library/services/search', 'POST /api/referrals/search'];
    expect(reading.filter(({ name }) => !name.startsWith('GET ')).map(({ name }) => name)).toEqual(searches);
    const writing = calls().filter(({ scope }) => scope.endsWith(':write'));
    expect(writing.filter(({ name }) => name.startsWith('GET ')).map(({ name }) => name)).toEqual([]);
  });

  it('of what only operators may do is not among those of other people’s work', () => {
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
      if (name === 'POST /api/token/refresh') continue;
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
