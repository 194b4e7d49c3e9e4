import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, anyone, anyScope, badBody, problemAnswers, withToken } from '../platform/http/index.ts';
import { accessTokenMinutes } from './model/access-tokens.ts';
import type { TokenCaller } from './model/token-cache.ts';
import type { TokenDeps } from './model/token-services.ts';
import { scopesFor } from './named-keys/named-keys.ts';
import { refreshAccessToken } from './refresh-tokens/refresh-access-token.ts';

const statusSchema = Type.Object(
  {
    result: Type.Literal('OK'),
    account: Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: Type.String({ description: 'A system’s address is not a mailbox: nobody reads it.' }),
      type: Type.Enum(['person', 'system'], {
        title: 'AccountType',
        description:
          'A system is an account of an organisation that nobody signs in as. What it reads does not count as seen.',
      }),
      role: Type.String({
        description: 'operator, referrer, provider or manager; several are separated by commas.',
      }),
      organisation: Type.Union([
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          library_id: Type.Union([Type.String(), Type.Null()], {
            description:
              'The id of the organisation in the library, which its services name as `organization_id`; null if it runs none.',
          }),
        }),
        Type.Null(),
      ]),
    }),
    site: Type.Object({
      name: Type.String(),
      mode: Type.Enum(['test', 'live'], { title: 'SiteMode' }),
      base_url: Type.String(),
    }),
    token: Type.Object({
      source: Type.Enum(['apikeys', 'refresh', 'apilogin'], { title: 'TokenSource' }),
      issued_at: Type.String({ format: 'date-time' }),
      valid_to: Type.String({
        format: 'date-time',
        description: 'The token works until just before this moment.',
      }),
      key: Type.Union([Type.String(), Type.Null()], {
        description: 'The name of the key that it came from; null for the first pair of keys.',
        examples: ['Night import'],
      }),
      scopes: Type.Array(Type.String(), {
        description:
          'What the key allows, of what the role of the account can use. The role may still refuse a call of a scope.',
        examples: [['referrals:read', 'webhooks']],
      }),
    }),
  },
  { title: 'TokenStatus' },
);

const refreshRequestSchema = Type.Object(
  {
    refreshToken: Type.String({
      maxLength: 1000,
      description: 'The refresh token from /apikeys; it begins with onr_.',
    }),
  },
  {
    title: 'TokenRefresh',
    additionalProperties: false,
    examples: [{ refreshToken: 'onr_…: copy the whole refresh token from /apikeys' }],
  },
);

const refreshAnswerSchema = Type.Object(
  {
    result: Type.Literal('OK'),
    access_token: Type.String(),
    refresh_token: Type.String({ description: 'The one you sent: it does not change.' }),
    valid_to: Type.String({ format: 'date-time' }),
  },
  { title: 'RefreshedToken' },
);

/** The API calls of this room: check an access token, and exchange a refresh token for one. */
export function tokenRoutes(app: App, deps: TokenDeps): void {
  statusRoute(app, deps);
  refreshRoute(app, deps);
}

function statusRoute(app: App, deps: TokenDeps): void {
  const { siteName: name, mode, baseUrl: base_url } = deps.settings;
  const site = { name, mode, base_url };
  app.get(
    '/api/token/status',
    {
      config: { access: withToken(), scope: anyScope },
      schema: {
        operationId: 'getTokenStatus',
        tags: ['Tokens'],
        summary: 'Check an access token',
        description:
          'Says who the access token stands for, on which site, and until when it works. Call it first: if this answers 200, your token and your base address are right.',
        response: {
          200: statusSchema,
          ...problemAnswers({
            400: 'The token was sent in more than one way.',
            401: 'No token was sent, or it is not valid: mistyped, expired, ended or of another site.',
            403: 'The account holder allows the token from certain IP addresses only, and yours is not one of them.',
          }),
        },
      },
    },
    (request, reply) => {
      reply.send({ ...describeCaller(requireCaller(request) as TokenCaller, deps.settings.mode), site });
    },
  );
}

function refreshRoute(app: App, deps: TokenDeps): void {
  app.post(
    '/api/token/refresh',
    {
      // Refresh tokens are kept on servers: no page of another origin may use one.
      config: { access: anyone, crossOrigin: false },
      schema: {
        operationId: 'refreshToken',
        tags: ['Tokens'],
        summary: 'Get a new access token',
        description: `Exchanges the refresh token for an access token that works for ${accessTokenMinutes} minutes. Send no Authorization header. The refresh token stays the same; keep it on your server, like a password. If an answer is lost, ask again.`,
        body: refreshRequestSchema,
        security: [],
        response: {
          200: refreshAnswerSchema,
          ...problemAnswers({
            ...badBody,
            401: 'The refresh token is unknown, mistyped, replaced, of another site, or has been idle for longer than its holder allows.',
            403: 'API access is switched off for the account, or its holder does not allow your IP address.',
            503: 'The account is being changed, the database is being restarted, or the site was restored from a backup and an operator has not checked its keys yet.',
          }),
        },
      },
    },
    async (request) => {
      // Copied text often brings a space or a line break with it.
      const refreshToken = request.body.refreshToken.trim();
      const token = await refreshAccessToken(deps, refreshToken, request.ip);
      return {
        result: 'OK' as const,
        access_token: token.text,
        refresh_token: refreshToken,
        valid_to: token.validTo.toISOString(),
      };
    },
  );
}

function describeCaller(
  { accountId: id, name, email, isSystem, roles, organisation, token }: TokenCaller,
  mode: 'test' | 'live',
) {
  const { key, source, issuedAt, validTo } = token;
  return {
    result: 'OK' as const,
    account: {
      id,
      name,
      email,
      type: isSystem ? ('system' as const) : ('person' as const),
      role: roles.join(','),
      organisation: organisation && {
        id: organisation.id,
        name: organisation.name,
        library_id: organisation.libraryOrganizationId,
      },
    },
    token: {
      source,
      issued_at: issuedAt.toISOString(),
      valid_to: validTo.toISOString(),
      key: key?.name ?? null,
      scopes: scopesFor(roles, mode).filter((scope) => !key || key.scopes.includes(scope)),
    },
  };
}
