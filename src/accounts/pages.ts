import { Type } from 'typebox';
import { type App, admitted, page, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { unprocessable } from '../platform/problem/index.ts';
import { actorOf, type Caller } from './caller.ts';
import { clearSessionCookie, sessionCaller, sessionIdOf, setSessionCookie } from './session.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

const template = 'accounts/templates/sign-in.njk';
const formSchema = Type.Object({
  email: Type.String({ maxLength: 1000 }),
  password: Type.String({ maxLength: 1000 }),
  next: Type.Optional(Type.String({ maxLength: 2000 })),
});

/** Signing in and out. */
export function accountPages(app: App, deps: WebPlatform): void {
  const { settings, pages } = deps;
  const querystring = Type.Object({ next: Type.Optional(Type.String({ maxLength: 2000 })) });
  app.get('/signin', { config: page(visitor), schema: { hide: true, querystring } }, (request, reply) =>
    pages.send(request, reply, template, {
      next: ownPath(request.query.next),
      email: (admitted(request) as Caller | undefined)?.email,
    }),
  );

  app.post(
    '/signin',
    { config: page(visitor), schema: { hide: true, body: formSchema } },
    async (request, reply) => {
      const { email, password } = request.body;
      const next = ownPath(request.body.next);
      const previousSessionId = sessionIdOf(request, settings);
      const session = await signIn(deps, { email, password, address: request.ip, previousSessionId });
      if (session === undefined) {
        reply.code(unprocessable.status);
        return pages.send(request, reply, template, { next, email, refused: true });
      }
      setSessionCookie(reply, settings, session);
      return reply.redirect(next ?? '/', 303);
    },
  );

  app.post('/signout', { config: page(visitor), schema: { hide: true } }, async (request, reply) => {
    const caller = await sessionCaller(deps, request);
    const id = sessionIdOf(request, settings);
    if (caller && id !== undefined) await signOut(deps, actorOf(caller, request.ip), id);
    clearSessionCookie(reply, settings);
    return reply.redirect('/signin', 303);
  });
}

/** A path on this site, to go back to after signing in; anything else is dropped, so that nobody is led away. */
function ownPath(next: string | undefined): string | undefined {
  if (next === undefined) return undefined;
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(next) || next.includes('\\')) return undefined;
  return next;
}
