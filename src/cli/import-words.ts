import { type ImportResult, placeInWords } from '../library/index.ts';
import type { Result } from './command.ts';

/** What new services do not bring along. */
const nearby =
  'So that people can search near a postcode, read in where the postcodes of your area are:\n  npm run -s onward -- postcodes import FILE.csv';

/** What an import came to, for people and for programs. */
export function importResult(result: ImportResult, what: string, dryRun: boolean): Result {
  const { problems, notes, ...summary } = result;
  const complaints = problems.map(({ id, pointer, reason, ...place }) =>
    [placeInWords(place), id, pointer, reason].filter((part) => part !== undefined && part !== '').join(': '),
  );
  const unnamed = summary.rejected - new Set(problems.map(placeInWords)).size;
  if (unnamed > 0) complaints.push(`and ${unnamed} more`);
  const text = inWords(summary, what);
  const done = what === 'services' && summary.created > 0 ? `${text}\n${nearby}` : text;
  return {
    text: dryRun ? `Nothing was written. It would be: ${text}` : done,
    json: { ...summary, problems, notes },
    complaints: [...complaints, ...notes],
    status: summary.rejected > 0 ? 1 : 0,
  };
}

function inWords(summary: Omit<ImportResult, 'problems' | 'notes'>, what: string): string {
  const { read, created, updated, unchanged, inactive, rejected, seconds } = summary;
  const vanished = inactive > 0 ? `, ${inactive} made inactive` : '';
  return `${read} ${what} read in ${seconds} s: ${created} created, ${updated} updated, ${unchanged} unchanged${vanished}, ${rejected} refused.`;
}

const width = 20;

/** `[######··············]  31 %` */
export function progressBar(share: number): string {
  const whole = Math.min(Math.max(share, 0), 1);
  const full = Math.round(whole * width);
  return `[${'#'.repeat(full)}${'·'.repeat(width - full)}] ${String(Math.round(whole * 100)).padStart(3)} %`;
}
