import type { ApiDocument } from './document/openapi.ts';
import type { Group } from './grouped-operations.ts';

// A collection of every call for Postman, which Bruno, Insomnia and others import as well: format 2.1.

type Item = { name: string; request: Request; event?: Event[] };
type Request = {
  method: string;
  description: string;
  header: { key: string; value: string }[];
  url: {
    raw: string;
    host: string[];
    path: string[];
    query: { key: string; value: string; disabled: boolean }[];
  };
  body?: object;
  auth?: object;
};
type Event = { listen: 'test'; script: { type: 'text/javascript'; exec: string[] } };

type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  example?: unknown;
  schema?: { default?: unknown };
};
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  security?: unknown[];
};

/** The scripts that run after a call and keep what later calls need, by the name of the call. */
const scriptsAfter: Readonly<Record<string, readonly string[]>> = {
  refreshToken: ["pm.collectionVariables.set('accessToken', pm.response.json().access_token);"],
  searchServices: ["pm.collectionVariables.set('serviceId', pm.response.json().contents[0].id);"],
  createReferral: ["pm.collectionVariables.set('id', pm.response.json().id);"],
};

/** Keeps the version of what was read last, for `If-Match`. */
const rememberVersion = [
  "const etag = pm.response.headers.get('ETag');",
  "if (etag) pm.collectionVariables.set('etag', etag);",
];

/**
 * The calls in the groups of the reference, with the examples of the document. With the refresh token of an account the group
 * “Start here” runs from top to bottom: it refers a made-up person and cancels the referral.
 */
export function describeCollection(
  document: ApiDocument,
  groups: readonly Group[],
  site: { siteName: string; baseUrl: string },
): object {
  return {
    info: {
      name: `Onward: ${site.siteName}`,
      description:
        'Set refreshToken to that of your account, from /apikeys, as a current value that is not shared. Then run “Start here”.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] },
    event: [testScript(rememberVersion)],
    variable: [
      { key: 'site', value: site.baseUrl },
      ...['refreshToken', 'accessToken', 'serviceId', 'id', 'etag'].map((key) => ({ key, value: '' })),
    ],
    item: groups.map(({ title, about, operations }) => ({
      name: title,
      description: about,
      item: operations
        .filter(({ isWebhook }) => !isWebhook)
        .map(({ id, method, path, summary }): Item => {
          const script = scriptsAfter[id];
          return {
            name: summary,
            request: requestOf(document, { id, method, path }),
            ...(script && { event: [testScript(script)] }),
          };
        }),
    })),
  };
}

function testScript(lines: readonly string[]): Event {
  return { listen: 'test', script: { type: 'text/javascript', exec: [...lines] } };
}

function requestOf(
  document: ApiDocument,
  { id, method, path }: { id: string; method: string; path: string },
): Request {
  const operation = document.paths[path]![method.toLowerCase()] as Operation;
  const parameters = (operation.parameters ?? []).map((each) => parameterOf(document, each));
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, (_, name: string) => variableFor(name, path)));
  const example = operation.requestBody?.content['application/json']?.example;
  const body = id === 'refreshToken' ? { refreshToken: '{{refreshToken}}' } : example;
  return {
    method,
    description: `Call ${id} of the API reference.`,
    header: [
      ...parameters.filter(({ in: where }) => where === 'header').flatMap(headerOf),
      ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ],
    url: {
      raw: `{{site}}/${segments.join('/')}`,
      host: ['{{site}}'],
      path: segments,
      query: parameters
        .filter(({ in: where }) => where === 'query')
        .map(({ name, required, example: value, schema }) => ({
          key: name,
          value: String(value ?? schema?.default ?? ''),
          disabled: !required,
        })),
    },
    ...(body !== undefined && {
      body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
    }),
    // A call that needs no token, such as the call that gets a token.
    ...(operation.security?.length === 0 && { auth: { type: 'noauth' } }),
  };
}

/** The id of a service has a variable of its own, so that “read a service” reads the service that the search found. */
function variableFor(name: string, path: string): string {
  if (name !== 'id') return `{{${name}}}`;
  return path.startsWith('/api/library/services/') ? '{{serviceId}}' : '{{id}}';
}

function headerOf({ name }: Parameter): { key: string; value: string }[] {
  if (name.toLowerCase() === 'if-match') return [{ key: name, value: '{{etag}}' }];
  // A new key each time: Postman makes one.
  if (name.toLowerCase() === 'idempotency-key') return [{ key: name, value: '{{$guid}}' }];
  return [];
}

function parameterOf(document: ApiDocument, given: Parameter & { $ref?: string }): Parameter {
  const name = given.$ref?.split('/').at(-1);
  const { parameters = {} } = document.components as { parameters?: Record<string, Parameter> };
  return name === undefined ? given : parameters[name]!;
}
