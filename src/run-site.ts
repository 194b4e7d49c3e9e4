import { openPlatform } from './open-platform.ts';
import { createLog, describeError, type Log } from './platform/log/index.ts';
import { readSettings, type Settings } from './platform/settings/index.ts';
import { StartupError } from './platform/startup-error.ts';
import { version } from './platform/version.ts';
import type { SampleAccount } from './sample/index.ts';
import type { Site } from './start-site.ts';

const timeoutMs = 9000;

/** The site as a process: says when it is ready, and stops in good order when it is told to. */
export async function runSite(toldToStop: Promise<void>): Promise<void> {
  const databaseLost = Promise.withResolvers<void>();
  const end = Promise.race([toldToStop, databaseLost.promise]);
  // Whatever hangs, the start too, must not keep the site from ending within the ten seconds that it promises.
  void end.then(() => setTimeout(() => process.exit(process.exitCode ?? 0), timeoutMs).unref());
  try {
    const settings = readSettings();
    const log = createLog(settings.logLevel);
    dieInWords(log);
    log.info({ version, mode: settings.mode }, 'Onward starts');
    const site = await start(settings, log, () => {
      log.error('the site’s PostgreSQL could not be started again for ten minutes; the site ends');
      process.exitCode = 1;
      databaseLost.resolve();
    });
    say(`Onward is ready on ${settings.baseUrl}`);
    introduce(site.sampleAccounts, settings.baseUrl);
    await end;
    await site.stop();
    log.flush();
  } catch (error) {
    process.stderr.write(`${inWords(error)}\n`);
    process.exitCode = 1;
  }
}

/** Loading the site takes as long as starting its PostgreSQL, so it is done meanwhile. */
async function start(settings: Settings, log: Log, onDatabaseLost: () => void): Promise<Site> {
  const load = () => import('./start-site.ts');
  // What fails in it is told below, where it is waited for.
  const whileWaiting = () => void load().catch(() => undefined);
  const open = await openPlatform(settings, log, { use: 'site', site: 'made', onDatabaseLost, whileWaiting });
  const { startSite } = await load();
  return startSite(open);
}

/** Node's own last words would print an error's message, and messages of PostgreSQL quote values. */
function dieInWords(log: Log): void {
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error) => {
      log.fatal({ error: describeError(error) }, 'a fault that nothing caught; the site ends');
      log.flush(() => process.exit(1));
    });
  }
}

function inWords(error: unknown): string {
  if (error instanceof StartupError) return `Onward did not start.\n${error.message}`;
  return `Onward did not start, because of a fault of its own: ${JSON.stringify(describeError(error), null, 2)}`;
}

/** At once and after all else of the start, so that no line of the log stands within it. */
function introduce(accounts: readonly SampleAccount[], baseUrl: string): void {
  if (accounts.length === 0) return;
  const rule = '─'.repeat(92);
  const lines = accounts.map(({ email, password, what }) => `  ${email.padEnd(22)} ${password}   ${what}`);
  say(
    `
${rule}
Sample accounts to sign in with at ${baseUrl}/signin
Copy them now: their passwords are shown this once, and the log goes on below.

${lines.join('\n')}

To give one of them another password, in a second terminal:
  echo "a password of your own" | npm run -s onward -- account reset-password \\
    --email referrer@example.org --password-stdin
${rule}`,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
