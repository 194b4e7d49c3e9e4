export { linkPages } from './email-links/link-pages.ts';

export { deleteExpiredEmailLinks } from './email-links/links-store.ts';
export { startPasswordReset } from './email-links/reset-password.ts';
export { deleteExpiredChallenges } from './factors/passkeys-store.ts';
export {
  type Account,
  checkNewAccount,
  fullName,
  type Role,
  roles,
} from './model/account.ts';
export {
  type AccountRow,
  accountColumnsSql,
  accountFromRow,
  canSignInSql,
  countAccounts,
  countOperatorsWhoCanSignIn,
  endAccessTokens,
  filterEnabledEmails,
  findAccount,
  findAccountByEmail,
  findAccountNames,
  findAccountRoles,
  fullNameColumnSql,
  isEnabledOperatorSql,
  listAccounts,
  listEnabledPeople,
  listOperators,
  lockAccountRow,
  operatorWithFewestSql,
} from './model/accounts-store.ts';
export {
  type ActionOn,
  actionOn,
  actorOf,
  type Caller,
  callerOf,
  commandLineActor,
  optionalCaller,
  requireCaller,
  requireCallerIsPerson,
} from './model/caller.ts';
export { accountTopic } from './model/change-account.ts';
export { type DaysOfLeave, isOnLeave, leaveOfSql, listOnLeave } from './model/leaves-store.ts';
export { findOrMakeOrganisation } from './model/organisations/account-organisation.ts';
export {
  agreementWarnDays,
  type DataSharingDetails,
  dsptStatuses,
  dsptStatusWords,
  sharingRoles,
  sharingRoleWords,
} from './model/organisations/data-sharing.ts';
export {
  countExpiringBy,
  findAgreementEnd,
  listDataSharingDetails,
  type OrganisationWithDetails,
  requireDataSharingDetails,
  takeExpiringAgreements,
  updateDataSharingDetails,
} from './model/organisations/data-sharing-store.ts';
export {
  isOrganisationKnown,
  listActiveReferrers,
  listColleagues,
  listEnabledProviders,
  listOrganisationNames,
  listOrganizationsWithProviders,
  listSimilarNames,
} from './model/organisations/organisations-store.ts';
export { linkEnded, tooManyAttempts } from './model/problems.ts';
export { needsSecondFactor, requiresFactorOfEverybody } from './model/second-factor-rules.ts';
export { recordFactorRequirement, signsInByPasswordAlone } from './model/second-factors-store.ts';
export { findAccountContact, mailOperators } from './model/security-emails.ts';
export { deleteExpiredSessions, endAllAccess } from './model/sessions-store.ts';
export type { NotificationKind } from './notifications/kinds.ts';
export {
  type Notification,
  newsInWords,
  storeDigestsAndSplit,
  subjectAboutOne,
  tellPeople,
} from './notifications/referral-notifications.ts';
export { sendDigests } from './notifications/send-digests.ts';
export {
  headingWithUrgency,
  type MailedReferral,
  referenceInWords,
  urgentFirst,
} from './notifications/urgency.ts';
export { deleteExpiredSignInFlows } from './oidc/flows-store.ts';
export { oidcPages } from './oidc/oidc-pages.ts';
export { accountPages } from './pages.ts';
export { resetPassword } from './passwords/change-password.ts';
export { checkNewPassword } from './passwords/password-rules.ts';
export {
  type AccountList,
  type AccountSummary,
  accountLists,
  countAccountLists,
  findLastSignIns,
  findSignInMethods,
  searchAccounts,
} from './people/account-search-store.ts';
export { changeEmail } from './people/change-email.ts';
export {
  createAccount,
  type Invitation,
  type NewAccount,
} from './people/create-account.ts';
export {
  inviteAccount,
  inviteAgain,
  inviteInTransaction,
  inviteTeam,
  renewInvitationLink,
  requireMailServer,
} from './people/invite-account.ts';
export {
  leaveLabels,
  loadLeave,
  parseLeaveForm,
  readLeaveForm,
  toLeaveForm,
} from './people/leave-page.ts';
export { refuseOwnAccount } from './people/operator-limits.ts';
export { removeSecondFactors } from './people/remove-second-factors.ts';
export { disableAccount, enableAccount, setApiAccess } from './people/set-access.ts';
export { endLeave, setLeave } from './people/set-leave.ts';
export { setOrganisation } from './people/set-organisation.ts';
export { setRoles } from './people/set-roles.ts';
export { auditRefusedObject, auditWrongRole } from './refused-calls.ts';
export { signOut } from './sign-in/end-sessions.ts';
export { hostCookie } from './sign-in/host-cookie.ts';
export {
  deleteUnsentForm,
  encryptFormWriter,
  findUnsentForm,
  keepForm,
  openKeptForm,
  refuseFormsOfOthers,
  storeUnsentForm,
} from './sign-in/kept-form.ts';
export {
  clearSessionCookie,
  emailOfLastSession,
  findCaller,
  findCallerInBackground,
  hasSignedInRecently,
  recentSignInMinutes,
  sessionLength,
  sessionSecretOf,
  signedOutWords,
} from './sign-in/session.ts';
export { deleteExpiredUnsentForms } from './sign-in/unsent-forms-store.ts';
export { checkNewSystem, createSystem, type NewSystem, systemRoles } from './systems/create-system.ts';
export { transferSystem } from './systems/owners.ts';
export {
  findSystem,
  listOwnedSystems,
  listPossibleOwners,
  listSystemsOf,
  listSystemsWithoutOwner,
  type System,
} from './systems/systems-store.ts';
export { type Attempt, beginAttempt, findLockedAccounts, recordSuccess } from './throttle/throttle.ts';
export { deleteOldThrottles } from './throttle/throttles-store.ts';
