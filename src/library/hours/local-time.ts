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

type LocalTime = { readonly day: CalendarDay; readonly minute: number };

/** What was shown last: nearly every question is about now, and to work it out takes longer than to find a page. */
let last: { minute: number; shown: LocalTime } | undefined;

/** The day and the minute of the day that clocks in the United Kingdom show: services say when they are open in these. */
export function localTime(moment: Date): LocalTime {
  const minute = Math.floor(moment.getTime() / 60_000);
  if (last?.minute !== minute) last = { minute, shown: workOut(moment) };
  return last.shown;
}

function workOut(moment: Date): LocalTime {
  const parts = new Map(inLondon.formatToParts(moment).map(({ type, value }) => [type, value]));
  const day = calendarDay(
    `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`,
  )!;
  return { day, minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')) };
}
