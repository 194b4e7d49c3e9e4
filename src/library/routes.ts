import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { editingRoutes } from './edit/routes.ts';
import { stateRoutes } from './edit/state/state-routes.ts';
import { hsdsRoutes } from './hsds/routes.ts';

/** Reading the library's items and changing its services. */
export function libraryRoutes(app: App, deps: WebPlatform): void {
  hsdsRoutes(app, deps);
  editingRoutes(app, deps);
  stateRoutes(app, deps);
}
