import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { countRejections, reasonWords, tallyByMonth, tallyByService } from '../referrals/index.ts';

const periods = [3, 12, 60];
/** Beyond that a page is no place. */
const maxServices = 200;

/** How many referrals were made, and what became of them: numbers alone, and nothing of anybody. */
export function reportPage(app: App, deps: WebPlatform): void {
  app.get('/operator/reports', { config: page(signedIn('operator')) }, async (request, reply) => {
    const { months: asked } = request.query as { months?: unknown };
    const months = periods.find((each) => String(each) === asked) ?? 12;
    const period = { now: deps.clock.now(), months };
    const rejections = await countRejections(deps.db, period);
    return deps.pages.send(request, reply, 'operator/templates/report.njk', {
      months,
      periods,
      byMonth: await tallyByMonth(deps.db, period),
      byService: await tallyByService(deps.db, period, maxServices),
      maxServices,
      rejections: rejections.map(({ code, count }) => ({
        count,
        why: reasonWords[code as keyof typeof reasonWords] ?? code,
      })),
    });
  });
}
