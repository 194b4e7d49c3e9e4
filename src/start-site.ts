import { type AppDeps, buildApp } from './app.ts';
import { startSealing } from './audit/index.ts';
import { createReferralListener, readMailbox, withSimulator } from './delivery/index.ts';
import { navigation } from './navigation.ts';
import type { OpenPlatform } from './open-platform.ts';
import { type Database, type Notices, startNotices } from './platform/database/index.ts';
import { createPages } from './platform/html/index.ts';
import type { App } from './platform/http/index.ts';
import type { Worker } from './platform/jobs/index.ts';
import { checkMailServer } from './platform/mail/index.ts';
import type { Platform } from './platform/platform.ts';
import type { Settings } from './platform/settings/index.ts';
import { StartupError } from './platform/startup-error.ts';
import { createReferralIntake } from './referrals/index.ts';
import { loadSample, type SampleAccount } from './sample/index.ts';
import { followLibrary } from './search/index.ts';
import { refuseSampleAccounts, requireSameIdentity } from './site-identity.ts';
import { createTokenDesk } from './tokens/index.ts';
import { startPlacing, withReferralEvents } from './webhooks/index.ts';
import { startJobs } from './worker.ts';

export type Site = {
  /** The accounts that were made just now, with their passwords; they can be had here and never again. */
  readonly sampleAccounts: readonly SampleAccount[];
  /** Finishes the requests and jobs that are in flight, then closes everything, the last opened first. */
  stop(): Promise<void>;
};

/** No answer for so long, and the database is gone: a slow disk is given time. */
const maxSilenceMs = 8000;

/** Starts a whole site on its open database: app and worker; it listens when this returns. @throws StartupError */
export async function startSite(open: OpenPlatform): Promise<Site> {
  const { settings, db, secrets } = open.platform;
  try {
    if (settings.mode === 'live') await refuseSampleAccounts(db, 'live');
    // Read when they are needed; a site that cannot read them does not start.
    readMailbox(settings);
    await checkMailServer(open.platform);
    await startServing(open);
    await requireSameIdentity(db, secrets, settings);
    // Last, so that a start which fails leaves no accounts behind whose passwords nobody was shown.
    const sampleAccounts = await loadSample(open.platform);
    return { sampleAccounts, stop: () => open.closers.closeAll() };
  } catch (error) {
    await open.closers.closeAll();
    throw error;
  }
}

async function startServing({ platform, database, closers }: OpenPlatform): Promise<void> {
  const silence = { ms: maxSilenceMs, noticed: () => database.cut() };
  const notices = await startNotices(database.connection, platform.log, silence);
  closers.add('notices', () => notices.stop());
  // Closed after the worker and the server, so that it seals the last that they did.
  const sealing = startSealing(platform);
  closers.add('audit', () => sealing.stop());
  const placing = startPlacing(platform);
  closers.add('events', () => placing.stop());
  let worker: Worker | undefined;
  const deps = createAppDeps(platform, database.pool, notices, {
    workerIsHealthy: () => worker?.healthy() ?? false,
  });
  const app = await buildApp(deps);
  worker = await startJobs(deps, database);
  closers.add('worker', () => worker?.stop());
  closers.add('search index', () => deps.searchIndex.stop());
  await listen(app, platform.settings);
  closers.add('server', () => app.close());
  deps.searchIndex.start();
}

/** What every room's routes and pages need. Tests make it the same way, on a clock of theirs. */
export function createAppDeps(
  platform: Platform,
  pool: Database['pool'],
  notices: Notices,
  readiness: Pick<AppDeps, 'workerIsHealthy'>,
): AppDeps {
  const { settings } = platform;
  const referralListener = withReferralEvents(withSimulator(platform, createReferralListener()));
  return {
    ...platform,
    pool,
    notices,
    pages: createPages(settings, (viewer) => navigation(settings, viewer)),
    searchIndex: followLibrary(platform.db, notices),
    tokenDesk: createTokenDesk(platform, notices),
    referralListener,
    referralIntake: createReferralIntake({ ...platform, referralListener }),
    ...readiness,
  };
}

async function listen(app: App, { host, port }: Settings): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = listenFailures[code ?? ''];
    if (!why) throw error;
    throw new StartupError(why(host, port));
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
