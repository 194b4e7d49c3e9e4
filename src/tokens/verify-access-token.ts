import type { Request } from '../platform/http/index.ts';
import {
  endedTokenProblem,
  expiredTokenProblem,
  invalidTokenProblem,
  ipAddressProblem,
  missingTokenProblem,
  twoTokensProblem,
} from './model/problems.ts';
import { checkTokenForm } from './model/token.ts';
import type { KnownToken, TokenCaller } from './model/token-cache.ts';
import type { TokenDeps } from './model/token-services.ts';

const bearer = /^bearer +(\S+)$/i;

/**
 * Finds the caller of a request by its access token. Returns at once if the token is in memory, so that the usual call
 * does not wait.
 * @throws Problem `missing-token`, `invalid-token` or `invalid-token-request`, with the challenge of RFC 6750;
 * `address-not-allowed` (403) from an IP address that the key does not allow.
 */
export function verifyAccessToken(deps: TokenDeps, request: Request): TokenCaller | Promise<TokenCaller> {
  const tokenOrPromise = deps.tokenServices.cache.find(readTokenHash(deps, request));
  return tokenOrPromise instanceof Promise
    ? tokenOrPromise.then((token) => requireWorkingToken(deps, request, token))
    : requireWorkingToken(deps, request, tokenOrPromise);
}

/** Whether a request sends a token. If the header has another scheme, a proxy may have added it. */
export function sendsToken({ headers }: Request): boolean {
  return /^bearer /i.test(headers.authorization ?? '');
}

/** @returns the hash by which the token of the request is found. @throws Problem if there is no token, or a malformed one. */
function readTokenHash({ secrets, tokenServices }: TokenDeps, request: Request): string {
  const match = bearer.exec(requireAuthorization(request));
  if (!match) throw invalidTokenProblem('The header must be Authorization: Bearer <access token>.');
  const text = match[1]!;
  requireTokenForm(text, tokenServices.tag);
  return secrets.hashText('access token', text);
}

/** @returns the Authorization header. @throws Problem if it is missing or sent twice, or if the query has a token. */
function requireAuthorization(request: Request): string {
  const { authorization } = request.headers;
  const query = request.query as Record<string, unknown> | undefined;
  if (authorization === undefined) {
    throw query && ('access_token' in query || 'token' in query)
      ? invalidTokenProblem('A token in the URL is not accepted. Send it in the Authorization header.')
      : missingTokenProblem();
  }
  if (query && 'access_token' in query) throw twoTokensProblem();
  const { rawHeaders } = request.raw;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === 'authorization') count += 1;
  }
  if (count > 1) throw twoTokensProblem();
  return authorization;
}

/** @throws Problem `invalid-token` if the text cannot be an access token of this site. */
function requireTokenForm(text: string, tag: string): void {
  const form = checkTokenForm(text, 'access', tag);
  if (form === 'other-site')
    throw invalidTokenProblem('This token belongs to another site. Each site has its own keys.');
  if (form === 'other-kind') {
    throw invalidTokenProblem(
      'This is a refresh token. Exchange it at POST /api/token/refresh and send the access token.',
    );
  }
  if (form === 'malformed')
    throw invalidTokenProblem('This is not a token, or part of it is missing. Copy it again from /apikeys.');
}

function requireWorkingToken(deps: TokenDeps, request: Request, token: KnownToken | undefined): TokenCaller {
  if (!token) throw invalidTokenProblem('This token is unknown. Copy one from /apikeys, or refresh.');
  const { account, key, isEnded, validTo, allowedFrom } = token;
  if (account.disabledAt !== null || !account.hasApiAccess || isEnded) {
    throw endedTokenProblem();
  }
  const now = deps.clock.now();
  if (now >= validTo) throw expiredTokenProblem();
  if (allowedFrom !== undefined && !allowedFrom.has(request.ip)) throw ipAddressProblem();
  deps.tokenServices.calls.record({ accountId: account.id, keyId: key?.id ?? null }, now, request);
  return token.caller;
}
