import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationsOf } from '../app/api-operations.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

describe('the description of an API call', () => {
  it('says what the call does, and what it can refuse', () => {
    const described = operationsOf(site.app);
    expect(described.length).toBeGreaterThan(10);
    for (const { path, method, operation } of described) {
      const name = `${method} ${path}`;
      expect(operation.operationId, name).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.summary?.length, name).toBeGreaterThan(5);
      expect(operation.description?.length, name).toBeGreaterThan(30);
      expect(operation.tags?.length, name).toBe(1);
      expect(Object.keys(operation.responses), name).toContain('429');
      if (operation.security?.length !== 0) expect(Object.keys(operation.responses), name).toContain('401');
    }
  });

  it('has a name of its own, which generators make a function of', () => {
    const names = operationsOf(site.app).map(({ operation }) => operation.operationId);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('shows audit entries with an outcome that the site records', () => {
    const outcomesIn = (value: unknown): unknown[] => {
      if (value === null || typeof value !== 'object') return [];
      const own = 'action' in value && 'outcome' in value ? [value.outcome] : [];
      return [...own, ...Object.values(value).flatMap(outcomesIn)];
    };
    const outcomes = operationsOf(site.app).flatMap(({ operation }) =>
      Object.values<any>(operation.responses).flatMap(({ content }) =>
        outcomesIn(content?.['application/json']?.example),
      ),
    );
    expect(new Set(outcomes)).toEqual(new Set(['done']));
  });

  it('describes each JSON answer, with a valid example', () => {
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
        // The library's answers are checked against HSDS's own schemas, which require more than these examples have.
        if (!json || path.startsWith('/api/library/')) continue;
        const way = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
        const isRight = ajv.compile({ $ref: `api#/${inUri(way)}` });
        expect(isRight(json.example), `${name} ${JSON.stringify(isRight.errors)}`).toBe(true);
      }
    }
  });
});
