import { type ActionOn, actorOf, type Caller } from '../../../accounts/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import {
  type AddressChannel,
  addressInUse,
  lockReceiver,
  replaceBrokenAddress,
} from '../../../library/index.ts';
import { inRetriedTransaction, inTransaction, type Trx } from '../../../platform/database/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { notFound, Problem } from '../../../platform/problem/index.ts';
import { requireWhatWasDone } from '../../../platform/reason.ts';
import { findReferralsWithHiddenService, refusalCauses } from '../../../referrals/index.ts';
import type { DeliveryDeps } from '../../channels/deps.ts';
import { lockDeliveries } from '../../model/deliveries-store.ts';
import type { HeldBy } from '../../model/held-by.ts';
import {
  askForPracticeInTransaction,
  markDoneInTransaction,
  nothingToDo,
  sendAgainInTransaction,
} from '../actions.ts';
import { listOpenRows, type OpenRow } from './open-rows-store.ts';

/** A group of undelivered messages with the same fault: one connection that refuses the site, or one receiver, channel and reason. */
export type Cause = {
  /** The reader may not know its service, so it has one message alone. */
  isServiceHidden: boolean;
  kind: OpenRow['kind'];
  leg: OpenRow['leg'];
  receiverName: string | null;
  receiverId: string | null;
  channel: string | null;
  heldBy: HeldBy | null;
  /** Null also where its service is hidden. */
  fault: OpenRow['fault'];
  /** Of the last message in the list. */
  reason: string;
  escalated: boolean;
  /** How many of its referrals are urgent or tell of a danger. */
  pressing: number;
  /** Pressing ones first, then the oldest. */
  rows: OpenRow[];
};

/** More than an operator can work through. The rest follow once these are resolved. */
const maxRead = 2000;

/**
 * All causes: those with the most pressing messages first, then those with the most messages. `isCut`: as many messages were read as can be,
 * so there may be more.
 */
export async function readCauses(
  deps: Platform,
  caller: Caller,
  ipAddress: string,
): Promise<{ causes: Cause[]; isCut: boolean }> {
  return inTransaction(deps.db, async (trx) => {
    await recordReading(trx, deps, caller, ipAddress);
    const causes = await listCauses(trx, caller);
    const isCut = causes.reduce((count, { rows }) => count + rows.length, 0) === maxRead;
    return { causes, isCut };
  });
}

/** The cause of an undelivered message, with all messages of that cause. @throws Problem `not-found`. */
export async function readCause(deps: Platform, { caller, id, ipAddress }: ActionOn): Promise<Cause> {
  return inTransaction(deps.db, async (trx) => {
    await recordReading(trx, deps, caller, ipAddress);
    return requireCause(trx, caller, id);
  });
}

/**
 * Tries all messages of a cause again, each with the same content as before.
 * @param channel sends them by this one, in the place of the receiver’s own; null leaves that as it is
 * @returns how many. @throws Problem `not-found`, `nothing-to-do`, `unprocessable`.
 */
export function retryCause(
  deps: DeliveryDeps,
  act: ActionOn,
  channel: string | null = null,
): Promise<number> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const cause = await requireCause(trx, act.caller, act.id);
    // There is nobody to send it to, or the practice has refused the person and must not get the letter again.
    if (cause.kind === 'no-practice' || isAboutPerson(cause)) throw new Problem(nothingToDo);
    return retryTogether(trx, deps, act, cause, channel);
  });
}

/**
 * Replaces the address at which none of these messages arrived, and tries them all again. They wait until somebody confirms the
 * new address, and are then sent.
 * @returns `too-late` if another operator did so, or retried them, a moment earlier: this address would undo theirs.
 * @throws Problem `not-found`, `nothing-to-do`, `unprocessable`, `no-mail-server`.
 */
export function mendAddress(
  deps: DeliveryDeps,
  act: ActionOn,
  address: string,
): Promise<'mended' | 'too-late'> {
  return inRetriedTransaction(deps.db, async (trx) => {
    const shownCause = await requireCause(trx, act.caller, act.id);
    const channel = mendableChannel(shownCause);
    if (!channel) throw new Problem(nothingToDo);
    const receiver = receiverOf(shownCause)!;
    const broken = await addressInUse(trx, receiver, channel);
    await lockReceiver(trx, receiver);
    const cause = await findCause(trx, act.caller, act.id);
    const isReplaced = (await addressInUse(trx, receiver, channel)) !== broken;
    if (!cause || isReplaced || mendableChannel(cause) !== channel) return 'too-late';
    await replaceBrokenAddress(trx, deps, act, { receiver, channel, address });
    await retryTogether(trx, deps, act, cause, null);
    return 'mended';
  });
}

/**
 * Closes all messages of a cause that no retry can help, because nobody named a GP practice. The operator says what was done.
 * @throws Problem `not-found`, `nothing-to-do`, `unprocessable`.
 */
