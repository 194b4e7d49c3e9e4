import { removeSecondFactors } from '../accounts/index.ts';
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
    async change(actor, { id }) {
      await removeSecondFactors(deps, actor, { id });
      return 'second-factors';
    },
  });
}
