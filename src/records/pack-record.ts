import { Readable } from 'node:stream';
import type { Db } from '../platform/database/index.ts';
import type { Pages } from '../platform/html/index.ts';
import { findAttachment, piecesOf } from '../referrals/index.ts';
import type { PatientRecord } from './export-record.ts';
import { inWords } from './record-in-words.ts';

/** The record as a zip: for machines, for people, and the files. Files are read one by one, while it is sent. */
export async function packRecord(
  { db, pages }: { db: Db; pages: Pages },
  record: PatientRecord,
): Promise<Readable> {
  // Loaded when the first record is asked for: no start waits for it.
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // A file that cannot be read any more breaks the answer off. Heard by nobody, it would end the site.
  zip.on('error', (error: Error) => output.destroy(error));
  const at = { mtime: new Date(record.exported_at) };
  const words = inWords(record);
  zip.addBuffer(Buffer.from(JSON.stringify(record, undefined, 2)), 'record.json', at);
  zip.addBuffer(Buffer.from(pages.render('records/templates/record.njk', words)), 'record.html', at);
  for (const { referralId, id, path } of words.files) {
    zip.addReadStreamLazy(path, { ...at, compress: false }, (done) => {
      findAttachment(db, referralId, id).then(
        // Erased since the record was made.
        (file) => done(null, Readable.from(file ? piecesOf(db, file) : [])),
        (error: Error) => done(error, Readable.from([])),
      );
    });
  }
  zip.end();
  return output;
}
