import { headingWithUrgency } from '../../accounts/index.ts';
import { recordAudits, siteActor } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findStaff, listOperatorsAtWork } from '../model/actors/people-at-work.ts';
import { londonDate } from '../model/due/dates.ts';
import { addWorkingTime } from '../model/due/working-time.ts';
import { listOfReferences } from './list-of-references.ts';
import { markKeptOpen, type OverdueReferral } from './overdue-store.ts';
import { tellReferrers } from './tell-referrers.ts';

/** People are told again after these working days, while nobody at the service has opened the referral. */
const tellAgainDays = 5;

const heading = (count: number) =>
  `Urgent: nobody at the service has opened ${count === 1 ? '1 referral' : `${count} referrals`}`;
const reason =
  'The site does not decline such a referral by itself before somebody at the service has opened it, and what is new in it.';

/**
 * Tells the service, the operators and the referrers about urgent or dangerous referrals that nobody at the service has opened,
 * instead of warning of a rejection. They are told again every five working days, and nobody can switch it off.
 */
export async function tellOfKeptOpen(
  trx: Trx,
  deps: Platform,
  organizations: readonly (string | null)[],
  sentBefore: Date,
): Promise<void> {
  const at = deps.clock.now();
  const again = londonDate(addWorkingTime(deps.settings, at, { days: tellAgainDays }));
  const keptOpen = await markKeptOpen(trx, organizations, { sentBefore, today: londonDate(at), again });
  if (keptOpen.length === 0) return;
  const staffOf = await findStaff(trx, organizations, at);
  const operators = await listOperatorsAtWork(trx, at);
  const forStaff = [...Map.groupBy(keptOpen, ({ organizationId }) => organizationId)].flatMap(
    ([id, theirs]) => {
      const { present } = staffOf(id);
      return present.length > 0
        ? [compose(deps.settings, present, theirs, { task: 'Open and answer them now.', view: 'received' })]
        : [];
    },
  );
  const forOperators = compose(deps.settings, operators, keptOpen, {
    task: 'Telephone the service, and those who made the referral.',
    view: 'all',
  });
  await mailPeople(trx, deps, 'reminder', ...forStaff, forOperators);
  await tellReferrers(trx, deps, keptOpen, {
    heading,
    text: `${reason} Telephone the service, or find the person other help now.`,
  });
  await recordAudits(
    trx,
    keptOpen.map(({ id, organizationId }) => ({
      at,
      actor: siteActor,
      action: 'referral.unseen_told',
      subject: { type: 'referral', id },
      details: { people: staffOf(organizationId).present.length + operators.length },
    })),
  );
}

/** `task` is what the receivers have to do, and `view` the list that the email links to. */
function compose(
  { baseUrl }: Platform['settings'],
  people: readonly { email: string }[],
  referrals: readonly OverdueReferral[],
  { task, view }: { task: string; view: string },
): MailToPeople {
  const subject = headingWithUrgency(heading(referrals.length), referrals);
  return {
    to: people.map(({ email }) => email),
    subject,
    paragraphs: [
      `${subject}.`,
      listOfReferences(referrals),
      `${reason} ${task}`,
      `See them here:\n\n${baseUrl}/referrals?view=${view}&status=requested`,
    ],
  };
}
