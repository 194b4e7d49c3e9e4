import { actorOf, type Caller, hostCookie } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { Reply, Request } from '../../platform/http/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { type MintedToken, mintAccessToken } from '../model/access-tokens.ts';
import { badReturnAddress } from '../model/problems.ts';
import type { TokenDeps } from '../model/token-desk.ts';
import { type ReturnUrl, readReturnUrl } from './return-address.ts';
import { isRegistered } from './return-addresses-store.ts';

/** What a client asks for at /apilogin. */
export type ApiLogin = { readonly returnUrl: ReturnUrl; readonly responseMode: 'query' | 'form_post' };

const parameters = ['returnUrl', 'response_mode', 'started'];

/**
 * What a query or a form of /apilogin asks for; read anew at each step, because nothing that came by way of a browser is
 * believed a second time.
 * @throws Problem `bad-return-address`, without a word of what was sent.
 */
export async function readApiLogin(deps: TokenDeps, given: unknown): Promise<ApiLogin> {
  const { returnUrl: text, response_mode: responseMode = 'query' } = given as Record<string, unknown>;
  if (text === undefined) throw refused('is missing: add ?returnUrl= and the address, percent-encoded');
  if (typeof text !== 'string') throw refused('was given more than once');
  const returnUrl = readReturnUrl(text, deps.settings.mode);
  if ('fault' in returnUrl) throw refused(returnUrl.fault);
  if (!(await isRegistered(deps.db, returnUrl.address))) throw refused('is not registered at this site');
  if (responseMode !== 'query' && responseMode !== 'form_post')
    throw new Problem(badReturnAddress, 'The parameter response_mode must be query or form_post.');
  return { returnUrl, responseMode };
}

/**
 * A client that does not percent-encode its address loses what follows the first & of it, and one that misspells
 * response_mode would get its token in an address. Both are told.
 * @throws Problem `bad-return-address`.
 */
export function refuseUnknownParameters(query: unknown): void {
  if (Object.keys(query as object).every((name) => parameters.includes(name))) return;
  throw new Problem(
    badReturnAddress,
    'There is a parameter besides returnUrl and response_mode. The return address must be percent-encoded.',
  );
}

/** The path of this login, to begin it again or to come back to. */
export function apiLoginPath({ returnUrl, responseMode }: ApiLogin, started?: string): string {
  const query = [
    `returnUrl=${encodeURIComponent(returnUrl.text)}`,
    ...(responseMode === 'query' ? [] : [`response_mode=${responseMode}`]),
    ...(started === undefined ? [] : [`started=${started}`]),
  ];
  return `/apilogin?${query.join('&')}`;
}

function refused(fault: string): Problem {
  return new Problem(
    badReturnAddress,
    `The return address ${fault}. Nothing was sent to it. Tell those who run the website that brought you here.`,
  );
}

const timeoutMs = 15 * 60_000;
const purpose = 'api login';
const cookie = hostCookie('onward-api-login', timeoutMs);

/**
 * Sends somebody to sign in for this login and come back. When they left is sealed for this return address, and put into
 * the way back and into a cookie: only both together, alike, show on return that this very browser signed in for this.
 * @returns where to.
 */
export function sendToSignIn(deps: TokenDeps, reply: Reply, login: ApiLogin): string {
  const at = deps.clock.now().getTime().toString(36);
  const started = deps.secrets.seal(purpose, contextOf(login), at).toString('base64url');
  cookie.set(reply, deps.settings, started);
  return `/signin?next=${encodeURIComponent(apiLoginPath(login, started))}`;
}

/**
 * Whether the person of this request has signed in for this very login, a short while ago. It counts once in a browser,
 * and anybody else is asked: another website can send a signed-in person here at any time, and must not get a token in
 * silence.
 */
export function hasJustSignedIn(
  deps: TokenDeps,
  request: Request,
  reply: Reply,
  login: ApiLogin,
  caller: Caller,
): boolean {
  const { started } = request.query as { started?: unknown };
  const ours = cookie.of(request, deps.settings);
  if (ours === undefined || started !== ours) return false;
  cookie.clear(reply, deps.settings);
  const startedMs = openTime(deps, login, ours);
  const signedInMs = caller.signedInAt?.getTime() ?? 0;
  return signedInMs >= startedMs && deps.clock.now().getTime() - startedMs <= timeoutMs;
}

function openTime(deps: TokenDeps, login: ApiLogin, sealed: string): number {
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

/** A token of the caller's own for the client at this address, and the audit's entry of it. @throws Problem `api-access-disabled`. */
export function issueApiLoginToken(
  deps: TokenDeps,
  caller: Caller,
  { origin }: ReturnUrl,
  clientAddress: string,
): Promise<MintedToken> {
  return inTransaction(deps.db, async (trx) => {
    const token = await mintAccessToken({ ...deps, db: trx }, caller.accountId, 'apilogin');
    await recordAudit(trx, {
      at: token.issuedAt,
      actor: actorOf(caller, clientAddress),
      action: 'token.issued',
      subject: { type: 'account', id: caller.accountId },
      details: { source: 'apilogin', return_origin: origin },
    });
    return token;
  });
}
