import { type App, exampleOrigin, isApiPath } from '../../platform/http/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { accessTokenMinutes, scopeWords } from '../../tokens/index.ts';
import { describeWebhooks } from '../../webhooks/index.ts';
import { Components } from './components.ts';
import { exampleOf } from './examples.ts';
import { headers } from './headers.ts';
import {
  type DescribedRoute,
  describeOperation,
  type Operation,
  pathOf,
  type SharedParts,
} from './operations.ts';
import { allCodes, exampleOfRefusal, siteFailures } from './refusals.ts';
import type { Schema } from './schema.ts';
import { shareAnswers } from './share-answers.ts';

/** The version of the API, which is not that of the package. */
const version = '0.1.0';

const description = `Find local services and refer people to them.

1. Sign in at [/apikeys](/apikeys) and copy your **access token**. It works for ${accessTokenMinutes} minutes.
2. Send it with every call: \`Authorization: Bearer <access token>\`.
3. When it has expired you get a 401: exchange your **refresh token** for a new one at \`POST /api/token/refresh\`.

[How to connect your own system](/guide) has all of it with examples.

Errors are \`application/problem+json\` (RFC 9457): \`type\` is a page that explains the error, \`code\` is its last part and what
programs decide by, \`request_id\` finds the
request in the site’s log. Times are ISO 8601 in UTC. Reading the library follows
[Open Referral UK](https://openreferraluk.org/) 3.0, so its clients can be pointed at \`/api/library\`.

Paths and fields that exist today stay; new fields may be added, so let your client ignore those it does not know.
Every answer of the API, and not only a 429, says in its header \`RateLimit\` how many calls are left, and in \`RateLimit-Policy\` what
the limits are ([more about limits](/guide/limits)). \`X-Request-Id\` names the request, as \`request_id\` in an error does.
While a restored site is being checked before it sends anything, every answer has \`Onward-Check-First\`. When the database is being restarted, a call may be answered 503: try again.`;

/** A live site has no simulator. */
const scopeList = ({ mode }: Settings) =>
  Object.entries(scopeWords)
    .filter(([scope]) => mode === 'test' || scope !== 'simulator')
    .map(([scope, words]) => `- \`${scope}\`: ${words}.`)
    .join('\n');

const simulatorTag = {
  name: 'Simulator',
  description: 'On this test site: simulate the answers of services and GP practices, and move time forward.',
};

/** The document of an app. Its paths have operations by method. */
export type ApiDocument = Record<string, unknown> & {
  paths: Record<string, Record<string, Operation>>;
};

const documentOfApp = Symbol('document');
type WithDocument = { [documentOfApp]?: () => ApiDocument };

/** The OpenAPI document of an app that is ready. */
export function documentOf(app: object): ApiDocument {
  return (app as WithDocument)[documentOfApp]!();
}

/**
 * Collects the routes' schemas into one OpenAPI 3.1 document; to be called before the routes are added. Ours, because
 * @fastify/swagger names only schemas that were registered by `$id`, and neither answers, parameters, headers nor examples.
 */
export function describeApi(app: App, settings: Settings): void {
  const routes: DescribedRoute[] = [];
  let document: ApiDocument | undefined;
  app.decorate(documentOfApp, () => {
    document ??= writeDocument(settings, routes, app.getSchemas() as Record<string, Schema>);
    return document;
  });
  app.addHook('onRoute', (route) => {
    // Only what clients call is described: pages are for people.
    if (route.config?.page || route.schema?.hide || route.method === 'HEAD') return;
    if (isApiPath(route.url)) routes.push(route);
  });
}

function writeDocument(
  settings: Settings,
  routes: readonly DescribedRoute[],
  schemas: Readonly<Record<string, Schema>>,
): ApiDocument {
  const components = new Components({ ...schemas, Problem: withCodes(schemas.Problem!) });
  const shared: SharedParts = { components, parameters: {}, examples: {}, refusals: {} };
  const paths: ApiDocument['paths'] = {};
  for (const route of routes) {
    const path = pathOf(route);
    paths[path] = { ...paths[path], [String(route.method).toLowerCase()]: describeOperation(route, shared) };
  }
  const webhooks = describeWebhooks((schema) => components.describe(schema, 'response'));
  const responses = {
    ...shareAnswers(paths),
    ...describeRefusals(shared.refusals, components.describe({ $ref: 'Problem' }, 'response')),
  };
  const named = components.schemas();
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Onward',
      version,
      summary: 'Community referrals: services, referrals and tokens.',
      description,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: settings.baseUrl, description: settings.siteName }],
    security: [{ access_token: [] }],
    tags: tagsOf(settings),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        access_token: {
          type: 'http',
          scheme: 'bearer',
          description: `An access token from /apikeys; it begins with ona_. The first pair of keys there may do whatever its account may. A named key has scopes:\n\n${scopeList(settings)}`,
        },
      },
      schemas: Object.fromEntries(
        // An example of an answer is beside the answer.
        Object.entries(named).map(([name, { examples, ...schema }]) => [name, schema]),
      ),
      responses,
      parameters: shared.parameters,
      headers,
      examples: Object.fromEntries(
        Object.entries(shared.examples).map(([name, given]) => [
          name,
          { value: given ?? exampleOf(named[name]!, named) },
        ]),
      ),
    },
  };
  // Written for the default address. In JSON, so that undefined members are gone as well.
  return JSON.parse(JSON.stringify(document).replaceAll(exampleOrigin, settings.baseUrl));
}

function withCodes({ properties = {}, ...problem }: Schema): Schema {
  const code = { ...properties.code, title: 'ProblemCode', knownValues: allCodes() };
  return { ...problem, properties: { ...properties, code } };
}

function describeRefusals(used: SharedParts['refusals'], problem: Schema): Record<string, unknown> {
  const described = Object.values(used).map(({ name, description, codes = [], headers = [] }) => [
    name,
    {
      description,
      ...headersOf(headers),
      content: { 'application/problem+json': { schema: problem, example: exampleOfRefusal(codes[0]!) } },
      'x-problem-codes': codes,
    },
  ]);
  return {
    ...Object.fromEntries(described),
    Problem: {
      description: `Any other refusal, such as when something went wrong on the site’s side (${siteFailures.join(', ')}).`,
      ...headersOf(['Retry-After', 'X-Request-Id', 'Onward-Check-First', 'Onward-Simulated']),
      content: { 'application/problem+json': { schema: problem } },
      'x-problem-codes': siteFailures,
    },
  };
}

function headersOf(names: readonly string[]): { headers?: Record<string, unknown> } {
  if (names.length === 0) return {};
  return {
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
  };
}

function tagsOf({ mode }: Settings): object[] {
  return [
    { name: 'Tokens', description: 'Check a token, and get a new one.' },
    { name: 'Library', description: 'Find services, in the form of Open Referral UK / HSDS 3.0.' },
    { name: 'Saved lists', description: 'Lists of services that your organisation keeps.' },
    { name: 'Practices', description: 'Find the GP practice that a referral is copied to.' },
    { name: 'Referrals', description: 'Make referrals, answer them and follow them.' },
    { name: 'Deliveries', description: 'Resolve undelivered messages.' },
    { name: 'Webhooks', description: 'Receive events, or read them.' },
    { name: 'Reports', description: 'Figures of what became of the referrals of a period.' },
    ...(mode === 'test' ? [simulatorTag] : []),
  ];
}
