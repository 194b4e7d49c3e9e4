import { hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { type Service, taxonomiesOf, termsOf, withDescription } from '../../library/index.ts';
import { type Db, inTransaction } from '../../platform/database/index.ts';
import type { ImportDeps } from '../import/import-records.ts';
import type { StandaloneKind } from '../import/report/record.ts';
import { findServiceLines, findStandaloneLines, type Line, useSnapshot } from './export-store.ts';

const batchSize = 500;
/** Taxonomies come after terms, because terms include theirs. */
const kinds: readonly StandaloneKind[] = ['organization', 'taxonomy_term', 'taxonomy'];

/**
 * The whole library as HSDS NDJSON: every service in full, in the order of ids, inactive ones too. Then come the things
 * that no service has in the library's wording, each on a line that names its kind. Documents are written exactly as
 * stored, so importing them again changes nothing.
 */
export async function* exportLibrary(db: Db): AsyncGenerator<string> {
  const exportedSoFar = exportedThings();
  yield* lines(
    (after) => findServiceLines(db, after, batchSize),
    ({ document }) => {
      exportedSoFar.noteService(JSON.parse(document));
      return `${document}\n`;
    },
  );
  for (const kind of kinds) {
    yield* lines(
      (after) => findStandaloneLines(db, kind, after, batchSize),
      (line) => {
        if (exportedSoFar.has(kind, line)) return '';
        if (kind === 'taxonomy_term') exportedSoFar.noteTerms([JSON.parse(line.document)]);
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
    if (found.length < batchSize) return;
    after = found.at(-1)!.id;
  }
}

type NamedPart = { id: string; description?: string | undefined };
type Terms = Parameters<typeof taxonomiesOf>[0];

/**
 * What an export contains in addition to the services. Each service includes its organisation and its terms as its
 * source gave them. Another source may have described them differently since. Then an import could not tell which
 * description to keep.
 */
function exportedThings() {
  const hashes = new Map<string, string | undefined>();
  const keyOf = (kind: StandaloneKind, id: string) => `${kind} ${id}`;
  const note = (kind: StandaloneKind, thing: NamedPart) => {
    const key = keyOf(kind, thing.id);
    const documentHash = hashOf(JSON.stringify(withDescription(thing)));
    hashes.set(key, hashes.has(key) && hashes.get(key) !== documentHash ? undefined : documentHash);
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
    /** Whether every line that has it describes it as the library does. */
    has: (kind: StandaloneKind, { id, document }: { id: string; document: string }) =>
      hashes.get(keyOf(kind, id)) === hashOf(document),
  };
}

/** A hash, because a large library has as many organisations as services. */
function hashOf(text: string): string {
  return hash('sha1', text, 'base64url');
}

export type ExportResult = { lines: number; seconds: number };

/** Writes the library to a stream, as it is at one moment. */
export async function writeExport(
  { db, clock }: ImportDeps,
  actor: Actor,
  target: NodeJS.WritableStream,
  { packed }: { packed: boolean },
): Promise<ExportResult> {
  const started = clock.now();
  let lines = 0;
  await inTransaction(db, async (trx) => {
    await useSnapshot(trx);
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
