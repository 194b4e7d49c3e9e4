import type { Caller } from '../../accounts/index.ts';
import { listSensitiveServices } from '../../library/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { forbidden, Problem } from '../../platform/problem/index.ts';
import { type Cohort, needDimensions, singleDimensions } from '../facts/cohort-store.ts';
import { followReferrals } from '../facts/follow-referrals.ts';
import { countCohort, exactFigures, libraryFigures } from '../figures/exact-figures.ts';
import { countFresh, listMonths } from '../figures/other-counts-store.ts';
import { type ExactFigure, type FigureId, figures, type Unit, unitOf } from '../model/figures.ts';
import { type Period, wholeMonths } from '../model/periods.ts';
import { z } from '../model/statistics.ts';
import { publishMonths } from './publish-months.ts';
import { findPublishedMonths, listFigures, sumFigures } from './published-store.ts';
import { type PublishedFigure, publishedShare, suppress } from './suppress.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'settings'>;

export type Figure = {
  id: FigureId;
  stratum: string;
  n: number | null;
  value: number | null;
  low: number | null;
  high: number | null;
  unit: Unit;
};
export type Summary = { period: Period & { ripe: boolean }; figures: Figure[] };

/** Whose referrals a caller reads figures of: of the whole site, or of those to their organisation's services. */
export type Scope = { organizationId?: string };

/** @throws Problem `forbidden` for a provider whose organisation is not in the library. */
export function scopeOf({ roles, organisation }: Pick<Caller, 'roles' | 'organisation'>): Scope {
  if (roles.includes('operator') || roles.includes('manager')) return {};
  const organizationId = organisation?.libraryOrganizationId;
  if (!organizationId) throw new Problem(forbidden, 'Your organisation is not in the library.');
  return { organizationId };
}

/** The figures of a period as others may see them. It first brings the facts up to date, and publishes the months that are due. */
export async function publishAndSummarise(deps: Deps, scope: Scope, period: Period): Promise<Summary> {
  await followReferrals(deps);
  const months = scope.organizationId === undefined ? wholeMonths(period) : undefined;
  if (months) await publishMonths(deps);
  const publishedMonths = months ? await findPublishedMonthsOf(deps, months) : [];
  const cohort = await cohortOf(deps, scope, period);
  if (publishedMonths.length > 0 && months!.length === 1) {
    const rows = await listFigures(deps.db, publishedMonths);
    const libraryRows = suppress(libraryFigures(await countFresh(deps.db, cohort)));
    return presentSummary({ ...period, ripe: true }, inOrder([...rows, ...libraryRows, ...equityOf(rows)]));
  }
  const counts = await countCohort(deps.db, cohort);
  const rows = suppress(exactFigures(counts));
  const groupRows = await sumOfMonths(deps, publishedMonths);
  return presentSummary({ ...period, ripe: counts.ripe }, [
    ...rows,
    ...inOrder(groupRows),
    ...equityOf(groupRows),
  ]);
}

/** The figures as they are, for those whose own referrals they count, and for operators who said why. */
export async function summariseExactly(deps: Deps, scope: Scope, period: Period): Promise<Summary> {
  await followReferrals(deps);
  const counts = await countCohort(deps.db, await cohortOf(deps, scope, period));
  return presentSummary({ ...period, ripe: counts.ripe }, exactFigures(counts));
}

/** The cohort of a scope and period. Sensitive services are in no number of the site; their own staff see their figures. */
export async function cohortOf({ db, clock, settings }: Deps, scope: Scope, period: Period): Promise<Cohort> {
  const excludedServices = scope.organizationId === undefined ? await listSensitiveServices(db) : [];
  return {
    ...period,
    ...scope,
    now: clock.now(),
    includesSimulated: settings.mode === 'test',
    excludedServices,
  };
}

