export { countOpenClaims, deleteOldClaims } from './answer/claims/claims-store.ts';
export { accountClaimPages } from './answer/claims/operator-pages.ts';
export { mayStillSendCode } from './answer/enter-code.ts';
export { answerPages } from './answer/pages.ts';
export { deleteAllVisits as deleteAllAnswerVisits, deleteEndedAnswerVisits } from './answer/visits-store.ts';
export { caseFilePage } from './case-file/pages.ts';
export type { DeliveryDeps } from './channels/deps.ts';
export {
  deleteOldMeshMessages,
  findMeshMessage,
  findUnmatchedMessages,
  isFullOfUnmatched,
  type KeptMessage,
  listUnmatchedMessages,
  markMessageResolved,
} from './channels/mesh/messages-store.ts';
export {
  checkExchange,
  exchangeConnections,
  exchangeSystem,
  handshakeWithExchange,
  readMailbox,
} from './channels/mesh/site-mailbox.ts';
export { createChannels } from './create-channels.ts';
export { askTracking } from './follow-up/ask-tracking.ts';
export { confirmationPages } from './follow-up/confirm-delivery.ts';
export { pollChannels } from './follow-up/poll-channels.ts';
export { watchDeliveries } from './follow-up/watch-deliveries.ts';
export { countHeld } from './held/held-store.ts';
export { holdAllUnsent } from './held/hold-for-check.ts';
export { releaseHeld } from './held/release-held.ts';
export { leafletPages, leafletRoute } from './leaflet/pages.ts';
export { createLetterDrawer } from './letter/draw/letter-drawer.ts';
export { countDeliveries, listDeliveriesOf } from './model/deliveries-store.ts';
export { findCopyChoice as findOfflineCopyChoice } from './model/offline-copies-store.ts';
export { deliverySchema, presentDelivery } from './model/schemas.ts';
export { isPressingReferralSql } from './model/undelivered-store.ts';
export { makeOfflineCopies, makeOfflineCopy } from './offline-copy/make-copy.ts';
export { offlineCopyPages } from './offline-copy/pages.ts';
export { deliveryKnowledge, deliveryListener } from './plan/deliveries-of-changes.ts';
export { tellPracticesNews } from './plan/tell-practices-news.ts';
export { restoreCheckPages } from './restore-check/pages.ts';
export { deliveryRoutes } from './routes.ts';
export { deliver } from './send/deliver.ts';
export { deliverNew } from './send/deliver-new.ts';
export { restoreDeliveryJobs } from './send/restore-jobs.ts';
export { outboxPages } from './test-site/outbox/pages.ts';
export { simulatorPages } from './test-site/simulator/pages.ts';
export { simulatorRoutes } from './test-site/simulator/routes.ts';
export { simulate, simulatorListener } from './test-site/simulator/simulate.ts';
export { spanLengthsMs, type TimeSpan, timeSpanSchema, timeSpans } from './test-site/simulator/time-spans.ts';
export { isStoryName } from './test-site/stories.ts';
export { listUndeliveredCauses } from './undelivered/causes/list-for-home.ts';
export { undeliveredPages } from './undelivered/pages.ts';
export { remindOperators } from './undelivered/remind-operators.ts';
export { undeliveredRoutes } from './undelivered/routes.ts';
export { tabsWithUnmatched } from './undelivered/tabs.ts';
