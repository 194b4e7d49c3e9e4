import { headingWithUrgency } from '../../accounts/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { upperFirst } from '../../platform/first-letter.ts';
import { dayInWords } from '../../platform/html/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { type MailToPeople, mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { findAssignedOwnerIds } from '../casework/casework-store.ts';
import {
  findPeople,
  listOperatorsAtWork,
  type PeopleOfSide,
  type StaffMember,
} from '../model/actors/people-at-work.ts';
import {
  listQuestionnaireDesks,
  type QuestionnaireDesk,
} from '../model/after-acceptance/questionnaire-desks-store.ts';
import { givePrompts } from '../model/attention/give-prompts.ts';
import { type PromptKind, type PromptSide, promptKinds, promptWords } from '../model/attention/prompts.ts';
import { londonDate } from '../model/due/dates.ts';
import { addWorkingTime, nextWorkingDay, workingDaysBefore } from '../model/due/working-time.ts';
import { listOfReferences } from './list-of-references.ts';
import {
  type DuePrompt,
  deleteOutdatedPrompts,
  listDuePrompts,
  listUnhelpedReferrals,
  lockPrompts,
} from './prompt-reasons-store.ts';

/**
 * An owner is emailed again after these working days, until they have dealt with the prompt or dismissed it; after one working day if the
 * prompt has a day to act by.
 */
const remindAgainAfterDays = 5;

/** The maker of a draft is reminded of it after these working days. */
const draftDays = 5;

type PromptWithOwner = DuePrompt & { owner: StaffMember | null; dueOn: string | null };

/**
 * The `update-prompts` job, which runs every hour and after every change that may take something from open referrals. It gives each referral
 * with a reason of `promptReasonsSql` a prompt with an owner, and emails the owner. A prompt whose reason is gone is deleted. It compares
 * the referrals with the stored prompts, so it may run at any time, and again.
 */
export async function updatePrompts(deps: Platform): Promise<void> {
  const now = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    await lockPrompts(trx);
    const circumstances = {
      today: londonDate(now),
      draftsBefore: workingDaysBefore(deps.settings, now, draftDays),
      unhelped: await listUnhelpedReferrals(trx),
    };
    await deleteOutdatedPrompts(trx, circumstances);
    const due = await listDuePrompts(trx, circumstances);
    const peopleOf = await findPeople(trx, due, now);
    const referralOwnerOf = await findAssignedOwnerIds(
      trx,
      due.map(({ referralId }) => referralId),
    );
    const deskOf = await findDesks(trx, due);
    const owned = due.map((prompt) => {
      const referralOwnerId =
        prompt.side === 'operators' ? null : referralOwnerOf(prompt.referralId, prompt.side);
      const dueOn = prompt.saidAt && nextWorkingDay(deps.settings, prompt.saidAt).date;
      const deskIds = peopleAtDesk(deskOf(prompt));
      // Once it is overdue the deputy comes first, so that in the end both have been told.
      const preferredIds = dueOn !== null && dueOn < circumstances.today ? deskIds.toReversed() : deskIds;
      return {
        ...prompt,
        dueOn,
        owner: chooseOwner(prompt, [...preferredIds, referralOwnerId], peopleOf(prompt)),
      };
    });
    const promptsToStore = owned.filter((prompt) => isNewOrDueAgain(deps.settings, prompt, now));
    if (promptsToStore.length === 0) return;
    const withIds = promptsToStore.map(({ owner, saidAt: _, ...prompt }) => ({
      ...prompt,
      id: prompt.id ?? newId(now.getTime()),
      ownerId: owner?.id ?? null,
    }));
    await givePrompts(trx, withIds, now);
    const toMail = promptsToStore.filter((prompt) => prompt.id !== null || !needsNoFirstEmail(prompt));
    await tellOwners(trx, deps, toMail, now);
  });
}

/** Whether a prompt is new, has another owner, or is due to be emailed again. */
function isNewOrDueAgain(
  settings: Platform['settings'],
  { id, kind, owner, ownerId, toldAt, dueOn, isRestricted }: PromptWithOwner,
  now: Date,
): boolean {
  if (id === null || ownerId !== (owner?.id ?? null)) return true;
  // It has reminders of its own, by the days on which its measures are due.
  if (kind === 'end-measure-due') return false;
  // Its owner can confirm nothing before the restriction is lifted.
  if (isRestricted) return false;
  const days = dueOn === null ? remindAgainAfterDays : 1;
  return addWorkingTime(settings, toldAt!, { days }) <= now;
}

/**
 * Whether the owner needs no first email: owners are told of a reported death, and of a message that did not arrive, in another way, and
 * the person who sent a referral knows its risk. They get only the later emails.
 */
function needsNoFirstEmail({ kind, owner, referrerAccountId }: PromptWithOwner): boolean {
  const isToldOtherwise = kind === 'death-reported' || kind === 'service-not-told';
  return isToldOtherwise || (kind === 'risk-to-act-on' && owner?.id === referrerAccountId);
}

