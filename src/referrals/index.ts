export { maySee, type WaysOfSeeing, waysOfSeeing } from './access.ts';
export { answerAsService } from './answer-as-service.ts';
export { findAttachment, piecesOf } from './attachments-store.ts';
export { type Page, pageOf, pageWithin, readCursor } from './cursor.ts';
export type { ReferralDeps } from './deps.ts';
export { deleteOldIdempotencyKeys } from './idempotency-store.ts';
export { idsVisibleTo } from './list-store.ts';
export {
  type DeliveryStatus,
  type DeliverySummary,
  deliveryStatuses,
  type RecordChange,
  type ReferralChange,
  type ReferralListener,
} from './listener.ts';
export { lookAt, lookInside } from './look-at.ts';
export { measureCodes, measures, stages } from './measures.ts';
export { nhsNumberSchema } from './new-referral-schema.ts';
export { referralPages } from './pages.ts';
export { personFields as personFieldWords, typedPerson } from './person-fields.ts';
export type { ReferralRecord } from './records/collect-record.ts';
export { eraseByRule } from './records/erase-by-rule.ts';
export { eraseReferral } from './records/erase-referral.ts';
export { previewDue } from './records/erasure-store.ts';
export { exportPerson } from './records/export-person.ts';
export { findPerson, type Person } from './records/find-person.ts';
export { readRecordState } from './records/read-state.ts';
export { reasonSchema } from './records/reason-schema.ts';
export { referralRecordSchema } from './records/record-schema.ts';
export { restrictReferral } from './records/restrict-referral.ts';
export { unrestrictReferral } from './records/unrestrict-referral.ts';
export { isUsable } from './records/usable.ts';
export {
  type Referral,
  type ReferralStatus,
  reasonCodes,
  referralStatuses,
  type StatusReason,
} from './referral.ts';
export { countRejections, tallyByMonth, tallyByService } from './report-store.ts';
export { referralRoutes } from './routes.ts';
export type { Action } from './state-machine.ts';
export { outcomeWords, reasonWords, statusWords } from './status-words.ts';
export { countWaiting, findReferral, findReferrals } from './store.ts';
export type { ActionBody } from './take-action.ts';
export { patienceWith, tendMoved } from './tend-moved.ts';
export { tendResponsiveness } from './tend-responsiveness.ts';
export { tendWaiting } from './tend-waiting.ts';
export { waitingForReferrer } from './waiting-words.ts';
