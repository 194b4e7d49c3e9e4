import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { ReferralDeps } from '../referrals/index.ts';
import { blockedPages } from './blocked-pages.ts';
import { reviewPages } from './copy/review-pages.ts';
import { erasurePages } from './erasure-pages.ts';
import { recordSearchPages } from './record-search-pages.ts';
import { referralRecordPages } from './referral-record-pages.ts';
import { operatorRequestPages } from './requests/operator-pages.ts';
import { publicRequestPages } from './requests/public-pages.ts';
import { severalRecordsPages } from './several-records-pages.ts';

/** Pages of people’s rights over their record: an operator packs, restricts or erases it; the public asks for it. */
export function recordPages(app: App, deps: ReferralDeps & WebPlatform): void {
  recordSearchPages(app, deps);
  reviewPages(app, deps);
  referralRecordPages(app, deps);
  severalRecordsPages(app, deps);
  erasurePages(app, deps);
  blockedPages(app, deps);
  publicRequestPages(app, deps);
  operatorRequestPages(app, deps);
}
