import type { Caller } from '../../accounts/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import type { Cohort } from '../facts/cohort-store.ts';
import {
  countByMonth,
  countByService,
  findServiceNames,
  type StatusCounts,
} from '../figures/status-counts-store.ts';
import type { FigureId } from '../model/figures.ts';
import { lastMonths, monthPeriod, type Period, periodBefore, wholeMonths } from '../model/periods.ts';
import { hiddenCells, publishedCount, sensitiveStep } from '../publish/small-numbers.ts';
import {
  cohortOf,
  type Figure,
  isOfGroup,
  publishAndSummarise,
  type Scope,
  scopeOf,
  summariseExactly,
} from '../publish/summarise.ts';
import { columnChart, countChart, shareChart } from './charts.ts';
import { countedReferralsPath } from './counted-referrals-page.ts';
import {
  changeInWords,
  figureInWords,
  hidden,
  intervalInWords,
  nothing,
  partInWords,
  type Shown,
  tellingInterval,
  valueInWords,
} from './words.ts';

/** The main figures, which come first here and on the home page. */
const mainIds: readonly FigureId[] = ['A1', 'A2', 'T1', 'T2', 'F1', 'F4'];

/** Services on the page of a report. */
const maxServices = 200;

/** The values of the template of a report's page. @param isExact whether no small count is hidden from the reader */
export async function reportView(
  deps: WebPlatform,
  scope: Scope,
  period: Period,
  { isExact }: { isExact: boolean },
) {
  const read = isExact ? summariseExactly : publishAndSummarise;
  const summary = await read(deps, scope, period);
  const before = await read(deps, scope, periodBefore(period));
  const { ripe } = summary.period;
  const shown = { ripe, isRounded: !isExact };
  const isOwn = scope.organizationId !== undefined;
  const cohort = await cohortOf(deps, scope, period);
  const months = await monthRows(deps, cohort, { isExact });
  // Several months are compared with each other, and one with the month before it.
  const [monthBefore] =
    wholeMonths(period)?.length === 1
      ? await monthRows(deps, { ...cohort, ...periodBefore(period) }, { isExact })
      : [];
  const changeOf = (figure: Figure) => changeInWords(figure, before.figures.find(isSame(figure)));
  const rowOf = (figure: Figure) => ({
    id: figure.id,
    name: figureInWords(figure),
    part: partInWords(figure.stratum),
    value: valueInWords(figure, shown),
    interval: intervalInWords(figure),
    n: figure.n ?? hidden,
    change: changeOf(figure),
    href: isOwn && figure.value ? countedReferralsPath(figure, period) : undefined,
  });
  const ofId = (...ids: FigureId[]) => summary.figures.filter(({ id }) => ids.includes(id));
  const tableRows = summary.figures.filter(
    ({ id, stratum }) => !/^(F2|D1|O2|O3|E1)$/.test(id) && !isOfGroup(stratum),
  );
  const rowsWithValue = tableRows.filter((figure) => !saysNothing(rowOf(figure)));
  return {
    period,
    ripe,
    before: { from: before.period.from, to: before.period.to },
    query: new URLSearchParams(period).toString(),
    isWholeMonths: wholeMonths(period) !== undefined,
    isEmpty: summary.figures.find(({ id, stratum }) => id === 'A1' && stratum === 'all')?.value === 0,
    main: rowsWithValue.filter(isMain).map(rowOf),
    more: rowsWithValue.filter((figure) => !isMain(figure)).map(rowOf),
    tooFew: tableRows.map(rowOf).filter(({ value }) => value === hidden),
    notKnown: tableRows.map(rowOf).filter(({ value }) => value === nothing),
    reasons: ofId('F2').map(rowOf),
    fields: ofId('D1').map((figure) => ({ ...rowOf(figure), missing: countWithout(figure) })),
    poorBands: ofId('O3').map(rowOf),
    equity: ofId('E1').map(rowOf),
    isUnsaid: Object.fromEntries(
      (['F2', 'O2', 'O3', 'E1'] as const).map((id) => [id, ofId(id).map(rowOf).every(saysNothing)]),
    ),
    unmet: unmetOf(summary.figures),
    changes: ofId('O2').map(rowOf),
    months: monthBefore ? [...months, monthBefore] : months,
    countCharts: chartsOfCounts(months, monthBefore),
    mainChart: chartOfShares(tableRows.filter(isMain), before.figures, shown),
    shareChart: chartOfShares(
      tableRows.filter((figure) => !isMain(figure)),
      before.figures,
      shown,
    ),
    groups: await groupsOf(deps, summary.figures, shown, changeOf),
    services: isExact ? await servicesOf(deps, cohort, isOwn) : [],
    maxServices,
  };
}

