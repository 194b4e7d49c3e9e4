import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import {
  actorOf,
  type Caller,
  clearSessionCookie,
  optionalCaller,
  sessionSecretOf,
  signOut,
} from '../../accounts/index.ts';
import {
  type App,
  allowFormsTo,
  anyone,
  page,
  type Reply,
  type Request,
  visitor,
} from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { accessTokenHours } from '../model/access-tokens.ts';
import type { TokenDeps } from '../model/token-services.ts';
import {
  type ApiLogin,
  apiLoginPath,
  consumeRecentSignIn,
  issueTokenForClient,
  readApiLogin,
  refuseOtherParameters,
  startSignIn,
} from './api-login.ts';
import { appendToken } from './return-url.ts';

type Deps = TokenDeps & WebPlatform;

const script = readFileSync(join(import.meta.dirname, 'send-form.js'));
const loginSchema = Type.Object({ returnUrl: Type.String(), response_mode: Type.Optional(Type.String()) });
const continueSchema = Type.Object({ ...loginSchema.properties, account: Type.String() });

/** No Referer is sent: the client's URL may contain secrets, and the return URL contains a token. */
const route = {
  config: page(visitor),
  onRequest: async (_request: Request, reply: Reply) => {
    reply.header('referrer-policy', 'no-referrer');
  },
};

/** Sign-in for a client: the user signs in here and is sent back to the client with a token of their own. */
export function apiLoginPages(app: App, deps: Deps): void {
  const startRoute = { ...route, config: page(visitor, { refusesPrefetch: true }) };
  app.get('/apilogin', startRoute, (request, reply) => startLogin(deps, request, reply));

  app.post('/apilogin', { ...route, schema: { body: continueSchema } }, async (request, reply) => {
    const login = await readApiLogin(deps, request.body);
    const caller = optionalCaller(request);
    // Only the person whose name was on the page goes on; somebody else may have signed in since it was shown.
    if (caller?.accountId !== request.body.account) return reply.redirect(apiLoginPath(login), 303);
    return sendTokenToClient(deps, request, reply, login, caller);
  });

  const otherAccountRoute = { ...route, schema: { body: loginSchema } };
  app.post('/apilogin/other-account', otherAccountRoute, async (request, reply) => {
    const login = await readApiLogin(deps, request.body);
    const caller = optionalCaller(request);
    const secret = sessionSecretOf(request, deps.settings);
    if (caller && secret !== undefined) await signOut(deps, actorOf(caller, request.ip), secret);
    clearSessionCookie(reply, deps.settings);
    return reply.redirect(apiLoginPath(login), 303);
  });

  app.get(
    '/apilogin/send-form.js',
    { config: { access: anyone }, schema: { hide: true } },
    (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', 'public, max-age=3600')
        .send(script),
  );
}

async function startLogin(deps: Deps, request: Request, reply: Reply): Promise<Reply> {
  refuseOtherParameters(request.query);
  const login = await readApiLogin(deps, request.query);
  const caller = optionalCaller(request);
  if (!caller) return reply.redirect(startSignIn(deps, reply, login), 303);
  if (!caller.hasApiAccess) return sendNoAccess(deps, request, reply, login);
  const hasJustSignedIn = consumeRecentSignIn(deps, request, reply, login, caller);
  // A browser blocks a redirect to another site after the sign-in form, so it gets a page that goes on by itself.
  const acceptsHtml = /\btext\/html\b/.test(request.headers.accept ?? '');
  if (hasJustSignedIn && (login.responseMode === 'form_post' || !acceptsHtml))
    return sendTokenToClient(deps, request, reply, login, caller);
  return askToContinue(deps, request, reply, login, hasJustSignedIn);
}

/** Asks “Continue as …?”. For somebody who has just signed in for this, the page continues by itself. */
function askToContinue(
  deps: Deps,
  request: Request,
  reply: Reply,
  login: ApiLogin,
  continuesByItself: boolean,
): Reply {
  allowFormsTo(reply, login.returnUrl.origin);
  const template = 'tokens/api-login/templates/api-login-continue.njk';
  return deps.pages.send(request, reply, template, { login, continuesByItself, accessTokenHours });
}

function sendNoAccess(deps: Deps, request: Request, reply: Reply, login: ApiLogin): Reply {
  return deps.pages.send(request, reply.code(403), 'tokens/api-login/templates/api-login-no-access.njk', {
    login,
  });
}

/** Sends a token to a client. Nothing else does, so the right to API access is checked here once more. */
async function sendTokenToClient(
  deps: Deps,
  request: Request,
  reply: Reply,
  login: ApiLogin,
  caller: Caller,
): Promise<Reply> {
  if (!caller.hasApiAccess) return sendNoAccess(deps, request, reply, login);
  const { returnUrl, responseMode } = login;
  const { text: token } = await issueTokenForClient(deps, caller, returnUrl, request.ip);
  if (responseMode === 'query') return reply.redirect(appendToken(returnUrl, token), 303);
  allowFormsTo(reply, returnUrl.origin);
  return deps.pages.send(request, reply, 'tokens/api-login/templates/api-login-form-post.njk', {
    returnUrl,
    token,
  });
}
