export {
  type Account,
  accountErrors,
  type Role,
  roles,
} from './account.ts';
export { deleteExpiredLinks } from './account-links-store.ts';
export {
  type FoundAccount,
  findSignInWays,
  searchAccounts,
} from './account-search-store.ts';
export { actorOf, type Caller, callerOf, commandLine, requireCaller, theSite } from './caller.ts';
export { accountChanged } from './change-account.ts';
export { changeEmail } from './change-email.ts';
export { createAccount, type NewAccount } from './create-account.ts';
export { deleteExpiredChallenges } from './factors/passkeys-store.ts';
export { removeSecondFactors } from './factors/remove-second-factors.ts';
export { isFresh } from './fresh-sign-in.ts';
export { hostCookie } from './host-cookie.ts';
export { type Invitation, inviteAccount, inviteAgain } from './invite-account.ts';
export { linkPages } from './link-pages.ts';
export { noteForbidden } from './note-forbidden.ts';
export { deleteExpiredFlows } from './oidc/flows-store.ts';
export { oidcPages } from './oidc/oidc-pages.ts';
export { countActiveOperators } from './operators-store.ts';
export { accountPages } from './pages.ts';
export { startPasswordReset } from './request-password-reset.ts';
export { resetPassword } from './reset-password.ts';
export { clearSessionCookie, sessionCaller, sessionIdOf } from './session.ts';
export { deleteExpiredSessions } from './sessions-store.ts';
export { setApiAccess } from './set-api-access.ts';
export { setDisabled } from './set-disabled.ts';
export { setOrganisation } from './set-organisation.ts';
export { setRoles } from './set-roles.ts';
export { signOut } from './sign-out.ts';
export {
  accountColumns,
  accountFromRow,
  countAccounts,
  findAccount,
  findAccountByEmail,
  listAccounts,
  listActiveProviders,
  listOrganizationsWithProviders,
  raiseKeyEpoch,
} from './store.ts';
export { deleteOldThrottles } from './throttles-store.ts';
