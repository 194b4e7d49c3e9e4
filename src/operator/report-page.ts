import { listSensitiveServices } from '../library/index.ts';
import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import {
  countNotAsked,
  countRejections,
  reasonWords,
  tallyByMonth,
  tallyByService,
} from '../referrals/index.ts';

const periods = [3, 12, 60];
/** More than this does not fit on a page. */
const maxServices = 200;

/** The page that counts referrals and their outcomes: numbers only, nothing about anybody. */
export function reportPage(app: App, deps: WebPlatform): void {
  app.get('/operator/reports', { config: page(signedIn('operator')) }, async (request, reply) => {
    const { months: chosen } = request.query as { months?: unknown };
    const months = periods.find((each) => String(each) === chosen) ?? 12;
    const sensitiveIds = await listSensitiveServices(deps.db);
    const period = { now: deps.clock.now(), months, sensitiveIds };
    const rejections = await countRejections(deps.db, period);
    return deps.pages.send(request, reply, 'operator/templates/report.njk', {
      months,
      periods,
      byMonth: await tallyByMonth(deps.db, period),
      byService: (await tallyByService(deps.db, period, { max: maxServices })).map(coarsen),
      maxServices,
      ...notAskedRows(await countNotAsked(deps.db, period)),
      rejections: rejections.map(({ code, count }) => ({
        count,
        why: reasonWords[code as keyof typeof reasonWords] ?? code,
      })),
    });
  });
}

function notAskedRows({
  sent,
  risk,
  contact,
  agreement,
  gpActions,
}: Awaited<ReturnType<typeof countNotAsked>>) {
  return {
    asked: sent,
    notAsked: [
      { what: 'Whether anybody is at risk of serious harm', count: risk },
      { what: 'Whether it is safe to contact the person', count: contact },
      {
        what: 'Who agreed, or changed the agreement, for somebody who may not decide alone',
        count: agreement,
      },
      { what: 'Whether the GP practice has to do anything', count: gpActions },
    ],
  };
}

/**
 * Sensitive services are counted together, in steps of eight, and in no other number of the page. Otherwise somebody
 * could subtract the other services from a total, or compare two periods, and learn about single people.
 */
const step = 8;

type Row = Awaited<ReturnType<typeof tallyByService>>[number];

function coarsen(row: Row): object {
  if (row.id !== null) return row;
  const { id: _, name: __, ...counts } = row;
  const shown = Object.entries(counts).map(([name, count]) => [
    name,
    count < step ? `fewer than ${step}` : count - (count % step),
  ]);
  return { sensitive: true, ...Object.fromEntries(shown) };
}
