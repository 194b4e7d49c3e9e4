import { agreementWarnDays, type DataSharingDetails } from '../../accounts/index.ts';
import { daysLater, localTime } from '../../platform/clock/index.ts';

/** Agreements and toolkit statuses that end on or before this day need a warning now. */
export function lastDayToWarnAbout(at: Date): string {
  return daysLater(localTime(at).day, agreementWarnDays).date;
}

type Expiry = { what: string; until: string; hasEnded: boolean };

/** The agreement and the toolkit status of an organisation that have ended, or will within 30 days. */
export function expiriesOf({ agreementUntil, dsptUntil }: DataSharingDetails, at: Date): Expiry[] {
  const today = localTime(at).day.date;
  const expiries: [string, string | null][] = [
    ['Sharing agreement', agreementUntil],
    ['Toolkit status', dsptUntil],
  ];
  return expiries.flatMap(([what, until]) =>
    until !== null && until <= lastDayToWarnAbout(at) ? [{ what, until, hasEnded: until < today }] : [],
  );
}
