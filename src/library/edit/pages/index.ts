import type { App } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { editPages } from './edit-pages.ts';
import { historyPage } from './history-page.ts';
import { maintainedServicePages } from './maintained-pages.ts';
import { newServicePages } from './new-pages.ts';
import { referralSettingsPage } from './referral-settings-page.ts';
import { statePages } from './state-pages.ts';

/** The pages on which operators and providers edit the library. */
export function editingPages(app: App, deps: WebPlatform): void {
  newServicePages(app, deps);
  editPages(app, deps);
  statePages(app, deps);
  referralSettingsPage(app, deps);
  historyPage(app, deps);
  maintainedServicePages(app, deps);
}
