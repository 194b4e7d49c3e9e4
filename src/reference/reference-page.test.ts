import { createConfig, lintFromString } from '@redocly/openapi-core';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

const get = async (url: string) => (await site.app.inject(url)).json();

describe('the reference page', () => {
  it('has every call of the document once, and eight to start with', async () => {
    const page = parse((await site.app.inject('/api/docs')).body);
    const listed = page
      .querySelectorAll('[data-operation]')
      .map((each) => each.getAttribute('data-operation')!);
    const { paths } = await get('/api/openapi.json');
    const all = Object.values<Record<string, { operationId: string }>>(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(listed.toSorted()).toEqual(all.toSorted());
    const first = page.querySelector('section')!;
    expect(first.querySelector('h2')!.text).toBe('Start here');
    expect(first.querySelectorAll('details')).toHaveLength(8);
  });

  it('links each call’s refusals to pages that exist', async () => {
    const page = parse((await site.app.inject('/api/docs')).body);
    const links = new Set(
      page.querySelectorAll('details a[href^="/problems/"]').map((each) => each.getAttribute('href')!),
    );
    expect(links.size).toBeGreaterThan(20);
    for (const href of links) expect([href, (await site.app.inject(href)).statusCode]).toEqual([href, 200]);
  });

  it('gives the document of one call, with all that it refers to and no more', async () => {
    const whole = JSON.stringify(await get('/api/openapi.json'));
    const part = await get('/api/docs/acceptReferral.json');
    expect(Object.keys(part.paths)).toEqual(['/api/referrals/{id}/accept']);
    const text = JSON.stringify(part);
    expect(text.length).toBeLessThan(whole.length / 5);
    for (const [, kind, name] of text.matchAll(/#\/components\/(\w+)\/([\w-]+)/g))
      expect(part.components[kind!][name!], `${kind} ${name}`).toBeDefined();
    expect((await site.app.inject('/api/docs/noSuchCall.json')).statusCode).toBe(404);
  });

  it('gives each as OpenAPI 3.0, which Swagger UI shows much sooner', async () => {
    const config = await createConfig({ rules: { struct: 'error', 'no-unresolved-refs': 'error' } });
    // The type is that of the schema referred to.
    const isKnown = ({ message }: { message: string }) => /when the `nullable` field is used/.test(message);
    const { paths } = await get('/api/openapi.json');
    for (const { operationId } of Object.values<any>(paths).flatMap(Object.values<any>)) {
      const part = await get(`/api/docs/${operationId}.json`);
      expect(part.openapi).toBe('3.0.4');
      const found = await lintFromString({ source: JSON.stringify(part), config });
      const problems = found.filter((each) => !isKnown(each));
      expect(problems.map(({ message, location }) => [operationId, message, location[0]?.pointer])).toEqual(
        [],
      );
      const refusals = Object.entries<any>(
        Object.values<any>(Object.values<any>(part.paths)[0])[0].responses,
      );
      for (const [status, answer] of refusals.filter(([each]) => !/^2/.test(each)))
        expect([operationId, status, Object.keys(answer)]).toEqual([operationId, status, ['description']]);
    }
  });
});
