import { type ImportResult, type LeftOutGroup, leftOutLines } from '../exchange/index.ts';
import type { Result } from './command.ts';

/** Advice after an import of services, which do not bring the positions of postcodes with them. */
const postcodesAdvice =
  'So that people can search near a postcode, import the postcodes of your area:\n  npm run -s onward -- postcodes import FILE.csv';

type ImportOptions = { what: string; dryRun: boolean; canListAll: boolean };

/**
 * The result of an import, for people and for programs. Rejected records make the exit status 1. Parts left out do not,
 * because their records were imported.
 */
export function importResult(result: ImportResult, { what, dryRun, canListAll }: ImportOptions): Result {
  const { problems, leftOut, notes, gaveUp: _, ...summary } = result;
  const { records, parts } = leftOut;
  const text = summaryInWords(summary, what);
  const withAdvice = what === 'services' && summary.created > 0 ? `${text}\n${postcodesAdvice}` : text;
  return {
    text: dryRun ? `Nothing was written. It would be: ${text}` : withAdvice,
    json: { ...summary, problems, left_out: { records, parts }, notes },
    complaints: [...leftOutInWords(leftOut, canListAll), ...notes],
    status: summary.rejected > 0 ? 1 : 0,
  };
}

/** Lines for standard error about what was left out: records first, then parts, grouped by reason. */
export function leftOutInWords(
  { records, parts }: Pick<ImportResult['leftOut'], 'records' | 'parts'>,
  canListAll: boolean,
): string[] {
  const lines = [
    ...records.map(groupInWords),
    ...(parts.length > 0 ? ['Parts left out of imported records:', ...parts.map(groupInWords)] : []),
  ];
  const isWhole = [...records, ...parts].every(({ count, first }) => count === first.length);
  return canListAll && !isWhole
    ? [...lines, 'To list all of them in a file, import again with --rejects FILE.csv.']
    : lines;
}

/** “line 3: abc: /name: is required”, or for several the count and the first lines. */
function groupInWords(group: LeftOutGroup): string {
  const { count, pointer, reason, first } = group;
  const [only] = first;
  const where = count === 1 && only ? [leftOutLines(group, ': '), only.pointer] : [`${count} times`, pointer];
  const line = [...where, reason].filter(Boolean).join(': ');
  return count === 1 ? line : `${line}: ${leftOutLines(group, ' ')}`;
}

function summaryInWords(summary: Omit<ImportResult, 'problems' | 'leftOut' | 'notes'>, what: string): string {
  const { read, created, updated, unchanged, inactive, rejected, parts_left_out, seconds } = summary;
  const nowInactive = inactive > 0 ? `, ${inactive} made inactive` : '';
  const parts = parts_left_out > 0 ? `; ${parts_left_out} parts of others left out` : '';
  return `${read} ${what} read in ${seconds} s: ${created} created, ${updated} updated, ${unchanged} unchanged${nowInactive}, ${rejected} rejected${parts}.`;
}

const width = 20;

/** `[######··············]  31 %` */
export function progressBar(share: number): string {
  const shareOfBar = Math.min(Math.max(share, 0), 1);
  const filledWidth = Math.round(shareOfBar * width);
  const percent = String(Math.round(shareOfBar * 100)).padStart(3);
  return `[${'#'.repeat(filledWidth)}${'·'.repeat(width - filledWidth)}] ${percent} %`;
}
