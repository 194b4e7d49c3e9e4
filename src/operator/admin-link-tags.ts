import { countExpiringBy } from '../accounts/index.ts';
import { countOpenClaims } from '../delivery/index.ts';
import { countOpenRequests } from '../developers/index.ts';
import { countMarkedByWords, countServicesDueForCheck } from '../library/index.ts';
import { localTime } from '../platform/clock/index.ts';
import { dayMs } from '../platform/durations.ts';
import { countFailedMails } from '../platform/mail/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { countCopiesToAskBack, countRecordRequests } from '../records/index.ts';
import { countWaitingSelfReferrals } from '../self-referrals/index.ts';
import { countForOperators } from './counts-store.ts';
import { lastDayToWarnAbout } from './organisations/expiries.ts';
import { countOpenReviews } from './unusual-access/unusual-access-store.ts';

/** The tag beside a link of the page Admin: how much waits there, in words, and a colour for how urgent it is. */
export type LinkTag = { text: string; colour: 'red' | 'yellow' | 'grey' };

const thirtyDaysMs = 30 * dayMs;

/** The tags of the links behind which something waits for an operator, by the path of the link. */
export async function listLinkTags(
  deps: WebPlatform,
): Promise<Readonly<Record<string, LinkTag | undefined>>> {
  const { db, clock, settings } = deps;
  const now = clock.now();
  const { undelivered, unmatched, invitations, lastImport } = await countForOperators(db);
  const emails = await countFailedMails(db, new Date(now.getTime() - thirtyDaysMs));
  const requests = await countRecordRequests(db, localTime(now).day.date);
  const accessReviews = (await countOpenReviews(db)).reduce((sum, { count }) => sum + count, 0);
  const selfReferrals = settings.selfReferral ? await countWaitingSelfReferrals(db) : 0;
  return {
    '/operator/deliveries': waitingTag(undelivered, 'open', 'red'),
    '/operator/deliveries/unmatched': waitingTag(unmatched, 'open', 'red'),
    '/operator/emails': waitingTag(emails.count, 'in 30 days', 'red'),
    '/operator/library/review': waitingTag(await countServicesDueForCheck(deps), 'to check', 'yellow'),
    '/operator/library/sensitive': waitingTag(await countMarkedByWords(db), 'to confirm', 'yellow'),
    '/operator/accounts': waitingTag(
      invitations,
      invitations === 1 ? 'invitation open' : 'invitations open',
      'grey',
    ),
    '/operator/organisations': waitingTag(
      await countExpiringBy(db, lastDayToWarnAbout(now)),
      'ended or ending soon',
      'yellow',
    ),
    '/operator/patients': waitingTag(await countCopiesToAskBack(db), 'to ask back', 'red'),
    '/operator/requests': waitingTag(requests.open, 'to answer', requests.overdue > 0 ? 'red' : 'yellow'),
    '/operator/self-referrals': waitingTag(selfReferrals, 'to ring', 'yellow'),
    '/operator/looks': waitingTag(accessReviews, 'to review', 'yellow'),
    '/operator/library':
      lastImport?.state === 'failed' ? { text: 'Last import failed', colour: 'red' } : undefined,
    '/operator/site':
      settings.operatorContact === undefined ? { text: 'No contact yet', colour: 'yellow' } : undefined,
    '/operator/account-claims': waitingTag(await countOpenClaims(db), 'to answer', 'yellow'),
    '/operator/developer-requests': waitingTag(await countOpenRequests(db), 'to answer', 'yellow'),
  };
}

function waitingTag(count: number, words: string, colour: LinkTag['colour']): LinkTag | undefined {
  return count === 0 ? undefined : { text: `${count.toLocaleString('en-GB')} ${words}`, colour };
}
