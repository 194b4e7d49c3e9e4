/** What became of an import. `inactive` counts entries that vanished from a feed; a file makes none so. */
type ImportSummary = {
  read: number;
  created: number;
  updated: number;
  unchanged: number;
  inactive: number;
  rejected: number;
  seconds: number;
};

/** One thing wrong with one record: the line it begins on, its id where it has one, where in it, and why. */
export type ImportProblem = { line: number; id?: string; pointer: string; reason: string };

/** `problems` names the first of them; `rejected` counts every record that was left out. */
export type ImportResult = ImportSummary & { problems: ImportProblem[] };

/** Told after every batch. */
export type OnProgress = (soFar: Readonly<Omit<ImportSummary, 'seconds'>>) => void;

const mostProblems = 1000;

export class ImportReport {
  readonly counts = { read: 0, created: 0, updated: 0, unchanged: 0, inactive: 0, rejected: 0 };
  readonly #problems: ImportProblem[] = [];

  /** Counts one record as left out, for these reasons. */
  reject(line: number, id: string | undefined, ...errors: { pointer: string; reason: string }[]): void {
    this.counts.rejected += 1;
    for (const error of errors) {
      if (this.#problems.length === mostProblems) return;
      this.#problems.push({ line, ...(id !== undefined && { id }), ...error });
    }
  }

  result(seconds: number): ImportResult {
    const problems = this.#problems.toSorted((a, b) => a.line - b.line);
    return { ...this.counts, seconds: Math.round(seconds * 1000) / 1000, problems };
  }
}
