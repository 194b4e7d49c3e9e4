import type { Db } from '../../platform/database/index.ts';
import type { LooseKind } from '../import/loose.ts';
import { carriedThings } from './carried.ts';
import { findLooseLines, findServiceLines, type Line } from './export-store.ts';

const linesAtOnce = 500;
/** Taxonomies come after terms, which have them in themselves. */
const kinds: readonly LooseKind[] = ['organization', 'taxonomy_term', 'taxonomy'];

/**
 * The whole library as HSDS NDJSON: every service in full, inactive ones as well, by id; then what no service carries as the
 * library has it, a line each that names what it is. Documents are given out as they are stored, character by character,
 * so what is read in again is the same.
 */
export async function* exportLibrary(db: Db): AsyncGenerator<string> {
  const carried = carriedThings();
  yield* lines(
    (after) => findServiceLines(db, after, linesAtOnce),
    ({ document }) => {
      carried.noteService(JSON.parse(document));
      return `${document}\n`;
    },
  );
  for (const kind of kinds) {
    yield* lines(
      (after) => findLooseLines(db, kind, after, linesAtOnce),
      (line) => {
        if (carried.has(kind, line)) return '';
        if (kind === 'taxonomy_term') carried.noteTerms([JSON.parse(line.document)]);
        return `{"${kind}":${line.document}}\n`;
      },
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
