import type { Actor } from '../../../audit/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { Problem } from '../../../platform/problem/index.ts';
import type { ImportDeps } from '../import-records.ts';
import type { ImportResult } from '../import-report.ts';
import { type ImportJob, mostShownProblems } from './import-job.ts';
import { type ImportEnd, insertEndedImport } from './job-store.ts';

/** RFC 9562's nil: nobody's account. */
const noAccount = '00000000-0000-0000-0000-000000000000';

type Listed = Pick<ImportJob, 'name' | 'isFeed' | 'sourceName' | 'isComplete' | 'dryRun'>;

/** Has an import that no page began stand among those of the page, once it is over; whatever came of it. */
export async function listImport(
  { db, clock }: ImportDeps,
  actor: Actor,
  job: Listed,
  run: () => Promise<ImportResult>,
): Promise<ImportResult> {
  const createdAt = clock.now();
  const write = (end: ImportEnd) =>
    inTransaction(db, (trx) => {
      const whose = { accountId: actor.id ?? noAccount, startedBy: actor.name, createdAt };
      return insertEndedImport(trx, newId(createdAt.getTime()), { ...job, ...whose }, clock.now(), end);
    });
  try {
    const result = await run();
    await write(endOf(result));
    return result;
  } catch (error) {
    // A refusal has words for people, and every other fault is told by whoever began it.
    if (error instanceof Problem) await write({ state: 'failed', failure: failureInWords(error) });
    throw error;
  }
}

export function endOf({ seconds: _, problems, notes, ...counts }: ImportResult): ImportEnd {
  const shown = problems.slice(0, mostShownProblems);
  return { state: 'done', counts, problems: shown, warning: notes.join(' ') || undefined };
}

export function failureInWords(problem: Problem): string {
  const reasons = problem.errors?.map(({ message }) => message) ?? [];
  return [problem.detail ?? problem.message, ...reasons].join(' ');
}
