import { minShownCount } from '../../platform/small-counts.ts';
import { type ExactFigure, type FigureId, unitOf } from '../model/figures.ts';
import { wilson } from '../model/statistics.ts';
import { hiddenCells, publishedCount } from './small-numbers.ts';

/** A figure as others may see it. The numerator is kept for sums of months, and is not shown. */
export type PublishedFigure = {
  id: FigureId;
  stratum: string;
  n: number | null;
  numerator: number | null;
  value: number | null;
  low: number | null;
  high: number | null;
};

/** The figures of a whole cohort for others: counts of 1 to 7 are null, the others are rounded, and shares come from rounded counts. */
export function suppress(exact: readonly ExactFigure[]): PublishedFigure[] {
  const reasons = new Map(
    exact
      .filter(({ stratum }) => stratum.startsWith('reason:'))
      .map(({ stratum, numerator }) => [stratum, numerator ?? 0]),
  );
  const hidden = hiddenCells(reasons) ?? new Set(reasons.keys());
  return exact.map((each) => (hidden.has(each.stratum) ? withoutValue(each) : publish(each)));
}

/** A figure without its value, because another figure would reveal it, or it would reveal another. */
function withoutValue({ id, stratum, n }: ExactFigure): PublishedFigure {
  return { id, stratum, n: publishedCount(n), numerator: null, value: null, low: null, high: null };
}

/** One figure as others may see it. */
function publish(exact: ExactFigure): PublishedFigure {
  const row = withoutValue(exact);
  const numerator = publishedCount(exact.numerator ?? 0);
  switch (unitOf(exact.id, exact.stratum)) {
    case 'count':
      return { ...row, value: publishedCount(exact.value ?? 0) };
    case 'share':
      return exact.value === null ? row : { ...row, ...publishedShare(numerator, row.n) };
    case 'rate':
      return { ...row, ...publishedRate(numerator, row.n) };
    default: {
      const { n, value, low, high } = exact;
      return n < minShownCount ? row : { ...row, value, low, high };
    }
  }
}

/** A share from rounded counts. */
export function publishedShare(
  numerator: number | null,
  n: number | null,
): Omit<PublishedFigure, 'id' | 'stratum' | 'n'> {
  if (numerator === null || n === null || n === 0)
    return { numerator: null, value: null, low: null, high: null };
  const count = Math.min(numerator, n);
  return { numerator: count, value: count / n, ...wilson(count, n) };
}

/** For each 1,000, from rounded counts. */
function publishedRate(
  numerator: number | null,
  n: number | null,
): Omit<PublishedFigure, 'id' | 'stratum' | 'n'> {
  const value = numerator === null || n === null || n === 0 ? null : (1000 * numerator) / n;
  return { numerator: value === null ? null : numerator, value, low: null, high: null };
}

/**
 * The rows of one figure for the parts of a dimension. If a small part could be worked out from the others, some of these are hidden too.
 * If hiding them is not enough, one row without numbers stands for all.
 */
export function suppressParts(dimension: string, rows: readonly ExactFigure[]): PublishedFigure[] {
  const lists = [
    rows.map(({ n }) => n),
    ...(rows.some(({ numerator }) => numerator !== undefined)
      ? [rows.map(({ numerator }) => numerator ?? 0), rows.map(({ n, numerator }) => n - (numerator ?? 0))]
      : []),
  ];
  const hidden = lists.map((list) =>
    hiddenCells(new Map(rows.map(({ stratum }, index) => [stratum, list[index]!]))),
  );
  if (hidden.some((each) => each === undefined)) {
    const nothing = { n: null, numerator: null, value: null, low: null, high: null };
    return [{ id: rows[0]!.id, stratum: dimension, ...nothing }];
  }
  return rows.map((row) =>
    hidden.some((each) => each!.has(row.stratum)) ? { ...withoutValue(row), n: null } : publish(row),
  );
}
