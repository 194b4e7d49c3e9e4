import { Type } from 'typebox';
import { anonymousActor } from '../../audit/index.ts';
import { type App, page, type Request, requestCaller, visitor } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { findLinkHolder } from '../email-links/links.ts';
import { actorOf, optionalCaller } from '../model/caller.ts';
import { linkEnded } from '../model/problems.ts';
import { nextSchema, pathOfThisSite } from '../sign-in/next-path.ts';
import { setSessionCookie } from '../sign-in/session.ts';
import { signInBrowser } from '../sign-in/start-session.ts';
import { finishFlow } from './finish-flow.ts';
import { browserSecretsOf, type Goal, setBrowserSecrets, takeFlow } from './flow.ts';
import { linkIdentity } from './identities.ts';
import { identityPages } from './identity-pages.ts';
import { signInNotFinished } from './problems.ts';
import { createProvider, type OidcProvider, type Person } from './provider.ts';
import { withRefusalPage } from './refusal-page.ts';
import { acceptWithProvider, signInWithProvider } from './sign-in-with-provider.ts';
import { sendFlowLink, startFlow } from './start-flow.ts';

/** The pages to sign in with an outside OpenID Connect provider, if the settings name one. */
export function oidcPages(app: App, deps: WebPlatform): void {
  const provider = createProvider(deps);
  identityPages(app, deps, provider);
  invitedPage(app, deps, provider);
  const config = page(visitor, { allowedWithoutSecondFactor: true, countsAsCall: true });
  const querystring = Type.Object({ next: nextSchema });

  app.get('/signin/oidc', { config, schema: { querystring } }, (request, reply) =>
    withRefusalPage(deps, request, reply, async () => {
      const next = pathOfThisSite(request.query.next) ?? '/';
      // Somebody who is signed in already comes from a page that asks for a recent sign-in.
      const forceSignIn = requestCaller(request) !== undefined;
      const goal: Goal = { purpose: 'sign-in', accountId: null, next, forceSignIn };
      return reply.redirect(await startFlow(deps, request, reply, provider, goal), 303);
    }),
  );

  app.get('/signin/oidc/callback', { config }, (request, reply) =>
    withRefusalPage(deps, request, reply, async () => {
      if (!provider) throw new Problem(notFound);
      const caller = optionalCaller(request);
      const query = /\?.*/.exec(request.url)?.[0] ?? '';
      const flow = await takeFlow(deps, query, browserSecretsOf(request, deps.settings));
      if (flow?.sameBrowser) setBrowserSecrets(reply, deps.settings, flow.otherBrowserSecrets);
      const { goal, person } = await finishFlow(deps, provider, {
        query,
        flow,
        actor: caller ? actorOf(caller, request.ip) : anonymousActor(request.ip),
      });
      const sessionSecret = await carryOutGoal(deps, request, goal, person);
      if (sessionSecret !== undefined) setSessionCookie(reply, deps.settings, sessionSecret);
      return reply.redirect(goal.next, 303);
    }),
  );
}

/** Does what the flow was for. @returns the secret of the new session, if it started one. */
async function carryOutGoal(
  deps: WebPlatform,
  request: Request,
  goal: Goal,
  person: Person,
): Promise<string | undefined> {
  const signIn = { person, browser: signInBrowser(request, deps.settings) };
  if (goal.purpose === 'sign-in') return signInWithProvider(deps, signIn);
  if (goal.invitation !== undefined) return acceptWithProvider(deps, goal.invitation, signIn);
  const caller = optionalCaller(request);
  // The person who asked for the link must still be signed in, so that no other account is linked.
  if (caller?.accountId !== goal.accountId)
    throw new Problem(signInNotFinished, 'You are no longer signed in. Sign in and start again.');
  await linkIdentity(deps, caller, { person, ipAddress: request.ip });
  return undefined;
}

/**
 * The form of an invitation for somebody who wants to sign in at the provider instead of choosing a password. The secret of
 * the invitation comes in its body, so that it is in no address and never reaches the provider.
 */
function invitedPage(app: App, deps: WebPlatform, provider: OidcProvider | undefined): void {
  const body = Type.Object({ secret: Type.String({ maxLength: 200 }) });
  app.post(
    '/signin/oidc/invitation',
    { config: page(visitor, { allowedWithoutSecondFactor: true }), schema: { body } },
    (request, reply) =>
      withRefusalPage(deps, request, reply, async () => {
        const { secret } = request.body;
        if (!(await findLinkHolder(deps, 'invitation', secret))) throw new Problem(linkEnded);
        const goal = {
          purpose: 'invitation',
          accountId: null,
          invitation: secret,
          next: '/',
          forceSignIn: true,
        } as const;
        return sendFlowLink(deps, request, reply, provider, goal);
      }),
  );
}
