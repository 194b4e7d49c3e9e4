import { type Caller, hostCookie } from '../accounts/index.ts';
import type { Reply, Request } from '../platform/http/index.ts';
import { type ApiLogin, apiLoginPath } from './api-login.ts';
import type { TokenDeps } from './token-desk.ts';

const patienceMs = 15 * 60_000;
const purpose = 'api login';
const cookie = hostCookie('onward-api-login', patienceMs);

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
  return signedInMs >= startedMs && deps.clock.now().getTime() - startedMs <= patienceMs;
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
