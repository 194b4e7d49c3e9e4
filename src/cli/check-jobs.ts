import { findTroubledJobs, type TroubledJobs } from '../platform/jobs/index.ts';
import type { Platform } from '../platform/platform.ts';

/** Only the receivers that jobs have waited for the longest are named. */
const maxNamed = 5;

/** Checks whether jobs are overdue or were given up, and says what to do about them. */
export async function checkJobs({ db }: Pick<Platform, 'db'>): Promise<{ found: string; wrong?: string }> {
  const { workerIsRunning, overdue, givenUp, givenUpNames } = await findTroubledJobs(db);
  const stuck = workerIsRunning ? overdue.filter(({ receiver }) => receiver === null) : overdue;
  const troubles = [
    ...(workerIsRunning ? findWaiting(overdue.filter(({ receiver }) => receiver !== null)) : []),
    ...findStuck(stuck, workerIsRunning),
    ...findGivenUp(givenUp, givenUpNames),
  ];
  if (troubles.length === 0) return { found: 'none is stuck, none was given up' };
  return {
    found: troubles.map(({ found }) => found).join('; '),
    wrong: troubles.map(({ wrong }) => wrong).join(' '),
  };
}

type Overdue = TroubledJobs['overdue'][number];
type Trouble = { found: string; wrong: string };

/** Jobs that wait for a slow receiver do not hold up anything else. */
function findWaiting(overdue: readonly Overdue[]): Trouble[] {
  if (overdue.length === 0) return [];
  const named = overdue
    .slice(0, maxNamed)
    .map(
      ({ receiver, count, since }) => `${count} wait for ${receiver} since ${since.toISOString()} or later`,
    );
  const more = overdue.length > maxNamed ? [`others for ${overdue.length - maxNamed} more systems`] : [];
  return [
    {
      found: [...named, ...more].join('; '),
      wrong:
        'Ask those who run the systems that are waited for why they answer late or not at all. ' +
        'What waits goes out by itself when they answer, or when a service is told another way.',
    },
  ];
}

function findStuck(overdue: readonly Overdue[], attended: boolean): Trouble[] {
  if (overdue.length === 0) return [];
  const count = overdue.reduce((sum, each) => sum + each.count, 0);
  return [
    {
      found: `${count} wait since ${overdue[0]!.since.toISOString()} or later`,
      wrong: attended
        ? 'The site runs and does not begin those that wait for nobody: look into its log for “worker”.'
        : 'Start the site.',
    },
  ];
}

function findGivenUp(failed: number, names: readonly string[]): Trouble[] {
  if (failed === 0) return [];
  return [
    {
      found: `${failed} were given up (${names.join(', ')})`,
      wrong:
        'The site’s log says under “worker” why jobs were given up. Try them again, or let them go, at /operator/loose-ends.',
    },
  ];
}
