import type { Db } from '../../platform/database/index.ts';
import type { LooseKind } from '../import/loose.ts';
import { findServiceLines, findUnusedLines, type Line } from './export-store.ts';

const linesAtOnce = 500;
const kinds: readonly LooseKind[] = ['organization', 'taxonomy', 'taxonomy_term'];

/**
 * The whole library as HSDS NDJSON: every service in full, inactive ones as well, by id; then what no service carries, a
 * line each that names what it is. Documents are given out as they are stored, character by character, so what is read
 * in again is the same.
 */
export async function* exportLibrary(db: Db): AsyncGenerator<string> {
  yield* lines(
    (after) => findServiceLines(db, after, linesAtOnce),
    ({ document }) => `${document}\n`,
  );
  for (const kind of kinds) {
    yield* lines(
      (after) => findUnusedLines(db, kind, after, linesAtOnce),
      ({ document }) => `{"${kind}":${document}}\n`,
    );
  }
}

async function* lines(
  find: (after: string) => Promise<Line[]>,
  write: (line: Line) => string,
): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const found = await find(after);
    if (found.length > 0) yield found.map(write).join('');
    if (found.length < linesAtOnce) return;
    after = found.at(-1)!.id;
  }
}