/** The questionnaire desks of organisations whose referrals have a worrying answer. Not every organisation has one. */
async function findDesks(
  trx: Trx,
  due: readonly DuePrompt[],
): Promise<(prompt: DuePrompt) => QuestionnaireDesk | undefined> {
  const worrying = due.filter(({ kind }) => kind === 'alarming-answer');
  const desks = await listQuestionnaireDesks(
    trx,
    worrying.flatMap(({ referrerOrganisationId }) => referrerOrganisationId ?? []),
  );
  return ({ kind, referrerOrganisationId }) =>
    kind === 'alarming-answer' ? desks.get(referrerOrganisationId ?? '') : undefined;
}

/** The owner of the desk, then its deputy. */
function peopleAtDesk(desk: QuestionnaireDesk | undefined): string[] {
  return desk ? [desk.owner.id, desk.deputy.id] : [];
}

/**
 * The first of these who is at work: `accountIds` (who were named for it, or own the referral), the person who made it, the present owner of
 * the prompt, any colleague. Null where only the operators are left.
 */
function chooseOwner(
  { side, referrerAccountId, ownerId }: DuePrompt,
  accountIds: readonly (string | null)[],
  { present, ownerOrStandIn }: PeopleOfSide,
): StaffMember | null {
  const candidates = [...accountIds, ...(side === 'referrer' ? [referrerAccountId] : []), ownerId];
  for (const id of candidates) {
    const owner = ownerOrStandIn(id);
    if (owner) return owner;
  }
  return present[0] ?? null;
}

/** Somebody may be in danger, so prompts of these kinds get an email of their own that says so. */
const urgentKinds: readonly PromptKind[] = ['alarming-answer', 'risk-to-act-on', 'person-not-helped'];
const isUrgent = ({ kind }: { kind: PromptKind }) => urgentKinds.includes(kind);

/** One email to each owner for referrals with something urgent, and one for the rest. It names no patient and no service. */
async function tellOwners(
  trx: Trx,
  deps: Platform,
  prompts: readonly PromptWithOwner[],
  now: Date,
): Promise<void> {
  const operators = await listOperatorsAtWork(trx, now);
  const sideOfOwner = ({ owner, side }: PromptWithOwner) => (owner === null ? 'operators' : side);
  const urgentIds = new Set(prompts.filter(isUrgent).map(({ referralId }) => referralId));
  const byOwner = Map.groupBy(
    prompts,
    (prompt) => `${prompt.owner?.id} ${sideOfOwner(prompt)} ${urgentIds.has(prompt.referralId)}`,
  );
  const mails = [...byOwner.values()].map((group) => {
    const { owner } = group[0]!;
    const people = owner ? [owner] : operators;
    return composeEmail(
      deps.settings,
      people.map(({ email }) => email),
      group,
      sideOfOwner(group[0]!),
      londonDate(now),
    );
  });
  await mailPeople(trx, deps, 'reminder', ...mails);
}

function composeEmail(
  { baseUrl }: Platform['settings'],
  to: readonly string[],
  prompts: readonly PromptWithOwner[],
  side: PromptSide,
  today: string,
): MailToPeople {
  const named = prompts.map(({ referralId: id, ...each }) => ({ ...each, id }));
  const referrals = [...new Map(named.map((each) => [each.id, each])).values()];
  const count = referrals.length;
  const areUrgent = prompts.some(isUrgent);
  const ordinary = count === 1 ? '1 referral needs attention' : `${count} referrals need attention`;
  const urgent = `Urgent: ${count === 1 ? 'a referral needs' : `${count} referrals need`} you ${byWhen(prompts, today)}`;
  const heading = headingWithUrgency(areUrgent ? urgent : ordinary, referrals);
  const reasons = promptKinds.flatMap((kind) => {
    const ofKind = named.filter((each) => each.kind === kind);
    if (ofKind.length === 0) return [];
    const { what } = promptWords[kind];
    return `${upperFirst(what)}:\n${listOfReferences(ofKind)}`;
  });
  const view = { operators: 'all', provider: 'received', referrer: 'made' }[side];
  const why =
    side === 'operators'
      ? 'Nobody at the organisations concerned can deal with this, or may know of it, so it is left to the operators.'
      : count === 1
        ? 'It is yours now. Open it, and say when you have dealt with it.'
        : 'They are yours now. Open each, and say when you have dealt with it.';
  return {
    to,
    subject: areUrgent && count === 1 ? `${heading}: ${referrals[0]!.reference}` : heading,
    paragraphs: [
      `${heading}.`,
      ...reasons,
      why,
      count === 1
        ? `See it here:\n\n${baseUrl}/referrals/${referrals[0]!.id}`
        : `See them here:\n\n${baseUrl}/referrals?view=${view}&tab=waiting`,
    ],
  };
}

/** The earliest day by which one of these must be dealt with; “today” where one has no day of its own, or its day has come. */
function byWhen(prompts: readonly PromptWithOwner[], today: string): string {
  const days = prompts.filter(isUrgent).map(({ dueOn }) => dueOn ?? today);
  const earliest = days.toSorted()[0];
  return earliest !== undefined && earliest > today ? `by the end of ${dayInWords(earliest)}` : 'today';
}
