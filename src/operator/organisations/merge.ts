import { accountTopic, actorOf, type Caller, listColleagues, listOperators } from '../../accounts/index.ts';
import { listEntriesAbout, recordAudit } from '../../audit/index.ts';
import { countInWords } from '../../library/index.ts';
import {
  type Db,
  inRetriedTransaction,
  inTransaction,
  notify,
  type Trx,
} from '../../platform/database/index.ts';
import { momentInWords } from '../../platform/html/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { mailPeople } from '../../platform/mail/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { contactOf } from '../../platform/settings/index.ts';
import {
  countMoves,
  findOrganisations,
  haveReferredToEachOther,
  lockOrganisations,
  type MergedOrganisation,
  type MergeEffects,
  moveAll,
} from './merge-store.ts';
import { updateNameIfFree } from './organisations-store.ts';

type Act = { caller: Caller; ipAddress: string };
type MergePair = { fromId: string; toId: string };

/** The effect of a merge. `refusal` says why it is refused, in words for the operator. */
export type MergePlan = {
  from: MergedOrganisation;
  to: MergedOrganisation;
  moves: MergeEffects;
  refusal: string | undefined;
};

/** What a merge would do, and whether anything forbids it. @throws Problem `not-found`. */
export async function planMerge(
  { db }: Platform,
  { caller }: Pick<Act, 'caller'>,
  pair: MergePair,
): Promise<MergePlan> {
  return planFor(db, caller, pair, await findOrganisations(db, [pair.fromId, pair.toId]));
}

/**
 * Makes two organisations one, in one transaction. Members of both see each other’s referrals and notes from then on.
 * @throws Problem `not-found`, `unprocessable`.
 */
export function mergeOrganisations(deps: Platform, act: Act, pair: MergePair, reason: string): Promise<void> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const locked = await lockOrganisations(trx, [pair.fromId, pair.toId]);
    const { from, to, moves, refusal } = await planFor(trx, act.caller, pair, locked);
    if (refusal) throw invalidProblem('into', refusal);
    const accountIds = await moveAll(trx, from.id, to.id);
    for (const id of accountIds) await notify(trx, accountTopic, id);
    await addJobs(trx, 'update-prompts', [{}]);
    await recordAudit(trx, {
      at,
      actor: actorOf(act.caller, act.ipAddress),
      action: 'organisation.merged',
      subject: { type: 'organisation', id: to.id },
      details: { from: from.name, from_id: from.id, to: to.name, reason, ...moves, account_ids: accountIds },
    });
    await mailMembers(trx, deps, { from, to, moves, at });
    const others = await listOperators(trx, { except: [act.caller.accountId] });
    await mailPeople(trx, deps, 'site', {
      to: others.map(({ email }) => email),
      subject: 'An operator merged two organisations',
      paragraphs: [
        `${act.caller.name} merged ${from.name} into ${to.name}. Their people see each other’s referrals from now on.`,
        ...deskParagraph({ from, to, moves }),
        `Reason: ${reason}\nWhen: ${momentInWords(at)}`,
        `If you expected this, there is nothing to do. If not, ask ${act.caller.name}.`,
      ],
    });
  });
}

/** What the last merge moved into an organisation, for the page that follows it; undefined if there was none. */
export async function lastMergeInWords(db: Db, id: string): Promise<string | undefined> {
  const entries = await listEntriesAbout(db, 'organisation', id);
  const merge = entries.findLast(({ action }) => action === 'organisation.merged');
  if (!merge) return undefined;
  const { from, accounts, referrals, notes, lists } = merge.details as MergeEffects & { from: string };
  const moved = [
    ...(accounts > 0 ? [countInWords(accounts, 'account', 'accounts')] : []),
    ...(referrals > 0 ? [countInWords(referrals, 'referral', 'referrals')] : []),
    ...(notes > 0 ? [countInWords(notes, 'private note', 'private notes')] : []),
    ...(lists > 0 ? [countInWords(lists, 'list of services', 'lists of services')] : []),
  ];
  const whatMoved =
    moved.length > 0
      ? `${new Intl.ListFormat('en-GB').format(moved)} moved here.`
      : 'It had no accounts and no referrals.';
  return `${from} is part of this organisation now. ${whatMoved} Its people and the other operators get an email about it.`;
}

