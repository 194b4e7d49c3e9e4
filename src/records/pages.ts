import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { ReferralDeps } from '../referrals/index.ts';
import { erasurePage } from './erasure-page.ts';
import { personPages } from './person-pages.ts';
import { referralRecordPages } from './referral-record-pages.ts';

/** Where an operator does what people have a right to: see their record, let it rest, have it erased. */
export function recordPages(app: App, deps: ReferralDeps & WebPlatform): void {
  personPages(app, deps);
  referralRecordPages(app, deps);
  erasurePage(app, deps);
}
