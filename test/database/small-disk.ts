import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of its own for a test, so small that it can be filled. Making one needs root, as CI is: elsewhere it is not there. */
export function smallDisk(kilobytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'onward-small-disk-'));
  const isThere = ran('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'onward-test', folder]);
  const filler = join(folder, 'something else');
  return {
    folder,
    isThere,
    filler,
    /** Leaves no more room than this. */
    fill(leave = 0): void {
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leave)));
      } catch (error) {
        // Somebody else has written meanwhile, and it is full all the more.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    makeRoom: () => rmSync(filler),
    setWritable: (writable: boolean) => ran('mount', ['-o', `remount,${writable ? 'rw' : 'ro'}`, folder]),
    remove(): void {
      if (isThere) ran('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function ran(command: 'mount' | 'umount', words: string[]): boolean {
  try {
    execFileSync(command, words, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
