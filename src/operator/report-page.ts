import { listSensitiveServices } from '../library/index.ts';
import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { countRejections, reasonWords, tallyByMonth, tallyByService } from '../referrals/index.ts';

const periods = [3, 12, 60];
/** A page cannot show more. */
const maxServices = 200;

/** The page that counts referrals and their outcomes: numbers only, nothing about anybody. */
export function reportPage(app: App, deps: WebPlatform): void {
  app.get('/operator/reports', { config: page(signedIn('operator')) }, async (request, reply) => {
    const { months: chosen } = request.query as { months?: unknown };
    const months = periods.find((each) => String(each) === chosen) ?? 12;
    const period = { now: deps.clock.now(), months };
    const rejections = await countRejections(deps.db, period);
    return deps.pages.send(request, reply, 'operator/templates/report.njk', {
      months,
      periods,
      byMonth: await tallyByMonth(deps.db, period),
      byService: (
        await tallyByService(deps.db, period, {
          max: maxServices,
          unnamed: await listSensitiveServices(deps.db),
        })
      ).map(hideSmallCounts),
      maxServices,
      rejections: rejections.map(({ code, count }) => ({
        count,
        why: reasonWords[code as keyof typeof reasonWords] ?? code,
      })),
    });
  });
}

/** Below this, a count of sensitive services could tell who used one. */
const leastShown = 8;

type Row = Awaited<ReturnType<typeof tallyByService>>[number];

/** The row of the sensitive services, without a count that is so small that it names people. */
function hideSmallCounts(row: Row): object {
  if (row.id !== null) return row;
  const { id: _, name: __, ...counts } = row;
  const shown = Object.entries(counts).map(([name, count]) => [
    name,
    count >= leastShown ? count : `fewer than ${leastShown}`,
  ]);
  return { sensitive: true, ...Object.fromEntries(shown) };
}
