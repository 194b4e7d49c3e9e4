import type { Reply } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import type { PatientRecord } from './export-record.ts';
import { packRecord } from './pack-record.ts';

/** Answers with the zip as something to save, under a name that names nobody. */
export async function sendPacked(deps: WebPlatform, reply: Reply, record: PatientRecord): Promise<Reply> {
  const name = `patient-record-${record.exported_at.slice(0, 10)}.zip`;
  return reply
    .type('application/zip')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(await packRecord(deps, record));
}
