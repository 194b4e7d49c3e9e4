import { Type } from 'typebox';
import { successBanner } from '../../platform/html/index.ts';
import { type App, page, signedIn } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { requireCaller } from '../model/caller.ts';
import { listIdentities } from '../model/identities-store.ts';
import { unlinkIdentity } from './identities.ts';
import type { OidcProvider } from './provider.ts';
import { withRefusalPage } from './refusal-page.ts';
import { sendFlowLink } from './start-flow.ts';

const path = '/account/identities';
const done = successBanner({
  linked: 'The sign-in was linked to your account.',
  unlinked: 'The link was removed. That sign-in no longer opens your account.',
});
const querystring = Type.Object({ done: done.query });
const config = page(signedIn());
/** Only somebody who signed in recently may change how an account is signed in to. */
const changing = page(signedIn(), { needsRecentSignIn: true, returnTo: path });

/** The page on which somebody links a sign-in at the provider to their account, or removes the link. */
export function identityPages(app: App, deps: WebPlatform, provider: OidcProvider | undefined): void {
  app.get(path, { config, schema: { querystring } }, async (request, reply) => {
    const all = await listIdentities(deps.db, requireCaller(request).accountId);
    const identities = all.map((each) => {
      const isCurrent = each.issuer === provider?.issuer;
      return { ...each, isCurrent, name: isCurrent ? provider?.name : new URL(each.issuer).host };
    });
    const mayLink = provider !== undefined && !identities.some(({ isCurrent }) => isCurrent);
    return deps.pages.send(request, reply, 'accounts/oidc/templates/identities.njk', {
      done: done.words(request.query.done),
      identities,
      linkableProvider: mayLink ? provider.name : undefined,
    });
  });

  app.post(`${path}/link`, { config: changing }, (request, reply) =>
    withRefusalPage(deps, request, reply, () => {
      const { accountId } = requireCaller(request);
      const goal = {
        purpose: 'link',
        accountId,
        next: done.path(path, 'linked'),
        forceSignIn: true,
      } as const;
      return sendFlowLink(deps, request, reply, provider, goal);
    }),
  );

  const body = Type.Object({ id: Type.String({ maxLength: 36 }) });
  app.post(`${path}/unlink`, { config: changing, schema: { body } }, (request, reply) =>
    withRefusalPage(deps, request, reply, async () => {
      const { id } = request.body;
      if (!isUuid(id)) throw new Problem(notFound);
      const unlink = { id, issuer: provider?.issuer, ipAddress: request.ip };
      await unlinkIdentity(deps, requireCaller(request), unlink);
      return reply.redirect(done.path(path, 'unlinked'), 303);
    }),
  );
}
