import type { Platform } from '../../platform/platform.ts';
import { type Goal, keepFlow, newFlowSecrets } from './flow.ts';
import type { OidcProvider } from './provider.ts';
import { asProviderProblem } from './provider-failure.ts';
import { oldestSignInMs } from './sign-in-age.ts';

/**
 * Sends somebody to the provider: the address to go to, and the secret for the browser's cookie.
 * @throws Problem `provider-unavailable`.
 */
export async function beginFlow(
  deps: Platform,
  provider: OidcProvider,
  goal: Goal,
  browser: string | undefined,
): Promise<{ address: string; browser: string }> {
  const secrets = newFlowSecrets();
  const address = await provider
    .signInAddress(secrets, oldestSignInMs(goal))
    .catch((error) => Promise.reject(asProviderProblem(deps, error)));
  return { address, browser: await keepFlow(deps, { goal, secrets }, browser) };
}
