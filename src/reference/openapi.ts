import swagger from '@fastify/swagger';
import { type App, anyScope, problemAnswers, type RouteConfig } from '../platform/http/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import { scopeWords } from '../tokens/index.ts';
import { describeWebhooks } from '../webhooks/index.ts';
import { withAnswerExamples } from './answer-examples.ts';

/** The version of the API, which is not that of the package. */
const version = '0.1.0';

const description = `Find local services and refer people to them.

1. Sign in at [/apikeys](/apikeys) and copy your **access token**. It works for 180 minutes.
2. Send it with every call: \`Authorization: Bearer <access token>\`.
3. When it has expired you get a 401: exchange your **refresh token** for a new one at \`POST /api/token/refresh\`.

[How to connect your own system](/guide) has all of it with examples.

Errors are \`application/problem+json\` (RFC 9457): \`type\` is a page that explains the error, \`request_id\` finds the
request in the site’s log. Times are ISO 8601 in UTC. Reading the library follows
[Open Referral UK](https://openreferraluk.org/) 3.0, so its clients can be pointed at \`/api/library\`.

Paths and fields that exist today stay; new fields may be added, so let your client pass over those it does not know.
When the database is being restarted, any call may answer 503: try again.`;

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

/** Collects the routes' schemas into one OpenAPI 3.1 document; to be called before the routes are added. */
export function describeApi(app: App, settings: Settings): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Onward',
        version,
        summary: 'Community referrals: services, referrals and tokens.',
        description,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: settings.baseUrl, description: settings.siteName }],
      tags: [
        { name: 'Tokens', description: 'Check a token, and get a new one.' },
        { name: 'Library', description: 'Find services, in the form of Open Referral UK / HSDS 3.0.' },
        { name: 'Saved lists', description: 'Lists of services that your organisation keeps.' },
        { name: 'Practices', description: 'Find the GP practice that a referral is copied to.' },
        { name: 'Referrals', description: 'Make referrals, answer them and follow them.' },
        { name: 'Deliveries', description: 'Resolve undelivered messages.' },
        { name: 'Webhooks', description: 'Receive events, or read them.' },
        ...(settings.mode === 'test' ? [simulatorTag] : []),
      ],
      components: {
        securitySchemes: {
          access_token: {
            type: 'http',
            scheme: 'bearer',
            description: `An access token from /apikeys; it begins with ona_. The first pair of keys there may do whatever its account may. A named key has scopes:\n\n${scopeList(settings)}`,
          },
        },
      },
      security: [{ access_token: [] }],
      webhooks: describeWebhooks() as never,
    },
    // Pages are for people: what clients call is described, and nothing else.
    transform: ({ schema, url, route }) => ({
      url,
      schema: route.config?.page
        ? { ...schema, hide: true }
        : withScope(withOptionalExamplesInWords(schema), route.config ?? {}),
    }),
    transformObject: (described) =>
      withAnswerExamples('openapiObject' in described ? described.openapiObject : described.swaggerObject),
    // Schemas keep the names we gave them instead of def-0, def-1.
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  });
}

type DescribedRoute = { description?: string; response?: unknown };

/** Says which scope a key needs for a call, and how a key without it is refused. */
function withScope<Schema extends DescribedRoute>(schema: Schema, { access, scope }: RouteConfig): Schema {
  if (access?.kind !== 'token' && access?.kind !== 'reader') return schema;
  if (scope === undefined || scope === anyScope) return schema;
  const answers = (schema.response ?? {}) as Record<number, { description?: string }>;
  const refused = problemAnswers({
    403: [answers[403]?.description, `The key lacks the scope \`${scope}\`.`].filter(Boolean).join(' '),
  });
  return {
    ...schema,
    description: `${schema.description ?? ''} Scope: \`${scope}\`.`.trim(),
    security: [{ access_token: [scope] }],
    response: { ...answers, ...refused },
  };
}

type Parameter = { description?: string; examples?: unknown[] };
type Query = { properties?: Record<string, Parameter>; required?: readonly string[] };

/** Search parameters whose example Swagger UI may fill in. */
const parametersWithExample = ['search'];

/**
 * Swagger UI fills in every example that a parameter has, and a call with all of them asks for what nobody wants: a
 * postcode beside a point is refused. So examples of optional parameters are told in words.
 */
function withOptionalExamplesInWords<Schema extends { querystring?: unknown }>(schema: Schema): Schema {
  const query = schema.querystring as Query | undefined;
  if (!query?.properties) return schema;
  const { required = [] } = query;
  const parameters = Object.entries(query.properties).map(([name, parameter]) => [
    name,
    required.includes(name) || parametersWithExample.includes(name) ? parameter : inWords(parameter),
  ]);
  return { ...schema, querystring: { ...query, properties: Object.fromEntries(parameters) } };
}

function inWords({ examples, ...parameter }: Parameter): Parameter {
  const [example] = examples ?? [];
  if (example === undefined) return parameter;
  const words = [example].flat().map((each) => `\`${each}\``);
  return {
    ...parameter,
    description: `${parameter.description ?? ''} For example ${words.join(', ')}.`.trim(),
  };
}
