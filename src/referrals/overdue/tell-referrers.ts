import { headingWithUrgency } from '../../accounts/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findAssignedOwnerIds } from '../casework/casework-store.ts';
import { findPeople, listOperatorsAtWork } from '../model/actors/people-at-work.ts';
import { listOfReferences } from './list-of-references.ts';
import type { OverdueReferral } from './overdue-store.ts';

/** What to tell those who made some unanswered referrals, by how many there are. */
export type ReferrerMessage = { heading: (count: number) => string; text: string };

/**
 * Emails the people on the referrers’ side who look after unanswered referrals: the owner, the person who made it, or who stands in for
 * them. If there is nobody, it emails their colleagues, or the operators if nobody there can read it. Nobody can switch this off. The email
 * names no person and no service.
 */
export async function tellReferrers(
  trx: Trx,
  deps: Platform,
  referrals: readonly OverdueReferral[],
  { heading, text }: ReferrerMessage,
): Promise<void> {
  if (referrals.length === 0) return;
  const at = deps.clock.now();
  const sideOf = ({ referrerOrganisationId, referrerAccountId }: OverdueReferral) =>
    ({ side: 'referrer', referrerOrganisationId, referrerAccountId }) as const;
  const peopleOf = await findPeople(trx, referrals.map(sideOf), at);
  const ownerOf = await findAssignedOwnerIds(
    trx,
    referrals.map(({ id }) => id),
  );
  const operators = await listOperatorsAtWork(trx, at);
  const withPeople = referrals.map((referral) => {
    const { present, ownerOrStandIn } = peopleOf(sideOf(referral));
    const owner =
      ownerOrStandIn(ownerOf(referral.id, 'referrer')) ?? ownerOrStandIn(referral.referrerAccountId);
    return { referral, people: owner ? [owner] : present };
  });
  const groups = Map.groupBy(withPeople, ({ people }) => people.map(({ id }) => id).join(' '));
  const mails = [...groups.values()].map((group): MailToPeople => {
    const [{ people }] = group as [(typeof group)[number]];
    const isForReferrers = people.length > 0;
    const theirs = group.map(({ referral }) => referral);
    const what = headingWithUrgency(heading(theirs.length), theirs);
    return {
      to: (isForReferrers ? people : operators).map(({ email }) => email),
      subject: what,
      paragraphs: [
        `${what}.`,
        listOfReferences(theirs),
        isForReferrers
          ? text
          : `${text} Nobody in the organisation that made them can read this here, so we are telling you.`,
        `See them here:\n\n${deps.settings.baseUrl}/referrals?view=${isForReferrers ? 'made' : 'all'}&status=requested`,
      ],
    };
  });
  await mailPeople(trx, deps, 'reminder', ...mails);
}
