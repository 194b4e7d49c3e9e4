import { optionalCaller } from '../accounts/index.ts';
import type { App, Request } from '../platform/http/index.ts';
import type { Platform } from '../platform/platform.ts';
import { hasQueue } from './desk-store.ts';

/** Whether the menu of a page leads to the queue of self-referrals. */
export type QueueLink = {
  /** Looks for every page that a link worker opens. */
  install(app: App): void;
  isFor(request: Request): boolean;
};

/** A link worker has nothing to do there once self-referral is switched off and each self-referral is settled. */
export function createQueueLink({ db, settings }: Pick<Platform, 'db' | 'settings'>): QueueLink {
  const shown = new WeakSet<Request>();
  return {
    install(app) {
      if (!settings.selfReferral) return;
      app.addHook('preHandler', async (request) => {
        const isPage = request.routeOptions.config.page;
        if (isPage && optionalCaller(request)?.roles.includes('referrer') && (await hasQueue(db)))
          shown.add(request);
      });
    },
    isFor: (request) => shown.has(request),
  };
}
