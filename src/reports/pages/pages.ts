import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { toCsv } from '../../platform/csv.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type FormErrors, toFormErrors } from '../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { badRequest, Problem, unprocessable } from '../../platform/problem/index.ts';
import { requireReason } from '../../platform/reason.ts';
import { figures } from '../model/figures.ts';
import { lastMonths, type Period, periodBefore, readPeriod } from '../model/periods.ts';
import { poorBands } from '../model/poor-bands.ts';
import { type Figure, publishAndSummarise, scopeOf } from '../publish/summarise.ts';
import { countedReferralsPage } from './counted-referrals-page.ts';
import { reportView } from './view.ts';
import { hiddenSign, isHidden, needsRipeness, partInWords } from './words.ts';

const path = '/operator/reports';
const template = 'reports/pages/templates/report.njk';
const readerConfig = page(signedIn('operator', 'manager', 'provider'));
const text = Type.Optional(Type.String({ maxLength: 40 }));
const querystring = Type.Object({ from: text, to: text, months: text });
const form = Type.Object({ from: text, to: text, reason: Type.Optional(Type.String({ maxLength: 2000 })) });
const labels = { from: 'First day', to: 'Last day', reason: 'Reason' };

/** The report: for operators and managers of the site, for providers of the referrals to their own organisation. */
export function reportPages(app: App, deps: WebPlatform): void {
  countedReferralsPage(app, deps);
  app.get(path, { config: readerConfig, schema: { querystring } }, (request, reply) =>
    sendReport(deps, request, reply, request.query),
  );

  app.get(
    `${path}.csv`,
    { config: readerConfig, schema: { hide: true, querystring } },
    async (request, reply) => {
      const period = periodOf(deps, request.query);
      const summary = await publishAndSummarise(deps, scopeOf(requireCaller(request)), period);
      const csv = toCsv(
        ['figure', 'stratum', 'n', 'value', 'low', 'high'],
        summary.figures.map((row) => [
          row.id,
          row.stratum,
          row.n === null ? hiddenSign : String(row.n),
          csvValue(row, summary.period.ripe),
          row.low === null ? '' : String(row.low),
          row.high === null ? '' : String(row.high),
        ]),
      );
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="report-${period.from}-${period.to}.csv"`)
        .send(csv);
    },
  );

  app.get(`${path}/definitions`, { config: readerConfig }, (request, reply) =>
    deps.pages.send(request, reply, 'reports/pages/templates/definitions.njk', {
      figures: Object.entries(figures).map(([id, { title, meaning }]) => ({ id, title, meaning })),
      bands: poorBands.map(({ code, low, lower_is_better: isHighBad, source }) => ({
        measure: partInWords(`measure:${code}`),
        band: `${low} and ${isHighBad ? 'above' : 'below'}`,
        source,
      })),
    }),
  );

  // The figures are the answer to the form itself: an address for them could be opened without a reason.
  app.post(
    `${path}/true-figures`,
    { config: page(signedIn('operator')), schema: { body: form } },
    async (request, reply) => {
      const { from, to, reason: reasonText } = request.body;
      try {
        const reason = requireReason(reasonText);
        const period = readPeriod(from, to);
        await auditExactFigures(deps, requireCaller(request), request.ip, period, reason);
        return await sendReport(deps, request, reply, { from, to }, { isExact: true });
      } catch (error) {
        if (!(error instanceof Problem) || (error.kind !== unprocessable && error.kind !== badRequest))
          throw error;
        const errors = toFormErrors(labels, withPlainPointers(error));
        return sendReport(
          deps,
          request,
          reply.code(error.kind.status),
          { from, to },
          { errors, reason: reasonText },
        );
      }
    },
  );
}

type Query = { from?: string | undefined; to?: string | undefined; months?: string };
type PageState = { isExact?: boolean; errors?: FormErrors; reason?: string | undefined };

async function sendReport(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  query: Query,
  state: PageState = {},
): Promise<unknown> {
  const caller = requireCaller(request);
  const scope = scopeOf(caller);
  const { period, errors } = readPeriodOrErrors(deps, query);
  if (errors) reply.code(badRequest.status);
  const isOwn = scope.organizationId !== undefined;
  const isExact = isOwn || state.isExact === true;
  // Small counts of people are not compressed, as nothing else about people is.
  const send = isExact ? deps.pages.send : deps.pages.sendCompressed;
  return send(request, reply, template, {
    ...(await reportView(deps, scope, period, { isExact })),
    dates: errors ? { from: query.from ?? '', to: query.to ?? '' } : period,
    errors: errors ?? state.errors,
    reason: state.reason,
    isOperator: caller.roles.includes('operator'),
    isOwn,
    isExact,
    organisation: caller.organisation?.name,
    presets: presetsAt(deps.clock.now()),
  });
}

function presetsAt(now: Date) {
  const thisMonth = lastMonths(now, 1);
  return [
    { text: 'This month', ...thisMonth },
    { text: 'Last month', ...periodBefore(thisMonth) },
    ...[3, 12, 60].map((months) => ({
      text: months === 60 ? '5 years' : `${months} months`,
      ...lastMonths(now, months),
    })),
  ];
}

/** The period of an address; the last 12 months where it names none. @throws Problem `bad-request` */
function periodOf({ clock }: WebPlatform, { from, to, months }: Query): Period {
  if (from === undefined && to === undefined) {
    const count = /^\d{1,2}$/.test(months ?? '') ? Number(months) : 12;
    return lastMonths(clock.now(), Math.max(1, count));
  }
  return readPeriod(from, to);
}

function readPeriodOrErrors(deps: WebPlatform, query: Query): { period: Period; errors?: FormErrors } {
  try {
    return { period: periodOf(deps, query) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return {
      period: lastMonths(deps.clock.now(), 12),
      errors: toFormErrors(labels, withPlainPointers(error)),
    };
  }
}

/** The fields of the form have the names of the parameters. */
function withPlainPointers(problem: Problem): Problem {
  const errors = problem.errors?.map((each) => ({ ...each, pointer: each.pointer.replace('/query/', '/') }));
  return new Problem(problem.kind, problem.detail, errors && { errors });
}

/** Audits that an operator saw the exact figures, and why. */
async function auditExactFigures(
  { db, clock }: WebPlatform,
  caller: Caller,
  ipAddress: string,
  period: Period,
  reason: string,
): Promise<void> {
  await inTransaction(db, (trx) =>
    recordAudit(trx, {
      at: clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'report.opened',
      details: { ...period, reason },
    }),
  );
}

function csvValue(figure: Figure, ripe: boolean): string {
  if (figure.value !== null) return String(figure.value);
  return isHidden(figure, needsRipeness(figure.id) && !ripe) ? hiddenSign : '';
}
