import { findTroubledJobs, type TroubledJobs } from '../platform/jobs/index.ts';
import type { Platform } from '../platform/platform.ts';

/** Those that have been waited for the longest. */
const maxNamed = 5;

/** Whether jobs wait that should have begun, for whom, and what is to be done about it; and whether some were given up. */
export async function checkJobs({ db }: Pick<Platform, 'db'>): Promise<{ found: string; wrong?: string }> {
  const { attended, overdue, failed, failedNames } = await findTroubledJobs(db);
  const stuck = attended ? overdue.filter(({ receiver }) => receiver === null) : overdue;
  const troubles = [
    ...(attended ? judgeWaiting(overdue.filter(({ receiver }) => receiver !== null)) : []),
    ...judgeStuck(stuck, attended),
    ...judgeGivenUp(failed, failedNames),
  ];
  if (troubles.length === 0) return { found: 'none is stuck, none was given up' };
  return {
    found: troubles.map(({ found }) => found).join('; '),
    wrong: troubles.map(({ wrong }) => wrong).join(' '),
  };
}

type Overdue = TroubledJobs['overdue'][number];
type Trouble = { found: string; wrong: string };

/** However many of them say nothing, the site does everything else meanwhile. */
function judgeWaiting(overdue: readonly Overdue[]): Trouble[] {
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

function judgeStuck(overdue: readonly Overdue[], attended: boolean): Trouble[] {
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

function judgeGivenUp(failed: number, names: readonly string[]): Trouble[] {
  if (failed === 0) return [];
  return [
    {
      found: `${failed} were given up (${names.join(', ')})`,
      wrong:
        'The site’s log says under “worker” why jobs were given up. Try them again, or let them go, at /operator/loose-ends.',
    },
  ];
}
