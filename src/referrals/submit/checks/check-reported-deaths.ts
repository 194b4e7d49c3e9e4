import type { Trx } from '../../../platform/database/index.ts';
import { Problem } from '../../../platform/problem/index.ts';
import { findProblemsAndWarnings } from '../../endings/reported-deaths.ts';
import { shareDeathLocks } from '../../model/person/death/death-locks-store.ts';
import { builtSubmissions, type SubmissionInProgress, undecidedSubmissions } from './submissions.ts';

/** Waits until every report of a death of these people that is under way is stored. Later reports wait until this transaction ends. */
export function lockAgainstDeathReports(
  trx: Trx,
  submissions: readonly SubmissionInProgress[],
): Promise<void> {
  const toSend = undecidedSubmissions(submissions).filter(({ isDraft }) => !isDraft);
  return shareDeathLocks(
    trx,
    toSend.map(({ keys }) => keys),
  );
}

/**
 * Refuses the submissions whose person is said to have died, if the caller’s own organisation was told so. If only others were told, the
 * referral is made as usual, because a refusal would show that they know the person. It gets a warning: for the service if that was told,
 * otherwise for the operators.
 */
export async function checkReportedDeaths(
  trx: Trx,
  submissions: readonly SubmissionInProgress[],
): Promise<void> {
  const toSend = builtSubmissions(submissions).filter(({ isDraft }) => !isDraft);
  const verdicts = await findProblemsAndWarnings(trx, toSend);
  for (const [submission, verdict] of verdicts) {
    if (verdict instanceof Problem) submission.decision = { problem: verdict };
    else submission.deathWarning = verdict;
  }
}
