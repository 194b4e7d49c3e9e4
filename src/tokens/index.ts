export { apiLoginPages } from './api-login/api-login-pages.ts';
export {
  createOriginCheck,
  registerReturnAddress,
  removeReturnAddress,
  setLocalhostAllowed,
} from './api-login/return-addresses.ts';
export {
  findLocalhostRule,
  isRegisteredReturnAddress,
  listReturnAddresses,
} from './api-login/return-addresses-store.ts';
export { readReturnAddress } from './api-login/return-url.ts';
export { createDeprecatedUseRecorder } from './deprecated-uses/deprecated-uses.ts';
export { tellOfDeprecations } from './deprecated-uses/tell-holders.ts';
export { endTokens, expireToken, fastForwardTokens } from './end-early.ts';
export { keysPages } from './keys-pages.ts';
export {
  accessTokenHours,
  accessTokenMinutes,
  issueTokenToCopy,
  storeNewAccessToken,
} from './model/access-tokens.ts';
export { deleteExpiredAccessTokens, findNextExpiry } from './model/access-tokens-store.ts';
export { endedTokenProblem, expiredTokenProblem } from './model/problems.ts';
export { scopes, scopeWords } from './model/scopes.ts';
export { createTokenServices, type TokenDeps } from './model/token-services.ts';
export { listNamedKeys } from './named-keys/named-keys-store.ts';
export { findKeyActivity } from './refresh-tokens/key-activity-store.ts';
export { findHolderOfRefreshToken } from './refresh-tokens/refresh-access-token.ts';
export { listUsableKeys } from './refresh-tokens/refresh-tokens-store.ts';
export { tokenRoutes } from './routes.ts';
export { sendsToken, verifyAccessToken } from './verify-access-token.ts';
