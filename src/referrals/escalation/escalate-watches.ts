import { headingWithUrgency } from '../../accounts/index.ts';
import { recordAudits, siteActor } from '../../audit/index.ts';
import { type Db, inTransaction, type Trx } from '../../platform/database/index.ts';
import { handleAllDue } from '../../platform/jobs/index.ts';
import { isMailStuck, type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type AssignedOwnerOf, findAssignedOwnerIds } from '../casework/casework-store.ts';
import {
  findPeople,
  listOperatorsAtWork,
  type PeopleOfSide,
  type StaffMember,
} from '../model/actors/people-at-work.ts';
import { whenToTell } from '../model/attention/watches.ts';
import {
  type EscalationStep,
  endWatches,
  escalationSteps,
  listNextSteps,
  listWithDueWatches,
  lockDueWatches,
  setNextSteps,
  type Watch,
} from '../model/attention/watches-store.ts';
import { openStatuses, type Referral } from '../model/referral.ts';
import { findReferrals } from '../model/referrals-store.ts';
import { endedUnhelped } from '../model/status/state-machine.ts';
import { isUsable } from '../model/status/usable.ts';

/**
 * The `watch-unseen` job: emails people about what nobody of their side has seen or acted on (`unseenInWords` lists it). First it tells
 * the owner of the referral, or the person who made it; a step later their colleagues; and a step later the operators. Nobody can switch
 * these emails off: while somebody is on leave, the person who stands in gets theirs.
 * @throws Error at the end if anything failed, so that the job is retried and then counts as failed.
 */
export async function escalateWatches(deps: Platform): Promise<void> {
  // Nobody counts as told by an email that cannot leave: each step stays due.
  if (await isMailStuck(deps))
    return deps.log.error('nobody can be told of unseen news: the site sends no email');
  const now = deps.clock.now();
  const failed = await handleAllDue(deps, (page) => listWithDueWatches(deps.db, now, page), {
    handle: (trx, ids) => escalate(trx, deps, ids, now),
    batchSize: 100,
    failure: 'unseen news could not be reported',
  });
  if (failed.length > 0) throw new Error(`nobody could be told of unseen news: ${failed.length}`);
}

/** The same as the job, for one referral for which a test site simulates that time has passed. */
export async function escalateWatchesOf(deps: Platform, referralId: string): Promise<void> {
  if (await isMailStuck(deps)) return;
  const now = deps.clock.now();
  await inTransaction(deps.db, (trx) => escalate(trx, deps, [referralId], now));
}

const peopleOfStep: Readonly<Record<EscalationStep, string>> = {
  owner: 'Those who look after it',
  colleagues: 'Their colleagues',
  operators: 'The operators',
};

const unseenInWords: Readonly<Record<Watch['kind'], string>> = {
  referral: 'nobody at the service has opened the urgent referral',
  message: 'nobody has read a message',
  change: 'nobody has confirmed that they read what has changed',
  correction: 'nobody has seen a correction',
  death: 'nobody has settled whether the person has died',
  ended: 'nobody has acted since it ended without help',
  file: 'nobody has seen a file',
  words: 'nobody has read words that may tell of a crisis',
};

const unopenedWithRisk = 'nobody at the service has opened the referral, which has a risk of harm';

/** Whom the site will email next because nobody has seen something, soonest first. The words name no service. */
export async function listEscalationMoments(
  db: Db,
  referralId: string,
): Promise<{ at: Date; what: string }[]> {
  const steps = await listNextSteps(db, referralId);
  return steps.map(({ kind, nextStep, dueAt, risk }) => ({
    at: dueAt,
    what: `${peopleOfStep[nextStep]} are emailed that ${risk && kind === 'referral' ? unopenedWithRisk : unseenInWords[kind]}`,
  }));
}

