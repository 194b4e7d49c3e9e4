import { readFile, stat } from 'node:fs/promises';
import { errorCode } from './explain-failure.ts';

/**
 * Whether a process with this number runs on this machine. A process that ended but was not yet collected by
 * its parent counts as gone: in a container whose first process collects nobody it would stay for ever.
 */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is there, and belongs to another user.
    return errorCode(error) === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')) !== '';
  } catch (error) {
    // Gone between the two looks; anything else only means that we may not read it.
    return errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ESRCH';
  }
}

/**
 * Whether this process is the PostgreSQL of this cluster directory, and not a stranger that was given the number
 * of a PostgreSQL that died: a server works in its own directory, which is compared by inode so that bind mounts
 * and moves do not matter. Where the system does not tell, a live process counts; the password is the final proof.
 */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!(await isAlive(pid))) return false;
  if (process.platform !== 'linux') return true;
  try {
    const workingIn = await stat(`/proc/${pid}/cwd`, { bigint: true });
    const directory = await stat(cluster, { bigint: true });
    return workingIn.dev === directory.dev && workingIn.ino === directory.ino;
  } catch (error) {
    return errorCode(error) === 'EACCES' || errorCode(error) === 'EPERM';
  }
}
