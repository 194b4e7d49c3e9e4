import { execFileSync } from 'node:child_process';

/** The Python versions to test clients with that are installed here: the usual one and the oldest supported one. */
export const pythons = ['python3', 'python3.9'].filter((name) => {
  try {
    const version = execFileSync(name, ['--version'], { encoding: 'utf8', stdio: 'pipe' });
    return Number(/3\.(\d+)/.exec(version)?.[1] ?? 0) >= 9;
  } catch {
    return false;
  }
});
