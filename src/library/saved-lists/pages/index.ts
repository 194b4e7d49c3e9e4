import type { App } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { listPage } from './list-pages.ts';
import { overviewPages } from './overview-pages.ts';
import { savePages } from './save-pages.ts';

/** Lists of services, for every account that belongs to an organisation. */
export function savedListPages(app: App, deps: WebPlatform): void {
  overviewPages(app, deps);
  savePages(app, deps);
  listPage(app, deps);
}
