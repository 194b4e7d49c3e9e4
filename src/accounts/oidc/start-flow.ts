import type { Reply, Request } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import {
  browserSecretsOf,
  type Goal,
  maxSignInAgeMs,
  newFlowSecrets,
  setBrowserSecrets,
  storeFlow,
} from './flow.ts';
import { asProviderProblem } from './problems.ts';
import type { OidcProvider } from './provider.ts';

/**
 * Starts a flow: remembers it in the database and in a cookie of this browser.
 * @returns the provider's address to send the browser to. @throws Problem `provider-unavailable`.
 */
export async function startFlow(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  provider: OidcProvider | undefined,
  goal: Goal,
): Promise<string> {
  if (!provider) throw new Problem(notFound, 'This site does not let people sign in with another account.');
  const secrets = newFlowSecrets();
  const address = await provider
    .signInAddress(secrets, maxSignInAgeMs(goal))
    .catch((error) => Promise.reject(asProviderProblem(deps, error)));
  const browserSecret = await storeFlow(deps, { goal, secrets });
  // Earlier secrets stay in the cookie, so that two tabs do not end each other's flow.
  const earlier = browserSecretsOf(request, deps.settings);
  setBrowserSecrets(reply, deps.settings, [browserSecret, ...earlier]);
  return address;
}

/**
 * Starts a flow after a form. It answers with a page that has a link, because browsers apply our `form-action` to redirects
 * after a form.
 */
export async function sendFlowLink(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  provider: OidcProvider | undefined,
  goal: Goal,
): Promise<Reply> {
  const address = await startFlow(deps, request, reply, provider, goal);
  const name = provider?.name;
  return deps.pages.send(request, reply, 'accounts/oidc/templates/go-on.njk', { name, address, goal });
}
