import { minuteOf } from '../hours/clock-time.ts';

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** “Monday”, “Monday and Friday”, “Monday, Tuesday and Friday”. */
export function listInWords(things: readonly string[], and = 'and'): string {
  if (things.length < 2) return things[0] ?? '';
  return `${things.slice(0, -1).join(', ')} ${and} ${things.at(-1)}`;
}

/** `2026-05-21` as “21 May 2026”; other text stays as it is. */
export function dateInWords(date: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}/.test(date) ? Date.parse(`${date.slice(0, 10)}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(ms) ? date : dayFormat.format(ms);
}

/** `14:30` or `14:30:00Z` as “2:30pm”, with “midday” and “midnight” as in the NHS style; other text stays as it is. */
export function clockTimeInWords(time: string): string {
  const minuteOfDay = minuteOf(time);
  if (minuteOfDay === undefined) return time;
  const [hour, minute] = [Math.floor(minuteOfDay / 60) % 24, minuteOfDay % 60];
  if (minute === 0 && hour === 0) return 'midnight';
  if (minute === 0 && hour === 12) return 'midday';
  const short = hour % 12 === 0 ? 12 : hour % 12;
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${short}${minutes}${hour < 12 ? 'am' : 'pm'}`;
}

export function agesInWords(minimum: number | undefined, maximum: number | undefined): string | undefined {
  const from = minimum === undefined || minimum <= 0 ? undefined : minimum;
  if (from !== undefined && maximum !== undefined) return `People aged ${from} to ${maximum}`;
  if (from !== undefined) return `People aged ${from} and over`;
  return maximum === undefined ? undefined : `People aged ${maximum} and under`;
}

/** “Ages 55+”, “Ages 11 to 25”, “Up to age 25”. */
export function agesInShort(minimum: number | undefined, maximum: number | undefined): string | undefined {
  const from = minimum === undefined || minimum <= 0 ? undefined : minimum;
  if (from !== undefined) return maximum === undefined ? `Ages ${from}+` : `Ages ${from} to ${maximum}`;
  return maximum === undefined ? undefined : `Up to age ${maximum}`;
}

export function countInWords(count: number, one: string, many: string): string {
  if (count === 0) return `No ${many}`;
  return count === 1 ? `1 ${one}` : `${count.toLocaleString('en-GB')} ${many}`;
}

/** `5.5` of GBP as “£5.50”, `38` as “£38”. */
export function priceInWords(amount: number, currency = 'GBP'): string {
  if (!/^[A-Z]{3}$/.test(currency)) return String(amount);
  const digits = Number.isInteger(amount) ? 0 : 2;
  const format = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: 2,
  } as const;
  return new Intl.NumberFormat('en-GB', format).format(amount);
}
