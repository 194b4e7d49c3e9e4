import type { Reply, Request } from '../../platform/http/index.ts';
import type { Platform, WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import {
  browserSecretsOf,
  type Goal,
  keepFlow,
  maxSignInAgeMs,
  newFlowSecrets,
  setBrowserSecrets,
} from './flow.ts';
import { asProviderProblem } from './problems.ts';
import type { OidcProvider } from './provider.ts';

/**
 * Sends somebody to the provider: the address to go to, and the secret for the browser's cookie.
 * @throws Problem `provider-unavailable`.
 */
async function beginFlow(
  deps: Platform,
  provider: OidcProvider,
  goal: Goal,
): Promise<{ address: string; browserSecret: string }> {
  const secrets = newFlowSecrets();
  const address = await provider
    .signInAddress(secrets, maxSignInAgeMs(goal))
    .catch((error) => Promise.reject(asProviderProblem(deps, error)));
  return { address, browserSecret: await keepFlow(deps, { goal, secrets }) };
}

/** Begins a flow and marks the browser for it. @returns the address to send it to. @throws Problem */
export async function markAndBegin(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  provider: OidcProvider | undefined,
  goal: Goal,
): Promise<string> {
  if (!provider) throw new Problem(notFound, 'This site has accounts of its own only.');
  const { address, browserSecret } = await beginFlow(deps, provider, goal);
  // The others stay, so that two tabs do not end each other's flow.
  const others = browserSecretsOf(request, deps.settings);
  setBrowserSecrets(reply, deps.settings, [browserSecret, ...others]);
  return address;
}

/**
 * The same after a form: answered by a page with a link, because browsers hold the redirects that follow a form to our
 * own `form-action`.
 */
export async function sendGoOn(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  provider: OidcProvider | undefined,
  goal: Goal,
): Promise<Reply> {
  const address = await markAndBegin(deps, request, reply, provider, goal);
  const name = provider?.name;
  return deps.pages.send(request, reply, 'accounts/oidc/templates/go-on.njk', { name, address, goal });
}
