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
  it('has every call of the document once, and nine to start with', async () => {
    const page = parse((await site.app.inject('/api/docs')).body);
    const listed = page
      .querySelectorAll('[data-operation]')
      .map((each) => each.getAttribute('data-operation')!);
    const { paths } = await get('/api/openapi.json');
    const all = Object.values<Record<string, { operationId: string }>>(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    expect(listed.toSorted()).toEqual([...all, 'receiveEvent'].toSorted());
    const first = page.querySelector('section')!;
    expect(first.querySelector('h2')!.text).toBe('Start here');
    expect(first.querySelectorAll('details')).toHaveLength(9);
    const groupOf = (id: string) => page.querySelector(`[data-operation="${id}"]`)!.closest('section')!;
    for (const id of ['transferReferral', 'logContact', 'bookAppointment', 'cancelAppointment'])
      expect([id, groupOf(id).querySelector('h2')!.text]).toEqual([id, 'For services']);
    expect(groupOf('getSite')).toBe(first);
  });

  it('is found where tools look for the document', async () => {
    const { statusCode, headers } = await site.app.inject('/openapi.json');
    expect([statusCode, headers.location]).toEqual([308, '/api/openapi.json']);
    expect(headers['cache-control']).toBe('public, max-age=86400');
  });

  it('links each call’s refusals to pages that exist', async () => {
    const page = parse((await site.app.inject('/api/docs')).body);
    const links = new Set(
      page.querySelectorAll('details a[href^="/problems/"]').map((each) => each.getAttribute('href')!),
    );
    expect(links.size).toBeGreaterThan(20);
    for (const href of links) expect([href, (await site.app.inject(href)).statusCode]).toEqual([href, 200]);
  });

  it('gives the document of one call with what it refers to', async () => {
    const whole = JSON.stringify(await get('/api/openapi.json'));
    const part = await get('/api/docs/acceptReferral.json');
    expect(Object.keys(part.paths)).toEqual(['/api/referrals/{id}/accept']);
    const text = JSON.stringify(part);
    expect(text.length).toBeLessThan(whole.length / 5);
    for (const [, kind, name] of text.matchAll(/#\/components\/(\w+)\/([\w-]+)/g))
      expect(part.components[kind!][name!], `${kind} ${name}`).toBeDefined();
    expect((await site.app.inject('/api/docs/noSuchCall.json')).statusCode).toBe(404);
    expect(Object.values<any>(part.components.parameters).filter(({ example }) => example)).toEqual([]);
    const [create] = Object.values<any>((await get('/api/docs/createReferral.json')).paths);
    expect(create.post.requestBody.content['application/json'].example.allow_duplicate).toBe(true);
  });

  it('gives each as OpenAPI 3.0, which Swagger UI shows sooner', async () => {
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
      for (const [status, answer] of refusals.filter(([each]) => /^[45]/.test(each))) {
        const { schema, example } = answer.content['application/problem+json'];
        expect(schema).toEqual({ $ref: '#/components/schemas/Problem' });
        if (status !== 'default')
          expect([operationId, example?.status]).toEqual([operationId, Number(status)]);
        if (status === '429') expect(Object.keys(answer.headers)).toContain('Retry-After');
      }
    }
  });

  it('shows a mistake of the call itself as the example of a 400', async () => {
    const mistakeIn = async (id: string) => {
      const [path] = Object.values<any>((await get(`/api/docs/${id}.json`)).paths);
      const { responses } = Object.values<any>(path)[0];
      return responses[400].content['application/problem+json'].example.errors[0].pointer;
    };
    expect(await mistakeIn('addWebhook')).toBe('/url');
    expect(await mistakeIn('listEvents')).toBe('/query/limit');
    expect(await mistakeIn('acceptReferral')).toBe('/headers/if-match');
    expect(await mistakeIn('createReferral')).toBe('/patient/birth_date');
  });

  it('shows the call that the site makes, with how it is signed', async () => {
    const page = parse((await site.app.inject('/api/docs')).body);
    const call = page.querySelector('[data-operation="receiveEvent"]')!;
    expect(call.text).toContain('HMAC-SHA256');
    expect(call.getAttribute('data-words')!.split(' ')).toContain('webhook-signature');
    const part = await get('/api/docs/receiveEvent.json');
    const [{ post }] = Object.values<any>(part.paths);
    expect(post.requestBody.content['application/json'].example.resource.referral_id).toBeDefined();
    const collection = JSON.stringify(await get('/api/docs/collection.json'));
    expect(collection).not.toContain('receiveEvent');
  });

  it('lets a call be found by its parameters, headers and fields', async () => {
    const page = parse((await site.app.inject('/api/docs')).body);
    const wordsOf = (id: string) =>
      page.querySelector(`[data-operation="${id}"]`)!.getAttribute('data-words')!.split(' ');
    expect(wordsOf('acceptReferral')).toEqual(expect.arrayContaining(['if-match', 'retry-after']));
    expect(wordsOf('attachFile')).toContain('upload');
    expect(wordsOf('listEvents')).toContain('poll');
    expect(wordsOf('refreshToken')).toEqual(expect.arrayContaining(['expired', 'token']));
    expect(wordsOf('createReferral')).toEqual(expect.arrayContaining(['idempotency-key', 'fit_override']));
    expect(wordsOf('listReferrals')).toEqual(expect.arrayContaining(['updated_after', 'paging']));
  });
});

