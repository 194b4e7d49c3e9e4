import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids/index.ts';
import { documentOf } from '../../src/reference/index.ts';
import { aReferral, aService, aTokenHolder } from '../app/builders.ts';
import { fromSchema, mark, type PublishedSchema } from '../app/from-schema.ts';
import { makeApp } from '../app/make-app.ts';
import { runs } from '../app/runs.ts';

// Each operation gets requests made from its own schema in the published document, valid ones and others. makeApp checks
// every answer against the document: a declared status, a valid body, a declared code. Here: never a 5xx, and a refusal
// repeats nothing that was sent.

/** Twenty for each operation every day, a thousand in `npm run test:slow`, and as many as TEST_REQUESTS says in CI. */
const numRuns = Number(process.env.TEST_REQUESTS ?? (process.env.TEST_SLOW ? 1000 : runs(20)));

type Parameter = { $ref?: string; name: string; in: string; required?: boolean; schema: PublishedSchema };
type Operation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: PublishedSchema }> };
};

const site = await makeApp({
  env: { ONWARD_CALLS_PER_MINUTE_OF_ACCOUNT: '10000000', ONWARD_CALLS_PER_MINUTE_OF_NETWORK: '10000000' },
});
afterAll(() => site.close());
const { paths, components } = documentOf(site.app) as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, PublishedSchema>; parameters: Record<string, Parameter> };
};
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
);

type Holder = Awaited<ReturnType<typeof aTokenHolder>>;
let holderOfAllRoles: Holder;
/** Things that exist, by the beginning of their addresses, so that requests get past “not found”. */
const known: Record<string, string[]> = {};
beforeAll(async () => {
  const place = await aService(site.deps);
  holderOfAllRoles = await aHolder(place.organizationId);
  const { headers } = holderOfAllRoles;
  const post = (url: string, payload: object) => site.app.inject({ method: 'POST', url, payload, headers });
  const referrer = await aTokenHolder(site.deps);
  const made = await site.app.inject({
    method: 'POST',
    url: '/api/referrals',
    payload: aReferral(place.serviceId),
    headers: referrer.headers,
  });
  const draft = await post('/api/referrals', { status: 'draft' });
  const list = await post('/api/library/lists', { name: 'Walking' });
  const webhook = await post('/api/webhooks', { url: 'https://client.example/hook', description: 'Ours' });
  const idOf = (answer: typeof made): string => answer.json().id;
  known['/api/referrals/'] = [idOf(made), idOf(draft)];
  known['/api/library/lists/'] = [idOf(list)];
  known['/api/webhooks/'] = [idOf(webhook)];
  known['/api/library/services/'] = [place.serviceId];
  known['/api/library/organizations/'] = [place.organizationId];
  known['/api/deliveries/'] = [made.json().deliveries[0].id];
});

const aHolder = (libraryOrganizationId: string) =>
  aTokenHolder(site.deps, {
    roles: ['operator', 'referrer', 'provider'],
    organisation: { name: 'Everything', libraryOrganizationId },
  });

const wrongValues = [
  null,
  7,
  -1,
  '',
  ' ',
  `${mark}\u0000`,
  '\ud800',
  { colour: mark },
  [[]],
  mark.repeat(2000),
  true,
];
const wrong = fc.constantFrom<unknown>(...wrongValues);

/** A valid body; one with a wrong, missing or unknown field; or anything at all. */
function bodies(schema: PublishedSchema): fc.Arbitrary<unknown> {
  const right = fromSchema(schema, components.schemas);
  const spoilt = fc.tuple(right, wrong, fc.nat()).map(([body, value, at]) => {
    if (body === null || typeof body !== 'object') return value;
    const names = [...Object.keys(body), 'colour'];
    const name = names[at % names.length]!;
    const { [name]: _, ...rest } = body as Record<string, unknown>;
    return at % 3 === 0 ? rest : { ...rest, [name]: value };
  });
  return fc.oneof(right, spoilt, fc.jsonValue({ maxDepth: 3 }));
}

type Request = {
  path: Record<string, string>;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: unknown;
};

/** Requests that fit the document, and others. */
function requests(path: string, { parameters = [], requestBody }: Operation): fc.Arbitrary<Request> {
  const all = parameters.map(({ $ref, ...own }) =>
    $ref ? components.parameters[$ref.split('/').at(-1)!]! : own,
  );
  const part = (place: string, make: (parameter: Parameter) => fc.Arbitrary<unknown>) => {
    const of = all.filter((each) => each.in === place);
    const fields = Object.fromEntries(of.map((each) => [each.name, make(each)]));
    return fc.record(fields, place === 'path' ? {} : { requiredKeys: [] }) as fc.Arbitrary<
      Record<string, string>
    >;
  };
  const text = ({ schema }: Parameter) => fromSchema(schema, components.schemas).map(String);
  const ids = Object.entries(known).find(([beginning]) => path.startsWith(beginning))?.[1] ?? ['Z99001'];
  const printable = (value: unknown) => String(value).replaceAll(/[^\x21-\x7e]/g, '-');
  const schema = requestBody?.content['application/json']?.schema;
  const right = fc.record({
    path: part('path', () => fc.constantFrom(...ids)),
    // All of them together would find nothing.
    query: part('query', text).map((query) => Object.fromEntries(Object.entries(query).slice(0, 1))),
    headers: part('header', () => fc.constantFrom('"1"', '"2"', '"3"')),
    body: schema ? fromSchema(schema, components.schemas) : fc.constant(undefined),
  });
  const any = fc.record({
    path: part('path', (each) => fc.oneof(fc.constantFrom(...ids, newId(), mark, '%00'), text(each))),
    query: part('query', (each) => fc.oneof(text(each), fc.constantFrom(mark, '', '-1', 'Ã\ud83d'))),
    headers: part('header', (each) =>
      fc.oneof(fc.constantFrom('"1"', '"2"', mark), text(each)).map(printable),
    ),
    body: schema ? bodies(schema) : fc.constant(undefined),
  });
  return fc.oneof(right, any);
}

/** The operations that did what a generated request asked for. */
const accepted = new Set<string>();

describe('generated requests', () => {
  it.each(operations)('$operationId', { timeout: 600_000 }, async ({ method, path, ...operation }) => {
    // Some calls end the caller's own tokens.
    const holder = operation.operationId === 'moveOwnTimeOn' ? await aHolder(newId()) : holderOfAllRoles;
    await fc.assert(
      fc.asyncProperty(requests(path, operation), async (request) => {
        const { body } = request;
        const url = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
          encodeURIComponent(request.path[name]!.toWellFormed()),
        );
        const query = new URLSearchParams(
          Object.entries(request.query).map(([name, value]): [string, string] => [name, String(value)]),
        );
        const answer = await site.app.inject({
          method: method.toUpperCase() as 'POST',
          url: `${url}?${query}`,
          headers: {
            ...holder.headers,
            ...request.headers,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { payload: JSON.stringify(body) }),
        });
        expect(answer.statusCode, answer.body).toBeLessThan(500);
        if (answer.statusCode < 400) accepted.add(operation.operationId);
        else expect(answer.body).not.toContain(mark);
        if (operation.operationId === 'addTrouble')
          await site.app.inject({
            method: 'DELETE',
            url: '/api/simulator/troubles',
            headers: holder.headers,
          });
      }),
      { numRuns },
    );
  });

  it('are not all refused', () => {
    // A half; the others need a person, a code or a state that is not made up.
    expect(accepted.size).toBeGreaterThan(40);
  });
});