export function resolveCause(deps: Platform, act: ActionOn, typed: string): Promise<void> {
  const words = requireWhatWasDone(typed);
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const { kind, rows } = await requireCause(trx, act.caller, act.id);
    if (kind !== 'no-practice') throw new Problem(nothingToDo);
    const ids = rows.map(({ id }) => id).toSorted();
    await lockDeliveries(trx, ids);
    for (const id of ids) await markDoneInTransaction(trx, deps, { ...act, id }, words, at);
  });
}

/**
 * Asks the referrers for the GP practices of all messages that wait for one. Those who were asked and have not dealt with it are
 * not asked twice. @throws Problem `not-found`, `nothing-to-do`.
 */
export function askForPractices(deps: Platform, act: ActionOn): Promise<void> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const ids = rowsToAskAbout(await requireCause(trx, act.caller, act.id))
      .map(({ id }) => id)
      .toSorted();
    if (ids.length === 0) throw new Problem(nothingToDo);
    await lockDeliveries(trx, ids);
    for (const id of ids) await askForPracticeInTransaction(trx, deps, { ...act, id }, at);
  });
}

/** The messages for which nobody was asked which practice they are for, or somebody answered and named none. */
export function rowsToAskAbout({ kind, rows }: Cause): OpenRow[] {
  if (kind !== 'no-practice') return [];
  return rows.filter((row) => row.practiceAskedAt === null || row.practiceSettledAt !== null);
}

const addressChannels: readonly AddressChannel[] = ['email', 'mesh'];

/** Whether the receiver refused the person of each message, so that sending them all again would not help. */
export function isAboutPerson({ fault }: Pick<Cause, 'fault'>): boolean {
  return refusalCauses.some((each) => each === fault);
}

/** Whether the same message to the same address will most likely fail again, until the address or the channel is another. */
export function willFailAgain({ kind, fault }: Cause): boolean {
  return kind === 'failed' && fault !== null && fault !== 'given-up';
}

/** Whether a receiver may have the message already: it would arrive twice, so somebody rings there first. */
export function mayArriveTwice({ kind }: Pick<Cause, 'kind'>): boolean {
  return kind === 'uncertain' || kind === 'unanswered';
}

/** The channel whose address may be wrong; undefined where another address would not help. */
export function mendableChannel(cause: Cause): AddressChannel | undefined {
  const { kind, channel, receiverId, isServiceHidden } = cause;
  if (isServiceHidden || receiverId === null || isAboutPerson(cause)) return undefined;
  if (kind !== 'failed' && kind !== 'expired') return undefined;
  return addressChannels.find((each) => each === channel);
}

/** The service or practice that the messages of a cause go to; undefined where none was named. */
export function receiverOf({ leg, receiverId }: Cause) {
  if (receiverId === null) return undefined;
  return leg === 'service' ? { serviceId: receiverId } : { odsCode: receiverId };
}

async function retryTogether(
  trx: Trx,
  deps: DeliveryDeps,
  act: ActionOn,
  { rows }: Cause,
  channel: string | null,
): Promise<number> {
  const ids = rows.map(({ id }) => id).toSorted();
  await lockDeliveries(trx, ids);
  let count = 0;
  for (const id of ids) if (await sendAgainInTransaction(trx, deps, { ...act, id }, channel)) count += 1;
  if (count === 0) throw new Problem(nothingToDo);
  return count;
}

async function requireCause(trx: Trx, caller: Caller, id: string): Promise<Cause> {
  const cause = await findCause(trx, caller, id);
  if (!cause) throw new Problem(notFound);
  return cause;
}

async function findCause(trx: Trx, caller: Caller, id: string): Promise<Cause | undefined> {
  return (await listCauses(trx, caller)).find(({ rows }) => rows.some((row) => row.id === id));
}

async function listCauses(trx: Trx, caller: Caller): Promise<Cause[]> {
  const rows = await listOpenRows(trx, maxRead);
  const hidden = await findReferralsWithHiddenService(trx, caller, [
    ...new Set(rows.map(({ referralId }) => referralId)),
  ]);
  const isHidden = ({ referralId, leg }: OpenRow) => hidden.has(referralId) && leg === 'service';
  // Grouped, hidden messages would tell something about their service, so each is alone.
  const groups = Map.groupBy(rows, (row) => (isHidden(row) ? `hidden ${row.id}` : row.causeKey));
  return [...groups.values()]
    .map((members): Cause => {
      const { kind, leg, receiverName, receiverId, channel, heldBy, reason, ...last } = members.at(-1)!;
      const fault = isHidden(members[0]!) ? null : last.fault;
      const cause = { kind, leg, receiverName, receiverId, channel, heldBy, fault, reason, rows: members };
      const escalated = members.some((row) => row.escalated);
      const pressing = members.filter((row) => row.isPressing).length;
      return { ...cause, escalated, pressing, isServiceHidden: isHidden(members[0]!) };
    })
    .toSorted((one, other) => other.pressing - one.pressing || other.rows.length - one.rows.length);
}

async function recordReading(trx: Trx, deps: Platform, caller: Caller, ipAddress: string): Promise<void> {
  await recordAudit(trx, {
    at: deps.clock.now(),
    actor: actorOf(caller, ipAddress),
    action: 'worklist.read',
  });
}
