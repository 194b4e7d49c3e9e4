import { inviteAgain } from '../accounts/index.ts';
import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { changePage } from './change-page.ts';

/** Sends the invitation again to somebody who has not come in yet. */
export function accountInvitationPage(app: App, deps: WebPlatform): void {
  changePage(app, deps, {
    name: 'invitation',
    template: 'operator/templates/send-invitation.njk',
    labels: {},
    values: () => ({}),
    read: () => ({}),
    async change(actor, { email }) {
      await inviteAgain(deps, actor, email);
      return 'invited-again';
    },
  });
}
