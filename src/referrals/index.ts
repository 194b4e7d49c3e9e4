export { maySee, type WaysOfSeeing, waysOfSeeing } from './access.ts';
export type { ReferralDeps } from './deps.ts';
export { deleteOldIdempotencyKeys } from './idempotency-store.ts';
export { idsVisibleTo } from './list-store.ts';
export {
  type DeliveryStatus,
  type DeliverySummary,
  deliveryStatuses,
  type ReferralChange,
  type ReferralListener,
} from './listener.ts';
export { referralPages } from './pages.ts';
export { type Referral, type ReferralStatus, referralStatuses } from './referral.ts';
export { referralRoutes } from './routes.ts';
export { outcomeWords, reasonWords } from './status-words.ts';
export { countWaiting, findReferral, findReferralOrDraft } from './store.ts';
export { tendWaiting } from './tend-waiting.ts';
