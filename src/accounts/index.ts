export {
  type Account,
  type Role,
  roles,
} from './account.ts';
export { actorOf, type Caller, callerOf, commandLine, requireCaller, theSite } from './caller.ts';
export { accountChanged } from './change-account.ts';
export { createAccount, type NewAccount } from './create-account.ts';
export { accountPages } from './pages.ts';
export { resetPassword } from './reset-password.ts';
export { findLiveSession, sessionCaller } from './session.ts';
export { deleteExpiredSessions } from './sessions-store.ts';
export { setApiAccess } from './set-api-access.ts';
export { setDisabled } from './set-disabled.ts';
export { startSession } from './start-session.ts';
export {
  accountColumns,
  accountFromRow,
  countAccounts,
  findAccount,
  hasActiveProvider,
  listAccounts,
  raiseKeyEpoch,
} from './store.ts';
