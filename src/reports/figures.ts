import type { Db } from '../platform/database/index.ts';
import {
  type Active,
  type Change,
  type Cohort,
  type Counts,
  countActive,
  countAll,
  countNeverReferred,
  countReasons,
  measureChanges,
  timeToAnswer,
  timeToStart,
} from './measure-store.ts';
import { survivalQuantile, type Timed, wilson } from './statistics.ts';

/** What a figure counts in. A `share` is from 0 to 1, `days` may have a fraction, a `change` is in points of its measure. */
export const units = ['count', 'share', 'days', 'change'] as const;
export type Unit = (typeof units)[number];

/**
 * Every figure: what it is called, and in what it counts. docs/operating.md says what each means. A figure is added here, and in
 * `sharesOf` if it is a share of counts, or in `exactFigures`.
 */
export const figures = {
  A1: { title: 'Referrals sent', unit: 'count', meaning: 'How many referrals were sent.' },
  A2: {
    title: 'People referred',
    unit: 'count',
    meaning:
      'How many people they were about: the same name and date of birth is one person. Those whose record was erased count once for each referral.',
  },
  A4: {
    title: 'Who refers, and to which services',
    unit: 'count',
    meaning:
      'How many people made referrals, patients of how many GP practices were referred, to how many services; and how many of the services that take referrals got none.',
  },
  T1: {
    title: 'Days to the first answer',
    unit: 'days',
    meaning:
      'From sending until somebody of the service accepted or declined: half were answered by the median, nine in ten by the 90th percentile (Kaplan–Meier). Those without an answer count for as long as they have waited, and are never left out. If the site declined because nobody answered, that is no answer.',
  },
  T2: {
    title: 'Answered in time',
    unit: 'share',
    meaning: 'Answered by the due date, of all whose due date has passed.',
  },
  T4: {
    title: 'Days from acceptance to the start',
    unit: 'days',
    meaning:
      'From acceptance until the service started or completed its support, median (Kaplan–Meier). Those who still wait count for as long as they have waited.',
  },
  T5: {
    title: 'Overdue now',
    unit: 'count',
    meaning:
      'How many of the open referrals wait for an answer, or for the next step, that was due before now; and for how many days the oldest has.',
  },
  F1: {
    title: 'Accepted',
    unit: 'share',
    meaning: 'Ever accepted, of all that were accepted or declined.',
  },
  F2: {
    title: 'Why services declined',
    unit: 'share',
    meaning:
      'Each reason, of all declined. The person’s side is: the person did not want it, could not be reached, got help otherwise, moved away or died. All other reasons are the service’s side.',
  },
  F3: {
    title: 'Taken up',
    unit: 'share',
    meaning: 'Ever in progress or completed, of all that were ever accepted.',
  },
  F4: {
    title: 'Closed loop',
    unit: 'share',
    meaning:
      'Journeys that ended with an outcome or a reason, of all journeys that began in the period. A journey is a referral and those that replaced it. It is shown once the period is ripe: 90 % of its journeys have ended, or all are 90 days old.',
  },
  F6: {
    title: 'Second chance',
    unit: 'share',
    meaning:
      'Journeys whose first referral was declined and where a later one was completed, of all whose first was declined.',
  },
  O2: {
    title: 'Change of outcome scores',
    unit: 'change',
    meaning: 'The mean change of each measure from start to end, of all with both, with its 95 % interval.',
  },
  O4: {
    title: 'Completed with scores before and after',
    unit: 'share',
    meaning: 'Completed with a measure at the start and at the end, of all completed.',
  },
  D1: {
    title: 'Questions answered',
    unit: 'share',
    meaning:
      'Referrals in which a question that client systems may leave out was asked, of all that were not erased.',
  },
} as const satisfies Record<string, { title: string; unit: Unit; meaning: string }>;
export type FigureId = keyof typeof figures;

export function unitOf(id: FigureId, stratum: string): Unit {
  return id === 'T5' && stratum === 'oldest' ? 'days' : figures[id].unit;
}

/** One figure of one group of people, before anything is suppressed. */
export type Exact = {
  id: FigureId;
  stratum: string;
  /** The denominator. */
  n: number;
  /** For shares. */
  numerator?: number;
  /** Null where it cannot be said. */
  value: number | null;
  low: number | null;
  high: number | null;
};

export type Measured = {
  counts: Counts;
  ripe: boolean;
  toAnswer: readonly Timed[];
  toStart: readonly Timed[];
  reasons: ReadonlyMap<string, number>;
  changes: readonly Change[];
  active: Active;
  services: { offered: number; never: number };
};