async function escalate(trx: Trx, deps: Platform, referralIds: readonly string[], now: Date): Promise<void> {
  const due = await lockDueWatches(trx, referralIds, now);
  const referrals = await findReferrals(trx, referralIds);
  const { unseen = [], over = [] } = Object.groupBy(due, (watch) =>
    isStillRelevant(watch, referrals.get(watch.referralId)) ? 'unseen' : 'over',
  );
  const groups = groupWatches(unseen, referrals);
  const peopleOf = await findPeople(trx, groups, now);
  const ownerOf = await findAssignedOwnerIds(trx, referralIds);
  const operators = await listOperatorsAtWork(trx, now);
  const dueEmails = groups
    .filter(({ referral }) => isUsable(referral))
    .map((group) => ({ ...group, ...choosePeople(group, peopleOf(group), ownerOf, operators) }));
  // While nobody may work with a referral, nobody can see what is watched.
  const postponed = groups.filter(({ referral }) => !isUsable(referral));

  await endWatches(
    trx,
    over.map(({ id }) => id),
  );
  await setNextSteps(trx, [
    ...dueEmails.flatMap((email) => stepsAfter(deps.settings, email, now)),
    ...postponed.flatMap(({ kind, nextStep, ids, referral, risk }) =>
      ids.map((id) => ({
        id,
        nextStep,
        newlyToldIds: [],
        dueAt: whenToTell(deps.settings, kind, { urgency: referral.urgency, risk }, now),
      })),
    ),
  ]);
  await mailPeople(
    trx,
    deps,
    'reminder',
    ...dueEmails.map((email) => composeEscalation(deps.settings, email)),
  );
  await recordAudits(
    trx,
    dueEmails.map(({ referral, kind, side, step, ids, people }) => ({
      at: now,
      actor: siteActor,
      action: 'referral.unseen_told',
      subject: { type: 'referral', id: referral.id },
      details: { kind, side, step, news: ids, people: people.length },
    })),
  );
}

/**
 * Whether a watch still has a reason. A reported death is watched until it is confirmed or taken back, and an end without help until the
 * referrer acts. A referral, also one that has become routine, and a correction are watched while the referral is open. All others, such as
 * messages and words of a crisis, are watched after the end, too.
 */
function isStillRelevant({ kind }: Watch, referral: Referral | undefined): boolean {
  if (!referral || referral.erasedAt !== null || referral.status === 'entered-in-error') return false;
  if (kind === 'death') return referral.deathReportedAt !== null;
  if (kind === 'ended') return endedUnhelped(referral) && !hasReferrerActed(referral);
  const isOpen = openStatuses.includes(referral.status);
  if (kind === 'correction') return isOpen;
  return kind !== 'referral' || isOpen;
}

function hasReferrerActed({ rerouted_to, resolvedAt, referred_again }: Referral): boolean {
  return rerouted_to !== null || resolvedAt !== null || referred_again;
}

/** The watches of one kind on a referral that are for the same people. So ten messages make one email. */
type WatchGroup = Pick<Watch, 'kind' | 'side' | 'nextStep' | 'toldIds' | 'risk'> & {
  ids: string[];
  authorIds: string[];
  referral: Referral;
  serviceOrganizationId: string | null;
  referrerOrganisationId: string | null;
  referrerAccountId: string;
};

function groupWatches(watches: readonly Watch[], referrals: ReadonlyMap<string, Referral>): WatchGroup[] {
  const groups = Map.groupBy(
    watches,
    ({ referralId, kind, side, nextStep, risk }) => `${referralId} ${kind} ${side} ${nextStep} ${risk}`,
  );
  return [...groups.values()].map((group) => {
    const { referralId, kind, side, nextStep, risk } = group[0]!;
    const referral = referrals.get(referralId)!;
    const { referrerOrganisationId, referrerAccountId, service } = referral;
    return {
      kind,
      side,
      nextStep,
      risk,
      toldIds: group.flatMap(({ toldIds }) => toldIds),
      ids: group.map(({ id }) => id),
      authorIds: group.map(({ authorId }) => authorId),
      referral,
      serviceOrganizationId: service.organization_id,
      referrerOrganisationId,
      referrerAccountId,
    };
  });
}

type PeopleToTell = { step: EscalationStep; people: readonly StaffMember[] };

/**
 * The people of the step; if none of them is left to tell, those of a later step.
 * @throws Error if even the operators have no account
 */
