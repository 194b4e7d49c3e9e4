import { requireCaller } from '../../accounts/index.ts';
import { localTime } from '../../platform/clock/index.ts';
import { createCallWindows } from '../../platform/concurrency/call-windows.ts';
import { type App, isPrefetchOrHead, page, type Request, signedIn } from '../../platform/http/index.ts';
import { networkOf } from '../../platform/ip-addresses/index.ts';
import type { Platform, WebPlatform } from '../../platform/platform.ts';
import { minShownCount } from '../../platform/small-counts.ts';
import type { FindForm } from '../pages/find-form.ts';
import { countUnmetSearch, listUnmetNeeds } from './unmet-searches-store.ts';
import { needsNamedIn } from './words-of-needs.ts';

/** A search with fewer results is counted as an unmet need. */
const enoughResults = 3;
const maxShown = 500;

/**
 * Counts searches for a need near a postcode that found fewer than three services: need, district and month, never the words. The need was chosen or,
 * where none was, named in words that people use for it.
 * While somebody types, the page searches again and again; that counts once a minute for a network.
 */
export function unmetNeedCounter(deps: Pick<Platform, 'db' | 'clock'>) {
  const windows = createCallWindows();
  return async (
    request: Request,
    { form, total, district }: { form: FindForm; total: number; district: string | undefined },
  ): Promise<void> => {
    if (total >= enoughResults || !district || isPrefetchOrHead(request)) return;
    const { termIds } = form;
    const named = termIds.length === 0 ? needsNamedIn(form.search) : [];
    if (termIds.length + named.length === 0) return;
    const now = deps.clock.now();
    const month = `${localTime(now).day.date.slice(0, 7)}-01`;
    const key = [networkOf(request.ip), district, ...termIds, ...named].join(' ');
    if (windows.count(key, now.getTime()).calls > 1) return;
    await countUnmetSearch(deps.db, { month, termIds, needs: named, district });
  };
}

/** The page of needs that people look for in the public directory and do not find, for operators and managers. */
export function unmetNeedPage(app: App, deps: WebPlatform): void {
  app.get(
    '/operator/unmet-need',
    { config: page(signedIn('operator', 'manager')), schema: { hide: true } },
    async (request, reply) =>
      deps.pages.sendCompressed(request, reply, 'search/templates/unmet-need.njk', {
        rows: await listUnmetNeeds(deps.db, { min: minShownCount, limit: maxShown }),
        isOn: deps.settings.publicDirectory,
        minShownCount,
        isOperator: requireCaller(request).roles.includes('operator'),
      }),
  );
}
