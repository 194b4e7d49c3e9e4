import { Type } from 'typebox';
import { type FormErrors, fieldError, toFormErrors } from '../../platform/html/index.ts';
import {
  type App,
  page,
  type Reply,
  type Request,
  type UnsentForm,
  visitor,
} from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { actorOf, optionalCaller } from '../model/caller.ts';
import { providerName, relyingParty } from '../model/sign-in-settings.ts';
import { minPasswordLength } from '../passwords/password-rules.ts';
import { signOut } from './end-sessions.ts';
import { nextSchema, pathOfThisSite, withOwnNext } from './next-path.ts';
import { secondStepPath, stepCookie } from './second-step.ts';
import {
  clearSessionCookie,
  emailOfLastSession,
  findCaller,
  sessionSecretOf,
  setSessionCookie,
  signedOutWords,
} from './session.ts';
import { signIn } from './sign-in.ts';
import { signInBrowser } from './start-session.ts';

const formSchema = Type.Object({
  email: Type.String({ maxLength: 1000 }),
  password: Type.String({ maxLength: 1000 }),
  next: nextSchema,
});
const querystring = Type.Object({
  next: nextSchema,
  /** The second step took too long, or was tried too often. */
  expired: Type.Optional(Type.Literal('yes')),
  /** A form was sent long after the last sign-in, and nothing was done. */
  nothing_done: Type.Optional(
    Type.Union([Type.Literal('yes'), Type.Literal('file'), Type.Literal('too-long')]),
  ),
});

/** The page to sign in with a password, and signing out. */
export function signInPages(app: App, deps: WebPlatform): void {
  signInPage(app, deps);
  signOutRoute(app, deps);
}

function signInPage(app: App, deps: WebPlatform): void {
  const { settings } = deps;
  const config = page(visitor, { allowedWithoutSecondFactor: true });
  app.get('/signin', { config, schema: { querystring } }, async (request, reply) => {
    const caller = optionalCaller(request);
    const lastEmail = caller ? undefined : await emailOfLastSession(deps, request);
    const { next, expired, nothing_done: nothingDone } = request.query;
    return sendForm(deps, request, reply, {
      next: pathOfThisSite(next),
      email: caller?.email ?? lastEmail,
      signedOut: lastEmail !== undefined && expired !== 'yes',
      expired: expired === 'yes',
      nothingDone,
    });
  });

  app.post('/signin', { config, schema: { querystring, body: formSchema } }, async (request, reply) => {
    const { email, password } = request.body;
    // A program may post to the address it was sent to, without the hidden field of the page's form.
    const next = pathOfThisSite(request.body.next ?? request.query.next);
    const missing = missingFields(email, password);
    if (missing)
      return sendForm(deps, request, reply.code(unprocessable.status), { next, email, errors: missing });
    const browser = signInBrowser(request, settings);
    const result = await signIn(deps, { email, password, browser });
    if (result.kind === 'signed-in') {
      setSessionCookie(reply, settings, result.sessionSecret);
      return reply.redirect(next ?? '/', 303);
    }
    if (result.kind === 'second-factor-needed') {
      stepCookie.set(reply, settings, result.stepSecret);
      return reply.redirect(withOwnNext(next, secondStepPath), 303);
    }
    const errors = refusals[result.kind];
    return sendForm(deps, request, reply.code(unprocessable.status), { next, email, errors });
  });
}

/** @returns errors for empty fields; that does not count as an attempt. */
function missingFields(email: string, password: string): FormErrors | undefined {
  const errors = [
    ...(email.trim() === '' ? [{ pointer: '/email', message: 'Enter your email address' }] : []),
    ...(password === '' ? [{ pointer: '/password', message: 'Enter your password' }] : []),
  ];
  if (errors.length === 0) return undefined;
  return toFormErrors(
    { email: 'Email address', password: 'Password' },
    new Problem(unprocessable, undefined, { errors }),
  );
}

const refusals: Readonly<Record<'refused' | 'password-too-short', FormErrors>> = {
  refused: fieldError('email', 'The email address or the password is not right'),
  'password-too-short': {
    summary: [
      {
        text: `Your password is too short to sign in with on its own, now that two-step sign-in is off for your account. Choose a longer one, of ${minPasswordLength.alone} characters or more`,
        href: '/reset-password',
      },
    ],
    fields: {},
  },
};

type Form = {
  next: string | undefined;
  email: string | undefined;
  /** Their session ended by itself. */
  signedOut?: boolean;
  expired?: boolean;
  nothingDone?: 'yes' | UnsentForm['notKept'];
  errors?: FormErrors;
};

function sendForm({ settings, pages }: WebPlatform, request: Request, reply: Reply, form: Form): Reply {
  return pages.send(request, reply, 'accounts/sign-in/templates/sign-in.njk', {
    ...form,
    signedOutWords,
    provider: providerName(settings),
    passkeys: relyingParty(settings) !== undefined,
  });
}

function signOutRoute(app: App, deps: WebPlatform): void {
  const { settings } = deps;
  app.post(
    '/signout',
    { config: page(visitor, { allowedWithoutSecondFactor: true }) },
    async (request, reply) => {
      const caller = await findCaller(deps, request);
      const secret = sessionSecretOf(request, settings);
      if (caller && secret !== undefined) await signOut(deps, actorOf(caller, request.ip), secret);
      clearSessionCookie(reply, settings);
      return reply.redirect('/signin', 303);
    },
  );
}
