import { type Static, Type } from 'typebox';
import type { Caller, Role } from '../../../accounts/index.ts';
import { successBanner } from '../../../platform/html/index.ts';
import { isUuid } from '../../../platform/ids/index.ts';
import {
  tabNames,
  type WorklistName,
  type WorklistRequest,
  workTabs,
} from '../../listing/worklist/list-work.ts';
import type { ReasonToAct } from '../../listing/worklist/work-filter.ts';
import { type ReferralStatus, referralStatuses } from '../../model/referral.ts';
import type { Side } from '../../model/status/state-machine.ts';

/*
 * What the address of a worklist says: which list, its tab, filters and order.
 */

export type Filter = 'urgent' | 'overdue' | 'unread';

export type WorklistKind = {
  readonly name: WorklistName;
  readonly role: Role;
  readonly title: string;
  readonly sides: readonly Side[];
  /** The statuses that its list can be filtered by. */
  readonly statuses: readonly ReferralStatus[];
  readonly filters: readonly Filter[];
};

export const filterWords: Readonly<Record<Filter, string>> = {
  urgent: 'Urgent',
  overdue: 'Overdue',
  unread: 'Unread',
};

/** The reasons to act that a tile of the home page leads to, by their names in addresses, with words that follow “Only ”. */
const reasonFilters: Readonly<Record<string, { reasonToAct: ReasonToAct; words: string }>> = {
  unopened: {
    reasonToAct: 'not-opened-in-time',
    words: 'referrals that are urgent, or of somebody at risk, and were not opened in time',
  },
  unhelped: { reasonToAct: 'unhelped', words: 'declined or closed referrals' },
  message: {
    reasonToAct: 'news-or-question',
    words: 'referrals with a new message or change, or a question to answer',
  },
};

const statusesOfSent = referralStatuses.filter((each) => each !== 'draft');

const worklistKinds: readonly WorklistKind[] = [
  {
    name: 'all',
    role: 'operator',
    title: 'All referrals',
    sides: [],
    statuses: statusesOfSent,
    filters: ['urgent', 'overdue'],
  },
  {
    name: 'received',
    role: 'provider',
    title: 'Referrals to your services',
    sides: ['provider'],
    statuses: statusesOfSent,
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

/** Who has a worklist; a manager reads figures alone. */
export const worklistRoles = worklistKinds.map(({ role }) => role);

/** The orders of a list, by their names in its address. */
export const sorts = [
  { name: 'due', text: 'Due soonest', order: { by: 'due', direction: 'asc' } },
  { name: '-due', text: 'Due latest', order: { by: 'due', direction: 'desc' } },
  { name: '-made', text: 'Newest', order: { by: 'made', direction: 'desc' } },
  { name: 'made', text: 'Oldest', order: { by: 'made', direction: 'asc' } },
] as const;

export const listDone = successBanner({
  'view-saved': 'The view was saved. It is a link above your lists, and on your home page.',
});

const yes = Type.Optional(Type.String({ maxLength: 5 }));
export const listQuery = Type.Object({
  view: Type.Optional(Type.String({ maxLength: 20 })),
  tab: Type.Optional(Type.String({ maxLength: 20 })),
  status: Type.Optional(Type.String({ maxLength: 20 })),
  service: Type.Optional(Type.String({ maxLength: 200 })),
  from: Type.Optional(Type.String({ maxLength: 100 })),
  colleague: Type.Optional(Type.String({ maxLength: 100 })),
  mine: yes,
  urgent: yes,
  overdue: yes,
  unread: yes,
  why: Type.Optional(Type.String({ maxLength: 20 })),
  sort: Type.Optional(Type.String({ maxLength: 20 })),
  /** Emails of earlier versions link to “Needs action” in this way. */
  waiting: yes,
  page: Type.Optional(Type.String({ maxLength: 10 })),
  /** `all` ticks every row of the page, without JavaScript. */
  select: Type.Optional(Type.Literal('all')),
  done: listDone.query,
});

/** What was chosen, as parameters of an address. */
export type ListChoices = Record<string, string>;

/** What the address asks for: `work` for the stores, `chosen` for links. An unknown tab, status or filter is left out. */
export function readWorklistRequest(
  caller: Caller,
  query: Omit<Static<typeof listQuery>, 'done' | 'select'>,
) {
  const { list, ownLists } = listsOf(caller, query.view);
  const wanted = query.waiting === 'yes' ? tabNames.needsAction : query.tab;
  const tab = workTabs[list.name].find(({ name }) => name === wanted)?.name ?? workTabs[list.name][0]!.name;
  const status = list.statuses.find((each) => each === query.status);
  const isOn = (name: Filter) => query[name] === 'yes' && list.filters.includes(name);
  const serviceId = query.service || undefined;
  const sort = sorts.find(({ name }) => name === query.sort);
  const why = Object.keys(reasonFilters).find((each) => tab === tabNames.needsAction && each === query.why);
  const reason = why === undefined ? undefined : reasonFilters[why];
  // PostgreSQL would refuse an id that is no UUID.
  const idOf = (text: string | undefined) => (text !== undefined && isUuid(text) ? text : undefined);
  const ownerId = list.name === 'all' ? undefined : idOf(query.colleague);
  const referrerOrganisationId = list.name === 'made' ? undefined : idOf(query.from);
  const isMine = query.mine === 'yes' && list.name !== 'all' && ownerId === undefined;
  const work: WorklistRequest = {
    list: list.name,
    tab,
    status,
    serviceId,
    mineOnly: isMine,
    ownerId,
    referrerOrganisationId,
    urgentOnly: isOn('urgent'),
    overdueOnly: isOn('overdue'),
    unreadOnly: isOn('unread'),
    sort: sort?.order,
    reasonToAct: reason?.reasonToAct,
  };
  const chosen: ListChoices = {
    view: list.name,
    ...(tab !== workTabs[list.name][0]!.name && { tab }),
    ...(status && { status }),
    ...(serviceId && { service: serviceId }),
    ...(referrerOrganisationId && { from: referrerOrganisationId }),
    ...(ownerId && { colleague: ownerId }),
    ...(isMine && { mine: 'yes' }),
    ...(why && { why }),
    ...(sort && { sort: sort.name }),
    ...Object.fromEntries(list.filters.filter(isOn).map((name) => [name, 'yes'])),
  };
  return { list, ownLists, chosen, work, reasonInWords: reason?.words };
}

export function pathTo(query: Record<string, string | undefined>): string {
  const known = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `/referrals?${new URLSearchParams(known)}`;
}

/** The page of a referral that knows the list from which somebody comes, and its place in that. */
export function listPath(id: string, list: URLSearchParams, place: number): string {
  return `/referrals/${id}?${new URLSearchParams({ list: `${list}&at=${place}` })}`;
}

/** Somebody with several roles has several lists, and sees the requested one. */
function listsOf(
  caller: Caller,
  requested: string | undefined,
): { list: WorklistKind; ownLists: WorklistKind[] } {
  const ownLists = worklistKinds.filter(({ role }) => caller.roles.includes(role));
  return { ownLists, list: ownLists.find(({ name }) => name === requested) ?? ownLists[0]! };
}
