import { Readable } from 'node:stream';
import type { Db } from '../../platform/database/index.ts';
import type { Pages } from '../../platform/html/index.ts';
import type { Reply } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { findAttachment, readInChunks } from '../../referrals/index.ts';
import type { PatientRecord } from './collect-record.ts';
import { recordInWords } from './record-in-words.ts';

/** The record as a zip: as JSON, as a page, and with its files. Files are read one by one, while it is sent. */
export async function zipRecord(
  { db, pages }: { db: Db; pages: Pages },
  record: PatientRecord,
): Promise<Readable> {
  // Loaded on first use, so that it does not slow the start.
  const { ZipFile } = await import('yazl');
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  // Without this listener, a file that cannot be read would end the process. Now it ends only this answer.
  zip.on('error', (error: Error) => output.destroy(error));
  const options = { mtime: new Date(record.exported_at) };
  const words = recordInWords(record);
  zip.addBuffer(Buffer.from(JSON.stringify(record, undefined, 2)), 'record.json', options);
  zip.addBuffer(Buffer.from(pages.render('records/templates/record.njk', words)), 'record.html', options);
  for (const { referralId, id, path } of words.files) {
    zip.addReadStreamLazy(path, { ...options, compress: false }, (done) => {
      findAttachment(db, referralId, id).then(
        // Erased or removed since the record was made.
        (file) => done(null, Readable.from(file?.removedAt === null ? readInChunks(db, file) : [])),
        (error: Error) => done(error, Readable.from([])),
      );
    });
  }
  zip.end();
  return output;
}

/** Sends the record as a zip to download. Its file name says nothing about the person. */
export async function sendZip(deps: WebPlatform, reply: Reply, record: PatientRecord): Promise<Reply> {
  const name = `patient-record-${record.exported_at.slice(0, 10)}.zip`;
  return reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(await zipRecord(deps, record));
}
