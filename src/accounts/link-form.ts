import { Type } from 'typebox';
import { recordRefusal } from '../audit/index.ts';
import { type FormProblem, formProblem } from '../platform/html/index.ts';
import type { Reply, Request } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, unprocessable } from '../platform/problem/index.ts';
import { findLinkHolder, linkEnded } from './account-links.ts';
import type { LinkPurpose } from './account-links-store.ts';
import { hasSecondFactor } from './factors/second-factors-store.ts';
import { providerName } from './provider-name.ts';

export const linkSchema = {
  params: Type.Object({ secret: Type.String({ maxLength: 200 }) }),
} as const;
export const passwordForm = Type.Object({ password: Type.String({ maxLength: 1000 }) });

/** The page behind a link: a form for a password, or that the link has ended. */
export function linkForm(deps: WebPlatform, purpose: LinkPurpose, template: string) {
  const show = async (
    request: Request,
    reply: Reply,
    secret: string,
    errors?: FormProblem,
  ): Promise<Reply> => {
    keepAddressToItself(reply);
    const holder = await findLinkHolder(deps, purpose, secret);
    if (!holder) return sendEnded(deps, request, reply, purpose);
    if (errors) reply.code(unprocessable.status);
    return deps.pages.send(request, reply, template, {
      holder,
      errors,
      // For the form that accepts an invitation with the outside provider (oidc/invited-page.ts).
      secret,
      provider: providerName(deps.settings),
      hasSecondFactor: await hasSecondFactor(deps.db, holder.id),
    });
  };
  return {
    show,
    /** Does what the form was sent for, or shows it again with what is wrong. */
    async answer(request: Request, reply: Reply, secret: string, act: () => Promise<Reply>): Promise<Reply> {
      keepAddressToItself(reply);
      try {
        return await act();
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.kind === linkEnded) return sendEnded(deps, request, reply, purpose);
        if (error.kind !== unprocessable) throw error;
        return show(request, reply, secret, formProblem({ password: 'The password' }, error));
      }
    },
  };
}

/** One page for a link that was used, ran out, was replaced or never was: which of these tells a guesser something. */
async function sendEnded(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  purpose: LinkPurpose,
): Promise<Reply> {
  const actor = { name: 'somebody', address: request.ip };
  await recordRefusal(deps, { actor, action: 'link.opened', details: { purpose } });
  return deps.pages.send(request, reply.code(linkEnded.status), 'accounts/templates/link-ended.njk', {
    purpose,
  });
}

/**
 * The address is a key, so it is told to nobody as the page that somebody came from. `no-referrer` would do that too,
 * but makes browsers send `Origin: null` with the form: where they leave out `Sec-Fetch-Site` as well (Safari before
 * 16.4; plain http), it would be refused as another site's.
 */
function keepAddressToItself(reply: Reply): void {
  reply.header('referrer-policy', 'strict-origin');
}
