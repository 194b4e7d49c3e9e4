import { minShownCount } from '../../platform/small-counts.ts';
import { type Exact, type FigureId, unitOf } from '../model/figures.ts';
import { wilson } from '../model/statistics.ts';
import { hiddenCells, publishedCount } from './small-numbers.ts';

/** A figure as others may see it. The numerator is kept for sums of months, and is not shown. */
export type Published = {
  id: FigureId;
  stratum: string;
  n: number | null;
  numerator: number | null;
  value: number | null;
  low: number | null;
  high: number | null;
};

/** The figures of a whole cohort for others: counts of 1 to 7 are null, the others are rounded, and shares come from rounded counts. */
export function suppress(exact: readonly Exact[]): Published[] {
  const reasons = new Map(
    exact
      .filter(({ stratum }) => stratum.startsWith('reason:'))
      .map(({ stratum, numerator }) => [stratum, numerator ?? 0]),
  );
  const hidden = hiddenCells(reasons) ?? new Set(reasons.keys());
  return exact.map((each) => publish(each, hidden.has(each.stratum)));
}

/** One figure for others. @param isHidden another cell would reveal it, or it would reveal another */
function publish(exact: Exact, isHidden = false): Published {
  const { id, stratum, numerator } = exact;
  const withoutValue = {
    id,
    stratum,
    n: publishedCount(exact.n),
    numerator: null,
    value: null,
    low: null,
    high: null,
  };
  if (isHidden) return withoutValue;
  const unit = unitOf(id, stratum);
  if (unit === 'count') return { ...withoutValue, value: publishedCount(exact.value ?? 0) };
  if (unit === 'share') {
    const isUnknown = exact.value === null;
    return isUnknown
      ? withoutValue
      : { ...withoutValue, ...publishedShare(publishedCount(numerator ?? 0), withoutValue.n) };
  }
  if (unit === 'rate')
    return { ...withoutValue, ...publishedRate(publishedCount(numerator ?? 0), withoutValue.n) };
  return exact.n < minShownCount
    ? withoutValue
    : { ...withoutValue, value: exact.value, low: exact.low, high: exact.high };
}

/** A share from rounded counts. */
export function publishedShare(
  numerator: number | null,
  n: number | null,
): Omit<Published, 'id' | 'stratum' | 'n'> {
  if (numerator === null || n === null || n === 0)
    return { numerator: null, value: null, low: null, high: null };
  const count = Math.min(numerator, n);
  return { numerator: count, value: count / n, ...wilson(count, n) };
}

/** For each 1,000, from rounded counts. */
function publishedRate(numerator: number | null, n: number | null): Omit<Published, 'id' | 'stratum' | 'n'> {
  const value = numerator === null || n === null || n === 0 ? null : (1000 * numerator) / n;
  return { numerator: value === null ? null : numerator, value, low: null, high: null };
}

/**
 * The rows of one figure for the parts of a dimension. Where a small part could be worked out from the others, these are hidden, too;
 * where hiding them is not enough, one row without a number stands for all.
 */
export function suppressParts(dimension: string, rows: readonly Exact[]): Published[] {
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
    const withoutValue = { n: null, numerator: null, value: null, low: null, high: null };
    return [{ id: rows[0]!.id, stratum: dimension, ...withoutValue }];
  }
  return rows.map((row) =>
    hidden.some((each) => each!.has(row.stratum)) ? { ...publish(row, true), n: null } : publish(row),
  );
}