/** Emails all people of both organisations. They read each other’s referrals from now on, so each of them must be able to object. */
async function mailMembers(
  trx: Trx,
  deps: Platform,
  { from, to, moves, at }: Pick<MergePlan, 'from' | 'to' | 'moves'> & { at: Date },
): Promise<void> {
  const members = await listColleagues(trx, to.id);
  const { baseUrl } = deps.settings;
  await mailPeople(trx, deps, 'site', {
    to: members.map(({ email }) => email),
    subject: 'Your organisation was merged with another',
    paragraphs: [
      `${from.name} and ${to.name} are one organisation on this site now: ${to.name}. Their people see each other’s referrals and notes.`,
      ...(moves.offlineCopies > 0
        ? [
            `The copy for days without the site has stopped, because it would have the referrals of both. Anybody of you can choose it again, with a new password:\n\n${baseUrl}/offline-copy`,
          ]
        : []),
      ...deskParagraph({ from, to, moves }),
      `When: ${momentInWords(at)}`,
      `If this is not right, tell ${contactOf(deps.settings)} now.`,
    ],
  });
}

/** Says who acts on worrying answers from now on, so that nobody relies on people who no longer do. */
function deskParagraph({ from, to, moves }: Pick<MergePlan, 'from' | 'to' | 'moves'>): string[] {
  const sentence = {
    none: undefined,
    moves: `Those whom ${from.name} named to look into worrying answers of questionnaires do so for all people of ${to.name} now.`,
    ends: `Both had named who looks into worrying answers of questionnaires. Those of ${to.name} do so for all now, also for answers that are open; what ${from.name} had set has ended.`,
  }[moves.questionnaireDesk];
  return sentence === undefined ? [] : [sentence];
}

/** Renames an organisation outside the library. @throws Problem `not-found`, `unprocessable`. */
export function renameOrganisation(deps: Platform, act: Act, id: string, newName: string): Promise<void> {
  const name = newName.trim().replaceAll(/\s+/g, ' ');
  if (name === '') throw invalidProblem('new_name', 'Enter a name');
  if ([...name].length > 200) throw invalidProblem('new_name', 'Use 200 characters or fewer');
  return inTransaction(deps.db, async (trx) => {
    const organisation = (await lockOrganisations(trx, [id])).get(id);
    if (!organisation) throw new Problem(notFound);
    if (organisation.libraryOrganizationId !== null)
      throw invalidProblem('new_name', 'Its name comes from the service library: change it there');
    if (!(await updateNameIfFree(trx, id, name)))
      throw invalidProblem('new_name', 'Another organisation has this name: merge the two instead');
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(act.caller, act.ipAddress),
      action: 'organisation.renamed',
      subject: { type: 'organisation', id },
      details: { from: organisation.name, to: name },
    });
  });
}

async function planFor(
  db: Db,
  caller: Caller,
  { fromId, toId }: MergePair,
  organisations: ReadonlyMap<string, MergedOrganisation>,
): Promise<MergePlan> {
  const [from, to] = [organisations.get(fromId), organisations.get(toId)];
  if (!from || !to || fromId === toId) throw new Problem(notFound);
  const moves = await countMoves(db, from.id, to.id);
  return { from, to, moves, refusal: await whyNotMerge(db, caller, from, to) };
}

/** The reason why two organisations must not be merged: somebody would see what they may not. */
async function whyNotMerge(
  db: Db,
  { organisation }: Caller,
  from: MergedOrganisation,
  to: MergedOrganisation,
): Promise<string | undefined> {
  if (organisation && [from.id, to.id].includes(organisation.id))
    return 'You belong to one of them, and would see more referrals yourself: ask another operator to do it';
  if (from.libraryOrganizationId !== null)
    return to.libraryOrganizationId === null
      ? `${from.name} is in the service library: merge ${to.name} into it instead`
      : 'Both are in the service library, with services of their own: their people must not see each other’s referrals';
  if (from.odsCode !== null && to.odsCode !== null && from.odsCode !== to.odsCode)
    return `They are two organisations of the NHS, with the codes ${from.odsCode} and ${to.odsCode}`;
  if (await haveReferredToEachOther(db, from, to))
    return 'One of them referred people to the other. Each would read what the other keeps to itself, such as private notes';
  return undefined;
}

function invalidProblem(name: string, message: string): Problem {
  return new Problem(unprocessable, undefined, { errors: [{ pointer: `/${name}`, message }] });
}
