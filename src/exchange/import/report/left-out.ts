import { csvLine } from '../../../platform/csv.ts';
import { type FilePosition, positionInWords, positionOf } from '../model/record.ts';

/** One fault of one record: its position, its id if known, the field and the reason. */
export type ImportProblem = FilePosition & { id?: string; pointer: string; reason: string };

/**
 * Faults with the same reason. `first` has one fault for each of the first records. In `pointer` an asterisk stands for
 * any index. Older reports have no `records`.
 */
export type LeftOutGroup = {
  count: number;
  records?: number;
  pointer: string;
  reason: string;
  first: LeftOutPosition[];
};
type LeftOutPosition = FilePosition & { id?: string; pointer: string };

const maxGroups = 100;
const maxExamples = 5;
/** The list is stored with the report of the import, so a bad file must not make it grow without limit. */
const maxLines = 50_000;
const maxCharacters = 5_000_000;
const otherReasons = 'for other reasons, which the whole list names';

/**
 * The records, or parts of records, that an import leaves out: grouped by reason, and line by line as CSV. The limits
 * above keep its memory small even for millions of bad records.
 */
export class LeftOut {
  readonly #what: 'record' | 'part';
  readonly #groups = new Map<string, LeftOutGroup>();
  readonly #others = { count: 0, records: 0, pointer: '', reason: otherReasons, first: [] };
  /** The record in which each group had its last fault. The faults of one record arrive together, so this counts records. */
  readonly #lastRecords = new Map<LeftOutGroup, string>();
  #csv = '';
  #lines = 0;
  #unlisted = 0;

  constructor(what: 'record' | 'part') {
    this.#what = what;
  }

  add(problem: ImportProblem): void {
    this.#addToGroup(problem);
    if (this.#lines === maxLines || this.#csv.length > maxCharacters) this.#unlisted += 1;
    else {
      const { line, file, page, id, pointer, reason } = problem;
      this.#csv += csvLine(
        [this.#what, line, file, page, id, pointer, reason].map((each) => String(each ?? '')),
      );
      this.#lines += 1;
    }
  }

  groups(): LeftOutGroup[] {
    const sorted = [...this.#groups.values()].toSorted((a, b) => b.count - a.count);
    return this.#others.count === 0 ? sorted : [...sorted, this.#others];
  }

  /** All lines, with a last one that says so if the list was cut off. */
  csv(): string {
    if (this.#unlisted === 0) return this.#csv;
    return `${this.#csv}${csvLine([this.#what, '', '', '', '', '', `The list stops here: ${this.#unlisted} more are not in it`])}`;
  }

  #addToGroup({ pointer, reason, ...position }: ImportProblem): void {
    const anyIndex = pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*');
    const general = withoutNumbers(reason);
    const group = this.#groupOf(`${anyIndex} ${general}`, { pointer: anyIndex, reason });
    if (group.reason !== reason && group !== this.#others) group.reason = general;
    group.count += 1;
    const record = `${positionInWords(position)} ${position.id ?? ''}`;
    if (this.#lastRecords.get(group) === record) return;
    this.#lastRecords.set(group, record);
    group.records = (group.records ?? 0) + 1;
    if (group.first.length < maxExamples) group.first.push({ ...position, pointer });
  }

  #groupOf(key: string, fault: { pointer: string; reason: string }): LeftOutGroup {
    const existing = this.#groups.get(key);
    if (existing) return existing;
    if (this.#groups.size === maxGroups) return this.#others;
    const group = { count: 0, records: 0, ...fault, first: [] };
    this.#groups.set(key, group);
    return group;
  }
}

/** “is not JSON: see character 17” and “… see character 20” are one reason. */
function withoutNumbers(reason: string): string {
  return reason.replaceAll(/\d+/g, '…');
}

export const leftOutHeader = 'what,line,file,page,id,pointer,reason\r\n';

/** “line 3 (abc), line 7 (def) and 12 more”. @param between stands between position and id; a space puts the id in brackets */
export function leftOutLines({ count, records = count, first }: LeftOutGroup, between = ' '): string {
  const examples = first.map(({ id, ...position }) => {
    if (id === undefined) return positionInWords(position);
    return between === ' '
      ? `${positionInWords(position)} (${id})`
      : `${positionInWords(position)}${between}${id}`;
  });
  const more = records > first.length ? ` and ${records - first.length} more` : '';
  return `${examples.join(', ')}${more}`;
}

/** Replaces what PostgreSQL cannot store, so that a fault in such an id or field can be reported. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

export function problemAt(
  position: FilePosition,
  id: string | undefined,
  error: { pointer: string; reason: string },
): ImportProblem {
  return {
    ...positionOf(position),
    ...(position.file !== undefined && { file: storableText(position.file) }),
    ...(id !== undefined && { id: storableText(id) }),
    pointer: storableText(error.pointer),
    reason: storableText(error.reason),
  };
}
