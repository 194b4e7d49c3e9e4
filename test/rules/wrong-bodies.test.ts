import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids/index.ts';
import { aTokenHolder } from '../app/builders.ts';
import { makeApp, type TestApp } from '../app/make-app.ts';
import { runs } from '../app/runs.ts';
import { type Path, type WrongField, withWrongFields, wrongValues } from '../app/wrong-fields.ts';

// Each field of each request body in the API's description gets wrong values, alone and in pairs. The example of POST
// /api/referrals lacks some fields, so src/referrals/submit/checks/wrong-bodies.test.ts tests that call further.

type Operation = {
  method: 'POST' | 'PUT' | 'PATCH';
  url: string;
  example: object;
  fields: Path[];
  isRight: (body: unknown) => boolean;
};

let site: TestApp;
let headers: Record<string, string>;
let operations: Operation[];
beforeAll(async () => {
  site = await makeApp();
  const everything = await aTokenHolder(site.deps, {
    roles: ['operator', 'referrer', 'provider'],
    organisation: { name: 'Everything', libraryOrganizationId: newId() },
  });
  headers = { ...everything.headers, 'if-match': '"1"' };
  operations = readOperations((await site.app.inject('/api/openapi.json')).json());
});
afterAll(() => site.close());

function readOperations(document: any): Operation[] {
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  ajv.addSchema(document, 'api');
  return Object.entries<any>(document.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).flatMap(([method, { requestBody }]) => {
      const body = requestBody?.content['application/json'];
      // A service is checked as an import of it would be, by src/library/edit/check-service.ts.
      if (!body?.example || body.schema.$ref.endsWith('/NewService')) return [];
      const pointer = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
      const inUri = pointer.map((each) =>
        encodeURIComponent(each.replaceAll('~', '~0').replaceAll('/', '~1')),
      );
      return {
        method: method.toUpperCase(),
        url: path.replaceAll(/\{\w+\}/g, newId()),
        example: body.example,
        fields: fieldsOf(body.example),
        isRight: ajv.compile({ $ref: `api#/${inUri.join('/')}` }),
      } as Operation;
    }),
  );
}

/** The path of each field of a body, and of a field that does not exist in each object. */
function fieldsOf(value: unknown, at: Path = []): Path[] {
  if (value === null || typeof value !== 'object') return [at];
  const own = Object.entries(value).flatMap(([name, part]) =>
    fieldsOf(part, [...at, Array.isArray(value) ? Number(name) : name]),
  );
  const unknown = Array.isArray(value) ? [] : [[...at, 'colour']];
  return [...(at.length > 0 ? [at] : []), ...own, ...unknown];
}

const troubles = '/api/simulator/troubles';

/** Expects that a body which the description forbids is refused, and that one of the wrong fields is named. */
async function expectRefused(
  { method, url, example, isRight }: Operation,
  wrongs: WrongField[],
): Promise<'refused' | 'right'> {
  const payload = withWrongFields(example, wrongs);
  const answer = await site.app.inject({ method, url, headers, payload });
  const name = `${method} ${url} ${JSON.stringify(wrongs).slice(0, 300)}: ${answer.body.slice(0, 300)}`;
  expect(answer.statusCode, name).toBeLessThan(500);
  if (isRight(payload)) {
    // What was asked for would be played on the next calls.
    if (url === troubles) await site.app.inject({ method: 'DELETE', url, headers });
    return 'right';
  }
  expect([400, 422], name).toContain(answer.statusCode);
  const named = answer.json().errors.map(({ pointer }: { pointer: string }) => `${pointer}/`) as string[];
  const isNamed = ({ path }: WrongField) => named.some((at) => at.startsWith(`/${path[0]}/`));
  expect(wrongs.some(isNamed), name).toBe(true);
  return 'refused';
}

describe('an API request body', () => {
  it('is refused for any one wrong field, and names it', async () => {
    expect(operations.length).toBeGreaterThan(25);
    const counts = { refused: 0, right: 0 };
    for (const operation of operations)
      for (const [number, path] of operation.fields.entries())
        for (const value of [null, wrongValues[number % wrongValues.length], { colour: 'red' }])
          counts[await expectRefused(operation, [{ path, value }])] += 1;
    // Some of the values are allowed in some fields.
    expect(counts.right / counts.refused).toBeLessThan(0.1);
  });

  it('is refused for two wrong fields, and names one of them', async () => {
    const someWrongs = fc
      .constantFrom(...operations.filter(({ fields }) => fields.length > 1))
      .chain((operation) => {
        const wrong = fc.record({
          path: fc.constantFrom(...operation.fields),
          value: fc.constantFrom<unknown>(...wrongValues),
        });
        return fc.record({ operation: fc.constant(operation), wrongs: fc.tuple(wrong, wrong) });
      });
    await fc.assert(
      fc.asyncProperty(someWrongs, async ({ operation, wrongs }) => {
        await expectRefused(operation, wrongs);
      }),
      { numRuns: runs(200) },
    );
  });
});
