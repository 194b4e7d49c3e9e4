import { ageInMonths, type Referral, type ReferralStatus } from '../../referrals/index.ts';
import type { Reopened } from '../model/delivery.ts';

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

/** 21 November 2026 at 9:30am, in UK time. */
export function momentWithTime(moment: Date | string): string {
  return `${momentAsDay(moment)} at ${timeOf(moment)}`;
}

function timeOf(moment: Date | string): string {
  return time.format(new Date(moment)).replace(/\s/g, '');
}

/** Compares to the millisecond; strings are in ISO 8601. */
export function isSameMoment(one: Date | string, other: Date | string | null | undefined): boolean {
  return other != null && new Date(one).getTime() === new Date(other).getTime();
}

/** Replaces the first “the person” by “the patient”, as GP practices say it. */
export function inWordsForPractice(words: string): string {
  return words.replace(/\b([Tt])he person\b/, '$1he patient');
}

/** A calendar date, `2026-11-21`, in words: 21 November 2026. */
export function dateInWords(date: string): string {
  return calendarDay.format(new Date(`${date}T00:00:00Z`));
}

/** A calendar date with its weekday, so that readers see whether it is soon: Monday 1 March 2027. */
export function dateWithWeekday(date: string): string {
  return weekdayOfDate.format(new Date(`${date}T00:00:00Z`)).replace(',', '');
}

/** The day of a moment in UK time, with its weekday. */
export function momentWithWeekday(moment: Date | string): string {
  return weekdayOfMoment.format(new Date(moment)).replace(',', '');
}

/** “Thursday 3 December 2026 at 10:00am” */
export function momentWithWeekdayAndTime(moment: Date | string): string {
  return `${momentWithWeekday(moment)} at ${timeOf(moment)}`;
}

/** The age in full years on the UK day of a moment. */
export function ageInYears(birthDate: string, moment: Date): number {
  return Math.floor(ageInMonths(birthDate, isoDay.format(moment)) / 12);
}

/** “79 years”, for the line about who the patient is. */
export function yearsInWords(birthDate: string, moment: Date): string {
  const age = ageInYears(birthDate, moment);
  if (age < 1) return 'under 1 year';
  return age === 1 ? '1 year' : `${age} years`;
}

/** How a referral ended, as services read it. */
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

/** The sentences that fit into `maxLength` characters, or the words that do if even the first sentence is too long. */
export function cutAtSentence(text: string, maxLength: number): { words: string; goesOn: boolean } {
  if (text.length <= maxLength) return { words: text, goesOn: false };
  const room = text.slice(0, maxLength + 1);
  const sentences = /^.*[.!?]["”’)]*(?= )/s.exec(room)?.[0];
  const words = sentences ?? `${room.slice(0, room.lastIndexOf(' ')).trimEnd()}…`;
  return { words, goesOn: true };
}

/** With no-break spaces, because readers misread a number on two lines. */
export function withoutLineBreaks(telephone: string | null | undefined): string | undefined {
  return telephone?.replaceAll(' ', '\u00A0');
}

/** The same for a text with numbers in it, such as “Referrals office, 01632 960900”. */
export function withUnbrokenNumbers<Text extends string | undefined>(text: Text): Text {
  return text?.replaceAll(/(?<=\d) (?=\d)/g, '\u00A0') as Text;
}

/** The known parts, with commas between them. */
export function joinWithCommas(...parts: (string | null | undefined)[]): string {
  return parts.filter(Boolean).join(', ');
}

/** Why a service that has ended a referral gets it again. It was told that there is nothing more to do, and may have deleted everything. */
export function reopenedInWords({ from, by }: Reopened, { status }: Pick<Referral, 'status'>): string {
  const ended = from === 'rejected' ? 'declined' : from === 'completed' ? 'completed' : 'closed';
  const now = status === 'requested' ? 'waits for your answer' : 'is yours as it was before';
  return `${by} says that it was a mistake that this referral was ${ended}. It is open again, and ${now}.`;
}
