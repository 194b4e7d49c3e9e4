import { keepAnOperator, removeSecondFactors } from '../accounts/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { changePage } from './change-page.ts';

/** Takes the second factors off the account of somebody who has lost them. */
export function accountFactorsPage(app: App, deps: WebPlatform): void {
  changePage(app, deps, {
    name: 'second-factors',
    template: 'operator/templates/remove-factors.njk',
    labels: {},
    values: () => ({}),
    read: () => ({}),
    // A passkey may be all that the last operator can sign in with.
    change: (actor, { id }) =>
      inTransaction(deps.db, (trx) =>
        keepAnOperator(trx, deps, actor, () => removeSecondFactors({ ...deps, db: trx }, actor, id)),
      ),
  });
}
