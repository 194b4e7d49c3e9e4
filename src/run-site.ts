import { createLog, describeError, type Log } from './platform/log/index.ts';
import { StartupError } from './platform/process/startup-error.ts';
import { version } from './platform/process/version.ts';
import { readSettings, type Settings } from './platform/settings/index.ts';
import type { SampleAccount } from './sample/index.ts';
import { openPlatform } from './site/open-platform.ts';
import type { Site } from './site/start-site.ts';

/** Supervisors wait ten seconds before they kill a process. */
const stopTimeoutMs = 9000;

/** The site as a process: opens and starts it, says when it is ready, and stops it in good order when told to. */
export async function runSite(stopRequested: Promise<void>): Promise<void> {
  // Somebody who asks for the version must not start a site.
  if (process.argv.includes('--version')) return print(`Onward ${version}`);
  const databaseLost = Promise.withResolvers<void>();
  const shouldEnd = Promise.race([stopRequested, databaseLost.promise]);
  // The process ends in time even if something hangs, the start included.
  void shouldEnd.then(() => setTimeout(() => process.exit(process.exitCode ?? 0), stopTimeoutMs).unref());
  try {
    const settings = readSettings();
    const log = createLog(settings.logLevel);
    logFatalErrors(log);
    log.info({ version, mode: settings.mode }, 'Onward starts');
    if (settings.mode === 'live' && settings.noSecondFactorBecause !== undefined)
      log.warn({ because: settings.noSecondFactorBecause }, 'two-step sign-in is not required of everybody');
    const site = await openAndStart(settings, log, shouldEnd, () => {
      log.error('the site’s PostgreSQL could not be started again for ten minutes; the site ends');
      process.exitCode = 1;
      databaseLost.resolve();
    });
    if (site === undefined) return log.flush();
    print(`Onward is ready on ${settings.baseUrl}`);
    printSampleAccounts(site.sampleAccounts, settings);
    await shouldEnd;
    // It throws nothing: what cannot be closed is logged.
    await site.stop();
    log.flush();
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}

/**
 * Loads the site's code while its PostgreSQL starts: both take about as long. Undefined if the site was told to stop meanwhile, because
 * starting could then take longer than the time that is left.
 */
async function openAndStart(
  settings: Settings,
  log: Log,
  shouldEnd: Promise<void>,
  onDatabaseLost: () => void,
): Promise<Site | undefined> {
  let mustEnd = false;
  void shouldEnd.then(() => {
    mustEnd = true;
  });
  const load = () => import('./site/start-site.ts');
  // If loading fails, the second call below throws.
  const whileWaiting = () => void load().catch(() => undefined);
  const open = await openPlatform(settings, log, {
    purpose: 'site',
    openAs: 'new-or-existing',
    onDatabaseLost,
    whileWaiting,
  });
  const { startSite } = await load();
  if (mustEnd) {
    await open.closers.closeAll();
    return undefined;
  }
  return startSite(open);
}

/** Node itself would print the message of the error, and messages of PostgreSQL contain values. */
function logFatalErrors(log: Log): void {
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error) => {
      log.fatal({ error: describeError(error) }, 'uncaught error; the site ends');
      log.flush(() => process.exit(1));
    });
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof StartupError) return `Onward did not start.\n${error.message}`;
  return `Onward did not start, because of a bug in Onward: ${JSON.stringify(describeError(error), null, 2)}`;
}

/** Printed in one piece at the end of the start, so that no line of the log is between its lines. */
function printSampleAccounts(accounts: readonly SampleAccount[], settings: Settings): void {
  if (accounts.length === 0) return;
  const rule = '─'.repeat(92);
  const lines = accounts.map(
    ({ email, password, description }) => `  ${email.padEnd(22)} ${password}   ${description}`,
  );
  print(
    `
${rule}
Sample accounts to sign in with at ${settings.baseUrl}/signin
Copy them now: their passwords are shown only once, and the log goes on below.

${lines.join('\n')}

To give one of them another password, in a second terminal:
  echo "a password of your own" | ${variablesToRepeat(settings)}npm run -s onward -- account reset-password \\
    --email referrer@example.org --password-stdin
${rule}`,
  );
}

/** A second terminal has none of the variables, and the command would look for the site where it is not. */
function variablesToRepeat({ dataDir, port, setVariables }: Settings): string {
  const values = { ONWARD_DATA_DIR: shellWord(dataDir), ONWARD_PORT: String(port) };
  return Object.entries(values)
    .filter(([name]) => setVariables.has(name))
    .map(([name, value]) => `${name}=${value} `)
    .join('');
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
