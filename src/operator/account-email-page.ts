import { changeEmail } from '../accounts/index.ts';
import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { changePage } from './change-page.ts';
import { readFields } from './read-fields.ts';
import { requireReason } from './reason.ts';

/** Changes the email address that an account is signed in to with, for a reason. */
export function accountEmailPage(app: App, deps: WebPlatform): void {
  const read = (body: unknown) => readFields(body, ['email', 'reason']);
  changePage(app, deps, {
    name: 'email',
    template: 'operator/templates/change-email.njk',
    labels: { email: 'Email address', reason: 'Reason' },
    values: ({ email }) => ({ email, reason: '' }),
    read,
    async change(actor, { id }, body) {
      const { email, reason } = read(body);
      await changeEmail(deps, actor, { id }, email, requireReason(reason));
      return 'email';
    },
  });
}
