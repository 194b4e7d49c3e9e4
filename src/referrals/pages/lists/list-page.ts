import type { Static } from 'typebox';
import { type Caller, requireCaller } from '../../../accounts/index.ts';
import { findReferralMarks } from '../../../library/index.ts';
import { type FormErrors, readFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { caseworkTeamOf } from '../../casework/casework.ts';
import { listColleaguesFor } from '../../casework/casework-store.ts';
import type { FilterChoices } from '../../listing/worklist/filter-choices-store.ts';
import {
  countTabs,
  listFilterChoices,
  maxCounted,
  readWorklist,
  tabNames,
  workCountText,
  workTabs,
} from '../../listing/worklist/list-work.ts';
import { maxFound } from '../../listing/worklist/words-store.ts';
import { hiddenService } from '../../model/access/hide-sensitive-services.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { statusName } from '../../model/presentation/words.ts';
import { type OpenFirst, openFirstShort, openFirstWords } from './accept-opened.ts';
import type { Badges } from './badges.ts';
import {
  filterWords,
  type ListChoices,
  listDone,
  listPath,
  listQuery,
  pathTo,
  readWorklistRequest,
  sorts,
  type WorklistKind,
  worklistRoles,
} from './list-request.ts';
import { listRows, rowsAsCsv } from './list-rows.ts';
import { listOwnViews } from './saved-view-pages.ts';

/** What a page with a list needs. */
export type ListPageDeps = ReferralDeps & WebPlatform & { badges: Badges };

const pageLength = 25;
export const maxWordsLength = 100;
/** As many as a page has. */
export const maxSelected = pageLength;
/** A filter is quicker than more pages, and for a later page the database would read all rows before it. */
const maxPage = 100;

/** The worklists of referrals that the caller made or received, and for operators of all. */
export function listPage(app: App, deps: ListPageDeps): void {
  const config = page(signedIn(...worklistRoles), { countsBadge: true });
  app.get('/referrals', { config, schema: { hide: true, querystring: listQuery } }, (request, reply) =>
    sendList(deps, request, reply, request.query, {}),
  );

  // By POST: the words may be somebody’s name, which must not be kept in an address, a browser’s history or a log.
  app.get('/referrals/find', { config, schema: { hide: true, querystring: listQuery } }, (request, reply) => {
    const { chosen } = readWorklistRequest(requireCaller(request), request.query);
    return reply.redirect(pathTo(chosen), 303);
  });
  app.post(
    '/referrals/find',
    { config, schema: { hide: true, querystring: listQuery, body: anyForm } },
    (request, reply) => {
      const { words, page: number } = readFields(request.body, ['words', 'page']);
      const typed = words.slice(0, maxWordsLength);
      return sendList(deps, request, reply, { ...request.query, page: number }, { words: typed });
    },
  );

  app.get(
    '/referrals.csv',
    { config, schema: { hide: true, querystring: listQuery } },
    async (request, reply) => {
      const caller = requireCaller(request);
      const { list, work } = readWorklistRequest(caller, request.query);
      const page = {
        page: 1,
        pageLength: maxCounted,
        action: 'referral.list_downloaded',
        ipAddress: request.ip,
      } as const;
      const { rows } = await readWorklist(deps, caller, work, page);
      // A file goes where the site cannot see it, so it names no sensitive service, not even for its staff.
      const { isSensitive } = await findReferralMarks(deps.db);
      const listed = rows.map(({ referral }) => ({
        referral: isSensitive({ ...referral, created_at: new Date(referral.created_at) })
          ? { ...referral, ...hiddenService }
          : referral,
        sides: list.sides,
      }));
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="referrals.csv"')
        .send(rowsAsCsv(await listRows(deps, caller, listed), { showsPeople: list.name !== 'all' }));
    },
  );
}

/** What was done with the selected referrals, and which were skipped. `what` follows a number: “accepted”. */
export type BulkResult = {
  what: string;
  count: number;
  skipped: readonly { name: string; href: string | undefined; reason: string }[];
};

type ListState = {
  /** Only referrals that were found by these. */
  words?: string;
  result?: BulkResult;
  errors?: FormErrors;
  selectedIds?: readonly string[];
};

/** The page of the list that an address asks for, also after something was done with its rows. */
export async function sendList(
  deps: ListPageDeps,
  request: Request,
  reply: Reply,
  query: Static<typeof listQuery>,
  state: ListState,
): Promise<Reply> {
  const caller = requireCaller(request);
  const listRequest = readWorklistRequest(caller, query);
  const work = await readList(deps, caller, listRequest, {
    ...state,
    typedPage: query.page,
    ipAddress: request.ip,
  });
  await countForMenu(deps, request, caller, listRequest, work.tabCounts);
  return deps.pages.send(request, reply, 'referrals/pages/templates/lists/list.njk', {
    ...wordsOf(listRequest, work, state),
    ...filteringOf(listRequest, work, state.words, caller.accountId),
    ...savingOf(listRequest, work),
    ...rowsOf(listRequest, work, state, { isEverySelected: query.select === 'all' }),
    ...pagingOf(listRequest, work),
    result: state.result,
    errors: state.errors,
    done: listDone.words(query.done),
  });
}

type WorklistRequest = ReturnType<typeof readWorklistRequest>;

/** Reads what the page of a list shows. */
async function readList(
  deps: ListPageDeps,
  caller: Caller,
  { list, work }: WorklistRequest,
  { words, typedPage, ipAddress }: { words?: string; typedPage: string | undefined; ipAddress: string },
) {
  const { name, sides } = list;
  const shownAt = deps.clock.now();
  const { page, rows, count } = await readPageOrLast(typedPage, (page) =>
    readWorklist(deps, caller, { ...work, words }, { page, pageLength, ipAddress }),
  );
  // Each tab keeps the filters, but neither another tab nor its reason.
  const { tab: _tab, reasonToAct: _reason, ...filters } = work;
  const mayAccept =
    name === 'received' &&
    rows.some(({ referral }) => referral.status === 'requested' && !referral.restricted);
  return {
    shownAt,
    page,
    count,
    mayAccept,
    tabCounts: await countTabs(deps, caller, name, filters),
    rows: await listRows(
      deps,
      caller,
      rows.map(({ referral }) => ({ referral, sides })),
      { mayAccept },
    ),
    choices: await listFilterChoices(deps, caller, name),
    colleagues: sides.length === 0 ? [] : await listColleaguesFor(deps.db, sides, caseworkTeamOf(caller)),
    savedViews: await listOwnViews(deps, caller),
  };
}

type ReadList = Awaited<ReturnType<typeof readList>>;

/** The menu shows how many referrals need the caller. A list without filters has counted its own already. */
async function countForMenu(
  { badges }: ListPageDeps,
  request: Request,
  caller: Caller,
  { list, chosen }: WorklistRequest,
  tabs: ReadList['tabCounts'],
): Promise<void> {
  const isNarrowed =
    chosen.mine !== undefined || filterNamesOf(list).some((name) => chosen[name] !== undefined);
  await badges.count(request, caller, isNarrowed ? undefined : { list: list.name, tabs });
}

/** Changes of the address of a list: `undefined` takes a parameter away. */
type ListChanges = Record<string, string | undefined>;

/** Which list this is, its tabs, and the words that it was searched by. */
function wordsOf(
  { list, ownLists, chosen, work, reasonInWords }: WorklistRequest,
  read: ReadList,
  { words }: ListState,
) {
  const { page, count, shownAt } = read;
  return {
    list,
    otherLists: ownLists.filter((each) => each !== list),
    tabs: workTabs[list.name].map(({ name, text }) => ({
      text,
      count: workCountText(read.tabCounts.get(name)!),
      isHere: name === work.tab,
      href: pathTo({ ...chosen, tab: name, why: undefined }),
    })),
    reason: reasonInWords && { words: reasonInWords, allHref: pathTo({ ...chosen, why: undefined }) },
    words,
    unsearchedHref: pathTo(chosen),
    find: { action: `/referrals/find?${new URLSearchParams(chosen)}`, page },
    isCut: words && count >= maxFound && maxFound,
    live: !words && {
      stream: `/referrals/live?${new URLSearchParams({ ...chosen, since: String(shownAt.getTime()) })}`,
      list: pathTo(addressOf(chosen, page)),
    },
    allHref: pathTo({ view: list.name }),
    csvHref: !words && `/referrals.csv?${new URLSearchParams(chosen)}`,
  };
}

/** What the address of this page of the list says. */
function addressOf(chosen: ListChoices, page: number): ListChoices {
  return { ...chosen, ...(page > 1 && { page: String(page) }) };
}

/** The views that the reader has saved, and whether this list can become one. */
function savingOf({ chosen }: WorklistRequest, { savedViews }: ReadList) {
  const shown = savedViews.map((each) => ({ ...each, isHere: each.href === pathTo(chosen) }));
  return {
    savedViews: shown,
    canSaveView: Object.keys(chosen).length > 1 && !shown.some(({ isHere }) => isHere),
    query: String(new URLSearchParams(chosen)),
  };
}

/** The rows of the page, and what can be done with those that are ticked. */
function rowsOf(
  { list, chosen }: WorklistRequest,
  { rows, page, colleagues, mayAccept }: ReadList,
  { words, errors, selectedIds = [] }: ListState,
  { isEverySelected }: { isEverySelected: boolean },
) {
  const here = addressOf(chosen, page);
  const selectable = rows.filter(({ selection }) => selection !== undefined);
  return {
    rows: rows.map((row, index) => ({
      ...row,
      selectionNumber: selectable.indexOf(row) + 1,
      // The address of a list lacks the words, so it would lead on to another referral.
      href: words ? row.href : listPath(row.id, new URLSearchParams(here), (page - 1) * pageLength + index),
      isSelected: isEverySelected || selectedIds.includes(row.id),
      ...openFirstOf(row.openFirst),
    })),
    bulk: list.sides.length > 0 &&
      selectable.length > 0 && {
        action: pathTo(here).replace('/referrals?', '/referrals/selected?'),
        selectAllHref: `${pathTo({ ...here, select: 'all' })}#selected`,
        selectNoneHref: `${pathTo(here)}#selected`,
        mayAccept,
        someToOpenFirst: rows.some(({ openFirst }) => openFirst !== undefined),
        colleagues,
        mayUnassign: list.name !== 'made',
        allAreSelected: isEverySelected,
        isSelecting: isEverySelected || selectedIds.length > 0 || errors !== undefined,
      },
  };
}

type WorklistPage = Awaited<ReturnType<typeof readWorklist>>;

/** The page of the address; the last one, if somebody has worked on all rows of that page since. */
async function readPageOrLast(
  typed: string | undefined,
  read: (page: number) => Promise<WorklistPage>,
): Promise<WorklistPage & { page: number }> {
  const wanted = Math.min(Math.max(Number.parseInt(typed ?? '', 10) || 1, 1), maxPage);
  const workPage = await read(wanted);
  if (workPage.rows.length > 0 || wanted === 1) return { ...workPage, page: wanted };
  const last = Math.max(Math.ceil(workPage.count / pageLength), 1);
  return { ...(await read(last)), page: last };
}

/** Which of the rows are on this page, and the pages before and after it. */
function pagingOf({ chosen }: WorklistRequest, { page, count, rows }: ReadList) {
  const before = (page - 1) * pageLength;
  const hasNext = count > page * pageLength && page < maxPage;
  const path = (changed: ListChanges) => pathTo({ ...chosen, ...changed });
  return {
    count,
    countInWords: workCountText(count),
    first: before + 1,
    last: before + rows.length,
    previousHref: page > 1 && path({ page: page > 2 ? String(page - 1) : undefined }),
    nextHref: hasNext ? path({ page: String(page + 1) }) : undefined,
  };
}

function sortingOf(list: WorklistKind, chosen: ListChoices) {
  // Of somebody who waits for a place, the service says by this day whether it is safe to wait on.
  const isOwnWaitingList = list.name === 'received' && chosen.tab === tabNames.waitingList;
  return {
    sortChoices: sorts.map(({ name, text }) => ({ value: name, text })),
    sorted: sorts.find(({ name }) => name === chosen.sort)?.text.toLowerCase(),
    headers: {
      dueName: isOwnWaitingList ? 'Check by' : 'Due',
      due: headerOf('due', 'asc', chosen),
      made: headerOf('made', 'desc', chosen),
    },
  };
}

function filterNamesOf({ filters }: WorklistKind): string[] {
  return ['status', 'service', 'from', 'colleague', ...filters];
}

/** The order and filters of a list, which of them are on, and the list without them. */
function filteringOf(
  { list, chosen }: WorklistRequest,
  { choices, colleagues, tabCounts }: ReadList,
  words: string | undefined,
  accountId: string,
) {
  const names = filterNamesOf(list);
  const without = Object.fromEntries(names.map((name) => [name, undefined]));
  const filtered = words || Object.keys(chosen).some((name) => !['view', 'tab', 'sort'].includes(name));
  return {
    chosen,
    ...sortingOf(list, chosen),
    filtered,
    isEmpty: !filtered && [...tabCounts.values()].every((count) => count === 0),
    filters: list.filters.map((name) => ({ name, text: filterWords[name], isOn: chosen[name] === 'yes' })),
    filtersInUse: names.filter((name) => chosen[name] !== undefined).length,
    unfilteredHref: pathTo({ ...chosen, ...without }),
    statusChoices: list.statuses.map((value) => ({ value, text: statusName(value) })),
    owners: ownersOf(list, chosen),
    choices: choicesOf(list, chosen, choices, colleagues, accountId),
  };
}

/** A row that cannot be accepted from the list says why. It can be ticked, to be assigned. */
function openFirstOf(why: OpenFirst | undefined) {
  return why === undefined ? {} : { openFirst: openFirstWords[why], openFirstShort: openFirstShort[why] };
}

/** Operators look after no referral. */
function ownersOf(list: WorklistKind, chosen: ListChoices) {
  if (list.name === 'all') return [];
  const href = (mine: string | undefined) => pathTo({ ...chosen, colleague: undefined, mine });
  return [
    {
      text: 'Team',
      isHere: chosen.mine === undefined && chosen.colleague === undefined,
      href: href(undefined),
    },
    { text: 'Mine', isHere: chosen.mine === 'yes', href: href('yes') },
  ];
}

/** The service, organisation and colleague that the list can be filtered by, where there is a choice. */
function choicesOf(
  list: WorklistKind,
  chosen: ListChoices,
  { services, organisations }: FilterChoices,
  colleagues: FilterChoices['services'],
  accountId: string,
) {
  const all = [
    { name: 'service', label: 'Service', from: services },
    { name: 'from', label: 'Referred by', from: list.name === 'made' ? [] : organisations },
    {
      name: 'colleague',
      label: 'Assigned to',
      from: colleagues.filter(({ id }) => id !== accountId),
    },
  ];
  return all.map(({ name, label, from }) => {
    const value = chosen[name];
    // A link may lead to an older one, which is not offered.
    const isListed = value === undefined || from.some(({ id }) => id === value);
    const listed = from.map(({ id, name: text }) => ({ value: id, text }));
    const items = isListed ? listed : [...listed, { value, text: 'The one that you chose' }];
    return { name, label, value, items: items.length > 1 || value !== undefined ? items : [] };
  });
}

/** The link in the header of a column: it sorts by that, first in the more useful direction, and then in the other. */
function headerOf(by: 'due' | 'made', first: 'asc' | 'desc', chosen: ListChoices) {
  const now = sorts.find(({ name, order }) => name === chosen.sort && order.by === by)?.order.direction;
  const wanted = now === undefined ? first : now === 'asc' ? 'desc' : 'asc';
  const next = sorts.find(({ order }) => order.by === by && order.direction === wanted)!;
  return {
    href: pathTo({ ...chosen, sort: next.name }),
    sort: now === undefined ? 'none' : now === 'asc' ? 'ascending' : 'descending',
    next: next.text.toLowerCase(),
  };
}
