import { minutesPerDay } from './week.ts';

/** Characters of a text that may be a time. A longer text is a sentence. */
const maxLength = 40;

/** `17:00`, `9:30`, `17:00:00`, with `Z` or an offset such as `+01:00`; `17.30`; `1730`; also with “hrs” after it. */
const twentyFourHour =
  /^t?(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d{1,9})?)? ?(?:z|\+(\d\d):?(\d\d)?)?(?: ?(?:hrs?|hours))?$/;
const dottedOrCompact = /^(?:(\d{1,2})\.(\d\d)|(\d\d)(\d\d))(?: ?(?:hrs?|hours))?$/;
/** `5pm`, `5:00pm`, `5.30 p.m.`, `05:00:00 PM`, `530pm`. */
const twelveHour = /^(\d{1,2})(?:[:.]?(\d\d)(?::(\d\d))?)? ?([ap])\.? ?m\.?$/;
const noon = /^(?:12(?:[:.]?00)? ?)?(?:noon|midday)$/;
const midnight = /^(?:(?:12|00)(?:[:.]?00)? ?)?midnight$/;

/**
 * Reads a time as directories write it, as a minute of the day: `24:00` is 1440, and the word “midnight” is 0. Undefined for
 * anything else: “by appointment”, “9:9am”, “9” or a range cannot be read, and a guess would send somebody to a closed door.
 *
 * An offset from UTC is ignored, because weekly hours follow local time in summer and winter: in July, `09:00Z` for a weekly
 * group in Leeds still means nine o'clock. A minus sign begins the second time of a range, as in `20:00-02:00`: England is
 * never behind UTC.
 */
export function minuteOf(text: string | undefined): number | undefined {
  if (text === undefined || text.length > maxLength) return undefined;
  const plain = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  if (noon.test(plain)) return minutesPerDay / 2;
  if (midnight.test(plain)) return 0;
  return readTwentyFourHour(plain) ?? readTwelveHour(plain);
}

/** `17:00`, the form that HSDS and Open Referral UK require. */
export function clockTime(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

function readTwentyFourHour(text: string): number | undefined {
  const [, hour, minute, second, offsetHour, offsetMinute] = twentyFourHour.exec(text) ?? [];
  if (hour === undefined) {
    const [, dotted, dottedMinute, compact, compactMinute] = dottedOrCompact.exec(text) ?? [];
    return minuteAt(dotted ?? compact, dottedMinute ?? compactMinute);
  }
  const minuteOfDay = minuteAt(hour, minute, second);
  if (minuteOfDay === undefined || offsetHour === undefined) return minuteOfDay;
  const offset = minuteAt(offsetHour, offsetMinute);
  return offset === undefined || offset > maxOffset ? undefined : minuteOfDay;
}

/** The largest offset in the world, Kiribati's. */
const maxOffset = 14 * 60;

function readTwelveHour(text: string): number | undefined {
  const [, hourText, minute, second, half] = twelveHour.exec(text) ?? [];
  if (hourText === undefined) return undefined;
  const hour = Number(hourText);
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
