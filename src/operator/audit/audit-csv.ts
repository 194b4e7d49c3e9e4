import { sentenceFor } from '../../audit/index.ts';
import { toCsv } from '../../platform/csv.ts';
import type { PartlyHiddenEntry } from './revealing-entries.ts';

const columns = [
  'time',
  'who',
  'role',
  'organisation',
  'action',
  'what',
  'outcome',
  'item',
  'item_id',
  'ip_address',
];

/** Entries as CSV, without their details, which may name a service. A partly hidden entry has no more here than on the page. */
export function auditCsv(entries: readonly PartlyHiddenEntry[]): string {
  return toCsv(
    columns,
    entries.map((entry) => [
      entry.isPartlyHidden ? entry.at.toISOString().slice(0, 10) : entry.at.toISOString(),
      entry.actorName,
      entry.actorRole ?? '',
      entry.organisation ?? '',
      entry.action,
      sentenceFor(entry.action) ?? '',
      entry.outcome,
      entry.subjectType ?? '',
      entry.subjectId ?? '',
      entry.ipAddress ?? '',
    ]),
  );
}
