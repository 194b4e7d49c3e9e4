export { hasColleagues } from './casework/casework.ts';
export { tellReminders } from './casework/tell-reminders.ts';
export { maxFileBytes } from './conversation/attach-file.ts';
export {
  countUnscannedFiles,
  findAttachment,
  readInChunks,
} from './conversation/attachments-store.ts';
export { scanUploaded, type UploadedFile } from './conversation/check-upload.ts';
export { sendFile } from './conversation/read-attachments.ts';
export { scanAgain } from './conversation/scan-again.ts';
export {
  askToRing,
  attachByLink,
  writeAsService,
  writeByLink,
} from './conversation/write-without-account.ts';
export { type GoalResults, noteResultsByLink } from './corrections/complete-with-goals.ts';
export { type NewGoals, setGoalsByLink } from './corrections/correct-referral.ts';
export { noteNewsRead } from './corrections/note-news-read.ts';
export { finaliseDeclines, takeBackTimeMs } from './corrections/take-back-decline.ts';
export { escalateWatches, escalateWatchesOf, listEscalationMoments } from './escalation/escalate-watches.ts';
export { idsVisibleToSql } from './listing/list-store.ts';
export { listRecentlyViewed } from './listing/recently-viewed.ts';
export {
  countReasonsToAct,
  countWorkRows,
  readWorklist,
  tabNames,
  workCountText,
} from './listing/worklist/list-work.ts';
export { authorise, readAudited } from './model/access/access.ts';
export {
  type ContactElsewhere,
  contactElsewhereInWords,
  loadContactElsewhereForCallers,
  loadContactElsewhereForLetters,
} from './model/access/contact-elsewhere.ts';
export {
  findReferralsWithHiddenService,
  findServicesNotToName,
  hiddenServiceName,
  isSafeToName,
  isServiceHidden,
  notShown,
  notShownHere,
} from './model/access/hide-sensitive-services.ts';
export { recordAccessByCopy } from './model/access/looks.ts';
export { deleteOldRecordsOfLooks } from './model/access/looks-store.ts';
export { hasServiceMoved } from './model/access/moved-service.ts';
export { reasonSchema } from './model/access/operator-reason.ts';
export {
  forColleague,
  forPractice,
  replacedWays,
  replacedWaysInWords,
  waysInWords,
  waysLeftOut,
} from './model/access/referrers-details.ts';
export { canSee, type Visibility, visibilityOf } from './model/access/sides.ts';
export { actorByLink, type LinkHolder } from './model/actors/link-holder.ts';
export { findStaff } from './model/actors/people-at-work.ts';
export { findReferrerTelephone, referrerTelephoneSql } from './model/actors/referrer-telephone-store.ts';
export {
  agreedContactKind,
  type ContactKind,
  contactKindCodes,
  contactKindItems,
} from './model/after-acceptance/contacts.ts';
export {
  changeInWords,
  changesOfMeasures,
  isWorrying,
  measures,
  scaleInWords,
} from './model/after-acceptance/measures.ts';
export { isPressingSql, tellsOfDangerSql } from './model/attention/dangers-store.ts';
export { addNotifications } from './model/attention/notifications.ts';
export { deletePrompts } from './model/attention/prompts-store.ts';
export {
  bringWatchesNearer,
  fingerprintOfUnread,
  noteSeenByLink,
} from './model/attention/watches-store.ts';
export {
  type AttemptOutcome,
  attemptOutcomes,
  type DeliveryLeg,
  type DeliveryPurpose,
  type DeliveryStatus,
  type DeliverySummary,
  deliveryStatuses,
  type LetterReceiver,
  type RefusalCause,
  refusalCauses,
} from './model/deliveries.ts';
export type {
  BeforeEnd,
  ChangedFile,
  ContentChange,
  EndedByLink,
  RecordChange,
  ReferralDeps,
  ReferralListener,
  RoomsAbove,
  StatusChange,
} from './model/deps.ts';
export { londonDate } from './model/due/dates.ts';
export { nextDateOf } from './model/due/next-date.ts';
export { addWorkingTime, isWorkingDay, nextWorkingDay, type WorkingDays } from './model/due/working-time.ts';
export { lettersWithAnswer } from './model/gp-actions.ts';
export { type FieldChange, listHistory } from './model/history-store.ts';
export { deleteOldIdempotencyKeys } from './model/idempotency/idempotency-store.ts';
export { adjustmentsInWords } from './model/person/adjustments.ts';
export { ageInMonths } from './model/person/age.ts';
export { agreementInWords, saidByInWords, youngDeciderInWords } from './model/person/agreement.ts';
export { findLaterTexts, listLaterTexts } from './model/person/danger/later-texts-store.ts';
export {
  type CrisisWords,
  crisisWordsIn,
  isDangerous,
  isRiskToRead,
  mustBeReadFirst,
  partsWithCrisis,
  riskInWords,
  somebodyAtRisk,
  whatWasDoneIsNotKnown,
} from './model/person/danger/risk.ts';
export {
  type ContactSentences,
  carerForPractice,
  channelInBrackets,
  contactNotAsked,
  hidesOnline,
  needsCareToContact,
  safeContactInWords,
  sharedContactSentences,
} from './model/person/danger/safe-contact.ts';
export { ethnicCategories } from './model/person/ethnic-category.ts';
export { episodes, methods, sources } from './model/person/how-referred.ts';
export { cannotBePrinted, printedPart } from './model/person/identity/names.ts';
export { groupedNhsNumber, hasNhsNumber } from './model/person/identity/nhs-number.ts';
export { namesakeReferredAction } from './model/person/identity/own-referral.ts';
export { referralsOfPersonSql } from './model/person/identity/same-person-store.ts';
export {
  dangerousNeeds,
  goalResultWords,
  needCodes,
  needs,
  needsInWords,
} from './model/person/needs.ts';
export {
  deleteAllVisits,
  deleteEndedVisits,
  listOpenPageAddresses,
} from './model/person-page/person-pages-store.ts';
export { codedFieldsInWords } from './model/presentation/coded-fields.ts';
export { replacedWaysIn } from './model/presentation/present.ts';
export {
  becauseTestSite,
  explanationOf,
  isOnlyCaptured,
  outcomeWords,
  reasonsToExplain,
  reasonWords,
  statusInWords,
} from './model/presentation/words.ts';
export {
  openStatuses,
  overrideFields,
  type Referral,
  type ReferralStatus,
  referralStatuses,
  type StatusReason,
  underWayStatuses,
  withoutInternalFields,
} from './model/referral.ts';
export { findReferral, findReferrals, holdsRealReferrals, lockReferrals } from './model/referrals-store.ts';
export {
  attemptOutcomeSchema,
  deliveryLegSchema,
  deliveryPurposeSchema,
  deliveryStatusSchema,
  refusedBecauseSchema,
} from './model/schemas/delivery.ts';
export { referralExample } from './model/schemas/examples.ts';
export { nhsNumberSchema } from './model/schemas/new-referral.ts';
export { checkTimeMs } from './model/status/ending-by-link.ts';
export { type Action, isReopening, reasonsOffered } from './model/status/state-machine.ts';
export { heldInWords, mayBeSent } from './model/status/usable.ts';
export { liveCountListener } from './notifications/notify-live-counts.ts';
export { notificationListener } from './notifications/notify-of-changes.ts';
export { sendNotifications } from './notifications/send-notifications.ts';
export { digestRules } from './notifications/still-true.ts';
export { findOverdueDates, remindOverdue, remindOverdueReferral } from './overdue/remind-overdue.ts';
export { updatePrompts } from './overdue/update-prompts.ts';
export { updateResponsiveness } from './overdue/update-responsiveness.ts';
export { type Badges, createBadges } from './pages/lists/badges.ts';
export { listRows } from './pages/lists/list-rows.ts';
export { listViewCounts } from './pages/lists/saved-view-pages.ts';
export { momentFromField } from './pages/moment-field.ts';
export {
  actionsPossibleByLink,
  explainActionByLink,
  readActionByLink,
  viewOfActionByLink,
} from './pages/referral/action-by-link.ts';
export { fileProblemInWords } from './pages/referral/conversation-pages.ts';
export { goalsForm, readGoals } from './pages/referral/goals-form.ts';
export {
  appointmentForm,
  explainProgressForm,
  measureForm,
  type ProgressForm,
  readProgressForm,
} from './pages/referral/progress-forms.ts';
export { changesInWords } from './pages/referral/view/changes-in-words.ts';
export { readFullReferral } from './pages/referral/view/full-referral.ts';
export { readByCode } from './pages/referral/view/read-by-code.ts';
export { measureChoices, type ReferralView, referralView } from './pages/referral/view/referral-view.ts';
export { happenedInWords } from './pages/referral/view/timeline.ts';
export { personFieldWords, personFromForm } from './pages/referral-fields.ts';
export { personPageListener, tellPerson } from './person-page/follow-referral.ts';
export { type Leaflet, readLeaflet } from './person-page/read-leaflet.ts';
export { mayStillTellPerson } from './person-page/send-link.ts';
export { watchQuestionnaires } from './person-page/watch-questionnaires.ts';
export { actionExamples } from './progress/action-routes.ts';
export { addMeasuresByLink, type NewMeasures } from './progress/add-measures.ts';
export type { ActionBody } from './progress/apply-action.ts';
export { answerAsService, answerByLink } from './progress/apply-action.ts';
export { type ContactByLink, changeContactsByLink } from './progress/contacts-and-appointments.ts';
export {
  changeRecordBySimulator,
  type ErasureGround,
  eraseReferral,
  erasureGrounds,
  erasureRefusedInWords,
  type RecordChangeRequest,
  restrictReferral,
  unrestrictReferral,
} from './record-keeping/change-record.ts';
export { approveErasure, putOffErasure, retentionRule } from './record-keeping/erasure/decide-retention.ts';
export { eraseByRule } from './record-keeping/erasure/erase-by-rule.ts';
export {
  countDueButOpen,
  countErasuresDue,
  listDueRecords,
  type RecordKind,
} from './record-keeping/erasure/retention-store.ts';
export { openItemsInWords } from './record-keeping/erasure/still-open.ts';
export { vacuumErased } from './record-keeping/erasure/vacuum-erased.ts';
export {
  findPerson,
  missingDetails,
  type PatientDetails,
  type RecordState,
  readRecordState,
} from './record-keeping/find-person.ts';
export { holdPerson, holdReferral, liftHold } from './record-keeping/legal-holds.ts';
export { findLooksAtPerson } from './record-keeping/looks-at-person.ts';
export type { ReferralRecord } from './record-keeping/pack-person.ts';
export {
  collectRecordsOfPerson,
  packPerson,
  recordOpeningsByOperator,
  referralRecordSchema,
} from './record-keeping/pack-person.ts';
export { areOfOnePerson, listBlockedRecords } from './record-keeping/records-store.ts';
export { referralPages, referralRoutes } from './routes.ts';
export { deleteOldNumberAttempts } from './submit/checks/number-attempts-store.ts';
export { triedTooOftenAction } from './submit/checks/refuse-mismatches.ts';
export { riskHelp } from './submit/checks/require-risk-acted-on.ts';
export { newReference } from './submit/reference.ts';
export { createReferralIntake, type SubmitDeps } from './submit/submit-referral.ts';
