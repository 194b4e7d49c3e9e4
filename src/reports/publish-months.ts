import { listSensitiveServices } from '../library/index.ts';
import { type Db, inTransaction } from '../platform/database/index.ts';
import { dayMs } from '../platform/durations.ts';
import type { Platform } from '../platform/platform.ts';
import { daysOf, type Exact, exactFigures, type Measured, measure, sharesOf } from './figures.ts';
import { followReferrals } from './follow-referrals.ts';
import {
  type Cohort,
  countAll,
  countBy,
  type Dimension,
  dimensions,
  listMonths,
  timeToAnswer,
} from './measure-store.ts';
import { isOver, monthPeriod } from './periods.ts';
import { findPublished, insertFigures, insertMonth } from './published-store.ts';
import { survivalQuantile } from './statistics.ts';
import { type Published, suppress, suppressParts } from './suppress.ts';

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
  const published = await findPublished(deps.db, months);
  const now = deps.clock.now();
  for (const month of months)
    if (!published.has(month) && isOver(monthPeriod(month), now)) await publishIfRipe(deps, month, now);
}

async function publishIfRipe({ db, settings }: Deps, month: string, now: Date): Promise<void> {
  const apart = await listSensitiveServices(db);
  const cohort = { ...monthPeriod(month), now, simulated: settings.mode === 'test', apart };
  const measured = await measure(db, cohort);
  if (!measured.ripe && !isLongOverWithoutJourneys(measured, month, now)) return;
  const parts = await Promise.all(dimensions.map((dimension) => figuresBy(db, cohort, dimension)));
  const rows = [...suppress(exactFigures(measured)), ...parts.flat(), ...(await together(db, cohort))];
  await inTransaction(db, async (trx) => {
    if (await insertMonth(trx, month, now)) await insertFigures(trx, month, rows);
  });
}

/** All that was sent in the month replaced referrals of earlier months. */
function isLongOverWithoutJourneys({ counts }: Measured, month: string, now: Date): boolean {
  return counts.journeys === 0 && isOver(monthPeriod(month), new Date(now.getTime() - 90 * dayMs));
}

/** The parts of each dimension. All are published, also those with emptyMonth, so that a missing one tells nothing. */
const knownParts: Readonly<Record<Dimension, readonly string[]>> = {
  service: [],
  age: ['0-17', '18-24', '25-34', '35-44', '45-54', '55-64', '65-74', '75-84', '85+', 'unknown'],
  gender: ['female', 'male', 'other', 'unknown'],
  interpreter: ['true', 'false', 'unknown'],
};

/** The figures of each part of a dimension. */
async function figuresBy(db: Db, cohort: Cohort, dimension: Dimension): Promise<Published[]> {
  const counts = await countBy(db, cohort, dimension);
  const times = await timeToAnswer(db, cohort, dimension);
  const names = [...new Set([...knownParts[dimension], ...counts.keys()])];
  const rows = names.flatMap((part): Exact[] => {
    const stratum = `${dimension}:${part}`;
    const counted = counts.get(part) ?? emptyMonth;
    const none = { stratum, n: counted.sent, low: null, high: null };
    return [
      { id: 'A1', ...none, value: counted.sent },
      { id: 'T1', ...none, value: daysOf(survivalQuantile(times.get(part) ?? [], 0.5)) },
      ...sharesOf(counted, stratum, true),
    ];
  });
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((each) => suppressParts(dimension, each));
}

const emptyMonth = {
  sent: 0,
  completed: 0,
  paired: 0,
  due: 0,
  inTime: 0,
  accepted: 0,
  rejected: 0,
  takenUp: 0,
  journeys: 0,
  journeysEnded: 0,
  journeysYoung: 0,
  declinedFirst: 0,
  secondChances: 0,
  open: 0,
  overdue: 0,
  oldestOverdue: null,
  notErased: 0,
  riskAsked: 0,
  contactAsked: 0,
  agreementAsked: 0,
  gpActionsAsked: 0,
} satisfies Awaited<ReturnType<typeof countBy>> extends Map<string, infer Counts> ? Counts : never;

/** In steps, so that one referral more to a sensitive service cannot be seen. */
const step = 8;

/** The sensitive services, together, and in no other number. */
async function together(db: Db, cohort: Cohort): Promise<Published[]> {
  if (cohort.apart.length === 0) return [];
  const others = await countAll(db, cohort);
  const { sent } = await countAll(db, { ...cohort, apart: [] });
  const count = sent - others.sent;
  const shown = count < step ? null : count - (count % step);
  const row = { id: 'A1' as const, stratum: 'service:sensitive', n: shown, value: shown };
  return [{ ...row, numerator: null, low: null, high: null }];
}
