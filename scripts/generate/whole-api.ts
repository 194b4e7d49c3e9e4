import { type AppDeps, buildApp } from '../../src/app.ts';
import { createPages, emptyFrame } from '../../src/platform/html/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { readSettings } from '../../src/platform/settings/index.ts';
import { documentOf } from '../../src/reference/index.ts';

/** The OpenAPI document of a site with default settings. Routes describe themselves without a database. */
export async function describeWholeApi(): Promise<object> {
  const settings = readSettings({});
  const deps = {
    settings,
    // Never queried; it is only a key for caches.
    db: {},
    log: createLog('silent'),
    badges: { install() {} },
    queueLink: { install() {} },
    pages: createPages(settings, emptyFrame),
    // Nothing changes while the document is made, so there are no events.
    notices: { on() {}, onGap() {}, healthy: () => true, async stop() {} },
  } as unknown as AppDeps;
  const app = await buildApp(deps);
  const document = documentOf(app);
  await app.close();
  return document;
}
