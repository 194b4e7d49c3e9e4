import type { Notices } from '../platform/database/index.ts';
import type { Platform } from '../platform/platform.ts';
import { type CallNotes, createCallNotes } from './note-call.ts';
import { siteTag } from './token.ts';
import { createTokenCache, type TokenCache } from './token-cache.ts';

/** What the actions of this room share: the site's tag, what is known of recently used tokens, and notes of their use. */
export type TokenDesk = { readonly tag: string; readonly cache: TokenCache; readonly calls: CallNotes };

export type TokenDeps = Platform & { readonly tokenDesk: TokenDesk };

/** One for each process; `notices` tell it when what it remembers of an account is out of date. */
export function createTokenDesk(deps: Platform, notices: Notices): TokenDesk {
  return {
    tag: siteTag(deps.secrets),
    cache: createTokenCache(deps.db, notices),
    calls: createCallNotes(deps),
  };
}
