import { Type } from 'typebox';
import { type Caller, type Role, requireCaller } from '../../../accounts/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { type App, page, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { countUnread, listChangedFields } from '../../conversation/messages-store.ts';
import { type ListedReferral, listVisibleReferrals } from '../../listing/list-referrals.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { listWithUnseenCorrections } from '../../model/due/unseen-store.ts';
import { contactNotAsked, isPlainlySafe, safeContactInWords } from '../../model/person/safe-contact.ts';
import type { PresentedReferral } from '../../model/present.ts';
import { referralStatuses, todayIn } from '../../model/referral.ts';
import type { Side } from '../../model/state-machine.ts';
import { statusWords, whoseTurn } from '../../model/words.ts';

type View = {
  readonly name: 'all' | 'received' | 'made';
  readonly role: Role;
  readonly title: string;
  readonly sides: readonly Side[];
  readonly waitsFor: 'referrer' | 'provider' | 'operators';
};

const views: readonly View[] = [
  { name: 'all', role: 'operator', title: 'All referrals', sides: [], waitsFor: 'operators' },
  {
    name: 'received',
    role: 'provider',
    title: 'Referrals to your services',
    sides: ['provider'],
    waitsFor: 'provider',
  },
  { name: 'made', role: 'referrer', title: 'Referrals you made', sides: ['referrer'], waitsFor: 'referrer' },
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

/** The list of referrals that the caller made or received, newest first. */
export function listPage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn());
  app.get('/referrals', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const caller = requireCaller(request);
    const { view, own } = viewsOf(caller, request.query.view);
    const offered = referralStatuses.filter((each) => each !== 'draft' || view.name === 'made');
    const status = offered.find((each) => each === request.query.status);
    const overdue = request.query.overdue === 'yes';
    const waiting = request.query.waiting === 'yes';
    const serviceId = request.query.service || undefined;
    const { items, next_cursor } = await listVisibleReferrals(deps, caller, {
      direction: view.name === 'all' ? undefined : view.name,
      statuses: status && [status],
      overdue,
      waitingFor: waiting ? view.waitsFor : undefined,
      serviceId,
      cursor: request.query.cursor || undefined,
      limit: pageLength,
      ipAddress: request.ip,
    });
    const chosen = {
      view: view.name,
      ...(status && { status }),
      ...(overdue && { overdue: 'yes' }),
      ...(waiting && { waiting: 'yes' }),
      ...(serviceId && { service: serviceId }),
    };
    return deps.pages.send(request, reply, 'referrals/pages/templates/list.njk', {
      view,
      otherViews: own.filter((each) => each !== view),
      status,
      overdue,
      waiting,
      serviceId,
      filtered: Boolean(status || overdue || waiting || serviceId),
      statusChoices: offered.map((value) => ({ value, text: statusWords[value].text })),
      rows: await listRows(
        deps,
        caller,
        items.map(({ referral }) => ({ referral, sides: view.sides })),
      ),
      firstPage: !request.query.cursor,
      newestHref: `/referrals?${new URLSearchParams(chosen)}`,
      olderHref: next_cursor && `/referrals?${new URLSearchParams({ ...chosen, cursor: next_cursor })}`,
    });
  });
}

/** Somebody with several roles has several lists, and sees the requested one. */
function viewsOf(caller: Caller, requested: string | undefined): { view: View; own: View[] } {
  const own = views.filter(({ role }) => caller.roles.includes(role));
  return { own, view: own.find(({ name }) => name === requested) ?? own[0]! };
}

/** Referrals as rows of a list, with the number of messages that this person has not read. */
export async function listRows(
  { db, clock }: ReferralDeps,
  caller: Caller,
  referrals: readonly ListedReferral[],
) {
  const ownIds = referrals.filter(({ sides }) => sides.length > 0).map(({ referral }) => referral.id);
  const unread =
    ownIds.length > 0 ? await countUnread(db, ownIds, caller.accountId) : new Map<string, number>();
  const changed = await listChanged(db, caller, referrals);
  return referrals.map(({ referral, sides }) => {
    const { id, reference, service, status, urgency, overdue, created_at, requested_at } = referral;
    return {
      href: `/referrals/${id}`,
      reference,
      person: referral.restricted ? 'Restricted' : referral.erased_at ? 'Erased' : patientName(referral),
      safeContact: listedContact(referral),
      service,
      status: statusWords[status],
      urgent: urgency === 'urgent',
      overdue,
      possibleDuplicates: referral.possible_duplicates?.length ?? 0,
      changed: changed.has(id),
      unread: unread.get(id) ?? 0,
      madeAt: requested_at ?? created_at,
      turn: whoseTurn(referral, sides, todayIn(clock.now())),
    };
  });
}

/** Those that others have changed since this person last looked, or whose correction nobody of the service has seen. */
async function listChanged(
  db: Db,
  caller: Caller,
  referrals: readonly ListedReferral[],
): Promise<ReadonlySet<string>> {
  const idsOf = (listed: readonly ListedReferral[]) => listed.map(({ referral }) => referral.id);
  const own = idsOf(referrals.filter(({ sides }) => sides.length > 0));
  const received = idsOf(referrals.filter(({ sides }) => sides.includes('provider')));
  const changed = own.length > 0 ? await listChangedFields(db, own, caller.accountId) : new Map();
  const unseen = received.length > 0 ? await listWithUnseenCorrections(db, received) : [];
  return new Set([...changed.keys(), ...unseen]);
}

/** Whenever it is not plainly safe, also where nobody asked or one way alone is safe. */
function listedContact(referral: PresentedReferral): string | undefined {
  if (!('patient' in referral) || referral.status === 'draft') return undefined;
  const { contact } = referral;
  return isPlainlySafe(contact) ? undefined : (safeContactInWords(contact) ?? contactNotAsked);
}

/** In a draft, parts of the name may be missing. */
export function patientName(referral: PresentedReferral): string | undefined {
  const patient = 'patient' in referral ? referral.patient : undefined;
  return patient && [patient.given_name, patient.family_name].filter(Boolean).join(' ');
}
