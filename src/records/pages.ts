import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { previewErasure, type ReferralDeps, statusWords } from '../referrals/index.ts';
import { personPages } from './person-pages.ts';
import { referralRecordPages } from './referral-record-pages.ts';
import { operatorRequestPages } from './requests/operator-pages.ts';
import { publicRequestPages } from './requests/public-pages.ts';

/** Where an operator does what people have a right to: see their record, restrict it, have it erased; and where people ask. */
export function recordPages(app: App, deps: ReferralDeps & WebPlatform): void {
  personPages(app, deps);
  referralRecordPages(app, deps);
  erasurePage(app, deps);
  publicRequestPages(app, deps);
  operatorRequestPages(app, deps);
}

const maxShown = 100;

/** What the next night erases, for somebody to look through before it does. It names nobody, so a look needs no entry. */
function erasurePage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn('operator'));
  app.get('/operator/patients/erasure', { config, schema: { hide: true } }, async (request, reply) => {
    const { retentionYears: years } = deps.settings;
    const { count, oldest } = await previewErasure(deps.db, { years, now: deps.clock.now() }, maxShown);
    const rows = oldest.map((due) => ({ ...due, words: statusWords[due.status] }));
    return deps.pages.send(request, reply, 'records/templates/erasure.njk', { years, count, rows });
  });
}
