import { dayMs } from '../../platform/durations.ts';

/** “Last checked over a year ago”, if that is longer than the site allows. */
export function overdueCheckInWords(
  assured: string | undefined,
  today: string,
  reviewDays: number,
): string | undefined {
  const days = Math.floor((Date.parse(today) - Date.parse(assured ?? today)) / dayMs);
  return days > reviewDays ? `Last checked over ${daysInWords(days)} ago` : undefined;
}

function daysInWords(days: number): string {
  const [years, months] = [Math.floor(days / 365.25), Math.floor(days / 30.5)];
  if (years > 1) return `${years} years`;
  if (years === 1) return 'a year';
  return months > 1 ? `${months} months` : `${days - 1} days`;
}
