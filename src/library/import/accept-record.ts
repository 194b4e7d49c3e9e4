import { checkRecord } from './check-record.ts';
import { type FileRecord, type Place, placeInWords, placeOf } from './file-record.ts';
import type { ImportRun, Incoming } from './import-run.ts';
import type { Loose } from './loose.ts';
import { saidService } from './service-row.ts';

export type Accepted = { service: Incoming } | { loose: Loose };

/** A record on its way into the library; or none, where it is reported why. `seen` keeps where each id came first. */
export function acceptRecord(
  record: FileRecord,
  { report, author }: ImportRun,
  seen: Map<string, Place>,
): Accepted | undefined {
  if ('reason' in record) {
    if (!record.part) report.counts.read += 1;
    report.reject(record, record.id, { pointer: record.pointer ?? '', reason: record.reason });
    return undefined;
  }
  report.counts.read += 1;
  const checked = checkRecord(record.value);
  if ('errors' in checked) {
    const errors = checked.errors.map(({ pointer, message }) => ({ pointer, reason: message }));
    report.reject(record, checked.id, ...errors);
    return undefined;
  }
  if ('loose' in checked) return checked;
  const { service, lastModified } = checked;
  const earlier = seen.get(service.id);
  if (earlier !== undefined) {
    const reason = `is the id of the record on ${placeInWords(earlier)} too`;
    report.reject(record, service.id, { pointer: '/id', reason });
    return undefined;
  }
  const place = placeOf(record);
  seen.set(service.id, place);
  const said = saidService(service, lastModified, author.at);
  return { service: { place, said, dated: lastModified !== undefined } };
}
