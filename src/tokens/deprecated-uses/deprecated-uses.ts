import { dayMs } from '../../platform/durations.ts';
import { type Deprecation, deprecations, type Request, requestCaller } from '../../platform/http/index.ts';
import { describeError } from '../../platform/log/index.ts';
import type { Platform } from '../../platform/platform.ts';
import type { TokenCaller } from '../model/token-cache.ts';
import { type DeprecatedUse, listDeprecatedUses, storeDeprecatedUse } from './deprecated-uses-store.ts';

/** Holders are told of what their keys used in the last 30 days. */
const rememberedDays = 30;
/** If more keys use something on one day, some uses are written more than once. */
const maxRemembered = 50_000;

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The first day whose uses count, and what has not ended, by its id. */
export function whatCounts(now: Date, list: readonly Deprecation[] = deprecations) {
  const current = new Map(list.filter(({ ends }) => ends > now).map((each) => [each.id, each]));
  return { current, since: dayOf(new Date(now.getTime() - rememberedDays * dayMs)) };
}

/**
 * Makes the function that remembers which key used something deprecated: once a day for each key, and no call waits for it or
 * fails because of it. Somebody whose token came from `/apilogin` chose no key and writes no system, so their calls do not count.
 */
export function createDeprecatedUseRecorder({ db, clock, log }: Platform) {
  const recorded = new Map<string, string>();
  return (request: Request, { id: deprecated }: Deprecation): void => {
    const caller = requestCaller(request) as TokenCaller | undefined;
    if (!caller?.token || caller.token.source === 'apilogin') return;
    const { accountId, token } = caller;
    const keyId = token.key?.id ?? null;
    const lastUsedOn = dayOf(clock.now());
    const use = `${deprecated} ${keyId ?? accountId}`;
    if (recorded.get(use) === lastUsedOn) return;
    if (recorded.size >= maxRemembered) recorded.clear();
    recorded.set(use, lastUsedOn);
    const lastCall = `${request.method} ${request.routeOptions.url}`;
    storeDeprecatedUse(db, { accountId, keyId, deprecated, lastCall, lastUsedOn }).catch((error) =>
      log.warn({ error: describeError(error) }, 'the use of something deprecated could not be noted'),
    );
  };
}

/** What the keys of an account used lately that will end, for its pages. */
export async function listEndingUses(
  { db, clock }: Platform,
  accountId: string,
): Promise<(DeprecatedUse & Pick<Deprecation, 'what' | 'instead' | 'ends'>)[]> {
  const { current, since } = whatCounts(clock.now());
  const uses = await listDeprecatedUses(db, accountId, [...current.keys()], since);
  return uses.map((use) => {
    const { what, instead, ends } = current.get(use.deprecated)!;
    return { ...use, what, instead, ends };
  });
}
