import {
  encryptFormWriter,
  recordFactorRequirement,
  requiresFactorOfEverybody,
  sessionLength,
} from '../accounts/index.ts';
import { type AppDeps, buildApp } from '../app.ts';
import { startSealing } from '../audit/index.ts';
import { createChannels, createLetterDrawer, readMailbox } from '../delivery/index.ts';
import { footer, navigation } from '../home/index.ts';
import { followContacts } from '../platform/contacts/index.ts';
import { type Database, type Notices, startNotices } from '../platform/database/index.ts';
import { createPages, followBranding } from '../platform/html/index.ts';
import type { App } from '../platform/http/index.ts';
import type { Worker } from '../platform/jobs/index.ts';
import { noteWhetherMailServerIsSet } from '../platform/mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { StartupError } from '../platform/process/startup-error.ts';
import type { Settings } from '../platform/settings/index.ts';
import { createBadges, createReferralIntake } from '../referrals/index.ts';
import { loadSample, type SampleAccount } from '../sample/index.ts';
import { followLibrary, openMapFile } from '../search/index.ts';
import { createQueueLink } from '../self-referrals/index.ts';
import { createTokenServices } from '../tokens/index.ts';
import { startEventOrdering } from '../webhooks/index.ts';
import { startJobs } from '../worker.ts';
import { refuseSampleAccounts, requireSameIdentity } from './identity.ts';
import type { OpenPlatform } from './open-platform.ts';
import { makeRoomsAbove } from './rooms-above.ts';

export type Site = {
  /** The sample accounts of a new test site, with their passwords, which nothing else ever shows. */
  readonly sampleAccounts: readonly SampleAccount[];
  /** Finishes requests and jobs in flight, then closes everything, the last opened first. */
  stop(): Promise<void>;
};

/** A database that does not answer for longer counts as down. With a slow disk it may need nearly this long. */
const maxSilenceMs = 8000;

/** Starts the app and the worker of a site whose platform is open. It listens when this returns. @throws StartupError */
export async function startSite(open: OpenPlatform): Promise<Site> {
  const { settings, db, secrets } = open.platform;
  try {
    if (settings.mode === 'live') await refuseSampleAccounts(db, 'live');
    // Only a check: a site with wrong settings must not start.
    readMailbox(settings);
    await noteWhetherMailServerIsSet(open.platform);
    // Before anybody can sign in: from the first start with this rule, existing users have 14 days to set up a second factor.
    await recordFactorRequirement(
      db,
      { isRequired: requiresFactorOfEverybody(settings) },
      open.platform.clock.now(),
    );
    await startServing(open);
    await requireSameIdentity(db, secrets, settings);
    // Last, so that a failed start leaves no accounts whose passwords were not shown.
    const sampleAccounts = await loadSample(open.platform);
    return { sampleAccounts, stop: () => open.closers.closeAll() };
  } catch (error) {
    await open.closers.closeAll();
    throw error;
  }
}

async function startServing({ platform, database, closers }: OpenPlatform): Promise<void> {
  const silence = { maxSilenceMs, onSilence: () => database.breakConnections() };
  const notices = await startNotices(database.connection, platform.log, silence);
  closers.add('notices', () => notices.stop());
  // Closed after the worker and the server, so that it seals their last entries.
  const sealing = startSealing(platform);
  closers.add('audit', () => sealing.stop());
  const eventOrdering = startEventOrdering(platform);
  closers.add('event ordering', () => eventOrdering.stop());
  let worker: Worker | undefined;
  const deps = createAppDeps(platform, database.pool, notices, {
    workerIsHealthy: () => worker?.healthy() ?? false,
  });
  closers.add('letters', () => deps.letterDrawer.stop());
  const app = await buildApp(deps);
  worker = await startJobs(database, deps);
  closers.add('worker', () => worker?.stop());
  closers.add('search index', () => deps.libraryFollower.stop());
  await listen(app, platform.settings);
  closers.add('server', () => app.close());
  deps.libraryFollower.start();
}

/** Makes what the rooms' routes and pages need. Tests call it with a clock of their own. @throws StartupError */
export function createAppDeps(
  platform: Platform,
  pool: Database['pool'],
  notices: Notices,
  readiness: Pick<AppDeps, 'workerIsHealthy'>,
): AppDeps {
  const { settings } = platform;
  const badges = createBadges(platform);
  const queueLink = createQueueLink(platform);
  const roomsAbove = makeRoomsAbove(platform);
  const branding = followBranding(platform.db, notices, platform.log);
  followContacts(platform.db, settings, notices, platform.log);
  return {
    ...platform,
    pool,
    notices,
    branding,
    badges,
    queueLink,
    pages: createPages(settings, {
      navigation: (request, viewer) =>
        navigation(settings, viewer, { badge: badges.of(request), hasQueue: queueLink.isFor(request) }),
      footer,
      branding: branding.shown,
      encryptFormWriter: ({ accountId }) => encryptFormWriter(platform, accountId),
      sessionIdleMs: sessionLength.idleMs,
      now: () => platform.clock.now(),
    }),
    libraryFollower: followLibrary(platform.db, notices),
    mapFile: openMapFile(settings),
    tokenServices: createTokenServices(platform, notices),
    channels: createChannels(platform),
    letterDrawer: createLetterDrawer(),
    roomsAbove,
    referralIntake: createReferralIntake({ ...platform, roomsAbove }),
    ...readiness,
  };
}

async function listen(app: App, { host, port }: Settings): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const describeFailure = listenFailures[code ?? ''];
    if (!describeFailure) throw error;
    throw new StartupError(describeFailure(host, port));
  }
}

const listenFailures: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `ONWARD_PORT: ${host}:${port} is taken by another program. For example: ONWARD_PORT=${port + 1}`,
  EACCES: (_host, port) =>
    `ONWARD_PORT: this user may not listen on port ${port}. For example: ONWARD_PORT=8080`,
  EADDRNOTAVAIL: (host) =>
    `ONWARD_HOST: ${host} is not an address of this machine. For example: ONWARD_HOST=127.0.0.1`,
  ENOTFOUND: (host) => `ONWARD_HOST: ${host} is not a known host. For example: ONWARD_HOST=127.0.0.1`,
};
