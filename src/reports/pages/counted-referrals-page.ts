import { Type } from 'typebox';
import { actorOf, requireCaller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type App, page, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { reasonWords, statusInWords } from '../../referrals/index.ts';
import { followReferrals } from '../facts/follow-referrals.ts';
import { type ListedFigure, listCountedReferrals } from '../figures/counted-referrals-store.ts';
import type { FigureId } from '../model/figures.ts';
import { type Period, readPeriod } from '../model/periods.ts';
import { cohortOf, scopeOf } from '../publish/summarise.ts';
import { partInWords } from './words.ts';

const path = '/operator/reports/referrals';
const maxRows = 500;
const text = Type.Optional(Type.String({ maxLength: 40 }));

const titles: Readonly<Record<ListedFigure, string>> = {
  overdue: 'Overdue now',
  'waited-long': 'Waited for support for more than 28 days',
  declined: 'Declined',
  'without-contact': 'Closed without contact',
};

/** Figures whose referrals can be listed. */
const listedFigures: Readonly<Record<string, ListedFigure>> = {
  'T5 all': 'overdue',
  'L2 waiting:28': 'waited-long',
  'L2 declined:no-capacity': 'declined',
  'T3 closed-without-contact': 'without-contact',
};

/** Where the referrals that a figure counts are listed; undefined for figures without a list. */
export function countedReferralsPath(
  figure: { id: FigureId; stratum: string },
  period: Period,
): string | undefined {
  const { id, stratum } = figure;
  const [kind, code] = stratum.split(':');
  const isReason = (id === 'F2' && kind === 'reason') || stratum === 'declined:no-capacity';
  const name = id === 'F2' && kind === 'reason' ? 'declined' : listedFigures[`${id} ${stratum}`];
  if (name === undefined) return undefined;
  return `${path}?${new URLSearchParams({ ...period, figure: name, ...(isReason && { reason: code! }) })}`;
}

/** The referrals that a figure counts, for the services that got them. Managers and operators of the site get counts alone. */
export function countedReferralsPage(app: App, deps: WebPlatform): void {
  app.get(
    path,
    {
      config: page(signedIn('provider')),
      schema: { querystring: Type.Object({ from: text, to: text, figure: text, reason: text }) },
    },
    async (request, reply) => {
      const caller = requireCaller(request);
      const scope = scopeOf({ ...caller, roles: ['provider'] });
      const { from, to, figure = '', reason } = request.query;
      const period = readPeriod(from, to);
      if (!isListedFigure(figure) || !isReasonOrNone(reason)) throw new Problem(notFound);
      await followReferrals(deps);
      const cohort = await cohortOf(deps, scope, period);
      const rows = await inTransaction(deps.db, async (trx) => {
        const referrals = await listCountedReferrals(trx, cohort, { figure, reason, limit: maxRows });
        await recordAudit(trx, {
          at: cohort.now,
          actor: actorOf(caller, request.ip),
          action: 'referral.listed',
          details: { referrals: referrals.map(({ id }) => id) },
        });
        return referrals;
      });
      return deps.pages.send(request, reply, 'reports/pages/templates/counted-referrals.njk', {
        title: titles[figure],
        reason: reason && partInWords(`reason:${reason}`),
        period,
        rows: rows.map((row) => ({ ...row, status: statusInWords(row.status, row.reason) })),
        maxRows,
        query: new URLSearchParams(period).toString(),
      });
    },
  );
}

/** The reason of a referral that was erased is not known any more. */
function isReasonOrNone(reason: string | undefined): boolean {
  return reason === undefined || reason === 'unknown' || Object.hasOwn(reasonWords, reason);
}

function isListedFigure(figure: string): figure is ListedFigure {
  return Object.hasOwn(titles, figure);
}
