import { type Caller, callerOf } from '../accounts/index.ts';
import type { Request } from '../platform/http/index.ts';
import type { StoredAccessToken } from './model/access-tokens-store.ts';
import { addressRefused, tokenInvalid, tokenMissing, tokenSentTwice } from './model/problems.ts';
import { readToken } from './model/token.ts';
import type { TokenDeps } from './model/token-desk.ts';

/** A caller that came with an access token, and what is known of that token. */
export type TokenCaller = Caller & {
  readonly token: Pick<StoredAccessToken, 'source' | 'issuedAt' | 'validTo'>;
};

const bearer = /^bearer +(\S+)$/i;

/**
 * Who a request's access token stands for. Answers at once where the token is in memory, so that the usual call waits
 * for nothing.
 * @throws Problem `missing-token`, `invalid-token` or `invalid-token-request`, with the challenge RFC 6750 asks for.
 */
export function verifyAccessToken(deps: TokenDeps, request: Request): TokenCaller | Promise<TokenCaller> {
  const found = deps.tokenDesk.cache.find(hashOfToken(deps, request));
  return found instanceof Promise
    ? found.then((token) => judge(deps, request, token))
    : judge(deps, request, found);
}

/** Whether a request means to show a token. What else stands in the header may be a proxy's own. */
export function sendsToken({ headers }: Request): boolean {
  return /^bearer /i.test(headers.authorization ?? '');
}

/** What a connection sent last, and its hash. */
const lastSent = Symbol('authorization');
type Connection = { [lastSent]?: { authorization: string; hash: string } };

/**
 * The hash by which the request's token is looked up. Clients send the same header again and again on a connection that
 * they keep, so it is read and hashed once for each; it is forgotten with the connection.
 */
function hashOfToken(deps: TokenDeps, request: Request): string {
  const authorization = authorizationOf(request);
  const connection = request.raw.socket as Connection;
  const last = connection[lastSent];
  if (last?.authorization === authorization) return last.hash;
  const match = bearer.exec(authorization);
  if (!match) throw tokenInvalid('The header must be Authorization: Bearer <access token>.');
  const text = match[1]!;
  refuseImplausible(text, deps.tokenDesk.tag);
  const hash = deps.secrets.hashText('access token', text);
  connection[lastSent] = { authorization, hash };
  return hash;
}

/** The one header that may hold the token. */
function authorizationOf(request: Request): string {
  const { authorization } = request.headers;
  const inQuery = request.query as Record<string, unknown> | undefined;
  if (authorization === undefined) {
    throw inQuery && ('access_token' in inQuery || 'token' in inQuery)
      ? tokenInvalid('A token is never taken from the address. Send it in the Authorization header.')
      : tokenMissing();
  }
  if (inQuery && 'access_token' in inQuery) throw tokenSentTwice();
  const { rawHeaders } = request.raw;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.length === 13 && rawHeaders[index]!.toLowerCase() === 'authorization') count += 1;
  }
  if (count > 1) throw tokenSentTwice();
  return authorization;
}

/** @throws Problem `invalid-token` where the text cannot be an access token of this site. */
function refuseImplausible(text: string, tag: string): void {
  const reading = readToken(text, 'access', tag);
  if (reading === 'other-site')
    throw tokenInvalid('This token is of another site. Every site has keys of its own.');
  if (reading === 'other-kind') {
    throw tokenInvalid(
      'This is a refresh token. Exchange it at POST /api/token/refresh and send the access token.',
    );
  }
  if (reading === 'malformed')
    throw tokenInvalid('This is not a token, or not all of one. Copy it again from /apikeys.');
}

function judge(deps: TokenDeps, request: Request, token: StoredAccessToken | undefined): TokenCaller {
  if (!token) throw tokenInvalid('This token is unknown. Copy one from /apikeys, or refresh.');
  const { account, keyEpoch, validTo, allowedFrom } = token;
  if (account.disabledAt !== null || !account.apiAccess || keyEpoch !== account.keyEpoch) {
    throw tokenInvalid('This token was ended. Refresh, or sign in at /apikeys.');
  }
  const now = deps.clock.now();
  if (now >= validTo) throw tokenInvalid('This token has expired. Refresh to get a new one.');
  if (allowedFrom !== undefined && !allowedFrom.has(request.ip)) throw addressRefused();
  deps.tokenDesk.calls.note(account.id, now, request);
  return callers.get(token) ?? rememberCaller(token);
}

/** Who a remembered token stands for is worked out once. It is forgotten with the token, when its account changes. */
const callers = new WeakMap<StoredAccessToken, TokenCaller>();

function rememberCaller(token: StoredAccessToken): TokenCaller {
  const caller = { ...callerOf(token.account, 'token'), token };
  callers.set(token, caller);
  return caller;
}
