import { type Caller, optionalCaller } from '../../../accounts/index.ts';
import type { App, Request } from '../../../platform/http/index.ts';
import { type CountedTabs, countNeedingCaller, workCountText } from '../../listing/worklist/list-work.ts';
import type { ReferralDeps } from '../../model/deps.ts';

/** How many referrals need the reader of a page, for its menu. */
export type Badges = {
  /** Counts for every page that a signed-in person opens, apart from those of `countsBadge`. */
  install(app: App): void;
  /** For a page of `countsBadge`: counts what the page has not counted itself. */
  count(request: Request, caller: Caller, counted: CountedTabs | undefined): Promise<void>;
  /** Undefined where nothing needs the reader, or nobody is signed in. */
  of(request: Request): string | undefined;
};

export function createBadges(deps: Pick<ReferralDeps, 'db' | 'clock'>): Badges {
  const counts = new WeakMap<Request, number>();
  return {
    install(app) {
      app.addHook('preHandler', async (request) => {
        const caller = optionalCaller(request);
        const { page, countsBadge } = request.routeOptions.config;
        if (page && !countsBadge && caller) counts.set(request, await countNeedingCaller(deps, caller));
      });
    },
    async count(request, caller, counted) {
      counts.set(request, await countNeedingCaller(deps, caller, counted));
    },
    of(request) {
      const count = counts.get(request) ?? 0;
      return count === 0 ? undefined : workCountText(count);
    },
  };
}
