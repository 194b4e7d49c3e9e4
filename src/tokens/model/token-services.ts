import type { Notices } from '../../platform/database/index.ts';
import { minuteMs } from '../../platform/durations.ts';
import type { Request } from '../../platform/http/index.ts';
import { plainIpAddress } from '../../platform/ip-addresses/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type KeyOfCall, recordCall } from './access-tokens-store.ts';
import { siteTag } from './token.ts';
import { createTokenCache, type TokenCache } from './token-cache.ts';

/** What the process holds for tokens: the tag of its site, the tokens used lately, and the recorder of calls. */
export type TokenServices = {
  readonly tag: string;
  readonly cache: TokenCache;
  readonly calls: CallRecorder;
};

export type TokenDeps = Platform & { readonly tokenServices: TokenServices };

/** Made once for each process; `notices` say when an account has changed. */
export function createTokenServices(deps: Platform, notices: Notices): TokenServices {
  return {
    tag: siteTag(deps.secrets),
    cache: createTokenCache(deps.db, notices, deps.metrics),
    calls: createCallRecorder(deps),
  };
}

/** Records when and from where keys are called with. No call waits for it or fails because of it. */
type CallRecorder = { record(key: KeyOfCall, at: Date, request: Request): void };

const recordEveryMs = minuteMs;
/** Larger than the number of keys that call in a minute. If there are more, some calls are written more than once. */
const maxRemembered = 50_000;

/**
 * Writes at most once a minute for each key. If several processes write, the database keeps only the first of each
 * minute.
 */
export function createCallRecorder({ db, log }: Platform): CallRecorder {
  const recordedAtMs = new Map<string, number>();
  return {
    record(key, at, request) {
      const atMs = at.getTime();
      const id = key.keyId ?? key.accountId;
      const before = recordedAtMs.get(id);
      if (before !== undefined && atMs - before < recordEveryMs) return;
      if (recordedAtMs.size >= maxRemembered) recordedAtMs.clear();
      recordedAtMs.set(id, atMs);
      recordCall(db, key, at, plainIpAddress(request.ip) ?? 'unknown').catch((error) =>
        log.warn({ error: describeError(error) }, 'the last use of a key could not be recorded'),
      );
    },
  };
}
