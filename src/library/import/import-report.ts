import { type Place, placeOf } from './file-record.ts';

/** What became of an import. `inactive` counts entries that vanished from their source. */
export type ImportCounts = {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  inactive: number;
  rejected: number;
};

/** One thing wrong with one record: where it stands, its id where it has one, where in it, and why. */
export type ImportProblem = Place & { id?: string; pointer: string; reason: string };

/**
 * `problems` names the first of them; `rejected` counts every record that was left out. `notes` say what an operator
 * should know besides, such as why nothing was made inactive.
 */
export type ImportResult = ImportCounts & { seconds: number; problems: ImportProblem[]; notes: string[] };

/** Told after every batch. */
export type OnProgress = (soFar: Readonly<ImportCounts>) => void;

const mostProblems = 1000;
const mostNamed = 20;

export class ImportReport {
  readonly counts: ImportCounts = {
    read: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    inactive: 0,
    rejected: 0,
  };
  readonly notes: string[] = [];
  /** The services that stay as somebody edited them here. */
  readonly keptEdits = new Set<string>();
  readonly #problems: ImportProblem[] = [];

  /** Counts one record as left out, for these reasons. */
  reject(place: Place, id: string | undefined, ...errors: { pointer: string; reason: string }[]): void {
    this.counts.rejected += 1;
    for (const error of errors) {
      if (this.#problems.length === mostProblems) return;
      this.#problems.push(storable({ ...placeOf(place), ...(id !== undefined && { id }), ...error }));
    }
  }

  result(seconds: number): ImportResult {
    const kept = this.keptEdits.size === 0 ? [] : [keptInWords(this.keptEdits)];
    const notes = [...this.notes, ...kept];
    const problems = this.#problems.toSorted(
      (a, b) =>
        (a.page ?? 0) - (b.page ?? 0) || (a.file ?? '').localeCompare(b.file ?? '') || a.line - b.line,
    );
    return { ...this.counts, seconds: Math.round(seconds * 1000) / 1000, problems, notes };
  }
}

/** What is wrong with a record is kept, also where that is an id that PostgreSQL could not store. */
function storable(problem: ImportProblem): ImportProblem {
  const written = Object.entries(problem).map(([field, value]) =>
    typeof value === 'string' ? [field, value.toWellFormed().replaceAll('\0', '\uFFFD')] : [field, value],
  );
  return Object.fromEntries(written) as ImportProblem;
}

function keptInWords(ids: ReadonlySet<string>): string {
  const named = [...ids].sort().slice(0, mostNamed).join(', ');
  const more = ids.size > mostNamed ? ` and ${ids.size - mostNamed} more` : '';
  return (
    `Edited here after the source changed them, so they stay as they are: ${named}${more}. What the source says with ` +
    'a later date is taken again.'
  );
}
