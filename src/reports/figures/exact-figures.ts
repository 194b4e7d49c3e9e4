import type { Db } from '../../platform/database/index.ts';
import type { Cohort } from '../facts/cohort-store.ts';
import { fieldNames } from '../facts/facts-store.ts';
import type { ExactFigure, FigureId } from '../model/figures.ts';
import { survivalQuantile, type TimePoint, wilson, z } from '../model/statistics.ts';
import {
  type ActiveCounts,
  countActive,
  countFresh,
  countNeverReferred,
  countPeople,
  countRegistered,
  type Freshness,
  hasYoungJourneys,
} from './other-counts-store.ts';
import { type Counts, countAll } from './tallied-counts-store.ts';

export type CohortCounts = {
  counts: Counts;
  /** The number of people. A referral whose person is no longer known counts as one more. */
  people: number;
  ripe: boolean;
  active: ActiveCounts;
  services: { offered: number; never: number };
  fresh: Freshness;
  /** Null for an organisation: people register with practices, not with services. */
  registered: number | null;
};

/** Reads everything that the figures of a cohort are made from. */
export async function countCohort(db: Db, cohort: Cohort): Promise<CohortCounts> {
  const counts = await countAll(db, cohort);
  return addOtherCounts(db, cohort, { counts, ripe: await isRipe(db, cohort, counts) });
}

/** Reads the rest of what the figures are made from, for a cohort whose counts were read already. */
export async function addOtherCounts(
  db: Db,
  cohort: Cohort,
  { counts, ripe }: Pick<CohortCounts, 'counts' | 'ripe'>,
): Promise<CohortCounts> {
  const isOwn = cohort.organizationId !== undefined;
  const [people, active, services, fresh, registered] = await Promise.all([
    countPeople(db, cohort),
    countActive(db, cohort),
    countNeverReferred(db, cohort),
    countFresh(db, cohort),
    isOwn ? null : countRegistered(db),
  ]);
  return {
    counts,
    people: people + counts.withoutPerson,
    ripe,
    active,
    services,
    fresh,
    registered,
  };
}

/** Whether enough is known to say how the journeys of a period end: 90 % have ended, or all are 90 days old. */
export async function isRipe(db: Db, cohort: Cohort, { journeys, journeysEnded }: Counts): Promise<boolean> {
  if (journeys === 0) return false;
  return 10 * journeysEnded >= 9 * journeys || !(await hasYoungJourneys(db, cohort));
}

/** The shares that are made from counts alone, of any group of people. */
export function sharesOf(
  counts: Counts,
  stratum: string,
  { ripe }: Pick<CohortCounts, 'ripe'>,
): ExactFigure[] {
  const whenRipe = (exact: ExactFigure) => (ripe ? exact : { ...exact, value: null, low: null, high: null });
  return [
    share('T2', stratum, counts.inTime - counts.inTimeNotDueYet, counts.due - counts.notDueYet),
    share('F1', stratum, counts.accepted, counts.accepted + counts.rejected),
    share('F3', stratum, counts.takenUp, counts.accepted),
    whenRipe(share('F4', stratum, counts.journeysEnded, counts.journeys)),
    whenRipe(share('F5', stratum, counts.journeysGoalsMet, counts.journeys)),
  ];
}

/** The median of a wait, of any group of people. */
export function medianOf(id: FigureId, stratum: string, n: number, times: readonly TimePoint[]): ExactFigure {
  return value(id, stratum, n, daysOf(survivalQuantile(times, 0.5)));
}

/** The reasons for an ending that lie with the person, not with the service. */
const personsReasons: readonly string[] = [
  'client-declined',
  'failed-contact',
  'needs-met-otherwise',
  'moved-away',
];

/** Every figure of a whole cohort, exactly. */
export function exactFigures(cohortCounts: CohortCounts): ExactFigure[] {
  return [
    ...activityFigures(cohortCounts),
    ...timelinessFigures(cohortCounts),
    ...flowFigures(cohortCounts),
    ...outcomeFigures(cohortCounts),
    ...letterAndLibraryFigures(cohortCounts),
    ...fieldNames.map((field) =>
      share(
        'D1',
        `field:${field}`,
        cohortCounts.counts.fields.get(field) ?? 0,
        cohortCounts.counts.fieldsKnown,
      ),
    ),
  ];
}

function activityFigures({ counts, people, active, services, registered }: CohortCounts): ExactFigure[] {
  const { sent, ofListedPractices } = counts;
  return [
    value('A1', 'all', sent, sent),
    value('A2', 'all', sent, people),
    ...(registered ? [rate('A3', 'all', ofListedPractices, registered)] : []),
    value('A4', 'active:referrers', sent, active.referrers),
    value('A4', 'active:practices', sent, active.practices),
    value('A4', 'active:services', sent, active.services),
    value('A4', 'services:never', services.offered, services.never),
  ];
}