describe('the story of the examples', () => {
  it('has each action lead to the status that it sets', async () => {
    const { paths, components } = await get('/api/openapi.json');
    const answerOf = (operationId: string) => {
      const { responses } = Object.values<any>(paths)
        .flatMap((methods) => Object.values<any>(methods))
        .find((each) => each.operationId === operationId);
      const given = responses[200] ?? responses[201];
      const answer = given.$ref ? components.responses[given.$ref.split('/').at(-1)] : given;
      const name = answer.content['application/json'].examples.answer.$ref.split('/').at(-1);
      return components.examples[name].value;
    };
    const requested = answerOf('createReferral');
    expect([requested.status, requested.version, requested.seen]).toEqual(['requested', 1, null]);
    const statuses = {
      acceptReferral: 'accepted',
      rejectReferral: 'rejected',
      startReferral: 'in-progress',
      holdReferral: 'on-hold',
      changeWait: 'on-hold',
      completeReferral: 'completed',
      failReferral: 'failed',
      cancelReferral: 'cancelled',
      withdrawReferral: 'entered-in-error',
      changeDraft: 'draft',
      requestReferral: 'requested',
    };
    for (const [operationId, status] of Object.entries(statuses)) {
      const { id, reference, version, ...shown } = answerOf(operationId);
      expect([operationId, id, reference], operationId).toEqual([
        operationId,
        requested.id,
        requested.reference,
      ]);
      expect([operationId, shown.status, version > 1]).toEqual([operationId, status, true]);
    }
    for (const [operationId, sent] of [
      ['rejectReferral', 'status_reason'],
      ['holdReferral', 'status_reason'],
      ['holdReferral', 'expected_date'],
      ['changeWait', 'status_reason'],
      ['failReferral', 'status_reason'],
      ['cancelReferral', 'status_reason'],
      ['completeReferral', 'outcome'],
    ] as const) {
      const { requestBody } = Object.values<any>(paths)
        .flatMap((methods) => Object.values<any>(methods))
        .find((each) => each.operationId === operationId);
      const body = requestBody.content['application/json'].example;
      expect(answerOf(operationId)[sent], operationId).toEqual(body[sent]);
    }
    expect('patient' in answerOf('restrictReferral')).toBe(false);
    expect('patient' in answerOf('eraseReferral')).toBe(false);
    expect(answerOf('sendMessage')).toMatchObject({
      side: 'referrer',
      text: 'Would a morning suit her better?',
    });
  });

  it('has only cursors that the list takes', async () => {
    const document = await get('/api/openapi.json');
    const { paths, components } = document;
    const named = (given: any) => (given?.$ref ? components.parameters[given.$ref.split('/').at(-1)] : given);
    let checked = 0;
    for (const [path, { get: list }] of Object.entries<any>(paths)) {
      const cursor = list?.parameters?.map(named).find((each: { name: string }) => each.name === 'cursor');
      const given = list?.responses?.[200];
      const answer = given?.$ref ? components.responses[given.$ref.split('/').at(-1)] : given;
      const name = answer?.content?.['application/json']?.examples.answer.$ref.split('/').at(-1);
      const next = components.examples[name]?.value.next_cursor;
      if (!cursor || typeof next !== 'string') continue;
      checked += 1;
      const { pattern, format } = cursor.schema;
      if (pattern) expect(next, path).toMatch(new RegExp(pattern, 'u'));
      if (format === 'uuid') expect(next, path).toMatch(/^[\da-f-]{36}$/);
      if (!pattern && !format) expect(next, path).toMatch(/^[\w-]{22}$/);
    }
    expect(checked).toBeGreaterThan(3);
  });
});
