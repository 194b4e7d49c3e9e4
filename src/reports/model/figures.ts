/**
 * What a figure counts in. A `share` is from 0 to 1. `days` may have a fraction. A `change` is in points of its measure, and a `rate` for
 * each 1,000 people registered. A `ratio` is one number divided by another.
 */
export const units = ['count', 'share', 'days', 'change', 'rate', 'ratio'] as const;
export type Unit = (typeof units)[number];

/**
 * Every figure: what it is called, and in what it counts. The meanings are shown at `/operator/reports/definitions`. A figure is added
 * here and in exact-figures.ts; E1 and L2 by need are worked out in publish/. Its words are in pages/words.ts, which table shows it in
 * pages/view.ts, and docs/operating.md lists it.
 */
export const figures = {
  A1: { title: 'Referrals sent', unit: 'count', meaning: 'How many referrals were sent.' },
  A2: {
    title: 'People referred',
    unit: 'count',
    meaning:
      'How many people they were about: the same name and date of birth is one person. Those whose record was erased count once for each referral.',
  },
  A3: {
    title: 'Referrals per 1,000 registered',
    unit: 'rate',
    meaning:
      'Referrals of patients of the GP practices whose list sizes are known, for each 1,000 people registered there. List sizes come with the list of practices, as they were imported last.',
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
      'From sending until somebody of the service accepted or declined: half were answered by the median, nine in ten by the 90th percentile (Kaplan–Meier). Those without an answer count for as long as they have waited, and are never left out. If the site declined because nobody answered, that is no answer. Half is counted exactly. Counts on the page are rounded: where they say 20 of 35, it may be 18 of 37, and then there is no median yet.',
  },
  T2: {
    title: 'Answered in time',
    unit: 'share',
    meaning: 'Answered by the due date, of all whose due date has passed.',
  },
  T3: {
    title: 'Days to the first contact',
    unit: 'days',
    meaning:
      'From sending until somebody of the service first reached the person, median (Kaplan–Meier). Those without a contact count for as long as they have waited, or until they ended. Beside it: the share of accepted and ended referrals that were closed without any contact, and the share of ended referrals after which the person was referred again within 30 days. Replacements are not counted.',
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
      'How many of the open referrals wait for an answer, or for the next step, that was due before now; and how many days the oldest has been waiting.',
  },
  F1: {
    title: 'Accepted',
    unit: 'share',
    meaning:
      'Ever accepted, of all that were accepted or declined. Nobody declined a referral that ended because the person has died.',
  },
  F2: {
    title: 'Why services declined',
    unit: 'share',
    meaning:
      'Each reason, of all declined. The person’s side is: the person did not want it, could not be reached, got help otherwise or moved away. All other reasons are the service’s side.',
  },
  F3: {
    title: 'Support started',
    unit: 'share',
    meaning: 'Ever in progress or completed, of all that were ever accepted.',
  },
  F4: {
    title: 'Outcome known',
    unit: 'share',
    meaning:
      'Journeys that ended with an outcome or a reason, of all journeys that began in the period. A journey is a referral and those that replaced it. It is shown once the period is ripe: 90 % of its journeys have ended, or all are 90 days old.',
  },
  F5: {
    title: 'Got help',
    unit: 'share',
    meaning:
      'As the service says: journeys in which a goal was met or partly met, of all journeys that began in the period. As the person says: journeys in which the person said last, on their own page, that they got help, of all journeys too. Both are shown once the period is ripe.',
  },
  F6: {
    title: 'Second chance',
    unit: 'share',
    meaning:
      'Journeys whose first referral was declined and where a later one was completed, of all whose first was declined.',
  },
  O1: {
    title: 'Goals',
    unit: 'share',
    meaning: 'Goals that were met, and half of those partly met, of all goals that were set.',
  },
  O2: {
    title: 'Change of outcome scores',
    unit: 'change',
    meaning: 'The mean change of each measure from start to end, of all with both, with its 95 % interval.',
  },
  O3: {
    title: 'Moved out of the poor band',
    unit: 'share',
    meaning:
      'Of each measure: those whose last score is outside its poor band, of those with both scores whose first was in it. The bands are below.',
  },
  O4: {
    title: 'Completed with scores before and after',
    unit: 'share',
    meaning: 'Completed with a measure at the start and at the end, of all completed.',
  },
  G1: {
    title: 'GP practice told in time',
    unit: 'share',
    meaning:
      'Letters sent to GP practices within one day, and within five days, of the event that they report, of all letters that are at least that old or already sent.',
  },
  G2: {
    title: 'Needed a person',
    unit: 'share',
    meaning:
      'Letters to GP practices that did not arrive by themselves, so that an operator had to look after them, of all letters.',
  },
  L1: {
    title: 'Library up to date',
    unit: 'share',
    meaning:
      'Of all active services, those whose entry was checked in the last 180 days; and of those that take referrals, those whose availability was set in the last 30 days. Both are as of today, for any period.',
  },
  L2: {
    title: 'Unmet need',
    unit: 'count',
    meaning:
      'Referrals that were declined because the service was full, and those that waited for support for more than 28 days. For whole months also by need and by district, both kinds together. A referral with several needs counts once for each. Searches of the public directory that found too little are on a page of their own, /operator/unmet-need, for operators and managers.',
  },
  D1: {
    title: 'Completeness',
    unit: 'share',
    meaning:
      'For each field that client systems may leave out: the share of referrals that give it. Erased referrals are not counted. For a question about safety, the share in which it was asked. Where a share is low, ask the people who run that system to ask everybody.',
  },
  E1: {
    title: 'Most deprived against least deprived',
    unit: 'ratio',
    meaning:
      'The figure of people in the most deprived fifth of the country, divided by that of people in the least deprived fifth, with its 95 % interval for shares (Katz). The fifth comes from the postcode when the referral was sent, by the Index of Multiple Deprivation that was imported with the postcodes. It is made from published figures of whole months. Where it is 1, both are alike.',
  },
} as const satisfies Record<string, { title: string; unit: Unit; meaning: string }>;
export type FigureId = keyof typeof figures;

/** Some parts of a figure count in another unit than the figure itself. */
const unitsOfParts: Readonly<Record<string, Unit>> = {
  'T3 closed-without-contact': 'share',
  'T3 referred-again:30': 'share',
  'T5 oldest': 'days',
};

export function unitOf(id: FigureId, stratum: string): Unit {
  return unitsOfParts[`${id} ${stratum}`] ?? figures[id].unit;
}

/** One figure of one group of people, before anything is suppressed. */
export type ExactFigure = {
  id: FigureId;
  stratum: string;
  /** The denominator. */
  n: number;
  /** The numerator of a share or rate. */
  numerator?: number;
  /** The figure itself; null if it is not known. */
  value: number | null;
  low: number | null;
  high: number | null;
};
