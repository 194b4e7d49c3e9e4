import { upperFirst } from '../../platform/first-letter.ts';
import { anyScope, deprecatedIn, type RouteConfig } from '../../platform/http/index.ts';
import type { Components } from './components.ts';
import { storyOf } from './example-story.ts';
import { codesOf, type Refusal, refusalFor, refusals } from './refusals.ts';
import type { Schema } from './schema.ts';

/** A route of the API with its description. */
export type DescribedRoute = {
  method: string | string[];
  url: string;
  config?: RouteConfig;
  schema?: object;
};

type Fields = { properties?: Record<string, Schema>; required?: readonly string[] };
type Content = Record<string, { schema?: Schema; example?: unknown }>;
type Answer = Schema & { content?: Content };

type RouteSchema = {
  operationId: string;
  tags?: readonly string[];
  summary?: string;
  description?: string;
  deprecated?: boolean;
  security?: unknown;
  consumes?: readonly string[];
  params?: Fields;
  querystring?: Fields;
  headers?: Fields;
  body?: Schema;
  response?: Readonly<Record<string, Answer>>;
};

type Reference = { $ref: string; description?: string };
export type Operation = Record<string, unknown> & {
  operationId: string;
  responses: Record<string, unknown>;
};

/** What the operations of a document share. */
export type SharedParts = {
  readonly components: Components;
  readonly parameters: Record<string, unknown>;
  /** An example for each named schema that is an answer. */
  readonly examples: Record<string, unknown>;
  /** The refusals that operations refer to, by name. */
  readonly refusals: Record<string, Refusal>;
};

/** Such as /api/referrals/{id} for /api/referrals/:id. */
export function pathOf({ url }: Pick<DescribedRoute, 'url'>): string {
  return url.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '');
}

/** The description of a route in the document. */
export function describeOperation(route: DescribedRoute, shared: SharedParts): Operation {
  const schema = route.schema as RouteSchema;
  const { operationId, tags, summary, description, deprecated, response = {} } = schema;
  const { access, scope } = route.config ?? {};
  const takesToken = access?.kind === 'token' || access?.kind === 'reader';
  const hasScope = takesToken && scope !== undefined && scope !== anyScope;
  const security = hasScope ? [{ access_token: [scope] }] : schema.security;
  // A token may be sent in two ways, and is looked up in the database, which may be away: so any call that takes one can answer 400
  // or 503. A key may lack the scope: 403.
  const all: typeof response = {
    ...(takesToken && { 400: {}, 503: {} }),
    ...(hasScope && { 403: {} }),
    ...response,
  };
  // Only a body can be too large, or of the wrong type.
  const answers = Object.fromEntries(
    Object.entries(all).filter(([status]) => schema.body || !['413', '415'].includes(status)),
  );
  const facts = { takesToken, hasScope, needsRole: (access?.roles ?? []).length > 0 };
  const codes = Object.fromEntries(
    Object.keys(answers)
      .filter((status) => Number(status) >= 400)
      .map((status) => [
        status,
        codesOf(operationId, Number(status), facts, Object.hasOwn(response, status)),
      ]),
  );
  const responses = Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      Number(status) < 400
        ? describeSuccess(schema, Number(status), answer, shared)
        : shareRefusal(Number(status), answer, codes[status]!, shared),
    ]),
  );
  const own = Object.entries(codes).filter(
    ([status, each]) =>
      String(each) !== String(shared.refusals[refusalFor(Number(status), each).name]!.codes),
  );
  const parameters = describeParameters(schema, shared, Object.hasOwn(answers, '428'));
  return {
    operationId,
    tags,
    summary,
    description: hasScope ? `${description ?? ''} Scope: \`${scope}\`.`.trim() : description,
    ...(deprecated && { deprecated }),
    ...(parameters.length > 0 && { parameters }),
    ...(schema.body && { requestBody: describeBody(schema, schema.body, shared) }),
    ...(security !== undefined && { security }),
    responses: { ...responses, default: { $ref: '#/components/responses/Problem' } },
    ...(own.length > 0 && { 'x-problem-codes': Object.fromEntries(own) }),
  };
}

function describeParameters(
  { params, querystring, headers }: RouteSchema,
  shared: SharedParts,
  needsVersion: boolean,
): unknown[] {
  const from = (place: 'path' | 'query' | 'header', { properties = {}, required = [] }: Fields = {}) =>
    Object.entries(properties).map(([name, schema]) => {
      const isRequired = place === 'path' || required.includes(name) || (needsVersion && name === 'if-match');
      return describeParameter(place, name, schema, isRequired, shared);
    });
  return [...from('query', querystring), ...from('path', params), ...from('header', headers)];
}

function describeParameter(
  place: string,
  name: string,
  schema: Schema,
  required: boolean,
  { components, parameters }: SharedParts,
): unknown {
  const { parameter: shared, description, examples, deprecated, ...rest } = schema;
  const [example] = examples ?? [];
  // Swagger UI fills in every parameter that has an example. Optional filters get none: with all of them, a search finds nothing.
  const fillsIn = required || place !== 'query' || name === 'search';
  const described = {
    name,
    in: place,
    ...(required && { required }),
    description: fillsIn ? description : withExample(description, example),
    ...(deprecated && { deprecated }),
    schema: components.describe(rest, 'request'),
    ...(fillsIn && example !== undefined && { example }),
  };
  if (shared === undefined) return described;
  const known = parameters[shared];
  if (known && JSON.stringify(known) !== JSON.stringify(described))
    throw new Error(`two different parameters are called ${shared}`);
  parameters[shared] = described;
  return { $ref: `#/components/parameters/${shared}` };
}

