import { actorOf, type Caller } from '../../../accounts/index.ts';
import { type AuditAction, recordAudit } from '../../../audit/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { recordAccessByList } from '../../model/access/looks.ts';
import { sidesOf } from '../../model/access/sides.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { londonDate } from '../../model/due/dates.ts';
import type { ReferralStatus } from '../../model/referral.ts';
import { type ListedReferral, presentListedReferrals, visibilityFor } from '../list-referrals.ts';
import { type FilterChoices, listChoices } from './filter-choices-store.ts';
import { findByWords } from './words-store.ts';
import type { ReasonToAct, WorklistFilter, WorklistSort } from './work-filter.ts';
import { countChangedInWorklist, countReasons, countWorklist, listWorklistRows } from './work-store.ts';

/** The lists of referrals: those a side made, those to its services, and for operators all. */
export type WorklistName = 'made' | 'received' | 'all';

type Tab = { readonly name: string; readonly text: string; readonly statuses?: readonly ReferralStatus[] };

/** How addresses name the tabs. `waiting` is older than its tab’s text. */
export const tabNames = {
  all: 'all',
  needsAction: 'waiting',
  unanswered: 'unanswered',
  underWay: 'under-way',
  waitingList: 'waiting-list',
  drafts: 'drafts',
  ended: 'ended',
} as const;

const all: Tab = { name: tabNames.all, text: 'All' };
const needsAction: Tab = { name: tabNames.needsAction, text: 'Needs action' };
const underWay: Tab = {
  name: tabNames.underWay,
  text: 'Accepted or started',
  statuses: ['accepted', 'in-progress'],
};
const waitingList: Tab = { name: tabNames.waitingList, text: 'Waiting list', statuses: ['on-hold'] };
const drafts: Tab = { name: tabNames.drafts, text: 'Drafts', statuses: ['draft'] };
const ended: Tab = {
  name: tabNames.ended,
  text: 'Ended',
  statuses: ['completed', 'rejected', 'failed', 'cancelled', 'entered-in-error'],
};
const unansweredTab = (text: string): Tab => ({ name: tabNames.unanswered, text, statuses: ['requested'] });

/** The tabs of each list. The first opens by itself. */
export const workTabs: Readonly<Record<WorklistName, readonly Tab[]>> = {
  made: [all, needsAction, unansweredTab('Waiting for an answer'), underWay, waitingList, drafts, ended],
  received: [all, needsAction, unansweredTab('New'), underWay, waitingList, ended],
  all: [all, needsAction, unansweredTab('Waiting for an answer'), underWay, waitingList, ended],
};

/** The tab and the filters that somebody chose for a worklist. */
export type WorklistRequest = {
  list: WorklistName;
  /** The name of a tab. */
  tab: string;
  /** Only this status, within the tab. */
  status?: ReferralStatus | undefined;
  serviceId?: string | undefined;
  mineOnly?: boolean;
  /** Only those that this colleague looks after. */
  ownerId?: string | undefined;
  referrerOrganisationId?: string | undefined;
  urgentOnly?: boolean;
  overdueOnly?: boolean;
  unreadOnly?: boolean;
  sort?: WorklistSort | undefined;
  /** In the tab of what needs the reader, only what does for this reason. */
  reasonToAct?: ReasonToAct | undefined;
};

/** As `WorklistRequest`, for the list itself. What counts its rows takes no words. */
type WorklistSearch = WorklistRequest & {
  /** Only those that have all of these words, or their first letters, in what the list shows of them. */
  words?: string | undefined;
};

/** The numbers of rows are exact up to here. */
export const maxCounted = 1000;

const grouped = (count: number) => count.toLocaleString('en-GB');

/** “12”, or “1,000+” for any number above what is counted. */
export const workCountText = (count: number) =>
  count > maxCounted ? `${grouped(maxCounted)}+` : grouped(count);

/** How the audit calls the reading of a list. */
type ListAction = Extract<AuditAction, 'referral.listed' | 'referral.list_downloaded' | 'home.viewed'>;

/** One page of a worklist, and how many rows it has. The listing is audited. */
export async function readWorklist(
  deps: ReferralDeps,
  caller: Caller,
  { words, ...request }: WorklistSearch,
  {
    page,
    pageLength,
    action = 'referral.listed',
    ipAddress,
  }: { page: number; pageLength: number; action?: ListAction; ipAddress: string },
): Promise<{ rows: ListedReferral[]; count: number }> {
  const now = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const withoutWords = filterOf(caller, request, now);
    const ids = words ? await findByWords(trx, withoutWords, words) : undefined;
    const filter = { ...withoutWords, ids };
    const items = await listWorklistRows(trx, filter, { offset: (page - 1) * pageLength, limit: pageLength });
    await recordAudit(trx, {
      at: now,
      actor: actorOf(caller, ipAddress),
      action,
      details: { referrals: items.map(({ id }) => id) },
    });
    const readable = items.filter((referral) => sidesOf(caller, referral).length > 0);
    await recordAccessByList(trx, caller, readable, now);
    return {
      rows: await presentListedReferrals(trx, deps, caller, items, now),
      count: await countWorklist(trx, filter, maxCounted + 1),
    };
  });
}

