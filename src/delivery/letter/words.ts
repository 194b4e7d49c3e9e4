import { ageInMonths, type ReferralStatus } from '../../referrals/index.ts';

const zone = 'Europe/London';
const dayFormat = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const dayOf = (timeZone: string, weekday = {}) =>
  new Intl.DateTimeFormat('en-GB', { ...dayFormat, ...weekday, timeZone });
const weekdayOfMoment = dayOf(zone, { weekday: 'long' });
const weekdayOfDate = dayOf('UTC', { weekday: 'long' });
const day = dayOf(zone);
const isoDay = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
const calendarDay = dayOf('UTC');
const time = new Intl.DateTimeFormat('en-GB', {
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
  timeZone: zone,
});

/** The day of a moment in UK time: 21 November 2026. */
export function momentAsDay(moment: Date | string): string {
  return day.format(new Date(moment));
}

/** The same with the time, for letters of one day with one reference: 21 November 2026 at 9:30am. */
export function momentWithTime(moment: Date | string): string {
  return `${momentAsDay(moment)} at ${timeOf(moment)}`;
}

function timeOf(moment: Date | string): string {
  return time.format(new Date(moment)).replace(/\s/g, '');
}

export function isSameMoment(one: Date | string, other: Date | string | null | undefined): boolean {
  return other != null && new Date(one).getTime() === new Date(other).getTime();
}

/** Fixed words that say “the person”, as a GP practice says it. */
export function inWordsForPractice(words: string): string {
  return words.replace(/\b([Tt])he person\b/, '$1he patient');
}

/** A calendar date, such as a birth date. */
export function dateInWords(date: string): string {
  return calendarDay.format(new Date(`${date}T00:00:00Z`));
}

/** A date by which something is to be done, with its weekday: the next one is seen at once, and so is a Saturday. */
export function dateWithWeekday(date: string): string {
  return weekdayOfDate.format(new Date(`${date}T00:00:00Z`)).replace(',', '');
}

/** The same of a moment, in UK time. */
export function momentWithWeekday(moment: Date | string): string {
  return weekdayOfMoment.format(new Date(moment)).replace(',', '');
}

/** “Thursday 3 December 2026 at 10:00am” */
export function momentWithWeekdayAndTime(moment: Date | string): string {
  return `${momentWithWeekday(moment)} at ${timeOf(moment)}`;
}

/** How old somebody is on the day of a moment. */
export function ageInYears(birthDate: string, moment: Date): number {
  return Math.floor(ageInMonths(birthDate, isoDay.format(moment)) / 12);
}

/** “79 years”, for the line about who the patient is. */
export function yearsInWords(birthDate: string, moment: Date): string {
  const age = ageInYears(birthDate, moment);
  if (age < 1) return 'under 1 year';
  return age === 1 ? '1 year' : `${age} years`;
}

/** How a referral ended, from the side of the service. */
export const endingWords: Partial<Record<ReferralStatus, string>> = {
  completed: 'Completed',
  rejected: 'Not taken on by the service',
  failed: 'Closed, not completed',
  cancelled: 'Cancelled',
};

/** The lines of a text, without empty ones. */
export function paragraphsOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** As many whole sentences as there is room for; of a first one that is longer, as many words. */
export function cutAtSentence(text: string, maxLength: number): { words: string; goesOn: boolean } {
  if (text.length <= maxLength) return { words: text, goesOn: false };
  const room = text.slice(0, maxLength + 1);
  const sentences = /^.*[.!?]["”’)]*(?= )/s.exec(room)?.[0];
  const words = sentences ?? `${room.slice(0, room.lastIndexOf(' ')).trimEnd()}…`;
  return { words, goesOn: true };
}

/** A number that is broken over two lines is misread. */
export function unbroken(telephone: string | null | undefined): string | undefined {
  return telephone?.replaceAll(' ', '\u00A0');
}

/** The same of a text with numbers in it, such as “Referrals office, 01632 960900”. */
export function withUnbrokenNumbers<Text extends string | undefined>(text: Text): Text {
  return text?.replaceAll(/(?<=\d) (?=\d)/g, '\u00A0') as Text;
}

/** The parts that are known, with commas between them. */
export function listed(...parts: (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(', ');
}
