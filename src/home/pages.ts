import { Type } from 'typebox';
import {
  type Caller,
  emailOfLastSession,
  optionalCaller,
  signedOutWords,
  signsInByPasswordAlone,
} from '../accounts/index.ts';
import { firstOwnServices, savedBanner } from '../library/index.ts';
import { type App, page, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { Settings } from '../platform/settings/index.ts';
import {
  countReasonsToAct,
  countWorkRows,
  hasColleagues,
  listRecentlyViewed,
  listRows,
  listViewCounts,
  type ReferralDeps,
  readWorklist,
  tabNames,
  workCountText,
} from '../referrals/index.ts';
import { readMainFigures } from '../reports/index.ts';
import { countWaitingSelfReferrals, hasQueue } from '../self-referrals/index.ts';
import { type OperatorLists, operatorRows } from './operator-rows.ts';
import { type OperatorCounter, operatorTiles, type Tile } from './operator-tiles.ts';

type Deps = ReferralDeps & WebPlatform & OperatorCounter & OperatorLists;

/** How many of a provider’s own services the home page lists. */
const maxServices = 10;

/** How many referrals the home page lists. */
const maxRows = 8;

/** How many of the referrals that the reader opened last are on the home page. */
const maxViewed = 5;

/** The first page: what needs the reader, in each of their roles. */
export function homePages(app: App, deps: Deps): void {
  const querystring = Type.Object(
    { done: savedBanner.query, mine: Type.Optional(Type.String({ maxLength: 5 })) },
    { additionalProperties: true },
  );
  app.get('/', { config: page(visitor), schema: { querystring } }, async (request, reply) => {
    const caller = optionalCaller(request);
    const whose = { isMine: request.query.mine === 'yes', ipAddress: request.ip };
    const context = caller
      ? await dashboardOf(deps, caller, whose)
      : { signedOutWords: (await emailOfLastSession(deps, request)) && signedOutWords };
    return deps.pages.send(request, reply, 'home/templates/home.njk', {
      publicSearch: publicSearchOf(deps.settings),
      ...context,
      done: savedBanner.words(request.query.done),
    });
  });
}

/** Where people without an account find services, if the site lets them. */
function publicSearchOf({ publicDirectory, libraryPublic }: Settings): string | undefined {
  if (publicDirectory) return '/find';
  return libraryPublic ? '/services' : undefined;
}

/** Whose referrals the page counts and lists, and from where it is read. */
type Whose = { isMine: boolean; ipAddress: string };

async function dashboardOf(deps: Deps, caller: Caller, request: Whose) {
  const hasRole = (role: Caller['roles'][number]) => caller.roles.includes(role);
  const isReferrer = hasRole('referrer');
  const isProvider = hasRole('provider');
  const isOperator = hasRole('operator');
  const isManager = hasRole('manager');
  const sides = (['referrer', 'provider'] as const).filter(hasRole);
  const hasTeam = sides.length > 0 && (await hasColleagues(deps.db, caller, sides));
  const whose = { ...request, isMine: hasTeam && request.isMine };
  return {
    whoseTabs: hasTeam
      ? [
          { text: 'Team', href: '/', isHere: !whose.isMine },
          { text: 'Mine', href: '/?mine=yes', isHere: whose.isMine },
        ]
      : [],
    listQuery: whose.isMine ? '&mine=yes' : '',
    madeTitle: hasTeam && !whose.isMine ? 'Your team’s referrals' : 'Referrals you made',
    findsPeople: isReferrer || isProvider,
    isReferrer,
    isProvider,
    isOperator,
    isManager,
    referrerTiles: isReferrer ? await referrerTiles(deps, caller, whose) : [],
    referrerRows: isReferrer ? await firstRows(deps, caller, 'made', whose) : [],
    recentlyViewed: isReferrer ? await recentlyViewed(deps, caller, whose.ipAddress) : [],
    hasMade: isReferrer && (await hasReferrals(deps, caller, 'made')),
    hasReceived: isProvider && (await hasReferrals(deps, caller, 'received')),
    providerTiles: isProvider ? await providerTiles(deps, caller, whose) : [],
    providerRows: isProvider ? await firstRows(deps, caller, 'received', whose) : [],
    ownServices: isProvider ? await firstOwnServices(deps.db, caller, maxServices) : undefined,
    operatorTiles: isOperator ? await operatorTiles(deps, caller) : [],
    operatorRows: isOperator ? await operatorRows(deps, caller, whose.ipAddress) : [],
    managerTiles: isManager ? await reportTiles(deps, caller) : [],
    savedViews: await listViewCounts(deps, caller),
    hasLists: caller.organisation !== null,
    // Where the site requires a second factor, a banner above every page asks for it instead.
    factorIsOff: !caller.mustAddFactorBy && (await signsInByPasswordAlone(deps.db, caller.accountId)),
  };
}

/** Somebody who has no referral is new, and is told what to do first. */
async function hasReferrals(deps: Deps, caller: Caller, list: 'made' | 'received'): Promise<boolean> {
  return (await countWorkRows(deps, caller, { list, tab: tabNames.all })) > 0;
}

/** The link to a list, with the number of its rows. @param query what the list is narrowed to */
type TileOfList = { text: string; number: number; query: string; isRed?: boolean };

/** Leaves out tiles of 0, except the first. @param list the address of the list */
function tilesOf(list: string, tiles: readonly TileOfList[]): Tile[] {
  return tiles
    .filter(({ number }, index) => index === 0 || number > 0)
    .map(({ text, number, query, isRed = false }) => ({
      text,
      count: workCountText(number),
      href: `${list}${query}`,
      isRed: isRed && number > 0,
      isQuiet: number === 0,
    }));
}

async function referrerTiles(deps: Deps, caller: Caller, { isMine: mineOnly }: Whose): Promise<Tile[]> {
  const reasons = await countReasonsToAct(deps, caller, { list: 'made', mineOnly });
  const countOf = (reason: Parameters<typeof reasons.get>[0]) => reasons.get(reason) ?? 0;
  const total = await countWorkRows(deps, caller, { list: 'made', tab: tabNames.needsAction, mineOnly });
  const overdue = await countWorkRows(deps, caller, {
    list: 'made',
    tab: tabNames.all,
    overdueOnly: true,
    mineOnly,
  });
  const tiles = tilesOf(`/referrals?view=made${mineOnly ? '&mine=yes' : ''}`, [
    { text: 'Need action', number: total, query: '&tab=waiting', isRed: true },
    {
      text: 'Urgent or at risk, not opened in time',
      number: countOf('not-opened-in-time'),
      query: '&tab=waiting&why=unopened',
      isRed: true,
    },
    { text: 'Declined or closed', number: countOf('unhelped'), query: '&tab=waiting&why=unhelped' },
    {
      text: 'Messages to read or answer',
      number: countOf('news-or-question'),
      query: '&tab=waiting&why=message',
    },
    { text: 'Overdue', number: overdue, query: '&overdue=yes', isRed: true },
    { text: 'Drafts', number: countOf('draft'), query: '&tab=drafts' },
  ]);
  return [...tiles, ...(await selfReferralTiles(deps))];
}

/** Only where people can refer themselves, or did. */
async function selfReferralTiles({ db, settings }: Deps): Promise<Tile[]> {
  if (!settings.selfReferral || !(await hasQueue(db))) return [];
  const toTake = await countWaitingSelfReferrals(db);
  return [
    {
      text: 'Self-referrals to take',
      count: String(toTake),
      href: '/self-referrals',
      isRed: toTake > 0,
      isQuiet: toTake === 0,
    },
  ];
}

async function providerTiles(deps: Deps, caller: Caller, { isMine: mineOnly }: Whose): Promise<Tile[]> {
  const count = (request: Omit<Parameters<typeof countWorkRows>[2], 'list'>) =>
    countWorkRows(deps, caller, { list: 'received', mineOnly, ...request });
  return tilesOf(`/referrals?view=received${mineOnly ? '&mine=yes' : ''}`, [
    {
      text: 'Need action',
      number: await count({ tab: tabNames.needsAction }),
      query: '&tab=waiting',
      isRed: true,
    },
    { text: 'New', number: await count({ tab: tabNames.unanswered }), query: '&tab=unanswered' },
    {
      text: 'New and urgent',
      number: await count({ tab: tabNames.unanswered, urgentOnly: true }),
      query: '&tab=unanswered&urgent=yes',
      isRed: true,
    },
    {
      text: 'Overdue',
      number: await count({ tab: tabNames.all, overdueOnly: true }),
      query: '&overdue=yes',
      isRed: true,
    },
    {
      text: 'Messages to read or answer',
      number: await count({ tab: tabNames.needsAction, reasonToAct: 'news-or-question' }),
      query: '&tab=waiting&why=message',
    },
    { text: 'Accepted or started', number: await count({ tab: tabNames.underWay }), query: '&tab=under-way' },
    { text: 'Waiting list', number: await count({ tab: tabNames.waitingList }), query: '&tab=waiting-list' },
  ]);
}

/** The referrals that need the reader first. */
async function firstRows(
  deps: Deps,
  caller: Caller,
  list: 'made' | 'received',
  { isMine: mineOnly, ipAddress }: Whose,
) {
  const page = { page: 1, pageLength: maxRows, ipAddress };
  const work = { list, tab: tabNames.needsAction, mineOnly };
  const { rows } = await readWorklist(deps, caller, work, page);
  const side = list === 'made' ? ('referrer' as const) : ('provider' as const);
  return listRows(
    deps,
    caller,
    rows.map(({ referral }) => ({ referral, sides: [side] })),
    { sinceFor: side },
  );
}

async function recentlyViewed(deps: Deps, caller: Caller, ipAddress: string) {
  return listRows(deps, caller, await listRecentlyViewed(deps, caller, { limit: maxViewed, ipAddress }));
}

/** The figures of the last 12 months that a manager sees first. A figure of 0, such as 0 days to an answer, is shown like any other. */
async function reportTiles(deps: Deps, caller: Caller): Promise<Tile[]> {
  const figures = await readMainFigures(deps, caller);
  return figures.map(({ id, name, value }) => ({
    text: name,
    count: { '*': 'Too few to show', '–': 'None yet' }[value] ?? value,
    href: `/operator/reports#${id}`,
    // Words, such as “None yet”, are no figure.
    isQuiet: !/\d/.test(value),
  }));
}
