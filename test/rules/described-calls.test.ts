import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { declaredRoutes } from '../../src/platform/http/access.ts';
import { documentOf } from '../../src/reference/index.ts';
import { operationsOf } from '../app/api-operations.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

/** An answer that several calls have is among the components. */
const answerOf = (document: any, answer: any) =>
  document.components.responses[answer.$ref?.split('/').at(-1)] ?? answer;

/** Where a text of the document names an address: the address, and whether only its end is written (`…/accept`). */
function addressesIn(value: unknown): { address: string; isEnd: boolean }[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, part]) => {
    if (typeof part !== 'string') return addressesIn(part);
    if (!['description', 'summary'].includes(name)) return [];
    const found = part.matchAll(/(?<![\w<.:/}])(…?)(\/[a-z][\w{}/-]*)/g);
    return [...found].map(([, dots, address]) => ({ address: address!, isEnd: dots !== '' }));
  });
}

/** JSON Pointers of errors look like addresses. */
const pointers = ['/query/name', '/headers/name'];

describe('the description of an API call', () => {
  it('names only addresses that exist, from their beginning', () => {
    const routes = declaredRoutes(site.app as never).map(({ url }) => url.replaceAll(/\{?:\w+\}?/g, '{}'));
    const exists = ({ address, isEnd }: { address: string; isEnd: boolean }) => {
      const wanted = address.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '{}');
      if (isEnd) return routes.some((route) => route.endsWith(wanted));
      const isOfRoute = (route: string) =>
        new RegExp(`^${route.replaceAll('{}', '[^/]+')}$`).test(wanted) || route.startsWith(`${wanted}/`);
      return routes.some(isOfRoute);
    };
    const named = addressesIn(documentOf(site.app)).filter(({ address }) => !pointers.includes(address));
    expect(named.length).toBeGreaterThan(25);
    expect(named.filter((each) => !exists(each))).toEqual([]);
  });

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

  it('has a unique name, from which generators make a function', () => {
    const names = operationsOf(site.app).map(({ operation }) => operation.operationId);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('shows audit entries with an outcome that the site records', () => {
    const outcomesIn = (value: unknown): unknown[] => {
      if (value === null || typeof value !== 'object') return [];
      const own = 'action' in value && 'outcome' in value ? [value.outcome] : [];
      return [...own, ...Object.values(value).flatMap(outcomesIn)];
    };
    const { examples } = (documentOf(site.app) as any).components;
    const outcomes = outcomesIn(examples);
    expect(new Set(outcomes)).toEqual(new Set(['done']));
  });

  it('describes each JSON answer, with a valid example', () => {
    const document: any = documentOf(site.app);
    const ajv = formats.default(new Ajv2020({ strict: false }).addSchema(document, 'api'));
    for (const { path, method, operation } of operationsOf(site.app)) {
      expect(Object.keys(operation.responses), path).toContainEqual(expect.stringMatching(/^2/));
      for (const [status, answer] of Object.entries<any>(operation.responses)) {
        const name = `${method} ${path} ${status}`;
        const { description, content } = answerOf(document, answer);
        const json = content?.['application/json'];
        if (!json) continue;
        expect(description, name).toBeDefined();
        expect(json.schema, name).toEqual({ $ref: expect.stringMatching(/^#\/components\/schemas\/\w+$/) });
        const example = json.examples.answer.$ref.split('/').at(-1);
        // The library's answers are checked against HSDS's own schemas, which require more than these examples have.
        if (path.startsWith('/api/library/')) continue;
        const isRight = ajv.compile({ $ref: `api${json.schema.$ref}` });
        const { value } = document.components.examples[example];
        expect(isRight(value), `${name} ${JSON.stringify(isRight.errors)}`).toBe(true);
      }
    }
  });

  it('shows each refusal with a code that the call has', () => {
    const document: any = documentOf(site.app);
    const shown = operationsOf(site.app).flatMap(({ operation }: any) =>
      Object.entries<any>(operation.responses)
        .filter(([status]) => /^4/.test(status))
        .map(([status, answer]) => {
          const { content, 'x-problem-codes': shared } = answerOf(document, answer);
          const codes = operation['x-problem-codes']?.[status] ?? shared;
          return {
            name: `${operation.operationId} ${status}`,
            codes,
            ...content['application/problem+json'].example,
          };
        }),
    );
    expect(shown.length).toBeGreaterThan(500);
    expect(shown.filter(({ code, codes }) => !codes.includes(code))).toEqual([]);
    expect(shown.find(({ name }) => name === 'createReferral 409')).toMatchObject({
      code: 'possible-duplicate',
      reference: expect.any(String),
      referral_id: expect.any(String),
    });
  });

  it('lists no code that the call cannot answer with', () => {
    const document: any = documentOf(site.app);
    const codesOf = (name: string) => {
      const { operation }: any = operationsOf(site.app).find((each) => each.operation.operationId === name)!;
      const codes = Object.entries<any>(operation.responses).map(([status, answer]) => [
        status,
        operation['x-problem-codes']?.[status] ?? answerOf(document, answer)['x-problem-codes'],
      ]);
      return Object.fromEntries(codes);
    };
    const { 400: form, 401: token, 403: account } = codesOf('refreshToken');
    expect([form, token, account]).toEqual([
      ['bad-request'],
      ['invalid-refresh-token'],
      ['api-access-disabled', 'address-not-allowed'],
    ]);
    expect(codesOf('getTokenStatus')[403]).toEqual(['address-not-allowed']);
    expect(codesOf('listServices')[403]).toEqual(['insufficient-scope', 'address-not-allowed']);
    expect(codesOf('requestReferral')[409]).not.toContain('still-in-progress');
    for (const { operation } of operationsOf(site.app) as any[])
      if (!operation.requestBody) expect(Object.keys(operation.responses)).not.toContain('415');
  });

  it('says that the site may be away, and when to try again', () => {
    const document: any = documentOf(site.app);
    for (const { operation } of operationsOf(site.app)) {
      // Which site it is, it knows without its database.
      const isDeclared = Object.hasOwn(operation.responses, '503');
      expect([operation.operationId, isDeclared]).toEqual([
        operation.operationId,
        operation.operationId !== 'getSite',
      ]);
      if (!isDeclared) continue;
      const { headers, 'x-problem-codes': codes } = answerOf(document, operation.responses['503']);
      expect([Object.keys(headers), codes]).toEqual([['Retry-After'], ['unavailable']]);
    }
  });

  it('leaves to the introduction how many calls are left', async () => {
    const { info }: any = documentOf(site.app);
    for (const header of ['RateLimit', 'RateLimit-Policy']) {
      expect(info.description).toContain(`\`${header}\``);
      expect((await site.app.inject('/api/')).headers[header.toLowerCase()]).toBeDefined();
      expect((await site.app.inject('/guide/limits')).body).toContain(`<code>${header}</code>`);
    }
  });

  it('repeats no parameter or answer of another call', () => {
    const written = operationsOf(site.app).flatMap(({ operation }: any) => [
      ...(operation.parameters ?? []),
      ...Object.values<any>(operation.responses).filter(({ content }) => content?.['application/json']),
    ]);
    const texts = written.filter(({ $ref }) => $ref === undefined).map((each) => JSON.stringify(each));
    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  it('gives open lists a plain string type, for new values', () => {
    const { schemas }: any = (documentOf(site.app) as any).components;
    const misplaced: unknown[] = [];
    JSON.stringify(schemas, (_, part) => {
      if (part?.anyOf && 'pattern' in part) misplaced.push(part);
      return part;
    });
    expect(misplaced).toEqual([]);
    expect(schemas.OutcomeCode.anyOf[1]).toMatchObject({ type: 'string', pattern: expect.any(String) });
  });

  it('names every body, success and list of values', () => {
    const { paths, components }: any = documentOf(site.app);
    const unnamed: string[] = [];
    const look = (part: any, way: string, isNamed: boolean) => {
      if (part === null || typeof part !== 'object') return;
      const isList = Array.isArray(part.enum) && part.enum.length > 1;
      if (isList && !isNamed) unnamed.push(way);
      for (const [name, inner] of Object.entries<any>(part)) {
        // An open list is a list and any other text.
        if (name === 'example' || name === 'examples') continue;
        look(inner, `${way}/${name}`, isNamed && (name === 'anyOf' || Array.isArray(part)));
      }
    };
    for (const [name, schema] of Object.entries(components.schemas)) look(schema, name, true);
    look(paths, 'paths', false);
    expect(unnamed).toEqual([]);
    for (const { path, method, operation } of operationsOf(site.app)) {
      const json = (operation as any).requestBody?.content['application/json'];
      if (json) expect(json.schema, `${method} ${path}`).toEqual({ $ref: expect.any(String) });
    }
  });
});
