import { findStuckJobs, type StuckJobs } from '../../../platform/jobs/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CheckResult } from '../../../platform/process/check-result.ts';

/** How many systems are named: those for which jobs have waited longest. */
const maxNamed = 5;

/** Checks whether jobs are overdue or were given up, and says what to do about them. */
export async function checkJobs({ db }: Pick<Platform, 'db'>): Promise<CheckResult> {
  const { workerIsRunning, overdue, givenUp, givenUpNames } = await findStuckJobs(db);
  // While the worker runs, jobs that call a system may wait for that system.
  const waiting = workerIsRunning ? overdue.filter(({ system }) => system !== null) : [];
  const stuck = overdue.filter((each) => !waiting.includes(each));
  const problems = [
    ...describeWaiting(waiting),
    ...describeStuck(stuck, workerIsRunning),
    ...describeGivenUp(givenUp, givenUpNames),
  ];
  if (problems.length === 0) return { result: 'none is stuck, none was given up' };
  return {
    result: problems.map(({ result }) => result).join('; '),
    remedy: problems.map(({ remedy }) => remedy).join(' '),
  };
}

type Overdue = StuckJobs['overdue'][number];
type JobProblem = Required<CheckResult>;

/** The problem of jobs that wait for a slow system. They hold up nothing else. */
function describeWaiting(overdue: readonly Overdue[]): JobProblem[] {
  if (overdue.length === 0) return [];
  const systems = overdue
    .slice(0, maxNamed)
    .map(
      ({ system, count, since }) =>
        `${count} are waiting for ${system}, the oldest since ${since.toISOString()}`,
    );
  const more = overdue.length > maxNamed ? [`others for ${overdue.length - maxNamed} more systems`] : [];
  return [
    {
      result: [...systems, ...more].join('; '),
      remedy:
        'Ask the people who run these systems why they answer late or not at all. ' +
        'These jobs continue when the systems answer, or when a delivery is sent another way.',
    },
  ];
}

function describeStuck(overdue: readonly Overdue[], workerIsRunning: boolean): JobProblem[] {
  if (overdue.length === 0) return [];
  const count = overdue.reduce((sum, each) => sum + each.count, 0);
  return [
    {
      result: `${count} are waiting, the oldest since ${overdue[0]!.since.toISOString()}`,
      remedy: workerIsRunning
        ? 'The site is running but does not start jobs that need no other system: search its log for “worker”.'
        : 'Start the site.',
    },
  ];
}

function describeGivenUp(count: number, names: readonly string[]): JobProblem[] {
  if (count === 0) return [];
  return [
    {
      result: `${count} were given up (${names.join(', ')})`,
      remedy:
        'The site’s log says under “worker” why jobs were given up. Retry or dismiss them at /operator/deliveries/unmatched.',
    },
  ];
}
