import { plainAddress } from '../../platform/addresses/index.ts';
import type { Notices } from '../../platform/database/index.ts';
import type { Request } from '../../platform/http/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { upsertCall } from './access-tokens-store.ts';
import { siteTag } from './token.ts';
import { createTokenCache, type TokenCache } from './token-cache.ts';

/** What the actions of this room share: the site's tag, what is known of recently used tokens, and notes of their use. */
export type TokenDesk = { readonly tag: string; readonly cache: TokenCache; readonly calls: CallNotes };

export type TokenDeps = Platform & { readonly tokenDesk: TokenDesk };

/** One for each process; `notices` tell it when what it remembers of an account is out of date. */
export function createTokenDesk(deps: Platform, notices: Notices): TokenDesk {
  return {
    tag: siteTag(deps.secrets),
    cache: createTokenCache(deps.db, notices, deps.metrics),
    calls: createCallNotes(deps),
  };
}

/** Notes when and from where accounts call. No call waits for its note, and none fails with it. */
export type CallNotes = { note(accountId: string, at: Date, request: Request): void };

const noteEveryMs = 60_000;
/** More accounts than call in a minute; if ever there are more, some are written more than once. */
const maxRemembered = 50_000;

/**
 * At most one note a minute for each account; of several processes' the database keeps one. It costs the other calls
 * one look into a map.
 */
export function createCallNotes({ db, log }: Platform): CallNotes {
  const notedAtMs = new Map<string, number>();
  return {
    note(accountId, at, request) {
      const atMs = at.getTime();
      const before = notedAtMs.get(accountId);
      if (before !== undefined && atMs - before < noteEveryMs) return;
      if (notedAtMs.size >= maxRemembered) notedAtMs.clear();
      notedAtMs.set(accountId, atMs);
      upsertCall(db, accountId, at, plainAddress(request.ip) ?? 'unknown').catch((error) =>
        log.warn({ error: describeError(error) }, 'when a key was last used could not be noted'),
      );
    },
  };
}
