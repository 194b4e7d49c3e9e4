import {
  canBeImported,
  type ImportJob,
  importStateWords,
  isAllRejected,
  LeftOut,
  type LeftOutGroup,
  leftOutLines,
  type UndoPreview,
} from '../../exchange/index.ts';
import { countInWords } from '../../library/index.ts';
import { minuteMs, secondMs } from '../../platform/durations.ts';

/** An import, as its pages show it. */
export function importView(job: ImportJob, now: Date) {
  const { id, name, isFeed, dryRun, state, counts, problems, leftOut } = job;
  const isOver = state !== 'waiting' && state !== 'running';
  const wasStopped = isOver && state !== 'done' && job.stoppedBy !== null;
  return {
    id,
    name,
    href: `/operator/library/imports/${id}`,
    kind: dryRun ? 'Preview' : 'Import',
    state: stateInWords(job, wasStopped),
    isOver,
    isRunning: state === 'running',
    isPreview: dryRun,
    isFeed,
    isComplete: job.isComplete,
    sourceName: job.sourceName,
    startedBy: job.startedBy,
    createdAt: job.createdAt,
    endedAt: job.endedAt,
    canImport: dryRun && state === 'done' && canBeImported(job),
    isAllRejected: dryRun && state === 'done' && isAllRejected(job),
    isBeingStopped: !isOver && job.stoppedBy !== null,
    wasStopped,
    isBeingUndone: job.undoState === 'running',
    /** What happened to the services when somebody undid the import. */
    undone: job.undoState ? undoResultInWords(job.undoCounts) : undefined,
    undoneBy: job.undoneBy,
    failure: job.failure,
    notes: job.warning?.split('\n') ?? [],
    counts,
    wouldMark: dryRun ? job.wouldMark : null,
    progress: progressOf(job, now),
    result: state === 'done' && !dryRun && !job.undoState && counts ? resultInWords(counts) : undefined,
    leftOut: leftOutView(leftOut ?? { records: groupProblems(problems), parts: [] }, counts),
    listHref: leftOut && `/operator/library/imports/${id}/left-out.csv`,
  };
}

function stateInWords(job: ImportJob, wasStopped: boolean): string {
  const { state, undoState, dryRun } = job;
  if (state === 'done' && undoState === null) {
    if (!dryRun) return 'Imported';
    return canBeImported(job) ? 'Ready to import' : 'Nothing to import';
  }
  if (undoState !== null) return undoState === 'done' ? 'Undone' : 'Being undone';
  return wasStopped ? 'Cancelled' : importStateWords[state];
}

/** What an import has changed: “12 services added, 3 changed”. */
function resultInWords({
  created,
  updated,
  inactive,
  rejected,
  parts_left_out = 0,
}: NonNullable<ImportJob['counts']>) {
  const done = [
    { count: created, what: 'added' },
    { count: updated, what: 'changed' },
    { count: inactive, what: 'made inactive' },
  ].filter(({ count }) => count > 0);
  const left = [
    ...(rejected > 0 ? [countInWords(rejected, 'record', 'records')] : []),
    ...(parts_left_out > 0 ? [countInWords(parts_left_out, 'part', 'parts')] : []),
  ];
  const isOne = rejected + parts_left_out === 1;
  return {
    changed: done
      .map(({ count, what }, index) =>
        index === 0 ? `${servicesInWords(count)} ${what}` : `${count.toLocaleString('en-GB')} ${what}`,
      )
      .join(', '),
    leftOut: left.length > 0 ? `${left.join(' and ')} ${isOne ? 'was' : 'were'} left out` : undefined,
    leftOutHref: rejected > 0 ? '#rejected' : '#parts',
  };
}

