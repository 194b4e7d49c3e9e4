import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { ReferralDeps } from './deps.ts';
import { listPage } from './page-list.ts';
import { newReferralPages } from './page-new.ts';
import { singleReferralPages } from './page-referral.ts';

/** The list of referrals, the form that makes one, and the page of each. */
export function referralPages(app: App, deps: ReferralDeps & WebPlatform): void {
  listPage(app, deps);
  newReferralPages(app, deps);
  singleReferralPages(app, deps);
}
