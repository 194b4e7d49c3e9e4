import type { Reply, Request } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { beginFlow } from './begin-flow.ts';
import { flowCookie, type Goal } from './flow.ts';
import type { OidcProvider } from './provider.ts';

/** Begins a flow and marks the browser for it. @returns the address to send it to. @throws Problem */
export async function markAndBegin(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  provider: OidcProvider | undefined,
  goal: Goal,
): Promise<string> {
  if (!provider) throw new Problem(notFound, 'This site has accounts of its own only.');
  const { address, browser } = await beginFlow(deps, provider, goal, flowCookie.of(request, deps.settings));
  flowCookie.set(reply, deps.settings, browser);
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