/** How far a running import has come; undefined if its preview counted nothing. A feed may have changed since the preview. */
function progressOf(job: ImportJob, now: Date) {
  const { total, counts, isFeed } = job;
  if (!total) return undefined;
  const readCount = Math.min(counts?.read ?? 0, total);
  const [readInWords, totalInWords] = [readCount, total].map((number) => number.toLocaleString('en-GB'));
  const about = isFeed ? 'about ' : '';
  const words = `${readInWords} of ${about}${totalInWords} services imported.`;
  return { read: readCount, total, words, left: timeLeft(job, readCount / total, now) };
}

/** How long an import takes to tell its speed. */
const minRunMs = 3 * secondMs;

/** How long a running import still takes at the speed it had so far; undefined while nobody can tell. */
function timeLeft({ state, startedAt }: ImportJob, share: number, now: Date): string | undefined {
  const runMs = startedAt ? now.getTime() - startedAt.getTime() : 0;
  if (state !== 'running' || runMs < minRunMs || share === 0) return undefined;
  const minutes = Math.round((runMs * (1 - share)) / share / minuteMs);
  if (minutes < 1) return 'Less than a minute left.';
  return `About ${countInWords(minutes, 'minute', 'minutes')} left.`;
}

/** What undoing an import would change, a line for each kind of change. */
export function undoInWords({ changed, made, isScheduled }: UndoPreview): string[] {
  return [
    ...(changed > 0 ? [`${servicesInWords(changed)} that it changed will be put back as before.`] : []),
    ...(made > 0
      ? [
          `${servicesInWords(made)} that it added will become inactive. Nothing is deleted, because a referral may name it.`,
        ]
      : []),
    'What somebody has changed since the import stays as it is.',
    'Organisations, taxonomies and availability that came with it stay.',
    ...(isScheduled
      ? ['The site stops importing this feed by itself. Otherwise the feed would bring everything back.']
      : []),
  ];
}

function undoResultInWords(counts: ImportJob['undoCounts']): string[] {
  const { restored, inactive, left } = counts ?? { restored: 0, inactive: 0, left: 0 };
  return [
    ...(restored > 0 ? [`${servicesInWords(restored)} put back as before.`] : []),
    ...(inactive > 0 ? [`${servicesInWords(inactive)} that it had added made inactive.`] : []),
    ...(left > 0
      ? [
          left === 1
            ? '1 service left as it is, because it was changed later.'
            : `${servicesInWords(left)} left as they are, because they were changed later.`,
        ]
      : []),
  ];
}

const servicesInWords = (count: number) => countInWords(count, 'service', 'services');

type Counts = { rejected: number; parts_left_out?: number };

/** What an import left out: first records, then parts, grouped by reason. */
export function leftOutView(
  { records, parts }: { records: readonly LeftOutGroup[]; parts: readonly LeftOutGroup[] },
  counts: Counts | null,
) {
  const { rejected = 0, parts_left_out = 0 } = counts ?? {};
  return [
    { id: 'rejected', ...headingOf(rejected, 'record'), groups: records.map(groupView) },
    { id: 'parts', ...headingOf(parts_left_out, 'part'), groups: parts.map(groupView) },
  ].filter(({ groups }) => groups.length > 0);
}

function headingOf(count: number, what: 'record' | 'part') {
  const heading = `${count === 1 ? `1 ${what}` : `${count} ${what}s`} left out`;
  return {
    heading,
    hint:
      what === 'record'
        ? 'These are not in the library, or stay as they were.'
        : 'The services are imported without these parts.',
  };
}

function groupView(group: LeftOutGroup) {
  const { count, pointer, reason, first } = group;
  const [only] = first;
  return {
    count,
    pointer: count === 1 && only ? only.pointer : pointer,
    reason,
    where: leftOutLines(group),
  };
}

/** Groups the problems of an older report, which were stored one by one. */
function groupProblems(problems: ImportJob['problems']): LeftOutGroup[] {
  const leftOut = new LeftOut('record');
  for (const problem of problems) leftOut.add(problem);
  return leftOut.groups();
}
