/** Clocks differ, and some sources know only days. */
const graceMs = 24 * 60 * 60_000;

/** Whether a source gives something a date that has not been: it has not happened, and counts for nothing. */
export function isYetToCome(date: Date, now: Date): boolean {
  return date.getTime() > now.getTime() + graceMs;
}
