import { type Static, Type } from 'typebox';
import { type Caller, type Role, requireCaller } from '../../../accounts/index.ts';
import type { Db } from '../../../platform/database/index.ts';
import { dayMs } from '../../../platform/durations.ts';
import { toCsv } from '../../../platform/html/index.ts';
import { type App, page, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { keeperOf } from '../../casework/casework.ts';
import { findOwnerNames, listReminded } from '../../casework/casework-store.ts';
import { countUnread, listChangedFields } from '../../conversation/messages-store.ts';
import type { ListedReferral } from '../../listing/list-referrals.ts';
import {
  countTabs,
  maxCounted,
  readWork,
  type WorkRequest,
  type WorkView,
  workCountText,
  workTabs,
} from '../../listing/list-work.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { listWithUnseenCorrections } from '../../model/due/unseen-store.ts';
import { isPlainlySafe, safeContactInWords } from '../../model/person/safe-contact.ts';
import type { PresentedReferral } from '../../model/present.ts';
import { londonDate, type ReferralStatus, referralStatuses } from '../../model/referral.ts';
import type { Side } from '../../model/state-machine.ts';
import { statusWords, whoseTurn } from '../../model/words.ts';

type Filter = 'urgent' | 'overdue' | 'unread';

type View = {
  readonly name: WorkView;
  readonly role: Role;
  readonly title: string;
  readonly sides: readonly Side[];
  /** The statuses that its list can be narrowed to. */
  readonly statuses: readonly ReferralStatus[];
  readonly filters: readonly Filter[];
};

const filterWords: Readonly<Record<Filter, string>> = {
  urgent: 'Urgent',
  overdue: 'Overdue',
  unread: 'Unread',
};

const sent = referralStatuses.filter((each) => each !== 'draft');

const views: readonly View[] = [
  {
    name: 'all',
    role: 'operator',
    title: 'All referrals',
    sides: [],
    statuses: sent,
    filters: ['urgent', 'overdue'],
  },
  {
    name: 'received',
    role: 'provider',
    title: 'Referrals to your services',
    sides: ['provider'],
    statuses: sent,
    filters: ['urgent', 'overdue', 'unread'],
  },
  {
    name: 'made',
    role: 'referrer',
    title: 'Referrals you made',
    sides: ['referrer'],
    statuses: referralStatuses,
    filters: ['urgent', 'overdue', 'unread'],
  },
];

/** As the address names each order. */
const sorts = [
  { name: 'due', text: 'Due soonest', is: { by: 'due', direction: 'asc' } },
  { name: '-due', text: 'Due latest', is: { by: 'due', direction: 'desc' } },
  { name: '-made', text: 'Newest', is: { by: 'made', direction: 'desc' } },
  { name: 'made', text: 'Oldest', is: { by: 'made', direction: 'asc' } },
] as const;

const pageLength = 25;
/** Further back, the filters find more quickly. */
const maxPage = 100;

const yes = Type.Optional(Type.String({ maxLength: 5 }));
const querystring = Type.Object({
  view: Type.Optional(Type.String({ maxLength: 20 })),
  tab: Type.Optional(Type.String({ maxLength: 20 })),
  status: Type.Optional(Type.String({ maxLength: 20 })),
  service: Type.Optional(Type.String({ maxLength: 200 })),
  mine: yes,
  urgent: yes,
  overdue: yes,
  unread: yes,
  sort: Type.Optional(Type.String({ maxLength: 20 })),
  /** As emails of earlier versions linked to the tab `waiting`. */
  waiting: yes,
  page: Type.Optional(Type.String({ maxLength: 10 })),
});

/** The worklists of referrals that the caller made or received, and for operators of all. */
export function listPage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn());
  app.get('/referrals', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const caller = requireCaller(request);
    const { view, own, chosen, work } = readListRequest(caller, request.query);
    const number = Math.min(Math.max(Number.parseInt(request.query.page ?? '', 10) || 1, 1), maxPage);
    const { rows, count } = await readWork(deps, caller, work, {
      page: number,
      pageLength,
      ipAddress: request.ip,
    });
    const tabCounts = await countTabs(deps, caller, view.name);
    const here = new URLSearchParams({ ...chosen, ...(number > 1 && { page: String(number) }) });
    const path = (changed: Record<string, string | undefined>) => pathTo({ ...chosen, ...changed });
    return deps.pages.send(request, reply, 'referrals/pages/templates/list.njk', {
      view,
      otherViews: own.filter((each) => each !== view),
      tabs: workTabs[view.name].map(({ name, text }) => ({
        text,
        count: workCountText(tabCounts.get(name)!),
        isHere: name === work.tab,
        href: pathTo({ view: view.name, tab: name }),
      })),
      chosen,
      owners:
        view.name === 'all'
          ? []
          : [
              { text: 'Team', isHere: chosen.mine === undefined, href: path({ mine: undefined }) },
              { text: 'Mine', isHere: chosen.mine === 'yes', href: path({ mine: 'yes' }) },
            ],
      filtered: Object.keys(chosen).some((name) => !['view', 'tab', 'sort'].includes(name)),
      sortChoices: sorts.map(({ name, text }) => ({ value: name, text })),
      sorted: sorts.find(({ name }) => name === chosen.sort)?.text.toLowerCase(),
      headers: { due: headerOf('due', 'asc', chosen), made: headerOf('made', 'desc', chosen) },
      filters: filtersOf(view, chosen),
      statusChoices: view.statuses.map((value) => ({ value, text: statusWords[value].text })),
      rows: (
        await listRows(
          deps,
          caller,
          rows.map(({ referral }) => ({ referral, sides: view.sides })),
        )
      ).map((row, index) => ({ ...row, href: listPath(row.id, here, (number - 1) * pageLength + index) })),
      count,
      countInWords: workCountText(count),
      first: (number - 1) * pageLength + 1,
      last: (number - 1) * pageLength + rows.length,
      allHref: pathTo({ view: view.name }),
      csvHref: `/referrals.csv?${new URLSearchParams(chosen)}`,
      previousHref: number > 1 && path({ page: number > 2 ? String(number - 1) : undefined }),
      nextHref:
        count > number * pageLength && number < maxPage ? path({ page: String(number + 1) }) : undefined,
    });
  });

  app.get('/referrals.csv', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const caller = requireCaller(request);
    const { view, work } = readListRequest(caller, request.query);
    const page = { page: 1, pageLength: maxCounted, ipAddress: request.ip };
    const { rows } = await readWork(deps, caller, work, page);
    const listed = rows.map(({ referral }) => ({ referral, sides: view.sides }));
    const csv = toCsv(csvColumns, (await listRows(deps, caller, listed)).map(csvRow));
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="referrals.csv"')
      .send(csv);
  });
}