function withExample(description: string | undefined, example: unknown): string | undefined {
  if (example === undefined) return description;
  const words = [example].flat().map((each) => `\`${each}\``);
  return `${description ?? ''} For example ${words.join(', ')}.`.trim();
}

function describeBody({ operationId, consumes }: RouteSchema, body: Schema, { components }: SharedParts) {
  const { examples, ...schema } = body;
  const [example] = examples ?? [];
  const [type = 'application/json'] = consumes ?? [];
  const described = components.describeAs(`${upperFirst(operationId)}Body`, schema, 'request');
  return {
    // A body that is left out is taken as an empty one.
    ...((body.mustBeSent || !mayBeEmpty(components.named(described.$ref!.split('/').at(-1)!))) && {
      required: true,
    }),
    content: {
      [type]: {
        schema: described,
        ...(example !== undefined && { example }),
      },
    },
  };
}

function mayBeEmpty({ required = [], minProperties = 0, oneOf, ...rules }: Schema): boolean {
  return required.length === 0 && minProperties === 0 && !oneOf && !('if' in rules || 'allOf' in rules);
}

/** Adds the refusal to those that the operations share. @returns a reference to it. */
function shareRefusal(
  status: number,
  { description }: Answer,
  codes: readonly string[],
  { refusals: used }: SharedParts,
): Reference {
  const { isSameEverywhere } = refusals[status] ?? {};
  const refusal = refusalFor(status, codes);
  const { name, headers = [] } = refusal;
  // Several calls may have a refusal that begins with this code.
  used[name] = {
    ...refusal,
    codes: used[name]?.codes ?? refusal.codes!,
    headers: [...new Set([...(used[name]?.headers ?? []), ...headers])],
  };
  const hasOwnWords = !isSameEverywhere && description !== undefined && description !== refusal.description;
  return { $ref: `#/components/responses/${name}`, ...(hasOwnWords && { description }) };
}

const descriptions: Readonly<Record<number, string>> = {
  200: 'OK.',
  201: 'Created. `Location` has its address.',
  202: 'Accepted; it is processed shortly.',
  204: 'Done; no content.',
};

function describeSuccess(schema: RouteSchema, status: number, answer: Answer, shared: SharedParts) {
  const { content, description = descriptions[status], ...rest } = answer;
  const json = answer.type === 'null' ? {} : { 'application/json': { schema: rest as Schema } };
  const types = Object.entries(content ?? json);
  const name = `${upperFirst(schema.operationId)}Answer`;
  const headers = headersOf(
    schema,
    status,
    types.map(([type]) => type),
  );
  return {
    description,
    ...(headers.length > 0 && {
      headers: Object.fromEntries(headers.map((each) => [each, { $ref: `#/components/headers/${each}` }])),
    }),
    ...(types.length > 0 && {
      content: Object.fromEntries(
        types.map(([type, media]) => [
          type,
          type === 'application/json'
            ? describeJson(schema.operationId, name, media, shared)
            : describeOther(media, shared),
        ]),
      ),
    }),
  };
}

/** A JSON answer, whose schema has a name, and whose example is among those of the document. */
function describeJson(
  operationId: string,
  name: string,
  { schema = {}, example }: Content[string],
  shared: SharedParts,
) {
  const described = shared.components.describeAs(name, schema, 'response');
  const called = described.$ref!.split('/').at(-1)!;
  const story = storyOf(operationId);
  const exampleName = story?.name ?? called;
  shared.examples[exampleName] ??= story?.value ?? example;
  const { description: _, ...reference } = described;
  return { schema: reference, examples: { answer: { $ref: `#/components/examples/${exampleName}` } } };
}

function describeOther({ schema = {}, example }: Content[string], { components }: SharedParts) {
  const described = components.describe(schema, 'response');
  return { schema: described, ...(example !== undefined && { example }) };
}

/** The headers that an answer has, beside those of every answer. */
function headersOf(
  { response = {}, headers, querystring, body }: RouteSchema,
  status: number,
  types: readonly string[],
): string[] {
  const mayBe304 = Object.hasOwn(response, '304');
  const hasFile = types.some((type) => !/json$/.test(type));
  const { content, $ref, base } = response[status] ?? {};
  const isVersioned = [$ref, base, content?.['application/json']?.schema?.$ref].some(
    (name) => name === 'Referral' || name === 'Service',
  );
  const hasDeprecated = [querystring, body].some((part) => deprecatedIn(part as Fields).length > 0);
  const takesKey = headers?.properties?.['idempotency-key'] !== undefined;
  return [
    ...(mayBe304 || isVersioned ? ['ETag'] : []),
    ...(status === 201 ? ['Location'] : []),
    ...(hasFile ? ['Content-Disposition'] : []),
    ...(takesKey ? ['Idempotent-Replayed'] : []),
    ...(hasDeprecated ? ['Deprecation', 'Sunset'] : []),
  ];
}
