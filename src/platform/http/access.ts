import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preValidationHookHandler,
} from 'fastify';
import { forbidden, Problem } from '../problem/index.ts';
import { addCheck } from './add-check.ts';

/**
 * Who may call a route. Every route declares it; one that does not stops the start, so that nothing is open by
 * omission. `roles` empty means: any account that gets past the check.
 */
export type Access = {
  readonly kind: 'anyone' | 'visitor' | 'session' | 'token' | 'reader';
  readonly roles: readonly string[];
};

/** Anyone, and nobody is looked up. */
export const anyone: Access = { kind: 'anyone', roles: [] };
/** Anyone; a signed-in person is recognised, for the page's header. */
export const visitor: Access = { kind: 'visitor', roles: [] };
/** Whoever may read the library: any token, or anyone where the site's library is public. */
export const reader: Access = { kind: 'reader', roles: [] };
/** A person signed in with a browser. */
export const signedIn = (...roles: string[]): Access => ({ kind: 'session', roles });
/** A client system with an access token. */
export const withToken = (...roles: string[]): Access => ({ kind: 'token', roles });

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** True for what a person sees in a browser: refusals are then pages, and forms must come from this site. */
    page?: boolean;
    /**
     * Only for somebody who signed in a short while ago, because a computer left alone must not do this. A text is the
     * page to come back to after signing in once more, where that is not the route's own.
     */
    fresh?: true | string;
    /** True for pages that store something for strangers: they are counted like calls of the API. */
    countsAsCall?: boolean;
    /** True for the few pages' routes that a script of the page sends JSON to; the others take forms alone. */
    takesJson?: boolean;
  }
}

/** What the platform knows of a caller; the accounts room knows the rest. */
export type Admitted = {
  readonly accountId: string;
  readonly name: string;
  readonly roles: readonly string[];
  /** When somebody with a session last showed who they are. */
  readonly signedInAt?: Date;
};

type Verdict = Admitted | undefined;

/** How each kind of access is checked. They throw a Problem to refuse; `undefined` lets a nameless caller in. */
export type Verifiers = {
  readonly [Kind in Exclude<Access['kind'], 'anyone'>]: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Verdict | Promise<Verdict>;
};

/**
 * Where a request keeps its caller, out of reach of everything but this file. A WeakMap keyed by requests says the same,
 * but each of its entries costs the garbage collector more than the rest of the check.
 */
const callerOfRequest = Symbol('caller');
type WithCaller = { [callerOfRequest]?: Admitted };

type DeclaredRoute = { method: string; url: string; kind: Access['kind']; fresh: boolean };

const routes = new WeakMap<FastifyInstance, DeclaredRoute[]>();
const visitors = new WeakMap<FastifyInstance, Verifiers['visitor']>();

/** Every route of an app and what it declared, for `test/rules`, which holds each against it. */
export function declaredRoutes(app: FastifyInstance): readonly DeclaredRoute[] {
  return routes.get(app) ?? [];
}

/** The caller that was let in, if the route's access looks for one. */
export function admitted(request: FastifyRequest): Admitted | undefined {
  return (request as WithCaller)[callerOfRequest];
}

/** Recognises who asks for an address that no route has, for the header of the page that says so. */
export async function recognise(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const caller = await visitors.get(request.server)?.(request, reply);
  if (caller) admit(request, visitor, caller);
}

/**
 * Checks every request against its route's declaration, before anything of it is read.
 * Whoever opens a page without the session it needs is sent to sign in, and comes back to the page. Whoever sends a form
 * without it, most likely because the session ran out while they wrote, gets it back to send again. Whoever signed in too
 * long ago for a page that asks for more signs in once more.
 */
export function installAccess(app: FastifyInstance, verifiers: Verifiers, signIn: SignIn): void {
  const declared: DeclaredRoute[] = [];
  routes.set(app, declared);
  visitors.set(app, verifiers.visitor);
  app.decorateRequest(callerOfRequest, undefined);
  app.addHook('onRoute', (route) => {
    const { access, fresh } = route.config ?? {};
    if (!access) throw new Error(`${route.method} ${route.url} does not declare who may call it`);
    declared.push({
      method: String(route.method),
      url: route.url,
      kind: access.kind,
      fresh: fresh !== undefined,
    });
    if (access.kind !== 'anyone') addCheck(route, checkOf(access, verifiers[access.kind], signIn));
    if (access.kind === 'session') {
      if (fresh !== undefined) addCheck(route, checkFreshness(signIn));
      route.preValidation = [formOfNobody(signIn), ...[route.preValidation ?? []].flat()];
    } else if (fresh !== undefined) {
      throw new Error(`${route.method} ${route.url} asks for a fresh sign-in of callers who have no session`);
    }
  });
}

function checkOf(access: Access, verify: Verifiers['token'], signIn: SignIn): onRequestHookHandler {
  return (request, reply, done) => {
    const decide = (caller: Verdict) => {
      if (!caller && access.kind === 'session') {
        if (request.method === 'GET' || request.method === 'HEAD')
          return void reply.redirect(wayBy(signIn, request.url), 303);
        return done();
      }
      if (!caller) return done();
      if (admit(request, access, caller)) return done();
      signIn.noteForbidden(request, caller);
      done(notForThem(access));
    };
    try {
      const verdict = verify(request, reply);
      // Most verdicts come from memory; a promise for each of them would cost a tenth of the rate.
      if (verdict instanceof Promise) verdict.then(decide).catch(done);
      else decide(verdict);
    } catch (error) {
      done(error as Error);
    }
  };
}

/** Comes after it was found out who is there. A script of ours is told where the page must go instead. */
function checkFreshness(signIn: SignIn): onRequestHookHandler {
  return (request, reply, done) => {
    const caller = admitted(request);
    if (!caller || signIn.isFresh(caller)) return done();
    const { fresh, takesJson } = request.routeOptions.config;
    const way = wayBy(signIn, typeof fresh === 'string' ? fresh : request.url);
    if (takesJson) reply.code(forbidden.status).send({ go_to: way });
    else reply.redirect(way, 303);
  };
}

/** Comes after the form was read, and before anything of it is used. */
function formOfNobody(signIn: SignIn): preValidationHookHandler {
  return (request, reply, done) => {
    if (admitted(request)) return done();
    signIn.giveFormBack(request, reply);
  };
}

/** Where people sign in, and what becomes of their request until they have. */
type SignIn = {
  path: string;
  /** Whether somebody with a session signed in a short while ago. */
  isFresh: (caller: Admitted) => boolean;
  /** Told of somebody whose roles do not suffice. Their answer does not wait for it. */
  noteForbidden: (request: FastifyRequest, caller: Admitted) => void;
  /** Answers a form with a page that has what was written, to be sent again after signing in. */
  giveFormBack: (request: FastifyRequest, reply: FastifyReply) => FastifyReply;
};

/** Where to sign in, and come back to a path of this site. */
function wayBy({ path }: SignIn, back: string): string {
  return `${path}?next=${encodeURIComponent(back)}`;
}

/** @returns whether the caller has one of the roles that it takes. */
function admit(request: FastifyRequest, access: Access, caller: Admitted): boolean {
  (request as WithCaller)[callerOfRequest] = caller;
  return access.roles.length === 0 || access.roles.some((role) => caller.roles.includes(role));
}

function notForThem(access: Access): Problem {
  return new Problem(forbidden, `This is for ${access.roles.join(' and ')} accounts.`, {
    headers:
      access.kind === 'session'
        ? {}
        : { 'www-authenticate': 'Bearer realm="onward", error="insufficient_scope"' },
  });
}
