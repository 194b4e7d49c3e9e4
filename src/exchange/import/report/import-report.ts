import { type FilePosition, type NoteKind, positionInWords, positionOf } from '../model/record.ts';
import {
  type ImportProblem,
  LeftOut,
  type LeftOutGroup,
  leftOutHeader,
  problemAt,
  storableText,
} from './left-out.ts';

/**
 * The result of an import in numbers. `inactive` counts services that vanished from their source, `rejected` counts whole
 * records, and `parts_left_out` counts wrong parts of records that were imported without them.
 */
export type ImportCounts = {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  inactive: number;
  rejected: number;
  parts_left_out: number;
};

/** The new services that a preview would mark as sensitive because of their words: how many, and the first names. */
export type WouldMark = { count: number; names: string[] };

/** The first services that a preview would add, change or make inactive, in the order of the file. */
export type WouldChange = Record<'created' | 'updated' | 'inactive', { id: string; name: string }[]>;

/** `csv` lists everything line by line: records first, then parts. */
export type LeftOutReport = { records: LeftOutGroup[]; parts: LeftOutGroup[]; csv: string };

/**
 * `problems` has the first faults of rejected records; `leftOut` has all of them, and the parts left out. `notes` tell
 * operators what else they should know, such as why nothing was made inactive.
 */
export type ImportResult = ImportCounts & {
  seconds: number;
  problems: ImportProblem[];
  leftOut: LeftOutReport;
  notes: string[];
  /** Why the import gave up before the end, if it did. It is also the first of the notes. */
  gaveUp?: string;
};

/** The record that a note is about, and the field in it. */
export type NotePosition = FilePosition & { id?: string | undefined; pointer?: string | undefined };

/** Called after every batch, and regularly while all records are rejected. It may throw to stop the import. */
export type OnProgress = (soFar: Readonly<ImportCounts>) => void;

type Fault = { pointer: string; reason: string };

/** While all records are rejected, progress is reported at least this often. */
export const maxSilenceMs = 500;

const maxProblems = 1000;
/** After this many rejected records in a row an import gives up: the file is of another kind, or an attempt to keep the site busy. */
const maxRejectedInARow = 1000;
const maxIdsNamed = 20;
const maxSensitiveNamed = 100;
/** How many services of each kind a preview names. */
export const maxChangesNamed = 20;

export class ImportReport {
  readonly counts: ImportCounts = {
    read: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    inactive: 0,
    rejected: 0,
    parts_left_out: 0,
  };
  readonly notes: string[] = [];
  /** The services that stay as somebody edited them here. */
  readonly keptEdits = new Set<string>();
  readonly wouldMark: WouldMark = { count: 0, names: [] };
  readonly wouldChange: WouldChange = { created: [], updated: [], inactive: [] };
  readonly #problems: ImportProblem[] = [];
  readonly #records = new LeftOut('record');
  readonly #parts = new LeftOut('part');
  #rejectedInARow = 0;
  readonly #countedNotes = new Map<string, { kind: NoteKind; count: number; first: NotePosition }>();

  /** Counts one rejected record, and keeps the reasons. */
  reject(position: FilePosition, id: string | undefined, ...faults: Fault[]): void {
    this.counts.rejected += 1;
    for (const fault of faults) {
      const problem = problemAt(position, id, fault);
      this.#records.add(problem);
      if (this.#problems.length < maxProblems) this.#problems.push(problem);
    }
  }

  /** Counts wrong parts of a record that is imported without them. */
  leaveOut(position: FilePosition, id: string | undefined, faults: readonly Fault[]): void {
    this.counts.parts_left_out += faults.length;
    for (const fault of faults) this.#parts.add(problemAt(position, id, fault));
  }

  /** Counts a new service that the import would mark as sensitive. */
  markSensitive(name: string): void {
    this.wouldMark.count += 1;
    if (this.wouldMark.names.length < maxSensitiveNamed) this.wouldMark.names.push(storableText(name));
  }

  /** Names a service that the import would add, change or make inactive. */
  nameChange(kind: keyof WouldChange, { id, name }: { id: string; name: string }): void {
    const named = this.wouldChange[kind];
    if (named.length < maxChangesNamed) named.push({ id, name: storableText(name) });
  }

  /** Call it for each record. */
  countRecord(record: 'accepted' | 'rejected'): void {
    this.#rejectedInARow = record === 'accepted' ? 0 : this.#rejectedInARow + 1;
  }

  /** Whether too many records in a row were rejected: the import should stop. */
  get hasGivenUp(): boolean {
    return this.#rejectedInARow >= maxRejectedInARow;
  }

  /** Counts something that the report says once for all records. */
  note(kind: NoteKind, { id, pointer, ...position }: NotePosition, count = 1): void {
    const entry = this.#countedNotes.get(kind.code);
    if (entry) entry.count += count;
    else this.#countedNotes.set(kind.code, { kind, count, first: { ...positionOf(position), id, pointer } });
  }

  result(seconds: number): ImportResult {
    const editNotes = this.keptEdits.size === 0 ? [] : [keptEditsInWords(this.keptEdits)];
    const countedNotes = [...this.#countedNotes.values()].map(noteInWords);
    const gaveUp = this.hasGivenUp ? gaveUpInWords(this.counts.read) : undefined;
    const notes = [...(gaveUp ? [gaveUp] : []), ...this.notes, ...countedNotes, ...editNotes].map(
      storableText,
    );
    const problems = this.#problems.toSorted(
      (a, b) =>
        (a.page ?? 0) - (b.page ?? 0) || (a.file ?? '').localeCompare(b.file ?? '') || a.line - b.line,
    );
    const leftOut = this.leftOut();
    const rounded = Math.round(seconds * 1000) / 1000;
    return {
      ...this.counts,
      seconds: rounded,
      problems,
      leftOut,
      notes,
      ...(gaveUp !== undefined && { gaveUp }),
    };
  }

  leftOut(): LeftOutReport {
    const csv = `${leftOutHeader}${this.#records.csv()}${this.#parts.csv()}`;
    return { records: this.#records.groups(), parts: this.#parts.groups(), csv };
  }
}

function noteInWords({ kind, count, first }: { kind: NoteKind; count: number; first: NotePosition }): string {
  const { id, pointer, ...position } = first;
  const example = [positionInWords(position), id, pointer].filter(Boolean).join(': ');
  return `${kind.words(count)} ${count === 1 ? 'It is' : 'The first is'} ${example}.`;
}

function gaveUpInWords(read: number): string {
  const [inARow, all] = [maxRejectedInARow, read].map((count) => count.toLocaleString('en-GB'));
  return (
    `The import gave up after ${inARow} records in a row that could not be taken, ${all} records in. What comes after them was ` +
    'not read. What was stored before them stays, and nothing was made inactive.'
  );
}

function keptEditsInWords(ids: ReadonlySet<string>): string {
  const examples = [...ids].sort().slice(0, maxIdsNamed).join(', ');
  const more = ids.size > maxIdsNamed ? ` and ${ids.size - maxIdsNamed} more` : '';
  return (
    `Edited here after the source changed them, so they stay as they are: ${examples}${more}. What the source says with ` +
    'a later date is taken again.'
  );
}
