import { Type } from 'typebox';
import { actionOn } from '../../../accounts/index.ts';
import { successBanner, toFormErrors } from '../../../platform/html/index.ts';
import { type App, page, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { notFound, Problem, requireRefusal } from '../../../platform/problem/index.ts';
import { declineClaim, grantClaim } from './claim-account.ts';
import { listOpenClaims } from './claims-store.ts';

const path = '/operator/account-claims';
const template = 'delivery/answer/templates/account-claims.njk';
const done = successBanner({
  granted: 'The person was invited. They get an email with a link to choose a password.',
  declined: 'The request was declined. The person is not told.',
});
const answers = { grant: grantClaim, decline: declineClaim } as const;
const words = { grant: 'granted', decline: 'declined' } as const;

/** Where operators grant or decline the accounts that staff of services ask for on the page of a link. */
export function accountClaimPages(app: App, deps: WebPlatform): void {
  const querystring = Type.Object({ done: done.query });
  const schema = { hide: true, querystring };
  app.get(path, { config: page(signedIn('operator')), schema }, async (request, reply) =>
    deps.pages.send(request, reply, template, {
      claims: await listOpenClaims(deps.db),
      done: done.words(request.query.done),
    }),
  );

  const config = page(signedIn('operator'), { needsRecentSignIn: true, returnTo: path });
  const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
  for (const answer of ['grant', 'decline'] as const) {
    app.post(`${path}/:id/${answer}`, { config, schema: { hide: true, params } }, async (request, reply) => {
      try {
        await answers[answer](deps, actionOn(request, request.params.id));
        return reply.redirect(done.path(path, words[answer]), 303);
      } catch (error) {
        // Another operator was faster.
        if (error instanceof Problem && error.kind === notFound) return reply.redirect(path, 303);
        requireRefusal(error);
        const claims = await listOpenClaims(deps.db);
        const errors = toFormErrors({}, error);
        return deps.pages.send(request, reply.code(error.kind.status), template, { claims, errors });
      }
    });
  }
}
