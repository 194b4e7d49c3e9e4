import {
  accountPages,
  auditRefusedObject,
  auditWrongRole,
  deleteUnsentForm,
  findCaller,
  findUnsentForm,
  hasSignedInRecently,
  keepForm,
  linkPages,
  oidcPages,
  openKeptForm,
  refuseFormsOfOthers,
  storeUnsentForm,
} from './accounts/index.ts';
import {
  accountClaimPages,
  answerPages,
  caseFilePage,
  confirmationPages,
  type DeliveryDeps,
  deliveryRoutes,
  leafletPages,
  leafletRoute,
  offlineCopyPages,
  outboxPages,
  restoreCheckPages,
  simulatorPages,
  simulatorRoutes,
  undeliveredPages,
  undeliveredRoutes,
} from './delivery/index.ts';
import {
  developerRequestPages,
  installTroubles,
  ownRequestPages,
  troublePages,
  troubleRoutes,
} from './developers/index.ts';
import { healthRoutes, type MetricsDeps, metricsRoute, type ReadinessDeps } from './health/index.ts';
import { editSitePages, homePages, securityText, siteTextPages } from './home/index.ts';
import {
  confirmAddressPages,
  editingPages,
  libraryRoutes,
  postcodeRoutes,
  practicePages,
  practiceRoutes,
  savedListPages,
  savedListRoutes,
} from './library/index.ts';
import {
  countForOperators,
  countUnmatched,
  listUnmatched,
  operatorPages,
  unmatchedRoutes,
} from './operator/index.ts';
import { assetRoutes, type BrandingReader, brandingRoutes, keepableFields } from './platform/html/index.ts';
import {
  type App,
  announceDeprecation,
  createApp,
  describeRateLimits,
  installAccess,
  installCors,
  installRateLimits,
  keptFormIn,
  type Request,
} from './platform/http/index.ts';
import { addMailFailureHeader } from './platform/mail/index.ts';
import type { WebPlatform } from './platform/platform.ts';
import { addRestoreCheckHeader } from './platform/restore-check/index.ts';
import { recordPages, recordRoutes } from './records/index.ts';
import { describeApi, referencePages } from './reference/index.ts';
import { type Badges, referralPages, referralRoutes, type SubmitDeps } from './referrals/index.ts';
import { reportPages, reportRoutes } from './reports/index.ts';
import {
  directoryPages,
  type LibraryFollower,
  type MapFile,
  mapPages,
  searchPages,
  serviceSearchRoutes,
  unmetNeedPage,
} from './search/index.ts';
import { findSelfReferralPaths, type QueueLink, selfReferralPages } from './self-referrals/index.ts';
import {
  apiLoginPages,
  createDeprecatedUseRecorder,
  createOriginCheck,
  keysPages,
  scopes,
  sendsToken,
  type TokenDeps,
  tokenRoutes,
  verifyAccessToken,
} from './tokens/index.ts';
import {
  capturedCallPages,
  eventRoutes,
  webhookActionRoutes,
  webhookPages,
  webhookRoutes,
} from './webhooks/index.ts';

export type AppDeps = WebPlatform &
  TokenDeps &
  SubmitDeps &
  DeliveryDeps &
  MetricsDeps &
  Pick<ReadinessDeps, 'workerIsHealthy'> & {
    readonly libraryFollower: LibraryFollower;
    readonly mapFile: MapFile | undefined;
    readonly branding: BrandingReader;
    readonly badges: Badges;
    readonly queueLink: QueueLink;
  };

