export { mintAccessToken } from './mint-access-token.ts';
export { tokenPages } from './pages.ts';
export { tokenRoutes } from './routes.ts';
export { deleteExpiredAccessTokens } from './store.ts';
export { createTokenDesk, type TokenDeps } from './token-desk.ts';
export { verifyAccessToken } from './verify-access-token.ts';