/**
 * The referral after this one in a worklist. If this one is no longer at its place, because somebody has worked on it, the next has
 * moved up to it.
 */
export async function findNextInWorklist(
  { db, clock }: Pick<ReferralDeps, 'db' | 'clock'>,
  caller: Caller,
  request: WorklistRequest,
  { id, place }: { id: string; place: number },
): Promise<{ id: string; place: number } | undefined> {
  const offset = Math.max(place - 1, 0);
  const near = await listWorklistRows(db, filterOf(caller, request, clock.now()), { offset, limit: 4 });
  const here = near.findIndex((each) => each.id === id);
  const next = here === -1 ? place - offset : here + 1;
  const row = near[next];
  return row && { id: row.id, place: offset + next };
}

/** The number of rows of each tab. @param filters what the tabs are narrowed to; left out, all rows are counted */
export async function countTabs(
  deps: Pick<ReferralDeps, 'db' | 'clock'>,
  caller: Caller,
  list: WorklistName,
  filters: Omit<WorklistRequest, 'list' | 'tab' | 'reasonToAct'> = {},
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name: tab } of workTabs[list])
    counts.set(tab, await countWorkRows(deps, caller, { ...filters, list, tab }));
  return counts;
}

/** How many rows a list has: exact up to `maxCounted`, and one more for any higher number. */
export function countWorkRows(
  { db, clock }: Pick<ReferralDeps, 'db' | 'clock'>,
  caller: Caller,
  request: WorklistRequest,
): Promise<number> {
  return countWorklist(db, filterOf(caller, request, clock.now()), maxCounted + 1);
}

/** How many rows of a list others have added or changed since a moment. */
export function countChanged(
  { db, clock }: Pick<ReferralDeps, 'db' | 'clock'>,
  caller: Caller,
  request: WorklistRequest,
  since: Date,
): Promise<number> {
  return countChangedInWorklist(db, filterOf(caller, request, clock.now()), { since, max: maxCounted + 1 });
}

/** How many referrals need attention from this side, for each reason. */
export function countReasonsToAct(
  { db, clock }: Pick<ReferralDeps, 'db' | 'clock'>,
  caller: Caller,
  request: Pick<WorklistRequest, 'list' | 'mineOnly'>,
): Promise<Map<ReasonToAct, number>> {
  return countReasons(db, filterOf(caller, { ...request, tab: tabNames.needsAction }, clock.now()));
}

/** What a page has counted of one list: the rows of each tab. */
export type CountedTabs = { list: WorklistName; tabs: ReadonlyMap<string, number> };

/** How many referrals need the caller, in all of their roles. The menu shows it. @param counted what the page has counted already */
export async function countNeedingCaller(
  deps: Pick<ReferralDeps, 'db' | 'clock'>,
  caller: Caller,
  counted?: CountedTabs,
): Promise<number> {
  const count = async (list: WorklistName, tab: string) =>
    (counted?.list === list ? counted.tabs.get(tab) : undefined) ??
    countWorkRows(deps, caller, { list, tab });
  let total = 0;
  if (caller.roles.includes('referrer')) total += await count('made', tabNames.needsAction);
  if (caller.roles.includes('provider')) total += await count('received', tabNames.needsAction);
  if (caller.roles.includes('operator')) total += await count('all', tabNames.needsAction);
  return total;
}

/** What a list can be filtered by besides statuses: the services and organisations of its latest referrals, by name. */
export function listFilterChoices(
  { db, clock }: Pick<ReferralDeps, 'db' | 'clock'>,
  caller: Caller,
  list: WorklistName,
): Promise<FilterChoices> {
  return listChoices(db, filterOf(caller, { list, tab: all.name }, clock.now()));
}

const sideOfList = { made: 'referrer', received: 'provider', all: 'operators' } as const;

function filterOf(caller: Caller, request: WorklistRequest, now: Date): WorklistFilter {
  const { list, tab, status, ...filters } = request;
  const { name, statuses } = workTabs[list].find((each) => each.name === tab) ?? all;
  return {
    visibility: visibilityFor(caller, list === 'all' ? undefined : list),
    statuses: status ? [status].filter((each) => statuses?.includes(each) ?? true) : statuses,
    needsActionOnly: name === tabNames.needsAction,
    accountId: caller.accountId,
    side: sideOfList[list],
    today: londonDate(now),
    now,
    ...filters,
  };
}
