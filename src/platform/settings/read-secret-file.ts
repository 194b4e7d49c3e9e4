import { readFileSync } from 'node:fs';

/** The content of a file that a setting names, without white space around it; undefined if it cannot be read. */
export function readSecretFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
