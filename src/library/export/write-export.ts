import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import type { ImportDeps } from '../import/import-records.ts';
import { exportLibrary } from './export-library.ts';
import { fixView } from './export-store.ts';

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
