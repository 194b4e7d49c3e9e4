/**
 * How long another system asks us to wait (RFC 9110, section 10.2.3: seconds, or a date), in milliseconds from `now`, 0 or more;
 * undefined if it does not say, or not in one of these forms.
 */
export function readRetryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}
