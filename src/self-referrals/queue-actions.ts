import { type ActionOn, actorOf, type Caller } from '../accounts/index.ts';
import { type AuditAction, recordAudit } from '../audit/index.ts';
import { inTransaction, type Trx } from '../platform/database/index.ts';
import { isUuid } from '../platform/ids/index.ts';
import type { Platform } from '../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../platform/problem/index.ts';
import type { SubmitDeps } from '../referrals/index.ts';
import { findDesk, lockDesk } from './desk-store.ts';
import { mailDesk } from './mail-desk.ts';
import {
  type CloseReason,
  callsBeforeGivingUp,
  closeReasons,
  countAttempts,
  type Desk,
  isOwnerOrDeputy,
  reasonsWithoutCall,
  type SelfReferral,
  wasSpokenTo,
} from './model.ts';
import {
  addCall,
  deleteSelfReferral,
  listOfSamePerson,
  lockSelfReferral,
  markCrisis,
  retentionDays,
  setClosed,
  setDrafted,
  setTaker,
} from './self-referrals-store.ts';

/**
 * Reads what a person sent, for the link worker who took it, the owner and the deputy, and audits that.
 * @throws Problem `not-found`.
 */
export function readSelfReferral(deps: Platform, act: ActionOn): Promise<SelfReferral> {
  return inTransaction(deps.db, async (trx) => {
    const selfReferral = await lockForHandling(trx, act);
    await audit(trx, deps, act, 'self-referral.read');
    return selfReferral;
  });
}

/**
 * Takes a self-referral, to ring the person. The owner and the deputy also take over from a colleague.
 * @throws Problem `not-found`, also if it is settled; `unprocessable` if a colleague was quicker.
 */
export async function takeSelfReferral(deps: Platform, act: ActionOn): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const selfReferral = await lockUnsettled(trx, act.id);
    if (selfReferral.takenById === act.caller.accountId) return;
    if (selfReferral.takenById !== null && !isOwnerOrDeputy(await findDesk(trx), act.caller.accountId))
      throw new Problem(unprocessable, 'A colleague has taken it.');
    await setTaker(trx, act.id, act.caller.accountId);
    await audit(trx, deps, act, 'self-referral.taken');
  });
}

/** Puts the self-referral back, so that a colleague can take it. @throws Problem `not-found`; `unprocessable` if it is settled. */
export async function giveBackSelfReferral(deps: Platform, act: ActionOn): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    requireUnsettled(await lockForHandling(trx, act));
    await setTaker(trx, act.id, null);
    await audit(trx, deps, act, 'self-referral.given-back');
  });
}

/** Notes a call, whether or not the person answered. @throws Problem `not-found`; `unprocessable` if it is settled. */
export async function noteCall(
  deps: Platform,
  act: ActionOn,
  { reached, note }: { reached: boolean; note: string },
): Promise<void> {
  const at = deps.clock.now().toISOString();
  await inTransaction(deps.db, async (trx) => {
    requireUnsettled(await lockForHandling(trx, act));
    await addCall(trx, act.id, { at, by: act.caller.name, reached, note });
    await audit(trx, deps, act, 'self-referral.called');
  });
}

/**
 * Makes a draft of a referral with what the person said, once somebody has spoken to them. Sending it is a step of its own, with
 * everything that the form asks. @returns the draft's id.
 * @throws Problem `not-found`; `unprocessable` if it is settled, or nobody has spoken to them yet.
 */
export async function draftReferral(deps: Platform & SubmitDeps, act: ActionOn): Promise<string> {
  const selfReferral = await inTransaction(deps.db, (trx) => lockForHandling(trx, act));
  requireUnsettled(selfReferral);
  if (!wasSpokenTo(selfReferral))
    throw new Problem(unprocessable, 'Speak to the person first, and note the call.');
  const { details, serviceId } = selfReferral;
  const { given_name, family_name, telephone, postcode, safe, only_at, voicemail, about } = details;
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
    },
    ipAddress: act.ipAddress,
    // Pressing the button twice makes one draft.
    idempotencyKey: `self-referral ${act.id}`,
  });
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    const { settledAt } = await lockForHandling(trx, act);
    if (settledAt === null) await setDrafted(trx, act.id, referral.id, at);
    await audit(trx, deps, act, 'self-referral.drafted');
  });
  return referral.id;
}

/** `sameAsId`: the id of the self-referral that stays, if this one is closed because it came twice. */
export type Closing = { reason: CloseReason; note: string | undefined; sameAsId: string | undefined };

/**
 * Ends a self-referral without a referral. The owner and the deputy are emailed if it mentions a crisis and nobody has spoken to the person.
 * @throws Problem `not-found`; `unprocessable` if somebody has to ring first, or something is missing that the reason asks for.
 */
