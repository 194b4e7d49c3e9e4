import { Type } from 'typebox';
import { type App, page, visitor } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { findLinkHolder, linkEnded } from '../account-links.ts';
import type { OidcProvider } from './provider.ts';
import { orRefusalPage } from './refusal-page.ts';
import { sendGoOn } from './send-to-provider.ts';

/**
 * Where the page of an invitation sends somebody who would rather sign in at the provider than choose a password. The
 * invitation's secret comes in the form's body: it is in no address from here on, and the provider never has it.
 */
export function invitedPage(app: App, deps: WebPlatform, provider: OidcProvider | undefined): void {
  const body = Type.Object({ secret: Type.String({ maxLength: 200 }) });
  app.post('/signin/oidc/invitation', { config: page(visitor), schema: { body } }, (request, reply) =>
    orRefusalPage(deps, request, reply, async () => {
      const { secret } = request.body;
      if (!(await findLinkHolder(deps, 'invitation', secret))) throw new Problem(linkEnded);
      const goal = {
        purpose: 'invitation',
        accountId: null,
        invitation: secret,
        next: '/',
        again: true,
      } as const;
      return sendGoOn(deps, request, reply, provider, goal);
    }),
  );
}
