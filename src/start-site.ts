import { type AppDeps, buildApp } from './app.ts';
import { createReferralListener } from './delivery/index.ts';
import { navigation } from './navigation.ts';
import { type OpenPlatform, openPlatform } from './open-platform.ts';
import { startNotices } from './platform/database/index.ts';
import { createPages } from './platform/html/index.ts';
import type { App } from './platform/http/index.ts';
import type { Worker } from './platform/jobs/index.ts';
import type { Log } from './platform/log/index.ts';
import type { Settings } from './platform/settings/index.ts';
import { StartupError } from './platform/startup-error.ts';
import { loadSample, type SampleAccount } from './sample/index.ts';
import { createTokenDesk } from './tokens/index.ts';
import { startJobs } from './worker.ts';

export type Site = {
  readonly app: App;
  readonly deps: AppDeps;
  /** The accounts that were made just now, with their passwords; they can be had here and never again. */
  readonly sampleAccounts: readonly SampleAccount[];
  onDatabaseLost(act: () => void): void;
  /** Finishes the requests and jobs that are in flight, then closes everything, the last opened first. */
  stop(): Promise<void>;
};

/** Starts a whole site: database, app and worker; it listens when this returns. @throws StartupError */
export async function startSite(settings: Settings, log: Log): Promise<Site> {
  const open = await openPlatform(settings, log, 'site');
  const stops: (() => Promise<unknown>)[] = [() => open.close()];
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    const sampleAccounts = await loadSample(open.platform);
    const { app, deps } = await startApp(open, settings, stops);
    return { app, deps, sampleAccounts, onDatabaseLost: open.onDatabaseLost, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startApp(
  { platform, database }: OpenPlatform,
  settings: Settings,
  stops: (() => Promise<unknown>)[],
) {
  const notices = await startNotices(database.connection, platform.log);
  stops.push(() => notices.stop());
  let worker: Worker | undefined;
  const deps: AppDeps = {
    ...platform,
    notices,
    pages: createPages(settings, (viewer) => navigation(settings, viewer)),
    tokenDesk: createTokenDesk(platform, notices),
    referralListener: createReferralListener(platform),
    workerIsHealthy: () => worker?.healthy() ?? false,
  };
  const app = await buildApp(deps);
  worker = await startJobs(platform, database);
  const running = worker;
  stops.push(() => running.stop());
  await listen(app, settings);
  stops.push(() => app.close());
  return { app, deps };
}

async function listen(app: App, { host, port }: Settings): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = listenFailures[code ?? ''];
    if (!why) throw error;
    throw new StartupError(`ONWARD_PORT: ${why(host, port)} For example: ONWARD_PORT=${port + 1}`);
  }
}

const listenFailures: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `${host}:${port} is taken by another program.`,
  EACCES: (_host, port) => `this user may not listen on port ${port}.`,
  EADDRNOTAVAIL: (host) => `${host} (ONWARD_HOST) is not an address of this machine.`,
  ENOTFOUND: (host) => `${host} (ONWARD_HOST) is not a known host.`,
};
