import { Type } from 'typebox';
import { type Caller, type Role, requireCaller } from '../accounts/index.ts';
import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { ReferralDeps } from './deps.ts';
import { listOwnReferrals } from './list-referrals.ts';
import type { PresentedReferral } from './present.ts';
import { reachableStatuses, type Side } from './state-machine.ts';
import { statusWords, whoseTurn } from './status-words.ts';

type View = {
  readonly name: 'all' | 'received' | 'made';
  readonly role: Role;
  readonly title: string;
  readonly sides: readonly Side[];
};

const views: readonly View[] = [
  { name: 'all', role: 'operator', title: 'All referrals', sides: [] },
  { name: 'received', role: 'provider', title: 'Referrals to your services', sides: ['provider'] },
  { name: 'made', role: 'referrer', title: 'Referrals you made', sides: ['referrer'] },
];

const pageLength = 25;

const querystring = Type.Object({
  view: Type.Optional(Type.String({ maxLength: 20 })),
  status: Type.Optional(Type.String({ maxLength: 20 })),
  cursor: Type.Optional(Type.String({ maxLength: 100 })),
});

/** The referrals that the caller made or has to answer, newest first. */
export function listPage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn());
  app.get('/referrals', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const caller = requireCaller(request);
    const { view, own } = viewsOf(caller, request.query.view);
    const status = reachableStatuses.find((each) => each === request.query.status);
    const { items, next_cursor } = await listOwnReferrals(deps, caller, {
      direction: view.name === 'all' ? undefined : view.name,
      statuses: status && [status],
      cursor: request.query.cursor || undefined,
      limit: pageLength,
      address: request.ip,
    });
    return deps.pages.send(request, reply, 'referrals/templates/list.njk', {
      view,
      otherViews: own.filter((each) => each !== view),
      status,
      statusChoices: reachableStatuses.map((value) => ({ value, text: statusWords[value].text })),
      rows: items.map((referral) => rowOf(referral, view.sides)),
      firstPage: !request.query.cursor,
      olderHref: next_cursor && olderHref(view, status, next_cursor),
    });
  });
}

/** A person with several roles has several lists, and sees the one that is asked for. */
function viewsOf(caller: Caller, asked: string | undefined): { view: View; own: View[] } {
  const own = views.filter(({ role }) => caller.roles.includes(role));
  return { own, view: own.find(({ name }) => name === asked) ?? own[0]! };
}

function rowOf(referral: PresentedReferral, sides: readonly Side[]) {
  const { id, reference, service, status, urgency, created_at } = referral;
  const organisation = service.organization_name ?? service.name;
  const person = 'patient' in referral ? referral.patient : undefined;
  return {
    href: `/referrals/${id}`,
    reference,
    person: person && `${person.given_name} ${person.family_name}`,
    service,
    status: statusWords[status],
    urgent: urgency === 'urgent',
    madeAt: created_at,
    turn: whoseTurn(status, sides, organisation),
  };
}

function olderHref(view: View, status: string | undefined, cursor: string): string {
  return `/referrals?${new URLSearchParams({ view: view.name, ...(status && { status }), cursor })}`;
}
