import { readFileSync } from 'node:fs';

/** What a file that a setting names holds, without the line's end after it; undefined where it cannot be read. */
export function readSecretFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
