import { hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { type Service, taxonomiesOf, termsOf, withDescription } from '../../library/index.ts';
import { type Db, inTransaction } from '../../platform/database/index.ts';
import type { ImportDeps } from '../import/import-records.ts';
import type { StandaloneKind } from '../import/model/record.ts';
import { findServiceLines, findStandaloneLines, type Line, useSnapshot } from './export-store.ts';

const batchSize = 500;
/** Taxonomies come after terms, because terms include theirs. */
const kinds: readonly StandaloneKind[] = ['organization', 'taxonomy_term', 'taxonomy'];

/**
 * The whole library as HSDS NDJSON: every service in full, in the order of ids, inactive ones too. Then come the
 * organisations, terms and taxonomies that no service includes exactly as the library stores them, each on a line that
 * names its kind. Documents are written exactly as stored, so importing them again changes nothing.
 */
export async function* exportLibrary(db: Db): AsyncGenerator<string> {
  const tracker = createExportTracker();
  yield* lines(
    (after) => findServiceLines(db, after, batchSize),
    ({ document }) => {
      tracker.addService(JSON.parse(document));
      return `${document}\n`;
    },
  );
  for (const kind of kinds) {
    yield* lines(
      (after) => findStandaloneLines(db, kind, after, batchSize),
      (line) => {
        if (tracker.has(kind, line)) return '';
        if (kind === 'taxonomy_term') tracker.addTaxonomiesOf([JSON.parse(line.document)]);
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
    const batch = await find(after);
    if (batch.length > 0) yield batch.map(write).join('');
    if (batch.length < batchSize) return;
    after = batch.at(-1)!.id;
  }
}

type Describable = { id: string; description?: string | undefined };
type Terms = Parameters<typeof taxonomiesOf>[0];

/**
 * Remembers what the exported services include. Each service includes its organisation and its terms as its source gave them. If services
 * include different versions, or another version than the library stores, the export lists the stored version too, so that an import
 * knows which one to store.
 */
function createExportTracker() {
  const hashes = new Map<string, string | undefined>();
  const keyOf = (kind: StandaloneKind, id: string) => `${kind} ${id}`;
  const add = (kind: StandaloneKind, item: Describable) => {
    const key = keyOf(kind, item.id);
    const documentHash = hashOf(JSON.stringify(withDescription(item)));
    hashes.set(key, hashes.has(key) && hashes.get(key) !== documentHash ? undefined : documentHash);
  };
  const addTaxonomiesOf = (terms: Terms) => {
    for (const taxonomy of taxonomiesOf(terms)) add('taxonomy', taxonomy);
  };
  return {
    addTaxonomiesOf,
    addService(service: Service): void {
      if (service.organization) add('organization', service.organization);
      const terms = termsOf(service);
      for (const term of terms) add('taxonomy_term', term);
      addTaxonomiesOf(terms);
    },
    /** Whether every service that includes this item has it as the library stores it. */
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
  const result = { lines, seconds: (at.getTime() - started.getTime()) / 1000 };
  await inTransaction(db, (trx) =>
    recordAudit(trx, { at, actor, action: 'library.exported', details: result }),
  );
  return result;
}
