import { execFileSync } from 'node:child_process';

/** The Pythons that this machine has, of the usual one and the oldest that is supported: clients are tested by them. */
export const pythons = ['python3', 'python3.9'].filter((name) => {
  try {
    const version = execFileSync(name, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return Number(/3\.(\d+)/.exec(version)?.[1] ?? 0) >= 9;
  } catch {
    return false;
  }
});
