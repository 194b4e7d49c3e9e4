import { statfs } from 'node:fs/promises';
import type { Caller } from '../accounts/index.ts';
import { auditAlarm, auditChecked, findLatestEntry } from '../audit/index.ts';
import { countOpenClaims } from '../delivery/index.ts';
import { countOpenRequests } from '../developers/index.ts';
import { type ImportJob, importStateWords } from '../exchange/index.ts';
import { countMarkedByWords, countServicesDueForCheck } from '../library/index.ts';
import { localTime } from '../platform/clock/index.ts';
import type { Db } from '../platform/database/index.ts';
import { dayMs } from '../platform/durations.ts';
import { dayInWords } from '../platform/html/index.ts';
import { countFailedMails } from '../platform/mail/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { countRecordRequests } from '../records/index.ts';
import { countWorkRows, type ReferralDeps, tabNames, workCountText } from '../referrals/index.ts';

type OperatorCounts = {
  undelivered: number;
  pressing: number;
  unmatched: number;
  invitations: number;
  lastImport: { state: ImportJob['state']; endedAt: Date | null; createdAt: Date } | null;
};

/** The operators’ room is on the same floor, so `app.ts` hands its counts in. */
export type OperatorCounter = { countForOperators: (db: Db) => Promise<OperatorCounts> };

type Deps = ReferralDeps & WebPlatform & OperatorCounter;

/** A number on the home page, and the list that it leads to. `status` says in a word what its colour means. */
export type Tile = {
  text: string;
  count: string;
  href: string;
  isRed?: boolean;
  /** There is nothing to do, so it is shown in grey. */
  isQuiet?: boolean;
  status?: { text: string; colour: 'green' | 'yellow' | 'red' } | undefined;
};

const good = { text: 'OK', colour: 'green' } as const;
const check = { text: 'Check', colour: 'yellow' } as const;
const act = { text: 'Act now', colour: 'red' } as const;

const thirtyDaysMs = 30 * dayMs;

/** What an operator looks at in the morning: what waits, and whether the site is safe. */
export async function operatorTiles(deps: Deps, caller: Caller): Promise<Tile[]> {
  const tiles = [
    ...(await waitingTiles(deps, caller)),
    await backupTile(deps),
    await auditTile(deps),
    ...(await diskTile(deps)),
  ].map((tile) => ({ ...tile, isRed: tile.status === act, isQuiet: isQuiet(tile) }));
  // What is to be done now comes first, then what is to be checked, then what is well.
  const rank = ({ isRed, isQuiet }: Tile) => (isRed ? 0 : isQuiet ? 2 : 1);
  return tiles.sort((a, b) => rank(a) - rank(b));
}

const isQuiet = ({ status }: Tile) => status === undefined || status === good;

/** What waits for somebody. */
async function waitingTiles(deps: Deps, caller: Caller): Promise<Tile[]> {
  const { db, clock } = deps;
  const now = clock.now();
  const { undelivered, pressing, unmatched, invitations, lastImport } = await deps.countForOperators(db);
  const openCount = await countWorkRows(deps, caller, { list: 'all', tab: tabNames.needsAction });
  const failedMails = await countFailedMails(db, new Date(now.getTime() - thirtyDaysMs));
  const toCheck = await countServicesDueForCheck(deps);
  const sensitive = await countMarkedByWords(db);
  return [
    ...pressingTile(pressing),
    ...contactTile(deps),
    {
      text: 'Undelivered messages',
      count: String(undelivered),
      href: '/operator/deliveries',
      status: goodIfNone(undelivered, act),
    },
    ...(await requestTiles(deps)),
    {
      text: 'Unmatched items',
      count: String(unmatched),
      href: '/operator/deliveries/unmatched',
      status: goodIfNone(unmatched, act),
    },
    {
      text: 'Referrals that need action',
      count: workCountText(openCount),
      href: `/referrals?view=all&tab=${tabNames.needsAction}`,
      status: goodIfNone(openCount, act),
    },
    {
      text: 'Sensitive services to confirm',
      count: sensitive.toLocaleString('en-GB'),
      href: '/operator/library/sensitive',
      status: goodIfNone(sensitive, check),
    },
    {
      text: 'Emails and texts refused in 30 days',
      count: String(failedMails.count),
      href: '/operator/emails',
      status: goodIfNone(failedMails.count, act),
    },
    {
      text: 'Services to check',
      count: toCheck.toLocaleString('en-GB'),
      href: '/operator/library/review',
      status: goodIfNone(toCheck, check),
    },
    { text: 'Invitations open', count: String(invitations), href: '/operator/accounts?list=invited' },
    {
      text: 'Last import',
      count: importInWords(lastImport, now),
      href: '/operator/library',
      ...importStatus(lastImport),
    },
  ];
}

