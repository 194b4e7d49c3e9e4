import type { Trx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { addJobs } from '../../../platform/jobs/index.ts';
import { insertNotifications, type PendingNotification } from './notifications-store.ts';

export type NewNotification = Omit<PendingNotification, 'id'>;

/** Long enough for somebody who writes three messages, and short enough that an email leaves within a minute. */
const collectSeconds = 15;

/** Stores what people are to be emailed about, and the job `tell-news` that sends the emails. */
export async function addNotifications(trx: Trx, notifications: readonly NewNotification[]): Promise<void> {
  if (notifications.length === 0) return;
  await insertNotifications(
    trx,
    notifications.map((each) => ({ ...each, id: newId(each.at.getTime()) })),
  );
  await addJobs(trx, 'tell-news', [{}], { inSeconds: collectSeconds });
}

/** The same news for the service and for the referrer. */
export function forBothSides(news: Omit<NewNotification, 'side'>): NewNotification[] {
  return [
    { ...news, side: 'provider' },
    { ...news, side: 'referrer' },
  ];
}