type Chosen = Record<string, string>;

/** What the address asks for. An unknown tab, status or filter is left out. */
export function readListRequest(caller: Caller, query: Static<typeof querystring>) {
  const { view, own } = viewsOf(caller, query.view);
  const wanted = query.waiting === 'yes' ? 'waiting' : query.tab;
  const tab = workTabs[view.name].find(({ name }) => name === wanted)?.name ?? workTabs[view.name][0]!.name;
  const status = view.statuses.find((each) => each === query.status);
  const isOn = (name: Filter) => query[name] === 'yes' && view.filters.includes(name);
  const serviceId = query.service || undefined;
  const sort = sorts.find(({ name }) => name === query.sort);
  const isMine = query.mine === 'yes' && view.name !== 'all';
  const work: WorkRequest = {
    view: view.name,
    tab,
    status,
    serviceId,
    mineOnly: isMine,
    urgentOnly: isOn('urgent'),
    overdueOnly: isOn('overdue'),
    unreadOnly: isOn('unread'),
    sort: sort?.is,
  };
  const chosen: Chosen = {
    view: view.name,
    ...(tab !== workTabs[view.name][0]!.name && { tab }),
    ...(status && { status }),
    ...(serviceId && { service: serviceId }),
    ...(isMine && { mine: 'yes' }),
    ...(sort && { sort: sort.name }),
    ...Object.fromEntries(view.filters.filter(isOn).map((name) => [name, 'yes'])),
  };
  return { view, own, chosen, work };
}

/** The link in the header of a column: it sorts by that, first in the more useful direction, and then in the other. */
function headerOf(by: 'due' | 'made', first: 'asc' | 'desc', chosen: Chosen) {
  const now = sorts.find(({ name, is }) => name === chosen.sort && is.by === by)?.is.direction;
  const wanted = now === undefined ? first : now === 'asc' ? 'desc' : 'asc';
  const next = sorts.find(({ is }) => is.by === by && is.direction === wanted)!;
  return {
    href: pathTo({ ...chosen, sort: next.name }),
    sort: now === undefined ? 'none' : now === 'asc' ? 'ascending' : 'descending',
    next: next.text.toLowerCase(),
  };
}

