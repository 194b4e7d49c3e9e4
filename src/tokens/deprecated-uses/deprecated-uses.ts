import { dayMs } from '../../platform/durations.ts';
import { type Deprecation, deprecations, type Request, requestCaller } from '../../platform/http/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TokenCaller } from '../model/token-cache.ts';
import { type DeprecatedUse, listDeprecatedUses, storeDeprecatedUse } from './deprecated-uses-store.ts';

/** Holders are told of what their keys used in the last 30 days. */
const rememberedDays = 30;
/** If there are more uses on one day, some are written more than once. */
const maxRemembered = 50_000;

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The deprecations that have not ended, by id, and the first day whose uses of them count. */
export function findCurrentDeprecations(now: Date, list: readonly Deprecation[] = deprecations) {
  const current = new Map(list.filter(({ ends }) => ends > now).map((each) => [each.id, each]));
  return { current, since: dayOf(new Date(now.getTime() - rememberedDays * dayMs)) };
}

/**
 * Makes the function that records, once a day, which key used something deprecated. No call waits for it or fails because of it.
 * Calls with a token from `/apilogin` do not count: their user chose no key, and cannot change the client.
 */
export function createDeprecatedUseRecorder({ db, clock, log }: Platform) {
  const recorded = new Map<string, string>();
  return (request: Request, { id: deprecationId }: Deprecation): void => {
    const caller = requestCaller(request) as TokenCaller | undefined;
    if (!caller?.token || caller.token.source === 'apilogin') return;
    const { accountId, token } = caller;
    const keyId = token.key?.id ?? null;
    const lastUsedOn = dayOf(clock.now());
    const use = `${deprecationId} ${keyId ?? accountId}`;
    if (recorded.get(use) === lastUsedOn) return;
    if (recorded.size >= maxRemembered) recorded.clear();
    recorded.set(use, lastUsedOn);
    const lastCall = `${request.method} ${request.routeOptions.url}`;
    storeDeprecatedUse(db, { accountId, keyId, deprecationId, lastCall, lastUsedOn }).catch((error) =>
      log.warn({ error: describeError(error) }, 'the use of something deprecated could not be recorded'),
    );
  };
}

/** The deprecated things that the keys of an account used lately and that have not ended, for its pages. */
export async function listEndingUses(
  { db, clock }: Platform,
  accountId: string,
): Promise<(DeprecatedUse & Pick<Deprecation, 'what' | 'instead' | 'ends'>)[]> {
  const { current, since } = findCurrentDeprecations(clock.now());
  const uses = await listDeprecatedUses(db, accountId, [...current.keys()], since);
  return uses.map((use) => {
    const { what, instead, ends } = current.get(use.deprecationId)!;
    return { ...use, what, instead, ends };
  });
}
