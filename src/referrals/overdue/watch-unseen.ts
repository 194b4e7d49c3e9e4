import { recordAudit, siteActor } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { describeError } from '../../platform/log/index.ts';
import { type Mail, queueMail } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { tellAfter } from '../model/due/unseen.ts';
import {
  deleteUnseen,
  listWithDueNews,
  lockDueNews,
  setNextStep,
  type TellingStep,
  tellingSteps,
  type UnseenNews,
} from '../model/due/unseen-store.ts';
import { type Draft, isSent, isUsable, type Referral } from '../model/referral.ts';
import type { Side } from '../model/state-machine.ts';
import { findReferralOrDraft } from '../model/store.ts';
import { listPeopleOfSide, listPresentOperators, type Person } from './present-people.ts';

const batchSize = 500;

/**
 * The `watch-unseen` job: emails people about urgent referrals, messages and changes that nobody of their side has seen. First the
 * owner is told, a step later the deputies, and a step later the operators. Nobody can switch these emails off: while somebody is
 * on leave, the person who stands in gets theirs. Each referral is one transaction, so the job may be killed at any point and run again, and an error with one does not stop the others.
 * @throws Error at the end if anything failed, so that the job is retried and then counts as failed.
 */
export async function watchUnseen(deps: Platform): Promise<void> {
  const now = deps.clock.now();
  const failed: string[] = [];
  for (;;) {
    const referralIds = await listWithDueNews(deps.db, now, { without: failed, limit: batchSize });
    for (const id of referralIds) {
      try {
        await inTransaction(deps.db, (trx) => tellOfReferral(deps, trx, id, now));
      } catch (error) {
        failed.push(id);
        deps.log.error({ id, error: describeError(error) }, 'nobody could be told of unseen news');
      }
    }
    if (referralIds.length < batchSize) break;
  }
  if (failed.length > 0) throw new Error(`nobody could be told of unseen news: ${failed.length}`);
}

async function tellOfReferral(deps: Platform, trx: Trx, referralId: string, now: Date): Promise<void> {
  const referral = await findReferralOrDraft(trx, referralId);
  const due = await lockDueNews(trx, referralId, now);
  const pending: UnseenNews[] = [];
  for (const news of due) {
    if (referral && isSent(referral) && stillMatters(news, referral)) pending.push(news);
    else await deleteUnseen(trx, news.id);
  }
  if (!referral || !isSent(referral)) return;
  for (const group of groupsOf(pending)) await takeStep(deps, trx, referral, group, now);
}

/** An urgent referral is watched until its answer; what was written stays unread, whatever becomes of the referral. */
function stillMatters({ kind }: UnseenNews, { status, urgency, seenAt, erasedAt }: Referral): boolean {
  if (erasedAt !== null || status === 'entered-in-error') return false;
  return kind !== 'referral' || (status === 'requested' && urgency === 'urgent' && seenAt === null);
}

/** News of one kind for the same people, so that ten messages make one email. */
function groupsOf(news: readonly UnseenNews[]): UnseenNews[][] {
  const key = ({ kind, side, nextStep }: UnseenNews) => `${kind} ${side} ${nextStep}`;
  return [...Map.groupBy(news, key).values()];
}

/** Tells the people of the step, or if there is nobody left, those of the one after it, and schedules the next step. */
async function takeStep(
  deps: Platform,
  trx: Trx,
  referral: Referral,
  group: readonly UnseenNews[],
  now: Date,
): Promise<void> {
  const { kind, side } = group[0]!;
  const ids = group.map(({ id }) => id);
  const nextDue = tellAfter(kind, now);
  // While nobody may work with a referral, nobody can see its news.
  if (!isUsable(referral)) {
    await setNextStep(trx, ids, { nextStep: group[0]!.nextStep, told: [], dueAt: nextDue });
    return;
  }
  const told = group.flatMap((news) => news.told);
  const { step, people } = await findPeople(trx, referral, group[0]!, { told, now });
  for (const { email } of people) {
    await queueMail(
      trx,
      deps,
      compose(deps.settings, email, { referral, kind, side, step, count: ids.length }),
    );
  }
  const nextStep = tellingSteps[tellingSteps.indexOf(step) + 1];
  await setNextStep(trx, ids, {
    nextStep: nextStep ?? step,
    told: people.map(({ id }) => id),
    dueAt: nextStep ? nextDue : null,
  });
  await recordAudit(trx, {
    at: now,
    actor: siteActor,
    action: 'referral.unseen_told',
    subject: { type: 'referral', id: referral.id },
    details: { kind, side, step, news: ids, people: people.length },
  });
}

/** @throws Error if even the operators have no account */
async function findPeople(
  trx: Trx,
  referral: Referral,
  { side, nextStep }: Pick<UnseenNews, 'side' | 'nextStep'>,
  { told, now }: { told: readonly string[]; now: Date },
): Promise<{ step: TellingStep; people: Person[] }> {
  const { referrerAccountId, referrerOrganisationId, service } = referral;
  const of = {
    side,
    referrerAccountId,
    referrerOrganisationId,
    serviceOrganizationId: service.organization_id,
  };
  const { present, inPlaceOf } = await listPeopleOfSide(trx, of, now);
  const owner = side === 'referrer' ? inPlaceOf(referrerAccountId) : undefined;
  const notTold = present.filter(({ id }) => !told.includes(id));
  if (nextStep === 'owner' && owner) return { step: 'owner', people: [owner] };
  // Nobody owns a referral on the service's side, so all of its people are told at first.
  if (nextStep === 'owner' && present.length > 0) return { step: 'owner', people: present };
  if (nextStep === 'deputy' && notTold.length > 0) return { step: 'deputy', people: notTold };
  const operators = await listPresentOperators(trx, now);
  if (operators.length === 0) throw new Error('there is no operator to tell');
  return { step: 'operators', people: operators };
}

type Unseen = {
  referral: Pick<Referral | Draft, 'id' | 'reference'>;
  kind: UnseenNews['kind'];
  side: Side;
  step: TellingStep;
  count: number;
};

/** The email names no patient and no service. */
function compose(
  { siteName, baseUrl }: Platform['settings'],
  to: string,
  { referral, kind, side, step, count }: Unseen,
): Mail {
  const { what, remedy } = newsInWords(kind, count);
  const receiver = side === 'provider' ? 'the service' : 'the organisation that made the referral';
  const reasons: Readonly<Record<TellingStep, string>> = {
    owner: 'If nobody sees it soon, we tell somebody else.',
    deputy:
      'The person who was told first has not seen it. If nobody sees it soon, we tell those who run the site.',
    operators: `Nobody of ${receiver} has seen it, so please telephone them.`,
  };
  const paragraphs = [
    `${what}: ${referral.reference}`,
    reasons[step],
    `${step === 'operators' ? 'See how far the referral has come' : remedy}:\n\n${baseUrl}/referrals/${referral.id}`,
  ];
  return { to, subject: `${what} – ${siteName}`, text: `${paragraphs.join('\n\n')}\n` };
}

function newsInWords(kind: UnseenNews['kind'], count: number): { what: string; remedy: string } {
  switch (kind) {
    case 'referral':
      return { what: 'An urgent referral that nobody has opened', remedy: 'Open and answer it' };
    case 'message':
      return {
        what: count === 1 ? 'A message that nobody has read' : `${count} messages that nobody has read`,
        remedy: 'Read and answer here',
      };
    case 'change':
      return {
        what: 'Things have changed for a person, and nobody has confirmed that they read it',
        remedy: 'Read it and confirm that',
      };
  }
}