function choosePeople(
  { kind, side, nextStep, toldIds, referral, referrerAccountId, authorIds }: WatchGroup,
  { present, ownerOrStandIn }: PeopleOfSide,
  ownerOf: AssignedOwnerOf,
  operators: readonly StaffMember[],
): PeopleToTell {
  const assigned = ownerOrStandIn(ownerOf(referral.id, side));
  // Nobody is told of their own referral, correction or transfer.
  const isAuthor = ['referral', 'correction'].includes(kind) && authorIds.includes(assigned?.id ?? '');
  const referrer = side === 'referrer' ? ownerOrStandIn(referrerAccountId) : undefined;
  const owner = isAuthor ? referrer : (assigned ?? referrer);
  const notTold = present.filter(({ id }) => !toldIds.includes(id));
  if (nextStep === 'owner' && owner) return { step: 'owner', people: [owner] };
  // Nobody owns it yet on the service's side, so all of its people are told at first.
  if (nextStep === 'owner' && present.length > 0) return { step: 'owner', people: present };
  if (nextStep === 'colleagues' && notTold.length > 0) return { step: 'colleagues', people: notTold };
  if (operators.length === 0) throw new Error('there is no operator to tell');
  return { step: 'operators', people: operators };
}

/** After the operators nobody else is left to tell. */
function stepsAfter(
  settings: Platform['settings'],
  { kind, referral, ids, step, people, risk }: WatchGroup & PeopleToTell,
  now: Date,
) {
  const nextStep = escalationSteps[escalationSteps.indexOf(step) + 1];
  return ids.map((id) => ({
    id,
    nextStep: nextStep ?? step,
    newlyToldIds: people.map((person) => person.id),
    dueAt: nextStep ? whenToTell(settings, kind, { urgency: referral.urgency, risk }, now) : null,
  }));
}

/** The email names no patient and no service. */
function composeEscalation(
  { baseUrl }: Platform['settings'],
  { referral, kind, side, step, people, ids, risk }: WatchGroup & PeopleToTell,
): MailToPeople {
  const isUrgent = referral.urgency === 'urgent';
  const words = watchInWords(kind, { count: ids.length, isUrgent, hasRisk: risk });
  const what = headingWithUrgency(words.what, [{ isUrgent, isDangerous: risk }]);
  const receiver = side === 'provider' ? 'the service' : 'the organisation that made the referral';
  const acts = kind === 'death' || kind === 'ended' ? 'acts' : 'sees it';
  const acted = kind === 'death' || kind === 'ended' ? 'acted' : 'seen it';
  const reasons: Readonly<Record<EscalationStep, string>> = {
    owner: `If nobody ${acts} soon, we tell somebody else.`,
    colleagues: `The person who was told first has not ${acted}. If nobody ${acts} soon, we tell the operators.`,
    operators: `Nobody at ${receiver} has ${acted}, so please telephone them.`,
  };
  return {
    to: people.map(({ email }) => email),
    subject: what,
    paragraphs: [
      `${what}: ${referral.reference}`,
      reasons[step],
      `${step === 'operators' ? 'See how far the referral has come' : words.remedy}:\n\n${baseUrl}/referrals/${referral.id}`,
    ],
  };
}

function watchInWords(
  kind: Watch['kind'],
  { count, isUrgent, hasRisk }: { count: number; isUrgent: boolean; hasRisk: boolean },
): { what: string; remedy: string } {
  switch (kind) {
    case 'referral':
      return {
        what: `${isUrgent ? 'An urgent referral' : 'A referral'} that nobody has opened`,
        remedy: 'Open and answer it',
      };
    case 'message':
      return {
        what: count === 1 ? 'A message that nobody has read' : `${count} messages that nobody has read`,
        remedy: 'Read and answer here',
      };
    case 'file': {
      const verb = hasRisk ? 'opened' : 'seen';
      return {
        what: count === 1 ? `A file that nobody has ${verb}` : `${count} files that nobody has ${verb}`,
        remedy: 'Open it here',
      };
    }
    case 'words':
      return {
        what: 'Something was written about a referral that nobody has read',
        remedy: 'Read it, and the outcome and every reason, here',
      };
    case 'change':
      return {
        what: 'Things have changed for a person, and nobody has confirmed that they read it',
        remedy: 'Read it and confirm that',
      };
    case 'death':
      return {
        what: 'A person is said to have died, and nobody has settled it',
        remedy: 'Confirm it. If they are alive, take it back, or tell the operators if you cannot',
      };
    case 'ended':
      return {
        what: 'A referral ended without help for the person, and nobody has acted',
        remedy: 'Find other help for the person, or say that they were helped another way',
      };
    case 'correction':
      return {
        what: 'A referral was corrected, and nobody has seen that',
        remedy: 'Open it to see what is different',
      };
  }
}
