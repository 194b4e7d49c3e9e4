import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeApp, type TestApp } from '../make-app.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  responses: Record<string, unknown>;
};

function operations(): { path: string; method: string; operation: Operation }[] {
  const { paths } = site.app.swagger() as unknown as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

test('every call of the API says what it does, and what it can refuse', () => {
  const described = operations();
  expect(described.length).toBeGreaterThan(10);
  for (const { path, method, operation } of described) {
    const name = `${method} ${path}`;
    expect(operation.operationId, name).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation.summary?.length, name).toBeGreaterThan(5);
    expect(operation.description?.length, name).toBeGreaterThan(30);
    expect(operation.tags?.length, name).toBe(1);
    if (operation.security === undefined) expect(Object.keys(operation.responses), name).toContain('401');
  }
});

test('no call of the API that needs a token answers without one', async () => {
  for (const { path, method, operation } of operations()) {
    if (operation.security !== undefined) continue;
    const url = path.replaceAll(/\{\w+\}/g, 'anything');
    const answer = await site.app.inject({ method: method.toUpperCase() as 'GET', url });
    expect(answer.statusCode, `${method} ${path}`).toBe(401);
    expect(answer.headers['www-authenticate'], `${method} ${path}`).toBe('Bearer realm="onward"');
    expect(answer.headers['content-type'], `${method} ${path}`).toContain('application/problem+json');
  }
});

test('no page that needs a session answers without one', async () => {
  for (const url of ['/apikeys', '/referrals', '/referrals/new', '/outbox', '/services']) {
    const answer = await site.app.inject(url);
    expect(answer.statusCode, url).toBe(303);
    expect(answer.headers.location, url).toBe(`/signin?next=${encodeURIComponent(url)}`);
  }
});

test('every answer has the security headers, refusals too', async () => {
  for (const url of ['/', '/signin', '/api/token/status', '/api/nothing', '/nothing', '/%']) {
    const { headers } = await site.app.inject(url);
    expect(headers['content-security-policy'], url).toContain("default-src 'none'");
    expect(headers['x-content-type-options'], url).toBe('nosniff');
    expect(headers['cache-control'], url).toContain('no-store');
  }
});
