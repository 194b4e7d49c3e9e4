import { setApiAccess } from '../accounts/index.ts';
import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { changePage } from './change-page.ts';
import { readFields, readOneOf } from './read-fields.ts';
import { requireReason } from './reason.ts';

/** Switches an account's API access on or off, for a reason. */
export function accountApiAccessPage(app: App, deps: WebPlatform): void {
  changePage(app, deps, {
    name: 'api-access',
    template: 'operator/templates/change-api-access.njk',
    labels: { reason: 'Reason' },
    values: ({ apiAccess }) => ({ reason: '', switch: apiAccess ? 'off' : 'on' }),
    read: (body) => readFields(body, ['reason', 'switch']),
    async change(actor, { id }, body) {
      const to = readOneOf(body, 'switch', ['on', 'off']);
      const { reason } = readFields(body, ['reason']);
      await setApiAccess(deps, actor, { id }, to === 'on', requireReason(reason));
      return to;
    },
  });
}
