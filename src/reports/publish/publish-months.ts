import { listSensitiveServices } from '../../library/index.ts';
import { type Db, inTransaction } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import type { Platform } from '../../platform/platform.ts';
import { needCodes } from '../../referrals/index.ts';
import { type Cohort, type Dimension, needDimensions, singleDimensions } from '../facts/cohort-store.ts';
import { followReferrals } from '../facts/follow-referrals.ts';
import { addOtherCounts, exactFigures, isRipe, medianOf, sharesOf } from '../figures/exact-figures.ts';
import { countUnmetBy, listMonths } from '../figures/other-counts-store.ts';
import { type Counts, countAll, countBy, noCounts } from '../figures/tallied-counts-store.ts';
import type { ExactFigure, FigureId } from '../model/figures.ts';
import { isOver, monthPeriod } from '../model/periods.ts';
import { forgetErased } from './keep-erased.ts';
import { findPublishedMonths, insertFigures, insertMonth } from './published-store.ts';
import { sensitiveStep } from './small-numbers.ts';
import { type PublishedFigure, suppress, suppressParts } from './suppress.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'settings'>;

/** The `follow-referrals` job: reads what changed, and publishes the months that are ripe. */
export async function followAndPublish(deps: Deps): Promise<void> {
  await followReferrals(deps);
  await publishMonths(deps);
}

/**
 * Publishes the months that are over and ripe. They stay as they are from then on, whatever changes or is erased later: the
 * difference of two versions could reveal a single person.
 */
export async function publishMonths(deps: Deps): Promise<void> {
  const months = await listMonths(deps.db);
  const published = await findPublishedMonths(deps.db, months);
  const now = deps.clock.now();
  for (const month of months)
    if (!published.has(month) && isOver(monthPeriod(month), now)) await publishIfRipe(deps, month, now);
  await forgetErased(deps);
}

async function publishIfRipe({ db, settings }: Deps, month: string, now: Date): Promise<void> {
  const excludedServices = await listSensitiveServices(db);
  const cohort = {
    ...monthPeriod(month),
    now,
    includesSimulated: settings.mode === 'test',
    excludedServices,
  };
  const counts = await countAll(db, cohort);
  const ripe = await isRipe(db, cohort, counts);
  if (!ripe && !isLongOverWithoutJourneys(counts, month, now)) return;
  const cohortCounts = await addOtherCounts(db, cohort, { counts, ripe });
  const exact = exactFigures(cohortCounts).filter(({ id }) => !isOfToday(id));
  const parts: PublishedFigure[] = [];
  for (const dimension of singleDimensions) parts.push(...(await figuresBy(db, cohort, dimension)));
  for (const dimension of needDimensions) parts.push(...(await unmetBy(db, cohort, dimension)));
  const rows = [...suppress(exact), ...parts, ...(await sensitiveServicesTogether(db, cohort))];
  await inTransaction(db, async (trx) => {
    if (await insertMonth(trx, month, now)) await insertFigures(trx, month, rows);
  });
}

/** Whether a figure is about the library itself as it is today. Such figures belong to no month. */
const isOfToday = (id: FigureId) => id === 'L1';

/** Whether a month has no journey of its own and is long over: all its referrals replaced referrals of earlier months. */
function isLongOverWithoutJourneys({ journeys }: Counts, month: string, now: Date): boolean {
  return journeys === 0 && isOver(monthPeriod(month), new Date(now.getTime() - 90 * dayMs));
}

/** The parts of each dimension. Parts without referrals are published too, so that a missing part tells nothing. */
const knownParts: Readonly<Record<Dimension, readonly string[]>> = {
  service: [],
  age: ['0-17', '18-24', '25-34', '35-44', '45-54', '55-64', '65-74', '75-84', '85+', 'unknown'],
  gender: ['female', 'male', 'other', 'unknown'],
  interpreter: ['true', 'false', 'unknown'],
  imd: ['1', '2', '3', '4', '5', 'unknown'],
  ethnicity: ['white', 'mixed', 'asian', 'black', 'other', 'unknown'],
  need: needCodes,
  district: [],
};

/** The figures of each part of a dimension. */
async function figuresBy(
  db: Db,
  cohort: Cohort,
  dimension: (typeof singleDimensions)[number],
): Promise<PublishedFigure[]> {
  const counts = await countBy(db, cohort, dimension);
  const names = [...new Set([...knownParts[dimension], ...counts.keys()])];
  const rows = names.flatMap((part): ExactFigure[] => {
    const stratum = `${dimension}:${part}`;
    const partCounts = counts.get(part) ?? noCounts;
    const { sent, times } = partCounts;
    return [
      { id: 'A1', stratum, n: sent, value: sent, low: null, high: null },
      medianOf('T1', stratum, sent, times.answer),
      medianOf('T3', stratum, sent, times.contact),
      ...sharesOf(partCounts, stratum, { ripe: true }),
    ];
  });
  return suppressEachFigure(dimension, rows);
}

/** Unmet need by need, or by district. Needs without any referral are published too; districts are not, since nobody can list them all. */
async function unmetBy(
  db: Db,
  cohort: Cohort,
  dimension: (typeof needDimensions)[number],
): Promise<PublishedFigure[]> {
  const counts = await countUnmetBy(db, cohort, dimension);
  const names = [...new Set([...knownParts[dimension], ...counts.keys()])];
  const rows = names.map((part): ExactFigure => {
    const { sent, unmet } = counts.get(part) ?? { sent: 0, unmet: 0 };
    const stratum = `${dimension}:${part}`;
    return { id: 'L2', stratum, n: sent, numerator: unmet, value: unmet, low: null, high: null };
  });
  return suppressEachFigure(dimension, rows);
}

function suppressEachFigure(dimension: Dimension, rows: readonly ExactFigure[]): PublishedFigure[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((each) => suppressParts(dimension, each));
}

/** The figures of all sensitive services together. These services are in no other number. */
async function sensitiveServicesTogether(db: Db, cohort: Cohort): Promise<PublishedFigure[]> {
  if (cohort.excludedServices.length === 0) return [];
  const sensitive = { ...cohort, excludedServices: [], onlyServices: cohort.excludedServices };
  const { sent } = await countAll(db, sensitive);
  const rounded = sent < sensitiveStep ? null : sent - (sent % sensitiveStep);
  const row = { id: 'A1' as const, stratum: 'service:sensitive', n: rounded, value: rounded };
  return [{ ...row, numerator: null, low: null, high: null }];
}
