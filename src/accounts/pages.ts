import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { factorPages } from './factors/factor-pages.ts';
import { passkeyPages } from './factors/passkey-pages.ts';
import { passkeySignInRoutes, secondStepPages } from './factors/second-step-pages.ts';
import { notificationPages } from './notifications/choices-page.ts';
import { ownAccountPages } from './people/account-pages.ts';
import { leavePages } from './people/leave-page.ts';
import { discardFormRoute } from './sign-in/kept-form.ts';
import { signInPages } from './sign-in/sign-in-page.ts';

/** The pages to sign in and out, and of a person's own account. */
export function accountPages(app: App, deps: WebPlatform): void {
  signInPages(app, deps);
  discardFormRoute(app);
  secondStepPages(app, deps);
  passkeySignInRoutes(app, deps);
  ownAccountPages(app, deps);
  leavePages(app, deps);
  notificationPages(app, deps);
  factorPages(app, deps);
  passkeyPages(app, deps);
}