/** Those of these months that have referrals, if all of them are published; otherwise none. */
async function findPublishedMonthsOf({ db }: Deps, months: readonly string[]): Promise<string[]> {
  const withReferrals = (await listMonths(db)).filter((month) => months.includes(month));
  const published = await findPublishedMonths(db, withReferrals);
  return withReferrals.every((month) => published.has(month)) ? withReferrals : [];
}

/** Groups of people over several months: sums of what each month published, and nothing else, so that they reveal no more than the months do. */
async function sumOfMonths({ db }: Deps, months: readonly string[]): Promise<PublishedFigure[]> {
  if (months.length === 0) return [];
  const sums = await sumFigures(db, months, dimensions);
  return sums.flatMap(({ id, stratum, n, numerator, value }): PublishedFigure[] => {
    const unit = unitOf(id, stratum);
    if (unit === 'days') return [];
    if (unit === 'count') return [{ id, stratum, n, numerator: null, value, low: null, high: null }];
    return [{ id, stratum, n, ...publishedShare(numerator, n) }];
  });
}

/** Puts rows in the order of `exactFigures`, the groups of people last. */
function inOrder<T extends PublishedFigure>(rows: readonly T[]): T[] {
  const order = Object.keys(figures);
  const rank = ({ id, stratum }: PublishedFigure) =>
    order.indexOf(id) + (stratum === 'all' ? 0 : 0.5) + (isOfGroup(stratum) ? order.length : 0);
  return rows.toSorted((one, other) => rank(one) - rank(other));
}

const dimensions: readonly string[] = [...singleDimensions, ...needDimensions];
/** Whether a figure is about one group of people, or one service, instead of the whole cohort. */
export const isOfGroup = (stratum: string) => dimensions.includes(stratum.split(':')[0]!);

function presentSummary(
  period: Summary['period'],
  rows: readonly (PublishedFigure | ExactFigure)[],
): Summary {
  const presented = rows.map(({ id, stratum, n, value, low, high }) => ({
    id,
    stratum,
    n,
    value: roundToSixDecimals(value),
    low: roundToSixDecimals(low),
    high: roundToSixDecimals(high),
    unit: unitOf(id, stratum),
  }));
  return { period, figures: presented };
}

/** Further digits are accidents of the arithmetic. */
function roundToSixDecimals(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e6) / 1e6;
}

/** The figures that are compared, where they are known for both. Days and counts have no interval. */
const comparedFigures: readonly string[] = ['A1', 'T1', 'T2', 'T3', 'F1', 'F3', 'F4', 'F5'];
const mostDeprived = 'imd:1';
const leastDeprived = 'imd:5';

/** Figure E1: each figure of the most deprived fifth divided by that of the least deprived one, from published rows alone. */
function equityOf(rows: readonly PublishedFigure[]): PublishedFigure[] {
  const find = (id: string, stratum: string) => rows.find((row) => row.id === id && row.stratum === stratum);
  return comparedFigures.flatMap((id): PublishedFigure[] => {
    const most = find(id, mostDeprived);
    const least = find(id, leastDeprived);
    // Without any decile there is nothing to compare.
    if (!most || !least || (most.n === 0 && least.n === 0)) return [];
    const n = most.n === null || least.n === null ? null : most.n + least.n;
    return [{ id: 'E1', stratum: id, n, numerator: null, ...ratioOf(most, least) }];
  });
}

function ratioOf(
  one: PublishedFigure,
  other: PublishedFigure,
): Pick<PublishedFigure, 'value' | 'low' | 'high'> {
  if (one.value === null || other.value === null || other.value === 0)
    return { value: null, low: null, high: null };
  const value = one.value / other.value;
  const [a, n, b, m] = [one.numerator, one.n, other.numerator, other.n];
  if (!a || !n || !b || !m) return { value, low: null, high: null };
  // Katz: the logarithm of a ratio of two shares is nearly normal.
  const half = z * Math.sqrt(1 / a - 1 / n + 1 / b - 1 / m);
  return { value, low: value * Math.exp(-half), high: value * Math.exp(half) };
}
