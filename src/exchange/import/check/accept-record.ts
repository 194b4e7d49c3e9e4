import {
  cleanTimes,
  comparableService,
  removeInvalidValues,
  type UnusualTime,
} from '../../../library/index.ts';
import type { FieldError } from '../../../platform/problem/index.ts';
import {
  type FilePosition,
  type FileRecord,
  type NoteKind,
  positionInWords,
  positionOf,
  type Standalone,
} from '../model/record.ts';
import type { ImportReport } from '../report/import-report.ts';
import type { ImportedService, ImportRun } from '../report/import-run.ts';
import type { Repairs } from './leave-out-parts.ts';
import { type RepairedRecord, repairRecord } from './repair-record.ts';

export type AcceptedRecord = ImportedService | { standalone: Standalone };

/** Checks a record and reports its faults. @param firstPositions where each id came first. @returns undefined if it is not imported. */
export function acceptRecord(
  record: FileRecord,
  run: ImportRun,
  firstPositions: Map<string, FilePosition>,
): AcceptedRecord | undefined {
  const { report } = run;
  if ('note' in record) {
    report.note(record.note, record, record.count);
    return undefined;
  }
  if ('reason' in record) {
    reportUnreadable(report, record);
    return undefined;
  }
  report.counts.read += 1;
  const repaired = repairRecord(record.value);
  if ('errors' in repaired) {
    report.reject(record, repaired.id, ...repaired.errors.map(faultOf));
    return undefined;
  }
  if ('standalone' in repaired) return acceptStandalone(record, repaired, report);
  return acceptService(record, repaired, run, firstPositions);
}

/** Adds to the report a record, or a part of one, that could not be read at all. */
function reportUnreadable(report: ImportReport, record: Extract<FileRecord, { reason: string }>): void {
  const fault = { pointer: record.pointer ?? '', reason: record.reason };
  if (record.part) report.leaveOut(record, record.id, [fault]);
  else {
    report.counts.read += 1;
    report.reject(record, record.id, fault);
  }
}

type CheckedStandalone = Extract<RepairedRecord, { standalone: unknown }>;
type CheckedService = Extract<RepairedRecord, { service: unknown }>;

function acceptStandalone(
  record: FilePosition,
  repaired: CheckedStandalone,
  report: ImportReport,
): { standalone: Standalone } {
  const { kind, thing } = repaired.standalone;
  reportRepairs(report, record, thing.id, repaired.repairs);
  report.leaveOut(record, thing.id, removeInvalidValues(thing, { pointer: `/${kind}` }).map(faultOf));
  if (kind === 'organization')
    noteTimes(report, positionOf(record), thing.id, cleanTimes({ organization: thing }));
  return repaired;
}

function acceptService(
  record: FilePosition,
  { service, lastModified, repairs }: CheckedService,
  { report, author }: ImportRun,
  firstPositions: Map<string, FilePosition>,
): ImportedService | undefined {
  const earlier = firstPositions.get(service.id);
  if (earlier !== undefined) {
    const reason = `is the id of the record on ${positionInWords(earlier)} too`;
    report.reject(record, service.id, { pointer: '/id', reason });
    return undefined;
  }
  reportRepairs(report, record, service.id, repairs);
  report.leaveOut(record, service.id, removeInvalidValues(service).map(faultOf));
  const position = positionOf(record);
  firstPositions.set(service.id, position);
  noteTimes(report, position, service.id, cleanTimes(service));
  const comparable = comparableService(service, lastModified, author.at);
  return { position, service: comparable, isDated: lastModified !== undefined };
}

function reportRepairs(
  report: ImportReport,
  position: FilePosition,
  id: string,
  repairs: Repairs | undefined,
): void {
  if (!repairs) return;
  report.leaveOut(position, id, repairs.leftOut.map(faultOf));
  for (const { kind, pointer } of repairs.noted) report.note(kind, { ...positionOf(position), id, pointer });
}

function faultOf({ pointer, message }: FieldError) {
  return { pointer, reason: message };
}

/** Adds to the report opening times that were not written as HSDS wants them. */
function noteTimes(
  report: ImportReport,
  position: FilePosition,
  id: string,
  unusual: readonly UnusualTime[],
): void {
  for (const { pointer, original, readAs } of unusual)
    report.note(readAs === undefined ? timesUnreadable : timesFromText(original, readAs), {
      ...position,
      id,
      pointer,
    });
}

function timesFromText(original: string, read: string): NoteKind {
  return {
    code: 'times-read',
    words: (count) =>
      count === 1
        ? `1 opening time was written as “${original}” and is read as ${read}. What was written is kept beside it.`
        : `${count} opening times were not written as HSDS wants them: “${original}”, for example, is read as ${read}. What was written is kept beside each.`,
  };
}

const timesUnreadable: NoteKind = {
  code: 'times-unreadable',
  words: (count) =>
    count === 1
      ? '1 opening time cannot be read. Pages show it in its own words, and no search by time of day finds it.'
      : `${count} opening times cannot be read. Pages show them in their own words, and no search by time of day finds them.`,
};