/** A figure that is hidden, not known yet, or counts nothing. The page folds these; exports have them all. */
const saysNothing = ({ value }: { value: string }) => value === hidden || value === nothing;

const isSame =
  ({ id, stratum }: Figure) =>
  (other: Figure) =>
    other.id === id && other.stratum === stratum;

/** One of the main figures of the whole cohort. */
const isMain = ({ id, stratum }: Figure) => stratum === 'all' && mainIds.includes(id);

/** How many referrals lack a field. */
function countWithout({ n, value }: Figure): string {
  if (n === null || value === null) return n === 0 ? '0' : hidden;
  return Math.round(n * (1 - value)).toLocaleString('en-GB');
}

/** The referrals sent in each month, newest first. */
async function monthRows(
  { db }: WebPlatform,
  cohort: Cohort,
  { isExact }: { isExact: boolean },
): Promise<MonthRow[]> {
  return (await countByMonth(db, cohort)).map(({ month, ...counted }) => ({
    month,
    monthInWords: monthInWords(month),
    ...monthPeriod(month),
    ...(isExact ? counted : suppressStatusCounts(counted)),
  }));
}

/** The counts of a month for others. Its statuses add up to all that were sent, so small ones hide others. */
function suppressStatusCounts({ sent, overdue, ...statuses }: StatusCounts) {
  const parts = new Map(Object.entries(statuses));
  const hiddenParts = hiddenCells(parts) ?? new Set(parts.keys());
  const show = (count: number) => publishedCount(count) ?? hidden;
  return {
    sent: show(sent),
    overdue: show(overdue),
    ...Object.fromEntries(
      [...parts].map(([name, count]) => [name, hiddenParts.has(name) ? hidden : show(count)]),
    ),
  };
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const monthInWords = (month: string) => monthFormat.format(new Date(month));

/** For an axis: “Nov 26”. */
const shortMonth = (month: string) => monthInWords(month).replace(/^(\w{3})\w* \d\d/, '$1 ');

type MonthRow = { month: string; monthInWords: string } & Period &
  Partial<Record<keyof StatusCounts, number | string>>;

const statusTitles: readonly (readonly [keyof StatusCounts, string])[] = [
  ['sent', 'Sent'],
  ['waiting', 'Waiting for an answer'],
  ['underWay', 'Under way'],
  ['completed', 'Completed'],
  ['rejected', 'Declined'],
  ['endedUnsuccessfully', 'Closed for another reason'],
];

/** The numbers of the table by month: of one month each status, of several how many were sent and completed in turn. */
function chartsOfCounts(
  months: readonly MonthRow[],
  monthBefore: MonthRow | undefined,
): { title: string; drawn: string; hasMarks: boolean }[] {
  const [only] = months;
  if (!only) return [];
  const sameAsTable = 'The table by month has the same numbers.';
  if (months.length === 1) {
    const title = `Status of the referrals sent in ${only.monthInWords}`;
    const bars = statusTitles.map(([name, label]) => ({
      label,
      value: only[name] ?? hidden,
      ...(monthBefore && { before: monthBefore[name] ?? hidden }),
    }));
    const hasMarks = monthBefore !== undefined;
    return [{ title, drawn: countChart(bars, `${title}. ${sameAsTable}`), hasMarks }];
  }
  return (['sent', 'completed'] as const).map((name) => {
    const title = name === 'sent' ? 'Referrals sent, by month' : 'Completed, by the month they were sent in';
    const columns = months
      .toReversed()
      .map((row) => ({ label: shortMonth(row.month), value: row[name] ?? hidden }));
    return { title, drawn: columnChart(columns, `${title}. ${sameAsTable}`), hasMarks: false };
  });
}

/** The shares that are known, each with its likely range and where it was in the period before; false if there are none. */
function chartOfShares(figures: readonly Figure[], before: readonly Figure[], shown: Shown): string | false {
  const shares = figures.filter(({ unit, value }) => unit === 'share' && value !== null);
  if (shares.length === 0) return false;
  const bars = shares.map((figure) => {
    const earlier = before.find(isSame(figure));
    return {
      label: figureInWords(figure),
      value: figure.value!,
      interval: tellingInterval(figure),
      before: earlier?.value ?? null,
      words: [valueInWords(figure, shown), changeInWords(figure, earlier)].filter(Boolean).join(', '),
    };
  });
  return shareChart(
    bars,
    'Percentages, each with a line for its likely range, and a mark where it was in the period before',
  );
}

const groupTitles: Readonly<Record<string, string>> = {
  service: 'By service',
  age: 'By age',
  gender: 'By gender',
  interpreter: 'By need for an interpreter',
  imd: 'By deprivation',
  ethnicity: 'By ethnic group',
};

/** The figures of groups of people, where the period has them. */
async function groupsOf(
  { db }: WebPlatform,
  figures: readonly Figure[],
  shown: Shown,
  changeOf: (figure: Figure) => string,
) {
  const rows = figures.filter(({ stratum }) => isOfGroup(stratum));
  const ids = rows.flatMap(({ stratum }) => (stratum.startsWith('service:') ? [stratum.slice(8)] : []));
  const names = await findServiceNames(db, [...new Set(ids)]);
  const kinds = Map.groupBy(rows, ({ stratum }) => stratum.split(':')[0]!);
  return Object.entries(groupTitles).flatMap(([kind, title]) => {
    const ofKind = kinds.get(kind);
    if (!ofKind) return [];
    const parts = Map.groupBy(
      ofKind.filter(({ stratum }) => stratum !== kind),
      ({ stratum }) => stratum,
    );
    const figureValue = (each: readonly Figure[], id: FigureId) => {
      const figureOfId = each.find((figure) => figure.id === id);
      return figureOfId ? valueInWords(figureOfId, shown) : hidden;
    };
    const listed = [...parts].map(([stratum, each]) => ({
      name: partInWords(stratum, names),
      href: names.has(stratum.slice(8)) ? `/services/${encodeURIComponent(stratum.slice(8))}` : undefined,
      sent: figureValue(each, 'A1'),
      change: changeOf(each.find(({ id }) => id === 'A1')!),
      days: figureValue(each, 'T1'),
      inTime: figureValue(each, 'T2'),
      accepted: figureValue(each, 'F1'),
      takenUp: figureValue(each, 'F3'),
      closed: figureValue(each, 'F4'),
      helped: figureValue(each, 'F5'),
    }));
    return [{ kind, title, rows: listed, isWithheld: listed.length === 0 }];
  });
}

/** Unmet need by need and by district, without the parts in which there is none. */
function unmetOf(figures: readonly Figure[]) {
  return Object.entries({ need: 'Unmet need, by need', district: 'Unmet need, by district' }).flatMap(
    ([kind, title]) => {
      const rows = figures
        .filter(({ id, stratum, value }) => id === 'L2' && stratum.startsWith(`${kind}:`) && value !== 0)
        .map(({ stratum, n, value }) => ({
          name: partInWords(stratum),
          unmet: value ?? hidden,
          sent: n ?? hidden,
        }));
      return rows.length === 0 ? [] : [{ kind, title, rows }];
    },
  );
}

async function servicesOf({ db }: WebPlatform, cohort: Cohort, isOwn: boolean) {
  const counted = await countByService(db, cohort, { max: maxServices });
  const names = await findServiceNames(
    db,
    counted.map(({ id }) => id),
  );
  const named = counted.map((each) => ({ ...each, name: names.get(each.id) ?? each.id }));
  if (isOwn || cohort.excludedServices.length === 0) return named;
  const ofSensitive = await countByService(
    db,
    { ...cohort, excludedServices: [], onlyServices: cohort.excludedServices },
    { max: cohort.excludedServices.length },
  );
  if (ofSensitive.length === 0) return named;
  const { id: _, ...first } = ofSensitive[0]!;
  const counts = Object.keys(first).map((name) => {
    const count = ofSensitive.reduce((sum, each) => sum + each[name as keyof StatusCounts], 0);
    return [
      name,
      count < sensitiveStep ? `fewer than ${sensitiveStep}` : count - (count % sensitiveStep),
    ] as const;
  });
  return [...named, { isSensitive: true, ...Object.fromEntries(counts) }];
}

/** The main figures of the last 12 months, in words, for a first page. */
export async function readMainFigures(deps: WebPlatform, caller: Pick<Caller, 'roles' | 'organisation'>) {
  const { period, figures } = await publishAndSummarise(
    deps,
    scopeOf(caller),
    lastMonths(deps.clock.now(), 12),
  );
  return figures.filter(isMain).map((figure) => ({
    id: figure.id,
    name: figureInWords(figure),
    value: valueInWords(figure, { ripe: period.ripe, isRounded: true }),
  }));
}
