import { requireCaller } from '../accounts/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import {
  findReferralsWithHiddenService,
  hiddenServiceName,
  listBlocked,
  type ReferralDeps,
  statusInWords,
} from '../referrals/index.ts';

const path = '/operator/patients/blocked';
const maxShown = 200;

/** The page of records on legal hold or restricted, so that none is forgotten. It names nobody, so opening it is not audited. */
export function blockedPages(app: App, deps: ReferralDeps & WebPlatform): void {
  app.get(path, { config: page(signedIn('operator')), schema: { hide: true } }, async (request, reply) => {
    const blocked = await listBlocked(deps.db, maxShown);
    const withHiddenService = await inTransaction(deps.db, (trx) =>
      findReferralsWithHiddenService(
        trx,
        requireCaller(request),
        blocked.map(({ id }) => id),
      ),
    );
    const rows = blocked.map((each) => ({
      ...each,
      serviceName: withHiddenService.has(each.id) ? hiddenServiceName : each.serviceName,
      words: statusInWords(each.status, each.statusReason),
    }));
    return deps.pages.send(request, reply, 'records/templates/blocked.njk', { rows, maxShown });
  });
}
