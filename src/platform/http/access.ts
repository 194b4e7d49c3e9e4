import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preValidationHookHandler,
  RouteOptions,
} from 'fastify';
import { defineProblem, forbidden, Problem } from '../problem/index.ts';
import { refusePrefetch } from './prefetch.ts';

/**
 * Who may call a route. The site does not start with a route that declares none, so that none is open by mistake. If `roles`
 * is empty, any account that passes the check may call.
 */
export type Access = {
  readonly kind: 'anyone' | 'visitor' | 'session' | 'token' | 'reader';
  readonly roles: readonly string[];
};

/** Anyone. The caller is not looked up. */
export const anyone: Access = { kind: 'anyone', roles: [] };
/** Anyone; a signed-in person is recognised, for the page's header. */
export const visitor: Access = { kind: 'visitor', roles: [] };
/** Any token; or anyone, if the site's library is public. */
export const reader: Access = { kind: 'reader', roles: [] };
/** A person signed in with a browser. */
export const signedIn = (...roles: string[]): Access => ({ kind: 'session', roles });
/** A client system with an access token. */
export const withToken = (...roles: string[]): Access => ({ kind: 'token', roles });

/** The scope of the few calls that every key allows. */
export const anyScope = 'any';

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** For routes with a token: the scope that a key needs; `anyScope` if every key may call it. */
    scope?: string;
    /** True for pages: problems are shown as pages, and forms must come from this site. */
    page?: boolean;
    /** Asks people to sign in again unless they did so in the last 15 minutes: others may use a computer that somebody left. */
    needsRecentSignIn?: true;
    /**
     * Where people continue after that sign-in, with the parameters of the request. A form's route needs it; other pages continue at their own
     * address.
     */
    returnTo?: string;
    /** A longer time than 15 minutes, for a form that takes long to fill in: nothing typed is lost. */
    signedInWithinMinutes?: number;
    /** True for the pages that people may use before they have set up the second factor that they need. */
    allowedWithoutSecondFactor?: true;
    /** True for an answer that stays open: how long it lasts says nothing about speed. */
    staysOpen?: true;
    /** True for pages that count what needs their reader themselves, once they have changed it, and hand that to the menu. */
    countsBadge?: true;
    /** True for a page that counts as read, or makes a key, when it is opened: a browser’s prefetch of it must do neither. */
    refusesPrefetch?: true;
    /** True for pages on which anybody can store something: they count towards the rate limit. */
    countsAsCall?: boolean;
    /**
     * True where the address itself is the secret that allows the request, and no cookie counts: nobody else can make a browser send
     * its form. Its answers keep the address out of every Referer, so that browsers say `Origin: null`.
     */
    secretInAddress?: true;
    /** True for the few page routes that take JSON from a script of the page. The others accept only forms. */
    takesJson?: boolean;
  }
}

/** What the platform knows about a caller. The accounts room knows the rest. */
export type CallerIdentity = {
  readonly accountId: string;
  readonly name: string;
  readonly roles: readonly string[];
  /** When somebody with a session last proved who they are. */
  readonly signedInAt?: Date;
  /** This person needs a second factor and has none yet. */
  readonly mustAddFactorNow?: boolean;
  /** When this person, who has no second factor yet, may do nothing else before adding one. */
  readonly mustAddFactorBy?: Date;
  /** The scopes of the caller’s key; undefined if it may do everything that the account may do. */
  readonly scopes?: readonly string[];
};

/** How each kind of access is checked. A verifier throws a Problem to refuse, and returns undefined for an anonymous caller. */
export type Verifiers = {
  readonly [Kind in Exclude<Access['kind'], 'anyone'>]: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => CallerIdentity | undefined | Promise<CallerIdentity | undefined>;
};

/** Where a request keeps its caller. Only this file has the symbol, so nothing else can set it. */
const callerOfRequest = Symbol('caller');
type WithCaller = { [callerOfRequest]?: CallerIdentity };

/** The access checks, to tell them from other hooks. */
const accessChecks = new WeakSet<onRequestHookHandler>();

export function isAccessCheck(check: onRequestHookHandler): boolean {
  return accessChecks.has(check);
}

type DeclaredRoute = {
  method: string;
  url: string;
  kind: Access['kind'];
  roles: readonly string[];
  scope: string | undefined;
  needsRecentSignIn: boolean;
  signedInWithinMinutes?: number | undefined;
  /** The names in its query. */
  query: readonly string[];
};

/** Where an app keeps its routes. */
const routesOfApp = Symbol('routes');
type WithRoutes = { [routesOfApp]?: readonly DeclaredRoute[] };

/** Whether an address, or the pattern of a route, belongs to the API. Some pages are below it, too (`config.page`). */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api/');
}

