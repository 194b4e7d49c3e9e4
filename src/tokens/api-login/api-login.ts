import { actorOf, type Caller, hostCookie } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { minuteMs } from '../../platform/durations.ts';
import { type Reply, type Request, withNext } from '../../platform/http/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { type IssuedToken, storeNewAccessToken } from '../model/access-tokens.ts';
import { badReturnAddress } from '../model/problems.ts';
import type { TokenDeps } from '../model/token-services.ts';
import { mayReturnTo } from './return-addresses.ts';
import { type ReturnUrl, readReturnUrl } from './return-url.ts';

/** What a client asks for at /apilogin. */
export type ApiLogin = { readonly returnUrl: ReturnUrl; readonly responseMode: 'query' | 'form_post' };

const parameters = ['returnUrl', 'response_mode', 'started'];

/**
 * Reads the query or the form of /apilogin. Each step reads and checks it again, because it comes from a browser.
 * @throws Problem `bad-return-address`, which repeats nothing that was sent.
 */
export async function readApiLogin(deps: TokenDeps, input: unknown): Promise<ApiLogin> {
  const { returnUrl: text, response_mode: responseMode = 'query' } = input as Record<string, unknown>;
  if (text === undefined)
    throw returnUrlProblem('is missing: add ?returnUrl= and the address, percent-encoded');
  if (typeof text !== 'string') throw returnUrlProblem('was given more than once');
  const returnUrl = readReturnUrl(text, deps.settings.mode);
  if ('error' in returnUrl) throw returnUrlProblem(returnUrl.error);
  if (!(await mayReturnTo(deps.db, returnUrl, deps.settings.mode)))
    throw returnUrlProblem(
      'is not registered at this site',
      'Tell the people who run that system. For developers: ask for the address on your API keys page, and an operator adds it.',
    );
  if (responseMode !== 'query' && responseMode !== 'form_post')
    throw new Problem(badReturnAddress, 'The parameter response_mode must be query or form_post.');
  return { returnUrl, responseMode };
}

/**
 * Refuses other parameters. A client that does not percent-encode its address would lose the part after the first &, and
 * one that misspells response_mode would get its token in an address.
 * @throws Problem `bad-return-address`.
 */
export function refuseOtherParameters(query: unknown): void {
  if (Object.keys(query as object).every((name) => parameters.includes(name))) return;
  throw new Problem(
    badReturnAddress,
    'There is a parameter besides returnUrl and response_mode. The return address must be percent-encoded.',
  );
}

/** The path of this login, to start it again or to return to it. */
export function apiLoginPath({ returnUrl, responseMode }: ApiLogin, started?: string): string {
  const query = [
    `returnUrl=${encodeURIComponent(returnUrl.text)}`,
    ...(responseMode === 'query' ? [] : [`response_mode=${responseMode}`]),
    ...(started === undefined ? [] : [`started=${started}`]),
  ];
  return `/apilogin?${query.join('&')}`;
}

function returnUrlProblem(fault: string, remedy = ''): Problem {
  return new Problem(
    badReturnAddress,
    `The return address ${fault}. Nothing was sent to it. Tell those who run the website that brought you here. ${remedy}`.trim(),
  );
}

const timeoutMs = 15 * minuteMs;
const purpose = 'api login';
const cookie = hostCookie('onward-api-login', timeoutMs);

/**
 * Starts the sign-in for this login. On return we must know that this browser signed in for this very login. So the time,
 * encrypted for this return address, goes into both the path back and a cookie; they must be equal.
 * @returns the path of the sign-in page.
 */
export function startSignIn(deps: TokenDeps, reply: Reply, login: ApiLogin): string {
  const at = deps.clock.now().getTime().toString(36);
  const started = deps.secrets.seal(purpose, contextOf(login), at).toString('base64url');
  cookie.set(reply, deps.settings, started);
  return withNext('/signin', apiLoginPath(login, started));
}

/**
 * Clears the cookie of `startSignIn`, so that a sign-in counts only once.
 * @returns whether the caller has just signed in for this login. Otherwise the caller is asked, because
 * another website can send a signed-in person here at any time, and must not get a token without a question.
 */
export function consumeRecentSignIn(
  deps: TokenDeps,
  request: Request,
  reply: Reply,
  login: ApiLogin,
  caller: Caller,
): boolean {
  const { started } = request.query as { started?: unknown };
  const cookieValue = cookie.read(request, deps.settings);
  if (cookieValue === undefined || started !== cookieValue) return false;
  cookie.clear(reply, deps.settings);
  const startedMs = unsealStartTime(deps, login, cookieValue);
  const signedInMs = caller.signedInAt?.getTime() ?? 0;
  return signedInMs >= startedMs && deps.clock.now().getTime() - startedMs <= timeoutMs;
}

function unsealStartTime(deps: TokenDeps, login: ApiLogin, sealed: string): number {
  try {
    return Number.parseInt(
      deps.secrets.open(purpose, contextOf(login), Buffer.from(sealed, 'base64url')),
      36,
    );
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function contextOf({ returnUrl, responseMode }: ApiLogin): string {
  return `${responseMode} ${returnUrl.text}`;
}

/** Makes and audits an access token of the caller for the client at this return address. @throws Problem `api-access-disabled`. */
export function issueTokenForClient(
  deps: TokenDeps,
  caller: Caller,
  { origin }: ReturnUrl,
  ipAddress: string,
): Promise<IssuedToken> {
  return inTransaction(deps.db, async (trx) => {
    const token = await storeNewAccessToken({ ...deps, db: trx }, caller.accountId, 'apilogin');
    await recordAudit(trx, {
      at: token.issuedAt,
      actor: actorOf(caller, ipAddress),
      action: 'token.issued',
      subject: { type: 'account', id: caller.accountId },
      details: { source: 'apilogin', return_origin: origin },
    });
    return token;
  });
}