function pathTo(query: Record<string, string | undefined>): string {
  const known = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `/referrals?${new URLSearchParams(known)}`;
}

/** The page of a referral that knows the list from which somebody comes, and its place in that. */
export function listPath(id: string, list: URLSearchParams, place: number): string {
  return `/referrals/${id}?${new URLSearchParams({ list: `${list}&at=${place}` })}`;
}

/** Each filter of a list, and whether it is on. */
function filtersOf(view: View, chosen: Chosen) {
  return view.filters.map((name) => ({
    name,
    text: filterWords[name],
    isOn: chosen[name] === 'yes',
  }));
}

const csvColumns = [
  'reference',
  'person',
  'service',
  'status',
  'urgency',
  'due',
  'made',
  'next_step',
] as const;

function csvRow(row: Awaited<ReturnType<typeof listRows>>[number]): string[] {
  return [
    row.reference,
    row.person ?? '',
    row.service?.name ?? '',
    row.status.text,
    row.urgent ? 'urgent' : 'routine',
    row.due?.date ?? '',
    String(row.madeAt).slice(0, 10),
    row.turn,
  ];
}

/** Somebody with several roles has several lists, and sees the requested one. */
function viewsOf(caller: Caller, requested: string | undefined): { view: View; own: View[] } {
  const own = views.filter(({ role }) => caller.roles.includes(role));
  return { own, view: own.find(({ name }) => name === requested) ?? own[0]! };
}

/** Referrals as rows of a list, with the number of messages that this person has not read. */
export async function listRows(
  { db, clock, settings }: ReferralDeps,
  caller: Caller,
  referrals: readonly ListedReferral[],
) {
  const ownIds = referrals.filter(({ sides }) => sides.length > 0).map(({ referral }) => referral.id);
  const unread =
    ownIds.length > 0 ? await countUnread(db, ownIds, caller.accountId) : new Map<string, number>();
  const changed = await listChanged(db, caller, referrals);
  const owned = await listOwned({ db, clock }, caller, referrals);
  return referrals.map(({ referral, sides }) => {
    const { id, reference, service, status, urgency, overdue, created_at, requested_at, next_date } =
      referral;
    return {
      id,
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
      owner: owned.owners.get(id),
      isReminded: owned.reminded.has(id),
      unread: unread.get(id) ?? 0,
      madeAt: requested_at ?? created_at,
      due: next_date === null ? undefined : dueInWords(next_date, londonDate(clock.now())),
      turn: whoseTurn(settings, referral, sides, londonDate(clock.now())),
    };
  });
}

/** Who looks after each of them on the reader's side, and which the reader asked to be reminded of by now. */
async function listOwned(
  { db, clock }: Pick<ReferralDeps, 'db' | 'clock'>,
  caller: Caller,
  referrals: readonly ListedReferral[],
): Promise<{ owners: Map<string, string>; reminded: ReadonlySet<string> }> {
  const bySide = Map.groupBy(referrals, ({ sides }) => sides[0]);
  const owners = new Map<string, string>();
  const ownIds: string[] = [];
  for (const [side, listed] of bySide) {
    if (side === undefined) continue;
    const ids = listed.map(({ referral }) => referral.id);
    ownIds.push(...ids);
    for (const [id, name] of await findOwnerNames(db, ids, side, keeperOf(caller))) owners.set(id, name);
  }
  const today = londonDate(clock.now());
  return { owners, reminded: await listReminded(db, ownIds, { accountId: caller.accountId, today }) };
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

/** A day such as 2026-11-23, and how far it is: “in 3 days”, “2 days overdue”. */
export function dueInWords(date: string, today: string): { date: string; left: string } {
  const days = Math.round((Date.parse(date) - Date.parse(today)) / dayMs);
  const count = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`;
  const left = days === 0 ? 'today' : days > 0 ? `in ${count}` : `${count} overdue`;
  return { date, left };
}

/** Whenever it is not plainly safe, also where nobody asked or one way alone is safe. */
function listedContact(referral: PresentedReferral): string | undefined {
  if (!('patient' in referral) || referral.status === 'draft') return undefined;
  const { contact } = referral;
  return isPlainlySafe(contact) ? undefined : (safeContactInWords(contact) ?? 'Safe contact not asked');
}

/** In a draft, parts of the name may be missing. */
export function patientName(referral: PresentedReferral): string | undefined {
  const patient = 'patient' in referral ? referral.patient : undefined;
  return patient && [patient.given_name, patient.family_name].filter(Boolean).join(' ');
}
