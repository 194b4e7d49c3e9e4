import { hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { type Service, taxonomiesOf, termsOf, withDescription } from '../../library/index.ts';

import { type Db, inTransaction } from '../../platform/database/index.ts';
import type { ImportDeps } from '../import/import-records.ts';
import type { StandaloneKind } from '../import/report/record.ts';
import { findServiceLines, findStandaloneLines, fixView, type Line } from './export-store.ts';

const linesAtOnce = 500;
/** Taxonomies come after terms, which have them in themselves. */
const kinds: readonly StandaloneKind[] = ['organization', 'taxonomy_term', 'taxonomy'];

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
      (after) => findStandaloneLines(db, kind, after, linesAtOnce),
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

type Named = { id: string; description?: string | undefined };
type Terms = Parameters<typeof taxonomiesOf>[0];

/**
 * What an export contains in addition to the services. Each service includes its organisation and its terms as its
 * source gave them. Another source may have described them differently since. Then an import could not tell which
 * description to keep.
 */
function carriedThings() {
  const marks = new Map<string, string | undefined>();
  const keyOf = (kind: StandaloneKind, id: string) => `${kind} ${id}`;
  const note = (kind: StandaloneKind, thing: Named) => {
    const key = keyOf(kind, thing.id);
    const mark = markOf(JSON.stringify(withDescription(thing)));
    marks.set(key, marks.has(key) && marks.get(key) !== mark ? undefined : mark);
  };
  const noteTerms = (terms: Terms) => {
    for (const taxonomy of taxonomiesOf(terms)) note('taxonomy', taxonomy);
  };
  return {
    noteTerms,
    noteService(service: Service): void {
      if (service.organization) note('organization', service.organization);
      const terms = termsOf(service);
      for (const term of terms) note('taxonomy_term', term);
      noteTerms(terms);
    },
    /** Whether all that carry it have it as the library has it. */
    has: (kind: StandaloneKind, { id, document }: { id: string; document: string }) =>
      marks.get(keyOf(kind, id)) === markOf(document),
  };
}

/** Short, because a large library has as many organisations as services. */
function markOf(text: string): string {
  return hash('sha1', text, 'base64url');
}

export type Exported = { lines: number; seconds: number };

/** Writes the library to a stream as it was at one moment. */
export async function writeExport(
  { db, clock }: ImportDeps,
  actor: Actor,
  target: NodeJS.WritableStream,
  { packed }: { packed: boolean },
): Promise<Exported> {
  const started = clock.now();
  let lines = 0;
  await inTransaction(db, async (trx) => {
    await fixView(trx);
    const source = async function* () {
      for await (const text of exportLibrary(trx)) {
        for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
        yield text;
      }
    };
    if (packed) await pipeline(source, createGzip(), target);
    else await pipeline(source, target);
  });
  const at = clock.now();
  const exported = { lines, seconds: (at.getTime() - started.getTime()) / 1000 };
  await inTransaction(db, (trx) =>
    recordAudit(trx, { at, actor, action: 'library.exported', details: exported }),
  );
  return exported;
}
