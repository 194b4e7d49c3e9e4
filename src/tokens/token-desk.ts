import type { Notices } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { siteTag } from './token.ts';
import { createTokenCache, type TokenCache } from './token-cache.ts';

/** What the actions of this room share: the site's tag, and what is known of recently used tokens. */
export type TokenDesk = { readonly tag: string; readonly cache: TokenCache };

export type TokenDeps = Platform & { readonly tokenDesk: TokenDesk };

export function createTokenDesk(deps: Platform, notices: Notices): TokenDesk {
  return { tag: siteTag(deps.secrets), cache: createTokenCache(deps.db, notices) };
}
