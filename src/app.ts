import { accountPages, sessionCaller } from './accounts/index.ts';
import { deliveryRoutes, outboxPages } from './delivery/index.ts';
import { healthRoutes } from './health/index.ts';
import { homePages } from './home/index.ts';
import { libraryPages, libraryRoutes } from './library/index.ts';
import { operatorPages } from './operator/index.ts';
import { assetRoutes, type Pages } from './platform/html/index.ts';
import { type App, createApp, installAccess } from './platform/http/index.ts';
import type { WebPlatform } from './platform/platform.ts';
import { describeApi, referencePages } from './reference/index.ts';
import { type ReferralDeps, referralPages, referralRoutes } from './referrals/index.ts';
import { type TokenDeps, tokenPages, tokenRoutes, verifyAccessToken } from './tokens/index.ts';

export type AppDeps = WebPlatform & TokenDeps & ReferralDeps & { readonly workerIsHealthy: () => boolean };

/** The whole application as a value: every room's routes and pages, in one list. Nothing listens yet. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const app = createApp(deps.settings, deps.log, deps.pages.sendError satisfies Pages['sendError']);
  describeApi(app, deps.settings);
  await app.after();
  installAccess(app, verifiers(deps), { signInPath: '/signin', giveFormBack: deps.pages.giveFormBack });

  healthRoutes(app, deps);
  assetRoutes(app);
  homePages(app, deps);
  accountPages(app, deps);
  tokenRoutes(app, deps);
  tokenPages(app, deps);
  libraryRoutes(app, deps);
  libraryPages(app, deps);
  referralRoutes(app, deps);
  referralPages(app, deps);
  deliveryRoutes(app, deps);
  if (deps.settings.mode === 'test') outboxPages(app, deps);
  operatorPages(app, deps);
  referencePages(app, deps);

  await app.ready();
  return app;
}

function verifiers(deps: AppDeps): Parameters<typeof installAccess>[1] {
  const { libraryPublic } = deps.settings;
  return {
    token: (request) => verifyAccessToken(deps, request),
    session: (request) => sessionCaller(deps, request),
    visitor: (request) => sessionCaller(deps, request),
    reader: (request) => (libraryPublic ? undefined : verifyAccessToken(deps, request)),
  };
}