function timelinessFigures({ counts, ripe }: CohortCounts): ExactFigure[] {
  const { sent, accepted, times } = counts;
  return [
    medianOf('T1', 'all', sent, times.answer),
    value('T1', 'percentile:90', sent, daysOf(survivalQuantile(times.answer, 0.9))),
    ...sharesOf(counts, 'all', { ripe }).filter(({ id }) => id === 'T2'),
    medianOf('T3', 'all', sent, times.contact),
    share('T3', 'closed-without-contact', counts.endedWithoutContact, counts.acceptedEnded),
    share('T3', 'referred-again:30', counts.referredAgain, counts.ended),
    medianOf('T4', 'all', accepted, times.start),
    value('T5', 'all', counts.open, counts.overdue),
    value('T5', 'oldest', counts.overdue, counts.oldestOverdue),
  ];
}

function flowFigures({ counts, ripe }: CohortCounts): ExactFigure[] {
  const { rejected, reasons } = counts;
  const personsCount = [...reasons].reduce(
    (sum, [code, n]) => sum + (personsReasons.includes(code) ? n : 0),
    0,
  );
  const shares = sharesOf(counts, 'all', { ripe });
  const sharesOfId = (id: FigureId) => shares.filter((each) => each.id === id);
  const helpAsPersonSays = share('F5', 'says:person', counts.journeysPersonHelped, counts.journeys);
  return [
    ...sharesOfId('F1'),
    ...[...reasons].map(([code, count]) => share('F2', `reason:${code}`, count, rejected)),
    ...(rejected > 0
      ? [
          share('F2', 'side:service', rejected - personsCount, rejected),
          share('F2', 'side:person', personsCount, rejected),
        ]
      : []),
    ...sharesOfId('F3'),
    ...sharesOfId('F4'),
    ...sharesOfId('F5'),
    ripe ? helpAsPersonSays : { ...helpAsPersonSays, value: null, low: null, high: null },
    share('F6', 'all', counts.secondChances, counts.declinedFirst),
  ];
}

function outcomeFigures({ counts }: CohortCounts): ExactFigure[] {
  const { goals, goalsAchieved, goalsPartly, measures } = counts;
  return [
    share('O1', 'all', goalsAchieved + goalsPartly / 2, goals),
    ...[...measures].map(([code, { n, sum, squares }]): ExactFigure => {
      const mean = sum / n;
      const variance = n > 1 ? Math.max(0, squares - n * mean * mean) / (n - 1) : null;
      const halfWidth = variance === null ? null : (z * Math.sqrt(variance)) / Math.sqrt(n);
      const [low, high] = halfWidth === null ? [null, null] : [mean - halfWidth, mean + halfWidth];
      return { id: 'O2', stratum: `measure:${code}`, n, value: mean, low, high };
    }),
    ...[...measures].flatMap(([code, { low, leftLow }]) =>
      low > 0 ? [share('O3', `measure:${code}`, leftLow, low)] : [],
    ),
    share('O4', 'all', counts.paired, counts.completed),
  ];
}

function letterAndLibraryFigures({ counts, fresh }: CohortCounts): ExactFigure[] {
  const { letters, sent } = counts;
  return [
    share('G1', 'within:1', counts.lettersIn1Day, letters - counts.lettersYoungerThan1Day),
    share('G1', 'within:5', counts.lettersIn5Days, letters - counts.lettersYoungerThan5Days),
    share('G2', 'all', counts.lettersByHand, letters),
    ...libraryFigures(fresh),
    value('L2', 'declined:no-capacity', sent, counts.declinedForCapacity),
    value('L2', 'waiting:28', sent, counts.waitedLong + counts.stillWaitingLong),
  ];
}

/** The figures of the library. They count services as they are today. */
export function libraryFigures({ services, checked, offered, availabilitySet }: Freshness): ExactFigure[] {
  return [share('L1', 'checked', checked, services), share('L1', 'availability', availabilitySet, offered)];
}

function value(id: FigureId, stratum: string, n: number, exact: number | null): ExactFigure {
  return { id, stratum, n, value: exact, low: null, high: null };
}

function share(id: FigureId, stratum: string, numerator: number, n: number): ExactFigure {
  if (n === 0) return { id, stratum, n, numerator, value: null, low: null, high: null };
  return { id, stratum, n, numerator, value: numerator / n, ...wilson(numerator, n) };
}

function rate(id: FigureId, stratum: string, numerator: number, n: number): ExactFigure {
  return { id, stratum, n, numerator, value: (1000 * numerator) / n, low: null, high: null };
}

const hoursPerDay = 24;

function daysOf(hours: number | null): number | null {
  return hours === null ? null : hours / hoursPerDay;
}
