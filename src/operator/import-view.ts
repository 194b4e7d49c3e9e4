import { canGoOn, type ImportJob, isAllRefused, placeInWords } from '../library/index.ts';

const states = {
  waiting: 'Waiting',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  discarded: 'Ended',
} as const;

/** An import as its pages show it. */
export function importView(job: ImportJob) {
  const { id, name, isFeed, dryRun, state, counts, problems } = job;
  const isOver = state !== 'waiting' && state !== 'running';
  const rejected = counts?.rejected ?? 0;
  return {
    id,
    name,
    href: `/operator/library/imports/${id}`,
    kind: dryRun ? 'Try-out' : 'Import',
    state: states[state],
    isOver,
    isBegun: state === 'running',
    isTryOut: dryRun,
    isFeed,
    isComplete: job.isComplete,
    sourceName: job.sourceName,
    startedBy: job.startedBy,
    createdAt: job.createdAt,
    endedAt: job.endedAt,
    canImport: dryRun && state === 'done' && canGoOn(job),
    isAllRefused: dryRun && state === 'done' && isAllRefused(job),
    isBeingStopped: !isOver && job.stoppedBy !== null,
    wasStopped: isOver && state !== 'done' && job.stoppedBy !== null,
    failure: job.failure,
    warning: job.warning,
    counts,
    problems: problems.map(({ id: record, pointer, reason, ...place }) => ({
      place: placeInWords(place),
      record,
      pointer,
      reason,
    })),
    unnamed: Math.max(0, rejected - new Set(problems.map(placeInWords)).size),
  };
}