function goodIfNone(count: number, otherwise: Tile['status']): Tile['status'] {
  return count === 0 ? good : otherwise;
}

/** Somebody may come to harm while nobody knows of it, so this is always first. */
function pressingTile(pressing: number): Tile[] {
  if (pressing === 0) return [];
  const href = '/operator/deliveries?show=pressing';
  return [{ text: 'Undelivered, urgent or at risk', count: String(pressing), href, status: act }];
}

/** Only until there is one. Until then every page that says whom to ask leads to nobody. */
function contactTile({ settings }: Deps): Tile[] {
  if (settings.operatorContact !== undefined) return [];
  const status = settings.mode === 'live' ? act : check;
  return [{ text: 'Contact for help and safety', count: 'None', href: '/operator/site#contacts', status }];
}

/** A request is due soon in the week before its date. A complaint always is, until it is acknowledged. */
const dueSoonDays = 7;

/** Only while somebody waits for an answer: people who asked about their record, then those who want to work here. */
async function requestTiles({ db, clock }: Deps): Promise<Tile[]> {
  const now = clock.now();
  const { open, nextOn } = await countRecordRequests(db, localTime(now).day.date);
  const soon = localTime(new Date(now.getTime() + dueSoonDays * dayMs)).day.date;
  const tiles: (Tile & { number: number })[] = [
    {
      number: open,
      text: nextOn ? `Requests about records, next by ${dayInWords(nextOn)}` : '',
      count: String(open),
      href: '/operator/requests',
      status: nextOn !== null && nextOn <= soon ? act : check,
    },
    requestTile('Requests for accounts', '/operator/account-claims', await countOpenClaims(db)),
    requestTile('Developer requests', '/operator/developer-requests', await countOpenRequests(db)),
  ];
  return tiles.filter(({ number }) => number > 0);
}

function requestTile(text: string, href: string, number: number) {
  return { number, text, href, count: String(number), status: check };
}

function importInWords(last: OperatorCounts['lastImport'], now: Date): string {
  if (!last) return 'None';
  if (last.state !== 'done') return importStateWords[last.state];
  return daysAgo(daysSince(last.endedAt ?? last.createdAt, now));
}

function importStatus(last: OperatorCounts['lastImport']): Pick<Tile, 'status'> {
  if (last?.state === 'failed') return { status: act };
  return last?.state === 'done' ? { status: good } : {};
}

/** The site is backed up each night, so after two days something is wrong. */
const maxBackupDays = 2;

/** A site that only tries things out may do without a backup. */
async function backupTile({ db, clock, settings }: Deps): Promise<Tile> {
  const last = await findLatestEntry(db, 'site.backed_up');
  const days = last && daysSince(last.at, clock.now());
  const isOld = days === undefined || days > maxBackupDays;
  return {
    text: 'Last backup',
    count: days === undefined ? 'None' : daysAgo(days),
    href: '/operator/audit?action=site.backed_up',
    status: isOld ? (settings.mode === 'live' ? act : check) : good,
  };
}

/** The chain is checked each night, and here by a button. */
const maxCheckDays = 7;

async function auditTile({ db, clock }: Deps): Promise<Tile> {
  const checked = await findLatestEntry(db, auditChecked);
  const alarm = await findLatestEntry(db, auditAlarm);
  const isBroken = checked?.details?.broken !== undefined || (alarm && (!checked || alarm.at > checked.at));
  const days = checked && daysSince(checked.at, clock.now());
  const isOld = days === undefined || days > maxCheckDays;
  return {
    text: 'Audit chain checked',
    count: isBroken ? 'Broken' : days === undefined ? 'Never' : daysAgo(days),
    href: '/operator/audit',
    status: isBroken ? act : isOld ? check : good,
  };
}

async function diskTile({ settings }: Deps): Promise<Tile[]> {
  const disk = await statfs(settings.dataDir).catch(() => undefined);
  if (!disk) return [];
  const free = Math.floor((100 * disk.bavail) / disk.blocks);
  const status = free < 10 ? act : free < 20 ? check : good;
  return [{ text: 'Disk free', count: `${free}%`, href: '/operator/settings', status }];
}

function daysSince(at: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - at.getTime()) / dayMs));
}

function daysAgo(days: number): string {
  if (days === 0) return 'Today';
  return days === 1 ? '1 day ago' : `${days} days ago`;
}