/** Every route of an app with what it declares, for `test/rules`. */
export function declaredRoutes(app: FastifyInstance): readonly DeclaredRoute[] {
  return (app as WithRoutes)[routesOfApp] ?? [];
}

/** The caller that the access check found, if it looked for one. A caller who lacks the role is kept, too. */
export function requestCaller(request: FastifyRequest): CallerIdentity | undefined {
  return (request as WithCaller)[callerOfRequest];
}

/** Finds out who asks for an address without a route, for the header of the “Page not found” page. */
export async function recognise(
  request: FastifyRequest,
  reply: FastifyReply,
  verify: Verifiers['visitor'],
): Promise<void> {
  const caller = await verify(request, reply);
  if (caller) setCaller(request, caller);
}

/**
 * Checks every request against its route's declaration, before anything of it is read. On a page that needs a session:
 * - somebody without one is sent to sign in, and comes back to the page;
 * - a form that arrives without one, usually because the session expired meanwhile, is given back to be sent after signing in, by
 *   the same person only;
 * - somebody who signed in too long ago for a sensitive page signs in once more; a form is then filled in again, and not sent.
 */
export function installAccess(app: FastifyInstance, verifiers: Verifiers, handlers: AccessHandlers): void {
  const declared: DeclaredRoute[] = [];
  app.decorate(routesOfApp, declared);
  app.decorateRequest(callerOfRequest, undefined);
  app.addHook('onRoute', (route) => {
    const {
      access,
      scope,
      needsRecentSignIn = false,
      signedInWithinMinutes,
      refusesPrefetch,
    } = route.config ?? {};
    if (!access) throw new Error(`${route.method} ${route.url} does not declare who may call it`);
    if (takesToken(access) && scope !== anyScope && !handlers.scopes.includes(scope ?? ''))
      throw new Error(`${route.method} ${route.url} does not declare the scope that a key needs for it`);
    declared.push({
      method: String(route.method),
      url: route.url,
      kind: access.kind,
      roles: access.roles,
      scope,
      needsRecentSignIn,
      signedInWithinMinutes,
      query: Object.keys(
        (route.schema?.querystring as { properties?: object } | undefined)?.properties ?? {},
      ),
    });
    if (access.kind !== 'anyone') {
      const check = accessCheck(access, verifiers[access.kind], handlers);
      accessChecks.add(check);
      addCheck(route, check);
    }
    if (access.kind === 'session') {
      if (needsRecentSignIn) addCheck(route, checkRecentSignIn(handlers));
      route.preValidation = [
        keepFormOverSignIn(handlers),
        returnFormAfterSignIn(handlers),
        ...[route.preValidation ?? []].flat(),
      ];
    } else if (needsRecentSignIn) {
      throw new Error(
        `${route.method} ${route.url} asks for a recent sign-in of callers who have no session`,
      );
    }
    if (refusesPrefetch) addCheck(route, refusePrefetch);
  });
}

function accessCheck(
  access: Access,
  verify: Verifiers['token'],
  handlers: AccessHandlers,
): onRequestHookHandler {
  return (request, reply, done) => {
    const decide = (caller: CallerIdentity | undefined) => {
      if (!caller && access.kind === 'session') {
        if (request.method === 'GET' || request.method === 'HEAD')
          return void reply.redirect(withNext(handlers.signInPath, request.url), 303);
        // The form is parsed first. Then the hook `keepFormOverSignIn` answers with it, to be sent after signing in.
        return done();
      }
      if (!caller) return done();
      if (caller.mustAddFactorNow && !request.routeOptions.config.allowedWithoutSecondFactor)
        return sendTo(request, reply, withNext(handlers.secondFactorPath, returnPath(request)));
      setCaller(request, caller);
      const refusal = refusalOf(request, caller, access);
      if (!refusal) return done();
      handlers.auditWrongRole(request, caller);
      done(refusal);
    };
    try {
      const caller = verify(request, reply);
      // Most callers come from memory and need no promise.
      if (caller instanceof Promise) caller.then(decide).catch(done);
      else decide(caller);
    } catch (error) {
      done(error as Error);
    }
  };
}

/** Runs after the access check. A script of the page is told where to send the reader instead. */
function checkRecentSignIn(handlers: AccessHandlers): onRequestHookHandler {
  return (request, reply, done) => {
    // The form of a page is parsed first, and kept over the sign-in.
    if (isForm(request) || isRecent(request, handlers)) return done();
    sendTo(request, reply, withNext(handlers.signInPath, pageOf(request)));
  };
}

