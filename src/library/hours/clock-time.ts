import { minutesPerDay } from './week.ts';

/** Longer than any way to write a time: what goes on is a sentence. */
const maxLength = 40;

/** `17:00`, `9:30`, `17:00:00`, with `Z` or an offset from UTC; `17.30`; `1730`; also with “hrs” after it. */
const twentyFourHour =
  /^t?(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)? ?(?:z|([+-])(\d\d):?(\d\d)?)?(?: ?(?:hrs?|hours))?$/;
const dottedOrCompact = /^(?:(\d{1,2})\.(\d\d)|(\d\d)(\d\d))(?: ?(?:hrs?|hours))?$/;
/** `5pm`, `5:00pm`, `5.30 p.m.`, `05:00:00 PM`, `530pm`. */
const twelveHour = /^(\d{1,2})(?:[:.]?(\d\d)(?::(\d\d))?)? ?([ap])\.? ?m\.?$/;
const noon = /^(?:12(?:[:.]?00)? ?)?(?:noon|midday)$/;
const midnight = /^(?:(?:12|00)(?:[:.]?00)? ?)?midnight$/;

/**
 * A time as directories write it, as a minute of the day; 1440 is the day's end. None for anything else: “by appointment”,
 * “9:9am”, “9” or a range of times cannot be read, and to guess would send somebody to a closed door.
 *
 * It is the time on the clock there. Hours recur from week to week and move with summer time, so an offset from UTC says
 * which clock was meant, and is never reckoned with: in July, `09:00Z` of a weekly group in Leeds is still nine o'clock.
 */
export function minuteOf(text: string | undefined): number | undefined {
  if (text === undefined || text.length > maxLength) return undefined;
  const said = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (noon.test(said)) return minutesPerDay / 2;
  if (midnight.test(said)) return 0;
  return readTwentyFourHour(said) ?? readTwelveHour(said);
}

/** `17:00`, as HSDS and Open Referral UK want a time. */
export function clockTime(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

function readTwentyFourHour(said: string): number | undefined {
  const [, hour, minute, second, sign, offsetHour, offsetMinute] = twentyFourHour.exec(said) ?? [];
  if (hour === undefined) {
    const [, dotted, dottedMinute, compact, compactMinute] = dottedOrCompact.exec(said) ?? [];
    return minuteAt(dotted ?? compact, dottedMinute ?? compactMinute);
  }
  const minuteOfDay = minuteAt(hour, minute, second);
  if (minuteOfDay === undefined || offsetHour === undefined) return minuteOfDay;
  const offset = minuteAt(offsetHour, offsetMinute);
  if (offset === undefined || offset > maxOffset) return undefined;
  // “09:00-12:00” is when it opens and when it closes.
  const isRange = sign === '-' && offset > minuteOfDay;
  return isRange ? undefined : minuteOfDay;
}

/** Kiribati's; west of Greenwich there are fewer. */
const maxOffset = 14 * 60;

function readTwelveHour(said: string): number | undefined {
  const [, written, minute, second, half] = twelveHour.exec(said) ?? [];
  if (written === undefined) return undefined;
  const hour = Number(written);
  // “17:00pm” says the same thing twice; “17:00am” and “0:30pm” contradict themselves.
  if (half === 'a' ? hour > 12 : hour === 0 || hour > 23) return undefined;
  const hourOfDay = half === 'a' ? hour % 12 : hour < 12 ? hour + 12 : hour;
  return minuteAt(String(hourOfDay), minute, second);
}

function minuteAt(hour: string | undefined, minute = '0', second = '0'): number | undefined {
  if (hour === undefined || Number(minute) > 59 || Number(second) > 59) return undefined;
  const minuteOfDay = Number(hour) * 60 + Number(minute);
  const isAtMost = Number(second) > 0 ? minuteOfDay < minutesPerDay : minuteOfDay <= minutesPerDay;
  return isAtMost ? minuteOfDay : undefined;
}
