import type { Static } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, anyone, problemAnswers, withToken } from '../platform/http/index.ts';
import { refreshAccessToken } from './keys/refresh-access-token.ts';
import type { TokenDeps } from './model/token-desk.ts';
import { refreshAnswerSchema, refreshRequestSchema, statusSchema } from './schemas.ts';
import type { TokenCaller } from './verify-access-token.ts';

export function tokenRoutes(app: App, deps: TokenDeps): void {
  statusRoute(app, deps);
  refreshRoute(app, deps);
}

function statusRoute(app: App, deps: TokenDeps): void {
  const { siteName: name, mode, baseUrl: base_url } = deps.settings;
  const site = { name, mode, base_url };
  // The answer is the same for as long as the caller is remembered, and clients ask often: it is composed once.
  const answers = new WeakMap<TokenCaller, Answer>();
  const remember = (caller: TokenCaller) => {
    const answer = composeAnswer({ ...describeCaller(caller), site });
    answers.set(caller, answer);
    return answer;
  };

  app.get(
    '/api/token/status',
    {
      config: { access: withToken() },
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
            403: 'The account holder allows the token from certain addresses only, and yours is not one of them.',
          }),
        },
      },
    },
    (request, reply) => {
      const caller = requireCaller(request) as TokenCaller;
      const { headers, text } = answers.get(caller) ?? remember(caller);
      reply.headers(headers).send(text as never);
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
        description:
          'Exchanges the refresh token for an access token that works for 180 minutes. Send no Authorization header. The refresh token stays the same; keep it on your server, like a password. If an answer is lost, ask again.',
        body: refreshRequestSchema,
        security: [],
        response: {
          200: refreshAnswerSchema,
          ...problemAnswers({
            400: 'The body is not JSON, or has no text in refreshToken.',
            401: 'The refresh token is unknown, mistyped, replaced, of another site, or was not used for too long.',
            403: 'API access is switched off for the account, or its holder does not allow your address.',
            413: 'The body is too large.',
            415: 'The body is not sent as application/json.',
          }),
        },
      },
    },
    async (request) => {
      const { refreshToken } = request.body;
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

type Answer = { readonly headers: Readonly<Record<string, string>>; readonly text: string };

function composeAnswer(value: Static<typeof statusSchema>): Answer {
  const text = JSON.stringify(value);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
  };
  return { headers, text };
}

function describeCaller({ accountId: id, name, email, roles, organisation, token }: TokenCaller) {
  const { source, issuedAt, validTo } = token;
  return {
    result: 'OK' as const,
    account: {
      id,
      name,
      email,
      role: roles.join(','),
      organisation: organisation && { id: organisation.id, name: organisation.name },
    },
    token: { source, issued_at: issuedAt.toISOString(), valid_to: validTo.toISOString() },
  };
}
