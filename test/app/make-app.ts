import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { passwordCost } from '../../src/accounts/passwords/password.ts';
import { type AppDeps, buildApp } from '../../src/app.ts';
import { openAudit } from '../../src/audit/index.ts';
import { type Database, startNotices } from '../../src/platform/database/index.ts';
import type { App } from '../../src/platform/http/index.ts';
import { createLog } from '../../src/platform/log/index.ts';
import { createMetrics } from '../../src/platform/metrics/index.ts';
import { createSecrets } from '../../src/platform/secrets/index.ts';
import { readSettings, type Settings } from '../../src/platform/settings/index.ts';
import { createAppDeps } from '../../src/site/start-site.ts';
import { startJobs } from '../../src/worker.ts';
import { testDatabase } from '../database/test-database.ts';
import { checkAnswers } from './check-answers.ts';
import { checkPages } from './check-pages.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { watchSecrets } from './secret-watch.ts';

// The same Argon2id with less to do; life-of-a-site.program.test.ts looks at what a site stores.
passwordCost.memoryCost = 64;

export type TestApp = {
  readonly app: App;
  readonly deps: AppDeps;
  readonly clock: ManualClock;
  readonly database: Database;
  /** Everything that was logged, line by line. */
  readonly logLines: string[];
  close(): Promise<void>;
};

export type TestAppOptions = {
  env?: Record<string, string>;
  /** Work off jobs, as a site does. */
  worker?: boolean;
  siteKey?: Buffer;
};

/** The very app that main.ts serves, on a database of its own and with a clock that the test moves. */
export async function makeApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'onward-app-'));
  const settings: Settings = readSettings({ ONWARD_DATA_DIR: dataDir, ...options.env });
  const database = await testDatabase();
  const logLines: string[] = [];
  const log = createLog(
    'info',
    new Writable({ write: (line, _encoding, done) => done(void logLines.push(String(line))) }),
  );
  const clock = manualClock();
  const watch = watchSecrets(createSecrets(options.siteKey ?? randomBytes(32)));
  const { secrets } = watch;
  openAudit(database.db, secrets);
  const platform = { settings, log, db: database.db, clock, secrets, metrics: createMetrics() };
  const notices = await startNotices(database.connection, log);
  const deps = createAppDeps(platform, database.pool, notices, {
    workerIsHealthy: () => true,
  });
  const app = await buildApp(deps);
  watch.listen(app);
  checkAnswers(app, settings);
  checkPages(app);
  const worker = options.worker ? await startJobs(database, deps) : undefined;
  return {
    app,
    deps,
    clock,
    database,
    logLines,
    async close() {
      await app.close();
      await worker?.stop();
      await deps.letterDrawer.stop();
      await notices.stop();
      try {
        await watch.search(database.db, logLines);
      } finally {
        await database.close();
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  };
}
