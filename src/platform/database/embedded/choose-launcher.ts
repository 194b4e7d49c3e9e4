import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import { childEnvironment } from '../../settings/child-environment.ts';
import { StartupError } from '../../startup-error.ts';
import { clusterPath } from './data-directory.ts';
import { findBinaries } from './find-binaries.ts';

const run = promisify(execFile);

/** A user that every system knows: initdb looks its own name up, and 1000 is nobody in many containers. */
const NOBODY = 65534;

/** How to start a PostgreSQL program: the program and its arguments, with what has to stand before them. */
export type Launcher = (program: string, args: string[]) => { file: string; args: string[] };

/** Which of the ways around PostgreSQL's demands on its user are there; a test may take one away. */
export type Ways = { userNamespace: boolean; otherUser: boolean };

/**
 * How this user can run PostgreSQL, which refuses to run as root. Root runs it in a user namespace, where it sees
 * itself as an ordinary user while its files stay root's; where namespaces are forbidden (Docker) or the paths lead
 * through another user's directories, as `nobody` with the one right to enter those. A cluster, or a data directory,
 * that belongs to another user is served as that user. A user without a name, whom initdb refuses, takes the namespace.
 * Throws a `StartupError` where none of it works.
 */
export async function chooseLauncher(dataDir: string, ways?: Ways): Promise<Launcher> {
  const root = process.getuid?.() === 0;
  if (!root && hasName()) return (file, args) => ({ file, args });
  const namespaced = ways?.userNamespace ?? true;
  if (!root) {
    if (namespaced && (await reaches(inUserNamespace, dataDir))) return inUserNamespace;
    throw refusal('PostgreSQL runs only as a user with a name, and this one is not in /etc/passwd');
  }
  const cluster = clusterPath(dataDir);
  const existing = await stat(cluster).catch(() => undefined);
  const { uid, gid } = existing ?? (await stat(dataDir));
  if (uid === 0 && namespaced && (await reaches(inUserNamespace, dataDir))) return inUserNamespace;
  const asOther = uid === 0 ? asUser(NOBODY, NOBODY) : asUser(uid, gid);
  if (!(ways?.otherUser ?? true) || !(await reaches(asOther, dataDir))) {
    throw refusal(
      'PostgreSQL does not run as root, and neither unshare --user nor setpriv works on this system',
    );
  }
  // A cluster made in a user namespace is root's; PostgreSQL accepts only its own.
  if (existing?.uid === 0) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, cluster]);
  return asOther;
}

const inUserNamespace: Launcher = (program, args) => ({
  file: 'unshare',
  args: ['--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--', program, ...args],
});

function asUser(uid: number, gid: number): Launcher {
  const who = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return (program, args) => ({ file: 'setpriv', args: [...who, ...rights, '--', program, ...args] });
}

/** Tries it once (3 ms): that the system allows it, and that PostgreSQL would find its program and its directory. */
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
