import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { SubmitDeps } from '../referrals/index.ts';
import { deskPages } from './desk-pages.ts';
import { referYourselfPages } from './public-pages.ts';
import { queuePages } from './queue-pages.ts';

export { selfReferralListener } from './delete-with-referral.ts';
export { hasQueue } from './desk-store.ts';
export { createQueueLink, type QueueLink } from './queue-link.ts';
export { findSelfReferralPaths } from './refer-yourself.ts';
export {
  countWaitingSelfReferrals,
  deleteOldSelfReferrals,
  listSelfReferralsOf,
} from './self-referrals-store.ts';
export { watchSelfReferrals } from './watch-desk.ts';

/** The pages of people who refer themselves, of link workers who ring them, and of operators who name who answers. */
export function selfReferralPages(app: App, deps: WebPlatform & SubmitDeps): void {
  referYourselfPages(app, deps);
  queuePages(app, deps);
  deskPages(app, deps);
}
