import { Type } from 'typebox';
import { actionOn } from '../../accounts/index.ts';
import { findOrganisationForAccount } from '../../library/index.ts';
import { successBanner, toFormErrors } from '../../platform/html/index.ts';
import { type App, page, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem, requireRefusal } from '../../platform/problem/index.ts';
import { declineRequest, grantRequest } from './answer-request.ts';
import type { DeveloperRequest } from './developer-request.ts';
import { listOpenRequests } from './requests-store.ts';

const path = '/operator/developer-requests';
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const done = successBanner({
  granted: 'The request was granted. The developer gets an email.',
  declined: 'The request was declined. The developer gets an email.',
});
const answers = { grant: grantRequest, decline: declineRequest } as const;
const words = { grant: 'granted', decline: 'declined' } as const;

/** Where operators grant or decline what developers of client systems ask for. */
export function developerRequestPages(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'));
  const querystring = Type.Object({ done: done.query });
  const list = async () =>
    Promise.all((await listOpenRequests(deps.db)).map((each) => withOrganisation(deps, each)));
  app.get(path, { config, schema: { hide: true, querystring } }, async (request, reply) =>
    deps.pages.send(request, reply, 'developers/templates/developer-requests.njk', {
      requests: await list(),
      done: done.words(request.query.done),
    }),
  );

  const changing = page(signedIn('operator'), { needsRecentSignIn: true, returnTo: path });
  for (const answer of ['grant', 'decline'] as const) {
    app.post(
      `${path}/:id/${answer}`,
      { config: changing, schema: { hide: true, params } },
      async (request, reply) => {
        try {
          await answers[answer](deps, actionOn(request, request.params.id));
          return reply.redirect(done.path(path, words[answer]), 303);
        } catch (error) {
          // Another operator has answered the request already.
          if (error instanceof Problem && error.kind === notFound) return reply.redirect(path, 303);
          requireRefusal(error);
          return deps.pages.send(
            request,
            reply.code(error.kind.status),
            'developers/templates/developer-requests.njk',
            { requests: await list(), errors: toFormErrors({}, error) },
          );
        }
      },
    );
  }
}

/** The organisation that the account will have, for the operator to read. */
async function withOrganisation({ db }: WebPlatform, request: DeveloperRequest) {
  if (request.kind === 'return-address') return request;
  const { organizationId, role, organisationName } = request;
  const organisation =
    organizationId === null
      ? organisationName
      : (await findOrganisationForAccount(db, [role], organizationId))?.name;
  return { ...request, willBelongTo: organisation ?? 'an organisation that has gone' };
}
