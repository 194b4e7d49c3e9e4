import { actorOf, type Caller } from '../accounts/index.ts';
import { type AuditAction, recordAudit } from '../audit/index.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import type { Platform } from '../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../platform/problem/index.ts';
import type { SubmitDeps } from '../referrals/index.ts';
import { findDesk } from './desk-store.ts';
import {
  type CloseReason,
  callsBeforeGivingUp,
  type Desk,
  reasonsWithoutCall,
  runsDesk,
  type SelfReferral,
} from './model.ts';
import {
  addCall,
  deleteSelfReferral,
  lockSelfReferral,
  setClosed,
  setDrafted,
  setTaker,
} from './self-referrals-store.ts';

/** A link worker who works on one self-referral, and their IP address. */
export type Act = { caller: Caller; id: string; ipAddress: string };

/** What one sent, for who took it, the owner and the deputy. That somebody read it is audited. @throws Problem `not-found`. */
export function readSelfReferral(deps: Platform, act: Act): Promise<SelfReferral> {
  return changing(deps, act, 'self-referral.read', async () => {});
}

/**
 * Takes one, to ring the person. The owner and the deputy also take what a colleague has.
 * @throws Problem `not-found`, also if it is settled; `unprocessable` if a colleague was quicker.
 */
export async function takeSelfReferral(deps: Platform, act: Act): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const found = await lockOpen(trx, act.id);
    if (found.takenById === act.caller.accountId) return;
    if (found.takenById !== null && !runsDesk(await findDesk(trx), act.caller.accountId))
      throw new Problem(unprocessable, 'A colleague has taken it.');
    await setTaker(trx, act.id, act.caller.accountId);
    await audit(trx, deps, act, 'self-referral.taken');
  });
}

/** Puts it back, so that a colleague can take it. @throws Problem `not-found`. */
export async function giveBackSelfReferral(deps: Platform, act: Act): Promise<void> {
  await changing(deps, act, 'self-referral.given-back', async (trx, found) => {
    requireOpen(found);
    await setTaker(trx, act.id, null);
  });
}

/** Notes a call, whether or not the person answered. @throws Problem `not-found`. */
export async function noteCall(
  deps: Platform,
  act: Act,
  { reached, note }: { reached: boolean; note: string },
): Promise<void> {
  const at = deps.clock.now().toISOString();
  await changing(deps, act, 'self-referral.called', async (trx, found) => {
    requireOpen(found);
    await addCall(trx, act.id, { at, by: act.caller.name, reached, note });
  });
}

/**
 * Makes a draft of a referral with what the person said, once somebody has spoken to them. Sending it is a step of its own, with
 * everything that the form asks. @returns the draft's id. @throws Problem `not-found`; `unprocessable` before anybody has reached them.
 */
export async function draftReferral(deps: Platform & SubmitDeps, act: Act): Promise<string> {
  const found = await inTransaction(deps.db, (trx) => lockForHandling(trx, act));
  requireOpen(found);
  if (!found.calls.some(({ reached }) => reached))
    throw new Problem(unprocessable, 'Speak to the person first, and note the call.');
  const { said, serviceId } = found;
  const { given_name, family_name, telephone, postcode, safe, only_at, voicemail, about } = said;
  const { referral } = await deps.referralIntake.submit({
    caller: act.caller,
    input: {
      status: 'draft',
      service_id: serviceId,
      patient: { given_name, family_name, telephone, ...(postcode && { address: { postcode } }) },
      contact: { channel: 'telephone', safe, ...(only_at && { only_at }), voicemail },
      ...(about && { reasons: [{ text: about }] }),
      source: 'self',
      method: 'online',
    } as Parameters<typeof deps.referralIntake.submit>[0]['input'],
    ipAddress: act.ipAddress,
    // Pressed twice, it makes one draft.
    idempotencyKey: `self-referral ${act.id}`,
  });
  const at = deps.clock.now();
  await changing(deps, act, 'self-referral.drafted', async (trx, { settledAt }) => {
    if (settledAt === null) await setDrafted(trx, act.id, referral.id, at);
  });
  return referral.id;
}

/** Ends it without a referral. @throws Problem `not-found`; `unprocessable` where somebody has to ring first. */
export async function closeSelfReferral(
  deps: Platform,
  act: Act,
  { reason, note }: { reason: CloseReason; note: string | undefined },
): Promise<void> {
  const at = deps.clock.now();
  await changing(deps, act, 'self-referral.closed', async (trx, found) => {
    requireOpen(found);
    const { calls } = found;
    if (reason === 'not-reached' && calls.length < callsBeforeGivingUp)
      throw new Problem(unprocessable, `Ring at least ${callsBeforeGivingUp} times, and note each call.`);
    const wasReached = calls.some(({ reached }) => reached);
    if (reason !== 'not-reached' && !reasonsWithoutCall.includes(reason) && !wasReached)
      throw new Problem(unprocessable, 'Speak to the person first, and note the call.');
    await setClosed(trx, act.id, { reason, note: note ?? null, at });
  });
}

/** Deletes all of it, because the person asked. Only the owner and the deputy do that. @throws Problem `not-found`. */
export async function deleteAsAsked(deps: Platform, act: Act): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockForHandling(trx, act);
    if (!runsDesk(await findDesk(trx), act.caller.accountId)) throw new Problem(notFound);
    await deleteSelfReferral(trx, act.id);
    await audit(trx, deps, act, 'self-referral.deleted');
  });
}

/** Changes one that the caller may see, and audits it. */
function changing(
  deps: Platform,
  act: Act,
  action: AuditAction,
  change: (trx: Trx, found: SelfReferral) => Promise<void>,
): Promise<SelfReferral> {
  return inTransaction(deps.db, async (trx) => {
    const found = await lockForHandling(trx, act);
    await change(trx, found);
    await audit(trx, deps, act, action);
    return found;
  });
}

async function lockForHandling(trx: Trx, { caller, id }: Act): Promise<SelfReferral> {
  const found = isUuid(id) ? await lockSelfReferral(trx, id) : undefined;
  if (!found || !mayHandle(found, caller, await findDesk(trx))) throw new Problem(notFound);
  return found;
}

function mayHandle({ takenById }: SelfReferral, { accountId }: Caller, desk: Desk | undefined): boolean {
  return takenById === accountId || runsDesk(desk, accountId);
}

async function lockOpen(trx: Trx, id: string): Promise<SelfReferral> {
  const found = isUuid(id) ? await lockSelfReferral(trx, id) : undefined;
  if (!found || found.settledAt !== null) throw new Problem(notFound);
  return found;
}

function requireOpen({ settledAt }: SelfReferral): void {
  if (settledAt !== null) throw new Problem(unprocessable, 'It is settled already.');
}

function audit(
  trx: Trx,
  { clock }: Platform,
  { caller, id, ipAddress }: Act,
  action: AuditAction,
): Promise<void> {
  return recordAudit(trx, {
    at: clock.now(),
    actor: actorOf(caller, ipAddress),
    action,
    subject: { type: 'self_referral', id },
  });
}
