import { type CalendarDay, calendarDay } from './calendar-day.ts';

const inLondon = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/London',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** The day and the minute of the day that clocks in the United Kingdom show: services say when they are open in these. */
export function localTime(moment: Date): { day: CalendarDay; minute: number } {
  const parts = new Map(inLondon.formatToParts(moment).map(({ type, value }) => [type, value]));
  const day = calendarDay(
    `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`,
  )!;
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}
