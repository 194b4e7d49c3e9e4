const zone = 'Europe/London';

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: zone,
});
const clockTime = new Intl.DateTimeFormat('en-GB', {
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
  timeZone: zone,
});
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: zone });
const calendarDay = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Dates and times as NHS style writes them: “21 November 2026”, “21 November 2026 at 9:30am”. */
export const filters: Readonly<Record<string, (value: never, ...rest: never[]) => unknown>> = {
  day: (value: string | Date) => day.format(new Date(value)),
  moment: (value: string | Date) => `${day.format(new Date(value))} at ${timeOfDay(new Date(value))}`,
  month: (value: Date) => month.format(value),
  /** A date without a time, such as a birth date: `1950-12-31`. */
  calendarDay: (value: string) => calendarDay.format(new Date(`${value}T00:00:00Z`)),
  /** `14:30` as “2:30pm”. */
  timeOfDay: (value: string) => {
    const [hours = 0, minutes = 0] = value.split(':').map(Number);
    const half = hours < 12 ? 'am' : 'pm';
    const hour = hours % 12 === 0 ? 12 : hours % 12;
    return minutes === 0 ? `${hour}${half}` : `${hour}:${String(minutes).padStart(2, '0')}${half}`;
  },
};

function timeOfDay(value: Date): string {
  return clockTime.format(value).replace(' ', '').replace(':00', '').toLowerCase();
}
