import { Type } from 'typebox';
import { type Caller, optionalCaller, signsInByPasswordAlone } from '../accounts/index.ts';
import { firstOwnServices, savedBanner } from '../library/index.ts';
import { type App, page, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { Settings } from '../platform/settings/index.ts';
import {
  countedViews,
  countReasonsToAct,
  countWorkRows,
  listRows,
  type ReferralDeps,
  readWork,
  tabNames,
  workCountText,
} from '../referrals/index.ts';
import { readMainFigures } from '../reports/index.ts';
import { countWaitingSelfReferrals } from '../self-referrals/index.ts';
import { type OperatorCounter, operatorTiles, type Tile } from './operator-tiles.ts';

type Deps = ReferralDeps & WebPlatform & OperatorCounter;

/** How many of a provider’s own services the home page lists. */
const maxServices = 5;

/** How many referrals the home page lists. */
const maxRows = 8;

/** The first page: what needs the reader, in each of their roles. */
export function homePages(app: App, deps: Deps): void {
  const querystring = Type.Object({ done: savedBanner.query }, { additionalProperties: true });
  app.get('/', { config: page(visitor), schema: { querystring } }, async (request, reply) => {
    const caller = optionalCaller(request);
    const context = caller ? await dashboardOf(deps, caller, request.ip) : {};
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

async function dashboardOf(deps: Deps, caller: Caller, ipAddress: string) {
  const hasRole = (role: Caller['roles'][number]) => caller.roles.includes(role);
  const isReferrer = hasRole('referrer');
  const isProvider = hasRole('provider');
  const isOperator = hasRole('operator');
  const isManager = hasRole('manager');
  return {
    isReferrer,
    isProvider,
    isOperator,
    isManager,
    referrerTiles: isReferrer ? await referrerTiles(deps, caller) : [],
    referrerRows: isReferrer ? await firstRows(deps, caller, 'made', ipAddress) : [],
    providerTiles: isProvider ? await providerTiles(deps, caller) : [],
    providerRows: isProvider ? await firstRows(deps, caller, 'received', ipAddress) : [],
    ownServices: isProvider ? await firstOwnServices(deps.db, caller, maxServices) : undefined,
    operatorTiles: isOperator ? await operatorTiles(deps, caller) : [],
    managerTiles: isManager ? await reportTiles(deps, caller) : [],
    savedViews: await countedViews(deps, caller),
    hasLists: caller.organisation !== null,
    // Where the site requires a second factor, a banner above every page asks for it instead.
    factorIsOff: !caller.mustAddFactorBy && (await signsInByPasswordAlone(deps.db, caller.accountId)),
  };
}

async function referrerTiles(deps: Deps, caller: Caller): Promise<Tile[]> {
  const reasons = await countReasonsToAct(deps, caller, 'made');
  const countOf = (why: Parameters<typeof reasons.get>[0]) => workCountText(reasons.get(why) ?? 0);
  const total = await countWorkRows(deps, caller, { view: 'made', tab: tabNames.needsAction });
  const overdue = await countWorkRows(deps, caller, { view: 'made', tab: tabNames.all, overdueOnly: true });
  const made = '/referrals?view=made';
  const needsAction = `${made}&tab=${tabNames.needsAction}`;
  const unopened = reasons.get('unopened') ?? 0;
  return [
    {
      text: 'Urgent or at risk, not opened in time',
      count: workCountText(unopened),
      href: `${needsAction}&why=unopened`,
      isUrgent: unopened > 0,
    },
    {
      text: 'Need your attention',
      count: workCountText(total),
      href: needsAction,
      isUrgent: total > 0,
    },
    {
      text: 'Declined or closed',
      count: countOf('unhelped'),
      href: `${needsAction}&why=unhelped`,
    },
    {
      text: 'Messages to read or answer',
      count: countOf('message'),
      href: `${needsAction}&why=message`,
    },
    {
      text: 'Overdue',
      count: workCountText(overdue),
      href: `${made}&overdue=yes`,
      isUrgent: overdue > 0,
    },
    { text: 'Drafts', count: countOf('draft'), href: `${made}&tab=drafts` },
    ...(await selfReferralTiles(deps)),
  ];
}

/** Only where people can refer themselves. */
async function selfReferralTiles({ db, settings }: Deps): Promise<Tile[]> {
  if (!settings.selfReferral) return [];
  const toTake = await countWaitingSelfReferrals(db);
  return [
    {
      text: 'Self-referrals to take',
      count: String(toTake),
      href: '/self-referrals',
      isUrgent: toTake > 0,
    },
  ];
}

async function providerTiles(deps: Deps, caller: Caller): Promise<Tile[]> {
  const received = '/referrals?view=received';
  const count = (request: Omit<Parameters<typeof countWorkRows>[2], 'view'>) =>
    countWorkRows(deps, caller, { view: 'received', ...request });
  const tile = (text: string, number: number, query: string, isUrgent = false): Tile => ({
    text,
    count: workCountText(number),
    href: `${received}${query}`,
    isUrgent,
  });
  const urgent = await count({ tab: tabNames.unanswered, urgentOnly: true });
  const overdue = await count({ tab: tabNames.all, overdueOnly: true });
  return [
    tile('To answer', await count({ tab: tabNames.unanswered }), '&tab=unanswered'),
    tile('Urgent, to answer', urgent, '&tab=unanswered&urgent=yes', urgent > 0),
    tile('Overdue', overdue, '&overdue=yes', overdue > 0),
    tile(
      'Messages to read or answer',
      await count({ tab: tabNames.needsAction, why: 'message' }),
      `&tab=${tabNames.needsAction}&why=message`,
    ),
    tile('In progress', await count({ tab: tabNames.underWay }), '&tab=under-way'),
    tile('Waiting list', await count({ tab: tabNames.waitingList }), '&tab=waiting-list'),
  ];
}

/** The first referrals that need action; for a provider, then those to answer. */
async function firstRows(deps: Deps, caller: Caller, view: 'made' | 'received', ipAddress: string) {
  const tabs = view === 'made' ? [tabNames.needsAction] : [tabNames.needsAction, tabNames.unanswered];
  const rows = new Map<string, Awaited<ReturnType<typeof readWork>>['rows'][number]>();
  for (const tab of tabs) {
    const found = await readWork(deps, caller, { view, tab }, { page: 1, pageLength: maxRows, ipAddress });
    for (const row of found.rows) rows.set(row.referral.id, row);
  }
  const side = view === 'made' ? ('referrer' as const) : ('provider' as const);
  const listed = [...rows.values()].slice(0, maxRows).map(({ referral }) => ({ referral, sides: [side] }));
  return listRows(deps, caller, listed);
}

/** The figures of the last 12 months that a manager sees first. */
async function reportTiles(deps: Deps, caller: Caller): Promise<Tile[]> {
  const figures = await readMainFigures(deps, caller);
  return figures.map(({ id, name, value }) => ({
    text: name,
    count: { '*': 'Too few to show', '–': 'None yet' }[value] ?? value,
    href: `/operator/reports#${id}`,
  }));
}
