import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from '../../settings/child-environment.ts';
import { chooseLauncher } from './choose-launcher.ts';
import { USER } from './connection.ts';
import { programFailed } from './explain-failure.ts';
import { findBinaries } from './find-binaries.ts';

const run = promisify(execFile);

type NewCluster = { dataDir: string; cluster: string; passwordFile: string; whileWaiting: () => void };

/**
 * Runs initdb: UTF-8, sorted by code point the same on every machine, checksums on, passwords required on every way in.
 * It flushes all it made to disk before it returns. Throws a `StartupError` with what initdb said.
 */
export async function initializeCluster(given: NewCluster): Promise<void> {
  const launch = await chooseLauncher(given.dataDir);
  const { initdb } = findBinaries();
  const attempt = async (characterClasses: string) => {
    const { file, args } = launch(initdb, initdbArguments(given, characterClasses));
    const options = { env: childEnvironment(), cwd: given.dataDir };
    const running = run(file, args, options).then(
      () => undefined,
      (error: Error & { stderr?: string }) => error.stderr || error.message,
    );
    given.whileWaiting();
    return running;
  };
  let failure = await attempt(characterClassesLocale());
  // A very small system has no UTF-8 locale. The site works without, except for searching non-Latin scripts.
  if (failure?.includes('invalid locale name')) failure = await attempt('C');
  if (failure !== undefined) throw programFailed('The database could not be made', given.dataDir, failure);
}

/**
 * pg_trgm asks the system's locale which characters belong to a word, even though everything else asks the builtin
 * one: with plain C, `show_trgm('Поле')` is empty, and a name in such a script could not be found.
 */
function characterClassesLocale(): string {
  if (process.platform === 'win32') return 'C';
  return process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
}

function initdbArguments(given: NewCluster, characterClasses: string): string[] {
  return [
    `--pgdata=${given.cluster}`,
    `--username=${USER}`,
    `--pwfile=${given.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    `--lc-ctype=${characterClasses}`,
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
}
