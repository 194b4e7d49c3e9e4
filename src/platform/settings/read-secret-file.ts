import { readFileSync } from 'node:fs';

/** The content of a file that a setting names, without the line end; undefined if it cannot be read. */
export function readSecretFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
