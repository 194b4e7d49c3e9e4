import { requireCaller } from '../accounts/index.ts';
import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { listBlockedRecords, type ReferralDeps } from '../referrals/index.ts';
import { rowsForOperator } from './rows-for-operator.ts';

const path = '/operator/patients/blocked';
const maxShown = 200;

/** The page of records on legal hold or restricted, so that none is forgotten. It names nobody, so opening it is not audited. */
export function blockedPages(app: App, deps: ReferralDeps & WebPlatform): void {
  app.get(path, { config: page(signedIn('operator')), schema: { hide: true } }, async (request, reply) => {
    const blocked = await listBlockedRecords(deps.db, maxShown);
    const rows = await rowsForOperator(deps.db, requireCaller(request), blocked);
    return deps.pages.send(request, reply, 'records/templates/blocked.njk', { rows, maxShown });
  });
}
