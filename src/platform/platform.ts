import type { Clock } from './clock/index.ts';
import type { Db, Notices } from './database/index.ts';
import type { Pages } from './html/index.ts';
import type { Log } from './log/index.ts';
import type { Metrics } from './metrics/index.ts';
import type { SiteSecrets } from './secrets/index.ts';
import type { Settings } from './settings/index.ts';

/** What every action may need of the platform. Rooms add their own parts; `site/start-site.ts` and the tests make it. */
export type Platform = {
  readonly settings: Settings;
  readonly log: Log;
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: SiteSecrets;
  readonly metrics: Metrics;
};

/** What routes and pages need as well. */
export type WebPlatform = Platform & { readonly pages: Pages; readonly notices: Notices };