/** Makes the whole application: what happens to every request, then the rooms. It does not listen yet. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const verify = verifiers(deps);
  const app = createApp({
    ...deps,
    errorPage: deps.pages.sendError,
    auditRefusal: auditRefusedObject(deps),
    verifyVisitor: verify.visitor,
  });
  addRestoreCheckHeader(app, deps);
  addMailFailureHeader(app, deps);
  installCors(app, crossOrigin(deps));
  describeRateLimits(app);
  announceDeprecation(app, createDeprecatedUseRecorder(deps));
  describeApi(app, deps.settings);
  await app.after();
  installAccess(app, verify, {
    scopes,
    signInPath: '/signin',
    secondFactorPath: '/account/second-factor',
    hasSignedInRecently: (caller, withinMinutes) => hasSignedInRecently(deps, caller, withinMinutes),
    auditWrongRole: auditWrongRole(deps),
    returnUnsentForm: async (request, reply) => {
      const kept =
        keptFormIn(request.body) ??
        (await keepForm(deps, request, JSON.stringify(keepableFields(request.body))));
      return deps.pages.answerWithForm(request, reply, kept);
    },
    openKeptForm: (caller, request, kept) => openKeptForm(deps, caller, request, kept),
    storeUnsentForm: (caller, { url, body, headers }) =>
      storeUnsentForm(deps, caller, {
        action: url,
        fields: keepableFields(body),
        hadFile: headers['content-type']?.startsWith('multipart/') === true,
      }),
    findUnsentForm: (caller, id) => findUnsentForm(deps, caller, id),
    deleteUnsentForm: (caller, id) => deleteUnsentForm(deps, caller, id),
  });
  refuseFormsOfOthers(app, deps);
  installRateLimits(app, deps);
  deps.badges.install(app);
  deps.queueLink.install(app);
  const troubles = deps.settings.mode === 'test' ? installTroubles(app, deps) : undefined;
  addRooms(app, deps);
  if (troubles) {
    troubleRoutes(app, deps, troubles.operations());
    troublePages(app, deps, troubles.operations());
  }
  await app.ready();
  return app;
}

/** Adds the routes and pages of all rooms in one list, except the troubles of a test site. */
function addRooms(app: App, deps: AppDeps): void {
  healthRoutes(app, deps);
  metricsRoute(app, deps);
  assetRoutes(app);
  brandingRoutes(app, deps.branding);
  homePages(app, { ...deps, countForOperators, listUnmatched });
  siteTextPages(app, deps);
  editSitePages(app, deps);
  securityText(app, deps);
  accountPages(app, deps);
  oidcPages(app, deps);
  linkPages(app, deps);
  tokenRoutes(app, deps);
  keysPages(app, deps);
  apiLoginPages(app, deps);
  serviceSearchRoutes(app, deps);
  libraryRoutes(app, deps);
  postcodeRoutes(app, deps);
  practiceRoutes(app, deps);
  searchPages(app, deps);
  directoryPages(app, deps, (ids) => findSelfReferralPaths(deps, ids));
  unmetNeedPage(app, deps);
  mapPages(app, deps);
  confirmAddressPages(app, deps);
  savedListPages(app, deps);
  savedListRoutes(app, deps);
  editingPages(app, deps);
  practicePages(app, deps);
  referralRoutes(app, deps);
  referralPages(app, deps);
  deliveryRoutes(app, deps);
  confirmationPages(app, deps);
  answerPages(app, deps);
  accountClaimPages(app, deps);
  undeliveredRoutes(app, deps);
  undeliveredPages(app, deps, countUnmatched);
  restoreCheckPages(app, deps);
  caseFilePage(app, deps);
  leafletPages(app, deps);
  leafletRoute(app, deps);
  offlineCopyPages(app, deps);
  if (deps.settings.mode === 'test') {
    outboxPages(app, deps);
    simulatorRoutes(app, deps);
    simulatorPages(app, deps);
    capturedCallPages(app, deps);
  }
  eventRoutes(app, deps);
  webhookRoutes(app, deps);
  webhookActionRoutes(app, deps);
  webhookPages(app, deps);
  recordRoutes(app, deps);
  recordPages(app, deps);
  ownRequestPages(app, deps);
  developerRequestPages(app, deps);
  selfReferralPages(app, deps);
  reportRoutes(app, deps);
  reportPages(app, deps);
  operatorPages(app, deps);
  unmatchedRoutes(app, deps);
  referencePages(app, deps);
}

/** A client's pages may call the API from their return addresses. Any page may read a public library. */
function crossOrigin({ db, notices, settings }: AppDeps): Parameters<typeof installCors>[1] {
  return {
    mayCall: createOriginCheck(db, notices, settings.mode),
    isPublicRoute: (access) => settings.libraryPublic && access?.kind === 'reader',
  };
}

function verifiers(deps: AppDeps): Parameters<typeof installAccess>[1] {
  const { libraryPublic } = deps.settings;
  const bySession = (request: Request) => findCaller(deps, request);
  return {
    token: (request) => verifyAccessToken(deps, request),
    session: bySession,
    // Without a session, a visitor sees the page; others are sent to sign in.
    visitor: bySession,
    // A token is checked even if none is needed, so that any call tells a client that its token has ended.
    reader: (request) =>
      libraryPublic && !sendsToken(request) ? undefined : verifyAccessToken(deps, request),
  };
}
