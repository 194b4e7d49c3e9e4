import { Type } from 'typebox';
import { actorOf, type Caller } from '../../accounts/index.ts';
import { type AuditAction, recordAudit } from '../../audit/index.ts';
import { calendarDay } from '../../platform/clock/index.ts';
import { type Db, inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { noOtherFields } from '../../platform/http/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { Problem, unprocessable, versionStale } from '../../platform/problem/index.ts';
import { lockForSides } from '../model/access/access.ts';
import { writingSide } from '../model/access/sides.ts';
import { authorOf } from '../model/actors/authors.ts';
import { addNotifications } from '../model/attention/notifications.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { addDaysOf24Hours, londonDate } from '../model/due/dates.ts';
import { nearestWorkingDay } from '../model/due/working-time.ts';
import { longText } from '../model/schemas/new-referral.ts';
import type { Side } from '../model/status/state-machine.ts';
import {
  type CaseworkTeam,
  deleteReminder,
  findOwner,
  insertAssignment,
  insertNote,
  listColleaguesFor,
  listNotes,
  setOwner,
  upsertReminder,
} from './casework-store.ts';

export function caseworkTeamOf({ accountId, organisation }: Caller): CaseworkTeam {
  return { accountId, organisationId: organisation?.id ?? null };
}

/** Whether somebody else of their team looks after referrals of these sides. */
export async function hasColleagues(db: Db, caller: Caller, sides: readonly Side[]): Promise<boolean> {
  return (await listColleaguesFor(db, sides, caseworkTeamOf(caller))).length > 1;
}

type CaseworkRequest = { referralId: string; ipAddress: string };

/** Records what somebody did for their own side alone. The referral and its version stay as they are. */
function recordCasework(
  trx: Trx,
  caller: Caller,
  { referralId, ipAddress }: CaseworkRequest,
  what: { action: AuditAction; details: Record<string, string | null>; at: Date },
): Promise<void> {
  return recordAudit(trx, {
    ...what,
    actor: actorOf(caller, ipAddress),
    subject: { type: 'referral', id: referralId },
  });
}

/**
 * Makes a colleague the owner of a referral on the caller's side, and has them told by email. `ownerId` null takes the owner away.
 * @param seenOwnerId the owner that the caller saw; null for nobody
 * @throws Problem `not-found`, `forbidden`, `version-stale` if somebody else has assigned it since, `unprocessable` for somebody who is no
 * colleague, `referral-restricted`, `referral-erased`.
 */
export function assignReferral(
  deps: ReferralDeps,
  caller: Caller,
  {
    ownerId,
    seenOwnerId,
    ...request
  }: CaseworkRequest & { ownerId: string | null; seenOwnerId: string | null },
): Promise<void> {
  const at = deps.clock.now();
  const team = caseworkTeamOf(caller);
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral, sides } = await lockForSides(trx, caller, request.referralId, at);
    const current = await findOwner(trx, referral.id, sides, team);
    if ((current?.id ?? null) === ownerId) return;
    if ((current?.id ?? null) !== seenOwnerId)
      throw new Problem(versionStale, 'Somebody else has assigned it since you opened it.');
    const colleagues = await listColleaguesFor(trx, sides, team);
    const owner = colleagues.find(({ id }) => id === ownerId);
    if (ownerId !== null && !owner) throw new Problem(unprocessable, 'That is not a colleague of yours.');
    for (const side of sides) await setOwner(trx, referral.id, side, ownerId);
    await insertAssignment(trx, referral.id, team, {
      id: newId(at.getTime()),
      at,
      byName: caller.name,
      ownerName: owner?.name ?? null,
    });
    const news = { referralId: referral.id, kind: 'assigned', side: writingSide(sides)! } as const;
    if (owner && owner.id !== caller.accountId)
      await addNotifications(trx, [{ ...news, actorId: caller.accountId, at }]);
    await recordCasework(trx, caller, request, {
      action: 'referral.assigned',
      details: { owner: ownerId },
      at,
    });
  });
}

export const newNoteSchema = Type.Object(
  { note: longText('Only your own organisation reads it.') },
  noOtherFields,
);

/** A second press of the button sends the same text within this time. */
const repeatedWithinMs = 60_000;

/**
 * Adds a note that only the caller's organisation reads.
 * @throws Problem `not-found`, `forbidden`, `referral-restricted`, `referral-erased`.
 */
export function addNote(
  deps: ReferralDeps,
  caller: Caller,
  { text, ...request }: CaseworkRequest & { text: string },
): Promise<void> {
  const at = deps.clock.now();
  const team = caseworkTeamOf(caller);
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral } = await lockForSides(trx, caller, request.referralId, at);
    const last = (await listNotes(trx, referral.id, team)).at(-1);
    const isRepeated =
      last?.text === text &&
      last.authorId === caller.accountId &&
      at.getTime() - last.at.getTime() < repeatedWithinMs;
    if (isRepeated) return;
    const note = { id: newId(at.getTime()), at, ...authorOf(caller), text };
    await insertNote(trx, referral.id, team.organisationId, note);
    await recordCasework(trx, caller, request, {
      action: 'referral.note_added',
      details: { note: note.id },
      at,
    });
  });
}

/** Nobody plans further ahead. */
const maxDaysAhead = 366;

const reminderProblems = {
  'in-past': 'The day must be after today.',
  'too-late': 'The day must be within a year.',
} as const;

/** What is wrong with the day of a reminder; undefined if nothing is. */
export function reminderProblem(day: string, now: Date): 'in-past' | 'too-late' | undefined {
  if (day <= londonDate(now)) return 'in-past';
  return day > londonDate(addDaysOf24Hours(now, maxDaysAhead)) ? 'too-late' : undefined;
}

/**
 * Reminds the caller of a referral on a day; undefined takes the reminder away. A day at a weekend or bank holiday becomes the working
 * day before, if that is still to come: a Saturday becomes the Friday, because Monday may be too late.
 * @throws Problem `not-found`, `forbidden`, `unprocessable`, `referral-restricted`, `referral-erased`.
 */
export function setReminder(
  deps: ReferralDeps,
  caller: Caller,
  { day, ...request }: CaseworkRequest & { day: string | undefined },
): Promise<void> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral } = await lockForSides(trx, caller, request.referralId, at);
    if (day === undefined) {
      await deleteReminder(trx, referral.id, caller.accountId);
      await recordCasework(trx, caller, request, { action: 'referral.reminder_removed', details: {}, at });
      return;
    }
    const problem = reminderProblem(day, at);
    if (problem) throw new Problem(unprocessable, reminderProblems[problem]);
    const remindOn = dayOfReminder(deps.settings, day, at);
    await upsertReminder(trx, referral.id, caller.accountId, remindOn);
    const details = { day: remindOn };
    await recordCasework(trx, caller, request, { action: 'referral.reminder_set', details, at });
  });
}

function dayOfReminder(settings: ReferralDeps['settings'], day: string, now: Date): string {
  const { date } = nearestWorkingDay(settings, calendarDay(day)!, -1);
  return date > londonDate(now) ? date : day;
}