export async function closeSelfReferral(deps: Platform, act: ActionOn, closing: Closing): Promise<void> {
  const { reason, note, sameAsId } = closing;
  await inTransaction(deps.db, async (trx) => {
    // The lock makes one of two people wait: otherwise they could close both of two self-referrals as copies of each other.
    const desk = await lockDesk(trx);
    const selfReferral = await lockForHandling(trx, act);
    requireUnsettled(selfReferral);
    const other =
      reason === 'sent-twice'
        ? (await listOfSamePerson(trx, selfReferral)).find(({ id }) => id === sameAsId)
        : undefined;
    requireGrounds(selfReferral, closing, other);
    const isCrisisNotSpokenTo = selfReferral.mentionsCrisis && !wasSpokenTo(selfReferral, other);
    if (isCrisisNotSpokenTo) {
      requireDeskOrOperator(desk, act.caller);
      if (!note) throw refusal('/close_note', 'Say in the note why nobody spoke to the person');
    }
    await setClosed(trx, act.id, {
      reason,
      note: note ?? null,
      sameAsId: other?.id ?? null,
      at: deps.clock.now(),
    });
    if (other && selfReferral.mentionsCrisis) await markCrisis(trx, other.id);
    await audit(trx, deps, act, 'self-referral.closed');
    if (desk && isCrisisNotSpokenTo) await mailAboutClosing(trx, deps, desk, act, reason);
  });
}

/** @throws Problem `unprocessable` without the calls, the note or the other self-referral that the reason asks for. */
function requireGrounds(
  selfReferral: SelfReferral,
  { reason, note }: Closing,
  other: SelfReferral | undefined,
): void {
  if (reason === 'not-reached' && countAttempts(selfReferral.calls) < callsBeforeGivingUp)
    throw new Problem(
      unprocessable,
      `Ring at least ${callsBeforeGivingUp} times, at least two hours apart, and note each call.`,
    );
  if (reason === 'sent-twice' && !other)
    throw refusal('/same_as', 'Choose the other self-referral. If there is none, choose another reason');
  if (reason === 'not-genuine' && !note) throw refusal('/close_note', 'Say in the note why you think so');
  const needsCall = reason !== 'not-reached' && !reasonsWithoutCall.includes(reason);
  if (needsCall && !wasSpokenTo(selfReferral))
    throw new Problem(unprocessable, 'Speak to the person first, and note the call.');
}

/** @throws Problem `unprocessable` for anybody but the owner, the deputy and operators. */
function requireDeskOrOperator(desk: Desk | undefined, { accountId, roles }: Caller): void {
  if (!isOwnerOrDeputy(desk, accountId) && !roles.includes('operator'))
    throw new Problem(
      unprocessable,
      'What they wrote has words of a crisis. Speak to the person first, or ask the owner or the deputy to close it.',
    );
}

const refusal = (pointer: string, message: string) =>
  new Problem(unprocessable, undefined, { errors: [{ pointer, message }] });

/** The email says nothing of the person or the service. */
function mailAboutClosing(
  trx: Trx,
  deps: Platform,
  desk: Desk,
  { caller, id }: ActionOn,
  reason: CloseReason,
): Promise<void> {
  return mailDesk(trx, deps, desk, 'news', {
    subject: 'Closed without a call: words of a crisis',
    paragraphs: [
      `${caller.name} has closed a self-referral that has words of a crisis. Nobody has noted that they spoke to the person. The reason: ${closeReasons[reason]}.`,
      `If that is wrong, ring the person now. What they sent stays for ${retentionDays} days:\n\n${deps.settings.baseUrl}/self-referrals/${id}`,
    ],
  });
}

/** Deletes a self-referral because the person asked. Only the owner and the deputy may do that. @throws Problem `not-found`. */
export async function deleteForPerson(deps: Platform, act: ActionOn): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockForHandling(trx, act);
    if (!isOwnerOrDeputy(await findDesk(trx), act.caller.accountId)) throw new Problem(notFound);
    await deleteSelfReferral(trx, act.id);
    await audit(trx, deps, act, 'self-referral.deleted');
  });
}

/** A self-referral that the caller may handle: they took it, or are the owner or the deputy. @throws Problem `not-found`. */
async function lockForHandling(trx: Trx, { caller, id }: ActionOn): Promise<SelfReferral> {
  const selfReferral = isUuid(id) ? await lockSelfReferral(trx, id) : undefined;
  if (!selfReferral || !mayHandle(selfReferral, caller, await findDesk(trx))) throw new Problem(notFound);
  return selfReferral;
}

function mayHandle({ takenById }: SelfReferral, { accountId }: Caller, desk: Desk | undefined): boolean {
  return takenById === accountId || isOwnerOrDeputy(desk, accountId);
}

async function lockUnsettled(trx: Trx, id: string): Promise<SelfReferral> {
  const selfReferral = isUuid(id) ? await lockSelfReferral(trx, id) : undefined;
  if (!selfReferral || selfReferral.settledAt !== null) throw new Problem(notFound);
  return selfReferral;
}

function requireUnsettled({ settledAt }: SelfReferral): void {
  if (settledAt !== null) throw new Problem(unprocessable, 'It is settled already.');
}

function audit(
  trx: Trx,
  { clock }: Platform,
  { caller, id, ipAddress }: ActionOn,
  name: AuditAction,
): Promise<void> {
  return recordAudit(trx, {
    at: clock.now(),
    actor: actorOf(caller, ipAddress),
    action: name,
    subject: { type: 'self_referral', id },
  });
}
