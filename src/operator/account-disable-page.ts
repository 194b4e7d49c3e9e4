import { setDisabled } from '../accounts/index.ts';
import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { changePage } from './change-page.ts';
import { readFields, readOneOf } from './read-fields.ts';
import { requireReason } from './reason.ts';

/** Disables an account, or enables it again, for a reason. */
export function accountDisablePage(app: App, deps: WebPlatform): void {
  changePage(app, deps, {
    name: 'disabled',
    template: 'operator/templates/change-disabled.njk',
    labels: { reason: 'Reason' },
    values: ({ disabledAt }) => ({ reason: '', switch: disabledAt === null ? 'disable' : 'enable' }),
    read: (body) => readFields(body, ['reason', 'switch']),
    async change(actor, { id }, body) {
      const to = readOneOf(body, 'switch', ['disable', 'enable']);
      const { reason } = readFields(body, ['reason']);
      await setDisabled(deps, actor, { id }, to === 'disable', requireReason(reason));
      return `${to}d`;
    },
  });
}
