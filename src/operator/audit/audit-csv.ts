import { toCsv } from '../../platform/csv.ts';
import { entryInWords } from './entry-in-words.ts';
import type { ItemNames } from './item-names-store.ts';
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
export function auditCsv(entries: readonly PartlyHiddenEntry[], items: ItemNames): string {
  return toCsv(
    columns,
    entries.map((entry) => [
      entry.isPartlyHidden ? entry.at.toISOString().slice(0, 10) : entry.at.toISOString(),
      entry.actorName,
      entry.actorRole ?? '',
      entry.organisation ?? '',
      entry.action,
      entryInWords(entry, items),
      entry.outcome,
      entry.subjectType ?? '',
      entry.subjectId ?? '',
      entry.ipAddress ?? '',
    ]),
  );
}
