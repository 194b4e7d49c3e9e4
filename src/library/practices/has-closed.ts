import { localTime } from '../../platform/clock/index.ts';

/**
 * Whether a practice has closed by now: from the beginning of that day in London on. Lists announce closings months
 * ahead.
 */
export function hasClosed({ closedOn }: { closedOn: string | null }, now: Date): boolean {
  return closedOn !== null && closedOn <= localTime(now).day.date;
}
