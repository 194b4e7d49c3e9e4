import { Type } from 'typebox';
import { type Caller, type Role, requireCaller } from '../accounts/index.ts';
import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { ReferralDeps } from './deps.ts';
import { listOwnReferrals } from './list-referrals.ts';
import { listRows } from './list-rows.ts';
import { referralStatuses } from './referral.ts';
import type { Side } from './state-machine.ts';
import { statusWords } from './status-words.ts';

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
  overdue: Type.Optional(Type.String({ maxLength: 5 })),
  waiting: Type.Optional(Type.String({ maxLength: 5 })),
  service: Type.Optional(Type.String({ maxLength: 200 })),
  cursor: Type.Optional(Type.String({ maxLength: 100 })),
});

/** The referrals that the caller made or has to answer, newest first. */
export function listPage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn());
  app.get('/referrals', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const caller = requireCaller(request);
    const { view, own } = viewsOf(caller, request.query.view);
    const offered = referralStatuses.filter((each) => each !== 'draft' || view.name === 'made');
    const status = offered.find((each) => each === request.query.status);
    const overdue = request.query.overdue === 'yes';
    const waiting = view.name === 'made' && request.query.waiting === 'yes';
    const serviceId = request.query.service || undefined;
    const { items, next_cursor } = await listOwnReferrals(deps, caller, {
      direction: view.name === 'all' ? undefined : view.name,
      statuses: status && [status],
      overdue,
      waiting,
      serviceId,
      cursor: request.query.cursor || undefined,
      limit: pageLength,
      address: request.ip,
    });
    const chosen = {
      view: view.name,
      ...(status && { status }),
      ...(overdue && { overdue: 'yes' }),
      ...(waiting && { waiting: 'yes' }),
      ...(serviceId && { service: serviceId }),
    };
    return deps.pages.send(request, reply, 'referrals/templates/list.njk', {
      view,
      otherViews: own.filter((each) => each !== view),
      status,
      overdue,
      waiting,
      serviceId,
      filtered: Boolean(status || overdue || waiting || serviceId),
      statusChoices: offered.map((value) => ({ value, text: statusWords[value].text })),
      rows: await listRows(deps, caller, items, () => view.sides),
      firstPage: !request.query.cursor,
      newestHref: `/referrals?${new URLSearchParams(chosen)}`,
      olderHref: next_cursor && `/referrals?${new URLSearchParams({ ...chosen, cursor: next_cursor })}`,
    });
  });
}

/** A person with several roles has several lists, and sees the one that is asked for. */
function viewsOf(caller: Caller, asked: string | undefined): { view: View; own: View[] } {
  const own = views.filter(({ role }) => caller.roles.includes(role));
  return { own, view: own.find(({ name }) => name === asked) ?? own[0]! };
}
