import { afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../log/index.ts';
import { createMetrics } from '../metrics/index.ts';
import { readSettings } from '../settings/index.ts';
import { anyScope, installAccess } from './access.ts';
import { type App, createApp, reader, withToken } from './index.ts';

let app: App | undefined;
afterEach(() => app?.close());

/** An app with keys for reading and for writing things, whose caller has the scopes in the header. */
function anApp() {
  app = createApp({
    settings: readSettings({}),
    log: createLog('silent'),
    metrics: createMetrics(),
    errorPage: (_request, reply) => reply.send('no'),
  });
  const token = ({ headers }: { headers: Record<string, string | string[] | undefined> }) => ({
    accountId: 'anna',
    name: 'Anna',
    roles: ['referrer'],
    ...(headers['x-scopes'] !== undefined && { scopes: String(headers['x-scopes']).split(' ') }),
  });
  const refused: string[] = [];
  const verifiers = { token, session: () => undefined, visitor: () => undefined, reader: token };
  installAccess(app, verifiers, {
    scopes: ['things:read', 'things:write'],
    signInPath: '/signin',
    secondFactorPath: '/set-up',
    hasSignedInRecently: () => true,
    auditWrongRole: ({ url }) => void refused.push(url),
    returnUnsentForm: async (_request, reply) => reply,
    openKeptForm: () => undefined,
    storeUnsentForm: async () => ({ id: '', notKept: undefined }),
    findUnsentForm: async () => undefined,
    deleteUnsentForm: async () => undefined,
  });
  return { app, refused };
}

describe('a route for tokens', () => {
  it.each([undefined, 'things:rite', ''])('does not start with the scope %j', async (scope) => {
    const { app } = anApp();
    for (const access of [withToken(), reader]) {
      const add = () =>
        app.get('/api/things', { config: { access, ...(scope !== undefined && { scope }) } }, () => 'x');
      expect(add).toThrow('GET /api/things does not declare the scope that a key needs for it');
    }
  });

  it('refuses a key without its scope, and records the refusal', async () => {
    const { app, refused } = anApp();
    app.get('/api/things', { config: { access: withToken(), scope: 'things:read' } }, () => 'things');
    const call = (scopes: string) => app.inject({ url: '/api/things', headers: { 'x-scopes': scopes } });
    expect((await call('things:write things:read')).statusCode).toBe(200);
    const answer = await call('things:write');
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ status: 403, title: 'The key does not allow this' });
    expect(answer.json().type).toMatch(/\/problems\/insufficient-scope$/);
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer realm="onward", error="insufficient_scope", scope="things:read"',
    );
    expect(refused).toEqual(['/api/things']);
  });

  it('takes a key with all rights, and any key if it says so', async () => {
    const { app } = anApp();
    app.get('/api/things', { config: { access: withToken(), scope: 'things:read' } }, () => 'things');
    app.get('/api/me', { config: { access: withToken(), scope: anyScope } }, () => 'me');
    expect((await app.inject('/api/things')).statusCode).toBe(200);
    const headers = { 'x-scopes': 'things:write' };
    expect((await app.inject({ url: '/api/me', headers })).statusCode).toBe(200);
  });

  it('still asks for the role', async () => {
    const { app } = anApp();
    const config = { access: withToken('operator'), scope: 'things:read' };
    app.get('/api/things', { config }, () => 'things');
    const answer = await app.inject({ url: '/api/things', headers: { 'x-scopes': 'things:read' } });
    expect([answer.statusCode, answer.json().type]).toEqual([403, expect.stringMatching(/\/forbidden$/)]);
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });
});
