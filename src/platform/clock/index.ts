import Format from 'typebox/format';

/** The time, as everything in Onward takes it. One clock for all processes of a site: the database's. */
export type Clock = { now(): Date };

/** By how many milliseconds this machine's clock is ahead of the site's, which is the database's. */
export function machineSkewMs(clock: Clock): number {
  return Date.now() - clock.now().getTime();
}

/**
 * A moment as feeds and client systems write it: with the offset from UTC, or without, which is taken as UTC; with seconds
 * or without; or a day, for its beginning.
 */
export function momentOf(text: string): Date | undefined {
  const moment = text.replace(' ', 'T');
  const whole = Format.IsDate(moment) ? `${moment}T00:00:00Z` : moment;
  const timed = whole.replace(/(T\d\d:\d\d)(?=Z|[+-]|$)/i, '$1:00');
  const zoned = /(Z|[+-]\d\d:?\d\d)$/i.test(timed) ? timed : `${timed}Z`;
  if (!Format.IsDateTime(zoned)) return undefined;
  const ms = Date.parse(zoned);
  return Number.isNaN(ms) ? undefined : new Date(ms);
}
