import { agreementWarnDays, type DataSharingDetails } from '../../accounts/index.ts';
import { daysLater, localTime } from '../../library/index.ts';

/** What ends by this day is to be warned of at this moment. */
export function warnBefore(at: Date): string {
  return daysLater(localTime(at).day, agreementWarnDays).date;
}

type End = { what: string; until: string; hasEnded: boolean };

/** The agreement and the toolkit status of an organisation that have ended, or will within 30 days. */
export function endsOf({ agreementUntil, dsptUntil }: DataSharingDetails, at: Date): End[] {
  const today = localTime(at).day.date;
  const ends: [string, string | null][] = [
    ['Sharing agreement', agreementUntil],
    ['Toolkit status', dsptUntil],
  ];
  return ends.flatMap(([what, until]) =>
    until !== null && until <= warnBefore(at) ? [{ what, until, hasEnded: until < today }] : [],
  );
}
