import { optionalCaller } from '../accounts/index.ts';
import type { App, Request } from '../platform/http/index.ts';
import { countNeedingMe, type ReferralDeps, workCountText } from '../referrals/index.ts';

/** How many referrals need the reader of a page, for its menu. */
export type Badges = {
  /** Counts for every page that a signed-in person opens. */
  install(app: App): void;
  /** Undefined where nothing needs the reader, or nobody is signed in. */
  of(request: Request): string | undefined;
};

export function createBadges(deps: Pick<ReferralDeps, 'db' | 'clock'>): Badges {
  const counts = new WeakMap<Request, number>();
  return {
    install(app) {
      app.addHook('preHandler', async (request) => {
        const caller = optionalCaller(request);
        const isPage = request.routeOptions.config.page === true;
        if (isPage && caller) counts.set(request, await countNeedingMe(deps, caller));
      });
    },
    of(request) {
      const count = counts.get(request) ?? 0;
      return count === 0 ? undefined : workCountText(count);
    },
  };
}
