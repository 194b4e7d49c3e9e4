import type { Opening } from '../hours/next-opening.ts';
import { dayNames, minutesADay } from '../hours/week.ts';
import { dayInWords, timeInWords } from './words.ts';

/** “Open now, until 4pm”, “Open tomorrow, 10am to midday”, “Open Tuesday 8 December, 6pm to 8pm”. */
export function openingInWords(opening: Opening, minuteNow: number): string {
  const { day, daysAhead, opens, closes } = opening;
  const hasBegun = opens !== null && daysAhead * minutesADay + opens <= minuteNow;
  if (hasBegun)
    return closes! - opens >= minutesADay ? 'Open now, all day' : `Open now, until ${clock(closes!)}`;
  const times = opens === null ? '' : `, ${clock(opens)} to ${clock(closes!)}`;
  return `Open ${dayFromNow(day, daysAhead)}${times}`;
}

function dayFromNow({ weekday, date }: Opening['day'], daysAhead: number): string {
  if (daysAhead === 0) return 'today';
  if (daysAhead === 1) return 'tomorrow';
  if (daysAhead < 7) return dayNames[weekday]!;
  return `${dayNames[weekday]} ${dayInWords(date).replace(/ \d{4}$/, '')}`;
}

function clock(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60) % 24, minute % 60];
  return timeInWords(`${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`);
}
