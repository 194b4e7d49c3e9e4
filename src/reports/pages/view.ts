import type { Caller } from '../../accounts/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import type { Cohort } from '../facts/cohort-store.ts';
import {
  countByMonth,
  countByService,
  findServiceNames,
  type StatusCounts,
} from '../figures/status-counts-store.ts';
import { type FigureId, unitOf } from '../model/figures.ts';
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
  hiddenSign,
  intervalInWords,
  partInWords,
  unknownSign,
  usefulInterval,
  valueInWords,
  type Wording,
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
  const summarise = isExact ? summariseExactly : publishAndSummarise;
  const summary = await summarise(deps, scope, period);
  const before = await summarise(deps, scope, periodBefore(period));
  const { ripe } = summary.period;
  const wording = { ripe, isRounded: !isExact };
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
    value: valueInWords(figure, wording),
    interval: intervalInWords(figure),
    n: figure.n ?? hiddenSign,
    // “8 out of 8” says nothing.
    isCount: unitOf(figure.id, figure.stratum) === 'count',
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
    tooFew: tableRows.map(rowOf).filter(({ value }) => value === hiddenSign),
    notKnown: tableRows.map(rowOf).filter(({ value }) => value === unknownSign),
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
    mainChart: chartOfShares(tableRows.filter(isMain), before.figures, wording),
    shareChart: chartOfShares(
      tableRows.filter((figure) => !isMain(figure)),
      before.figures,
      wording,
    ),
    groups: await groupsOf(deps, summary.figures, wording, changeOf),
    services: isExact ? await servicesOf(deps, cohort, isOwn) : [],
    maxServices,
  };
}

/** A figure that is hidden, not known yet, or counts nothing. The page folds these; exports have them all. */
const saysNothing = ({ value }: { value: string }) => value === hiddenSign || value === unknownSign;

const isSame =
  ({ id, stratum }: Figure) =>
  (other: Figure) =>
    other.id === id && other.stratum === stratum;

/** One of the main figures of the whole cohort. */
const isMain = ({ id, stratum }: Figure) => stratum === 'all' && mainIds.includes(id);

/** How many referrals lack a field. */
function countWithout({ n, value }: Figure): string {
  if (n === null || value === null) return n === 0 ? '0' : hiddenSign;
  return Math.round(n * (1 - value)).toLocaleString('en-GB');
}

/** The referrals sent in each month, newest first. */
async function monthRows(
  { db }: WebPlatform,
  cohort: Cohort,
  { isExact }: { isExact: boolean },
): Promise<MonthRow[]> {
  return (await countByMonth(db, cohort)).map(({ month, ...counts }) => ({
    month,
    monthInWords: monthInWords(month),
    ...monthPeriod(month),
    ...(isExact ? counts : suppressStatusCounts(counts)),
  }));
}

/** The counts of a month as others may see them. The statuses add up to all that were sent, so where a small one is hidden, others must be too. */
function suppressStatusCounts({ sent, overdue, ...statuses }: StatusCounts) {
  const parts = new Map(Object.entries(statuses));
  const hiddenParts = hiddenCells(parts) ?? new Set(parts.keys());
  const show = (count: number) => publishedCount(count) ?? hiddenSign;
  return {
    sent: show(sent),
    overdue: show(overdue),
    ...Object.fromEntries(
      [...parts].map(([name, count]) => [name, hiddenParts.has(name) ? hiddenSign : show(count)]),
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
  const [latest] = months;
  if (!latest) return [];
  const sameAsTable = 'The table by month has the same numbers.';
  if (months.length === 1) {
    const title = `Status of the referrals sent in ${latest.monthInWords}`;
    const bars = statusTitles.map(([name, label]) => ({
      label,
      value: latest[name] ?? hiddenSign,
      ...(monthBefore && { before: monthBefore[name] ?? hiddenSign }),
    }));
    const hasMarks = monthBefore !== undefined;
    return [{ title, drawn: countChart(bars, `${title}. ${sameAsTable}`), hasMarks }];
  }
  return (['sent', 'completed'] as const).map((name) => {
    const title = name === 'sent' ? 'Referrals sent, by month' : 'Completed, by the month they were sent in';
    const columns = months
      .toReversed()
      .map((row) => ({ label: shortMonth(row.month), value: row[name] ?? hiddenSign }));
    return { title, drawn: columnChart(columns, `${title}. ${sameAsTable}`), hasMarks: false };
  });
}

/** The shares that are known, each with its likely range and where it was in the period before; false if there are none. */
function chartOfShares(
  figures: readonly Figure[],
  before: readonly Figure[],
  wording: Wording,
): string | false {
  const shares = figures.filter(({ unit, value }) => unit === 'share' && value !== null);
  if (shares.length === 0) return false;
  const bars = shares.map((figure) => {
    const earlier = before.find(isSame(figure));
    return {
      label: figureInWords(figure),
      value: figure.value!,
      interval: usefulInterval(figure),
      before: earlier?.value ?? null,
      words: [valueInWords(figure, wording), changeInWords(figure, earlier)].filter(Boolean).join(', '),
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
  wording: Wording,
  changeOf: (figure: Figure) => string,
) {
  const rows = figures.filter(({ stratum }) => isOfGroup(stratum));
  const ids = rows.flatMap(({ stratum }) => (stratum.startsWith('service:') ? [stratum.slice(8)] : []));
  const names = await findServiceNames(db, [...new Set(ids)]);
  const kinds = Map.groupBy(rows, ({ stratum }) => stratum.split(':')[0]!);
  return Object.entries(groupTitles).flatMap(([kind, title]) => {
    const figuresOfKind = kinds.get(kind);
    if (!figuresOfKind) return [];
    const parts = Map.groupBy(
      figuresOfKind.filter(({ stratum }) => stratum !== kind),
      ({ stratum }) => stratum,
    );
    const figureValue = (each: readonly Figure[], id: FigureId) => {
      const figureOfId = each.find((figure) => figure.id === id);
      return figureOfId ? valueInWords(figureOfId, wording) : hiddenSign;
    };
    const groupRows = [...parts].map(([stratum, each]) => ({
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
    return [{ kind, title, rows: groupRows, isWithheld: groupRows.length === 0 }];
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
          unmet: value ?? hiddenSign,
          sent: n ?? hiddenSign,
        }));
      return rows.length === 0 ? [] : [{ kind, title, rows }];
    },
  );
}

/** The counts of each service, and in one row those of all sensitive services together, rounded down so that no single referral shows. */
async function servicesOf({ db }: WebPlatform, cohort: Cohort, isOwn: boolean) {
  const services = await countByService(db, cohort, { max: maxServices });
  const names = await findServiceNames(
    db,
    services.map(({ id }) => id),
  );
  const rows = services.map((each) => ({ ...each, name: names.get(each.id) ?? each.id }));
  if (isOwn || cohort.excludedServices.length === 0) return rows;
  const sensitiveServices = await countByService(
    db,
    { ...cohort, excludedServices: [], onlyServices: cohort.excludedServices },
    { max: cohort.excludedServices.length },
  );
  if (sensitiveServices.length === 0) return rows;
  const { id: _, ...first } = sensitiveServices[0]!;
  const counts = Object.keys(first).map((name) => {
    const count = sensitiveServices.reduce((sum, each) => sum + each[name as keyof StatusCounts], 0);
    return [
      name,
      count < sensitiveStep ? `fewer than ${sensitiveStep}` : count - (count % sensitiveStep),
    ] as const;
  });
  return [...rows, { isSensitive: true, ...Object.fromEntries(counts) }];
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
