import { sql } from 'kysely';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { FigureId } from '../model/figures.ts';
import type { PublishedFigure } from './suppress.ts';

/** Which of these months are published. Months are their first days. */
export async function findPublishedMonths(db: Db, months: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ month: string }>`
    select month::text from report_months where month = any(${months}::date[])`.execute(db);
  return new Set(rows.map(({ month }) => month));
}

/** @returns whether it was not published before. */
export async function insertMonth(trx: Trx, month: string, at: Date): Promise<boolean> {
  const { rows } = await sql<{ month: string }>`
    insert into report_months (month, published_at) values (${month}::date, ${at}) on conflict do nothing
    returning month::text`.execute(trx);
  return rows.length > 0;
}

export async function insertFigures(
  trx: Trx,
  month: string,
  figures: readonly PublishedFigure[],
): Promise<void> {
  await sql`
    insert into report_figures (month, figure, stratum, n, numerator, value, low, high)
    select ${month}::date, id, stratum, n, numerator, value, low, high
    from jsonb_to_recordset(${JSON.stringify(figures)}::jsonb) as given(id text, stratum text, n integer, numerator integer,
      value double precision, low double precision, high double precision)`.execute(trx);
}

/** The figures of these months as they were published. */
export async function listFigures(
  db: Db,
  months: readonly string[],
): Promise<(PublishedFigure & { month: string })[]> {
  const { rows } = await sql<Omit<PublishedFigure, 'id'> & { id: string; month: string }>`
    select month::text, figure as id, stratum, n, numerator, value, low, high from report_figures
    where month = any(${months}::date[]) order by month, figure, stratum`.execute(db);
  return rows as (PublishedFigure & { id: FigureId; month: string })[];
}

/** Sums over several months, of one figure of one group of people. */
export type SumOfMonths = Pick<PublishedFigure, 'id' | 'stratum' | 'n' | 'numerator' | 'value'>;

/** Adds up what these months published, for each part of the dimensions. A sum is null if a month hides the part, or its whole dimension. */
export async function sumFigures(
  db: Db,
  months: readonly string[],
  dimensions: readonly string[],
): Promise<SumOfMonths[]> {
  const { rows } = await sql<Omit<SumOfMonths, 'id'> & { id: string }>`
    with rows as (
      select *, split_part(stratum, ':', 1) as dimension from report_figures
      where month = any(${months}::date[]) and split_part(stratum, ':', 1) = any(${dimensions}::text[])),
    sums as (
      select figure, stratum, dimension, sum(n) as n, sum(value) as value, coalesce(sum(numerator) filter (where n <> 0), 0) as numerator,
        bool_and(n is not null) as has_n, bool_and(value is not null) as has_value,
        bool_and(n is not distinct from 0 or numerator is not null) as has_numerator
      from rows where stratum <> dimension group by 1, 2, 3)
    select figure as id, stratum, case when has_n and not is_withheld then n::int end as n,
      case when has_value and not is_withheld then value end as value,
      case when has_numerator and not is_withheld then numerator::int end as numerator
    from sums cross join lateral (
      select (figure, dimension) in (select figure, dimension from rows where stratum = dimension) as is_withheld) as known
    order by figure, stratum`.execute(db);
  return rows as SumOfMonths[];
}
