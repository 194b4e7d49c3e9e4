import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { ReferralDeps } from './deps.ts';
import { actionPages } from './page-actions.ts';
import { editDraftPages } from './page-edit.ts';
import { listPage } from './page-list.ts';
import { newReferralPages } from './page-new.ts';
import { partsPages } from './page-parts.ts';
import { singleReferralPage } from './page-referral.ts';
import { reroutePage, seenToPage } from './page-reroute.ts';
import { searchPages } from './page-search.ts';

/** The list of referrals, the form that makes one, and the page of each. */
export function referralPages(app: App, deps: ReferralDeps & WebPlatform): void {
  listPage(app, deps);
  searchPages(app, deps);
  newReferralPages(app, deps);
  singleReferralPage(app, deps);
  editDraftPages(app, deps);
  actionPages(app, deps);
  partsPages(app, deps);
  reroutePage(app, deps);
  seenToPage(app, deps);
}
