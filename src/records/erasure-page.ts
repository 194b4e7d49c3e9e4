import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { previewDue, type ReferralDeps, statusWords } from '../referrals/index.ts';

const mostShown = 100;

/** What the next night erases, for somebody to look through before it does. It names nobody, so a look needs no entry. */
export function erasurePage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn('operator'));
  app.get('/operator/patients/erasure', { config, schema: { hide: true } }, async (request, reply) => {
    const { retentionYears: years } = deps.settings;
    const { count, oldest } = await previewDue(deps.db, { years, now: deps.clock.now() }, mostShown);
    const rows = oldest.map((due) => ({ ...due, words: statusWords[due.status] }));
    return deps.pages.send(request, reply, 'records/templates/erasure.njk', { years, count, rows });
  });
}