function isForm({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'POST' && !routeOptions.config.takesJson;
}

function isRecent(request: FastifyRequest, { hasSignedInRecently }: AccessHandlers): boolean {
  const caller = requestCaller(request);
  return !caller || hasSignedInRecently(caller, request.routeOptions.config.signedInWithinMinutes);
}

/** The parameter, and the hidden field, that name a form to fill in again. */
export const unsentFormField = 'unsent_form';

/** Where somebody continues who had to sign in again. */
function pageOf(request: FastifyRequest): string {
  const { returnTo } = request.routeOptions.config;
  if (returnTo !== undefined) return withSameNext(fillParams(returnTo, request), request);
  // A form sent to its own page names what it was filled in from. Somebody who only opens the page still wants it.
  return isForm(request) ? withoutUnsentForm(request.url) : request.url;
}

/** The address of a page as if no form had been filled in there again. */
export function withoutUnsentForm(url: string): string {
  const { pathname, search, searchParams } = new URL(url, 'http://localhost');
  if (!searchParams.has(unsentFormField)) return pathname + search;
  searchParams.delete(unsentFormField);
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
}

/** The path with this request’s parameters, such as the `:id` of what the form is about. */
function fillParams(path: string, { params }: FastifyRequest): string {
  const values = params as Readonly<Record<string, string>>;
  return path.replaceAll(/:(\w+)/g, (whole, name: string) =>
    values[name] === undefined ? whole : encodeURIComponent(values[name]),
  );
}

/** The page's path, with the `next` that this request has. */
function withSameNext(page: string, { url }: FastifyRequest): string {
  const next = new URLSearchParams(url.split('?', 2)[1]).get('next');
  return next === null ? page : withNext(page, next);
}

function sendTo(request: FastifyRequest, reply: FastifyReply, path: string): void {
  if (request.routeOptions.config.takesJson) reply.code(forbidden.status).send({ go_to: path });
  else reply.redirect(path, 303);
}

/**
 * Runs after the form was parsed, and before it is used: gives back a form that was sent without a session, and opens it when
 * it is sent again after signing in.
 */
function keepFormOverSignIn(handlers: AccessHandlers): preValidationHookHandler {
  return (request, reply, done) => {
    const caller = requestCaller(request);
    const encryptedForm = keptFormIn(request.body);
    if (!caller) {
      handlers.returnUnsentForm(request, reply).catch(done);
      return;
    }
    if (encryptedForm === undefined) return done();
    const form = handlers.openKeptForm(caller, request, encryptedForm);
    // Somebody else wrote the form, and this reader must not learn that.
    if (form === undefined) return void reply.redirect('/', 303);
    request.body = JSON.parse(form);
    done();
  };
}

/**
 * Stores a form that arrived too long after the sign-in, and sends its writer to sign in. The page to which they come back shows the form as they
 * had filled it in; nothing is done before they press its button again. That, or another button, deletes it; so does an hour.
 */
function returnFormAfterSignIn(handlers: AccessHandlers): preValidationHookHandler {
  return async (request, reply) => {
    const caller = requestCaller(request);
    if (!caller) return;
    const used = takeUnsentId(request.body);
    if (used !== undefined) await handlers.deleteUnsentForm(caller, used);
    if (request.routeOptions.config.needsRecentSignIn && isForm(request) && !isRecent(request, handlers)) {
      const page = pageOf(request);
      const { id, notKept } = await handlers.storeUnsentForm(caller, request);
      const back = `${page}${page.includes('?') ? '&' : '?'}${unsentFormField}=${id}`;
      return reply.redirect(`${withNext(handlers.signInPath, back)}&nothing_done=${notKept ?? 'yes'}`, 303);
    }
    const id = (request.query as Record<string, unknown>)[unsentFormField];
    if (request.method !== 'GET' || typeof id !== 'string' || !handlers.hasSignedInRecently(caller)) return;
    const form = await handlers.findUnsentForm(caller, id);
    if (form) (request as WithUnsentForm)[unsentFormOfRequest] = form;
  };
}

/** Takes the id out of a form, whose schema does not have it. */
function takeUnsentId(body: unknown): string | undefined {
  const fields = body as Record<string, unknown> | null | undefined;
  const id = fields?.[unsentFormField];
  if (fields && id !== undefined) delete fields[unsentFormField];
  return typeof id === 'string' ? id : undefined;
}

/** A form that was not sent, because its writer had to sign in again. */
export type UnsentForm = {
  readonly id: string;
  /** The address that it was sent to. */
  readonly action: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  /** Why the fields are empty: a file cannot be kept, nor the fields beside it, nor a text that is too long. */
  readonly notKept: 'file' | 'too-long' | undefined;
};

const unsentFormOfRequest = Symbol('unsent form');
type WithUnsentForm = { [unsentFormOfRequest]?: UnsentForm };

/** The form that the page of this request shows again. */
export function unsentForm(request: FastifyRequest): UnsentForm | undefined {
  return (request as WithUnsentForm)[unsentFormOfRequest];
}

/** The field that has the encrypted contents of a form that was given back. */
export const keptFormField = 'kept_form';

export function keptFormIn(body: unknown): string | undefined {
  const value = (body as Record<string, unknown> | null | undefined)?.[keptFormField];
  return typeof value === 'string' ? value : undefined;
}

/** Where people sign in, and what happens to their request until then. */
type AccessHandlers = {
  /** Every scope that a key may have. */
  scopes: readonly string[];
  signInPath: string;
  /** Where somebody sets up a required second factor. */
  secondFactorPath: string;
  /** Whether somebody with a session signed in a short while ago. */
  hasSignedInRecently: (caller: CallerIdentity, withinMinutes?: number) => boolean;
  /** Records that somebody lacks the role for a route. The answer does not wait for it. */
  auditWrongRole: (request: FastifyRequest, caller: CallerIdentity) => void;
  /** Answers with a page that holds the form's contents, to be sent again after signing in. */
  returnUnsentForm: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
  /** What such a page held, as JSON; undefined if it was somebody else’s, or of another address. */
  openKeptForm: (
    caller: CallerIdentity,
    request: FastifyRequest,
    encryptedForm: string,
  ) => string | undefined;
  /** Stores a form until its writer has signed in again. Only they get it back, by its id. */
  storeUnsentForm: (
    caller: CallerIdentity,
    request: FastifyRequest,
  ) => Promise<Pick<UnsentForm, 'id' | 'notKept'>>;
  findUnsentForm: (caller: CallerIdentity, id: string) => Promise<UnsentForm | undefined>;
  /** Deletes such a form, once it was sent again. */
  deleteUnsentForm: (caller: CallerIdentity, id: string) => Promise<void>;
};

/** Where to continue afterwards: the address of a form may have no page. */
function returnPath({ method, url }: FastifyRequest): string {
  return method === 'GET' || method === 'HEAD' ? url : '/';
}

/** The path of a page that leads to `next` afterwards. */
export function withNext(page: string, next: string): string {
  return `${page}${page.includes('?') ? '&' : '?'}next=${encodeURIComponent(next)}`;
}

function setCaller(request: FastifyRequest, caller: CallerIdentity): void {
  (request as WithCaller)[callerOfRequest] = caller;
}

/** Whether the caller has one of the roles that the route needs. */
export function hasRole(request: FastifyRequest, caller: CallerIdentity): boolean {
  const { roles = [] } = request.routeOptions.config.access ?? {};
  return roles.length === 0 || roles.some((role) => caller.roles.includes(role));
}

function takesToken({ kind }: Access): boolean {
  return kind === 'token' || kind === 'reader';
}

const insufficientScope = defineProblem({
  type: 'insufficient-scope',
  status: 403,
  title: 'The key does not allow this',
  exampleDetail: needsScope('referrals:write'),
});

/** @returns the problem to answer with if the key's scope or the caller's role does not allow the call. */
function refusalOf(request: FastifyRequest, caller: CallerIdentity, access: Access): Problem | undefined {
  const { scope = anyScope } = request.routeOptions.config;
  // Checked before the role: another key of the account may have the scope, but none has another role.
  if (takesToken(access) && scope !== anyScope && caller.scopes && !caller.scopes.includes(scope))
    return new Problem(insufficientScope, needsScope(scope), {
      headers: { 'www-authenticate': `${insufficientScopeChallenge}, scope="${scope}"` },
    });
  return hasRole(request, caller) ? undefined : wrongRoleProblem(access);
}

function needsScope(scope: string): string {
  return `The key needs the scope ${scope}. The owner of the key can add it, or make another key.`;
}

/** Every 401 says how to authenticate (RFC 9110, section 15.5.2). */
export const bearerRealm = 'Bearer realm="onward"';

/** RFC 6750, section 3.1. */
const insufficientScopeChallenge = `${bearerRealm}, error="insufficient_scope"`;

/** It has no `www-authenticate` header, because no token of the account has another role. */
function wrongRoleProblem(access: Access): Problem {
  return new Problem(forbidden, `This is for ${access.roles.join(' or ')} accounts.`);
}

/** Adds a check to a route, which runs before anything of the request is read. */
export function addCheck(route: RouteOptions, check: onRequestHookHandler): void {
  route.onRequest = [...[route.onRequest ?? []].flat(), check];
}

/** Whether requests to this route change nothing, so that tricking somebody into sending one does no harm. */
export function isSafe({ method }: Pick<RouteOptions, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}
