import { createLog, describeError } from './platform/log/index.ts';
import { readSettings } from './platform/settings/index.ts';
import { StartupError } from './platform/startup-error.ts';
import type { SampleAccount } from './sample/index.ts';
import { startSite } from './start-site.ts';

const patienceMs = 9000;

/** The site as a process: says when it is ready, and stops in good order when it is told to. */
export async function runSite(): Promise<void> {
  try {
    const settings = readSettings();
    const log = createLog(settings.logLevel);
    const early = Promise.withResolvers<void>();
    const told = new Set<string>();
    const hear = (signal: string) => {
      told.add(signal);
      early.resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, hear);
    const site = await startSite(settings, log);
    site.onDatabaseLost(() => {
      log.error('the database was lost; the site stops');
      process.exitCode = 1;
      early.resolve();
    });
    say(`Onward is ready on ${settings.baseUrl}`);
    introduce(site.sampleAccounts);
    await early.promise;
    // Whatever hangs must not keep the site from ending within the ten seconds that it promises.
    setTimeout(() => process.exit(process.exitCode ?? 0), patienceMs).unref();
    await site.stop();
    log.flush();
  } catch (error) {
    process.stderr.write(`${inWords(error)}\n`);
    process.exitCode = 1;
  }
}

function inWords(error: unknown): string {
  if (error instanceof StartupError) return `Onward did not start.\n${error.message}`;
  return `Onward did not start, because of a fault of its own: ${JSON.stringify(describeError(error), null, 2)}`;
}

function introduce(accounts: readonly SampleAccount[]): void {
  if (accounts.length === 0) return;
  say('\nSample accounts to sign in with. Their passwords are shown this once:');
  for (const { email, password, what } of accounts) say(`  ${email.padEnd(22)} ${password}   ${what}`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
