import { type App, page, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { settingsInForce } from '../../platform/settings/index.ts';

/**
 * Shows operators every setting as this process has it, those that differ from the default first. It hides secrets, and changes nothing.
 */
export function settingsPage(app: App, deps: WebPlatform): void {
  app.get('/operator/settings', { config: page(signedIn('operator')) }, (request, reply) => {
    const groups = settingsInForce(deps.settings);
    const changed = groups.flatMap(({ settings }) => settings.filter(({ isChanged }) => isChanged));
    return deps.pages.sendCompressed(request, reply, 'operator/site/templates/settings.njk', {
      groups,
      changed,
    });
  });
}
