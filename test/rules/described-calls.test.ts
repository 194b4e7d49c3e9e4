import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operationsOf } from '../app/api-operations.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

test('every call of the API says what it does, and what it can refuse', () => {
  const described = operationsOf(site.app);
  expect(described.length).toBeGreaterThan(10);
  for (const { path, method, operation } of described) {
    const name = `${method} ${path}`;
    expect(operation.operationId, name).toMatch(/^[a-z][A-Za-z]+$/);
    expect(operation.summary?.length, name).toBeGreaterThan(5);
    expect(operation.description?.length, name).toBeGreaterThan(30);
    expect(operation.tags?.length, name).toBe(1);
    expect(Object.keys(operation.responses), name).toContain('429');
    if (operation.security === undefined) expect(Object.keys(operation.responses), name).toContain('401');
  }
});

test('every answer in JSON has words of its own, and an example that is as its schema says', () => {
  const document: any = site.app.swagger();
  const ajv = formats.default(new Ajv2020({ strict: false }).addSchema(document, 'api'));
  const inUri = (way: string[]) =>
    way.map((each) => encodeURIComponent(each.replaceAll('/', '~1'))).join('/');
  for (const { path, method, operation } of operationsOf(site.app)) {
    expect(Object.keys(operation.responses), path).toContainEqual(expect.stringMatching(/^2/));
    for (const [status, { description, content }] of Object.entries<any>(operation.responses)) {
      const name = `${method} ${path} ${status}`;
      expect(description, name).not.toBe('Default Response');
      const json = content?.['application/json'];
      // Those of the library are held against the published schemas, which ask for more than is there.
      if (!json || path.startsWith('/api/library/')) continue;
      const way = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
      const isRight = ajv.compile({ $ref: `api#/${inUri(way)}` });
      expect(isRight(json.example), `${name} ${JSON.stringify(isRight.errors)}`).toBe(true);
    }
  }
});