/** Reads everything that the figures of a cohort are made from. */
export async function measure(db: Db, cohort: Cohort): Promise<Measured> {
  const [counts, toAnswer, toStart, reasons, changes, active, services] = await Promise.all([
    countAll(db, cohort),
    timeToAnswer(db, cohort),
    timeToStart(db, cohort),
    countReasons(db, cohort),
    measureChanges(db, cohort),
    countActive(db, cohort),
    countNeverReferred(db, cohort),
  ]);
  const ripe = isRipe(counts);
  return { counts, ripe, toAnswer: toAnswer.get('all') ?? [], toStart, reasons, changes, active, services };
}

/** Enough is known to say how the journeys of a period end: 90 % have ended, or all are 90 days old. */
function isRipe({ journeys, journeysEnded, journeysYoung }: Omit<Counts, 'people'>): boolean {
  return journeys > 0 && (10 * journeysEnded >= 9 * journeys || journeysYoung === 0);
}

/** The shares that are made from counts alone, of any group of people. */
export function sharesOf(counts: Omit<Counts, 'people'>, stratum: string, ripe: boolean): Exact[] {
  const closedLoop = share('F4', stratum, counts.journeysEnded, counts.journeys);
  return [
    share('T2', stratum, counts.inTime, counts.due),
    share('F1', stratum, counts.accepted, counts.accepted + counts.rejected),
    share('F3', stratum, counts.takenUp, counts.accepted),
    ripe ? closedLoop : { ...closedLoop, value: null, low: null, high: null },
  ];
}

/** The reasons that are the person's and not the service's. */
const personsReasons: readonly string[] = [
  'client-declined',
  'failed-contact',
  'needs-met-otherwise',
  'moved-away',
  'died',
];

/** Every figure of a whole cohort, exactly. */
export function exactFigures(measured: Measured): Exact[] {
  const { counts, ripe, toAnswer, toStart, reasons, changes, active, services } = measured;
  const { sent, rejected, notErased } = counts;
  const started = toStart.reduce((sum, { events, censored }) => sum + events + censored, 0);
  const persons = [...reasons].reduce((sum, [code, n]) => sum + (personsReasons.includes(code) ? n : 0), 0);
  const [answeredInTime, accepted, takenUp, closedLoop] = sharesOf(counts, 'all', ripe);
  return [
    value('A1', 'all', sent, sent),
    value('A2', 'all', sent, counts.people),
    value('A4', 'active:referrers', sent, active.referrers),
    value('A4', 'active:practices', sent, active.practices),
    value('A4', 'active:services', sent, active.services),
    value('A4', 'services:never', services.offered, services.never),
    value('T1', 'all', sent, daysOf(survivalQuantile(toAnswer, 0.5))),
    value('T1', 'percentile:90', sent, daysOf(survivalQuantile(toAnswer, 0.9))),
    answeredInTime!,
    value('T4', 'all', started, daysOf(survivalQuantile(toStart, 0.5))),
    value('T5', 'all', counts.open, counts.overdue),
    value('T5', 'oldest', counts.overdue, counts.oldestOverdue),
    accepted!,
    ...[...reasons].map(([code, count]) => share('F2', `reason:${code}`, count, rejected)),
    ...(rejected > 0
      ? [
          share('F2', 'side:service', rejected - persons, rejected),
          share('F2', 'side:person', persons, rejected),
        ]
      : []),
    takenUp!,
    closedLoop!,
    share('F6', 'all', counts.secondChances, counts.declinedFirst),
    ...changes.map(({ code, n, mean, deviation }) => {
      const half = deviation === null ? null : (1.959964 * deviation) / Math.sqrt(n);
      const [low, high] = half === null ? [null, null] : [mean - half, mean + half];
      return { id: 'O2' as const, stratum: `measure:${code}`, n, value: mean, low, high };
    }),
    share('O4', 'all', counts.paired, counts.completed),
    share('D1', 'field:risk', counts.riskAsked, notErased),
    share('D1', 'field:contact', counts.contactAsked, notErased),
    share('D1', 'field:agreement', counts.agreementAsked, notErased),
    share('D1', 'field:gp_actions', counts.gpActionsAsked, notErased),
  ];
}

function value(id: FigureId, stratum: string, n: number, exact: number | null): Exact {
  return { id, stratum, n, value: exact, low: null, high: null };
}

function share(id: FigureId, stratum: string, numerator: number, n: number): Exact {
  if (n === 0) return { id, stratum, n, numerator, value: null, low: null, high: null };
  return { id, stratum, n, numerator, value: numerator / n, ...wilson(numerator, n) };
}

const minutesPerDay = 24 * 60;

export function daysOf(minutes: number | null): number | null {
  return minutes === null ? null : minutes / minutesPerDay;
}
