import { type ActionOn, actorOf, findAccount } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction, type Trx } from '../../platform/database/index.ts';
import { isUuid, newId, requireById } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import {
  findRequest,
  insertNote,
  listNotes,
  lockOpenRequest,
  type RecordRequest,
  type RequestNote,
  setAcknowledged,
  setAnswered,
  setOwner,
} from './requests-store.ts';

/** Reads a request with its notes, and audits that. @throws Problem `not-found`. */
export async function readRequest(
  deps: Platform,
  act: ActionOn,
): Promise<RecordRequest & { notes: RequestNote[] }> {
  return inTransaction(deps.db, async (trx) => {
    const request = await requireById(act.id, (id) => findRequest(trx, id));
    await auditRequest(trx, deps, act, 'read');
    return { ...request, notes: await listNotes(trx, act.id) };
  });
}

/** Gives a request to an operator. @throws Problem `not-found`, also if it is answered; `unprocessable` if that is no operator who can sign in. */
export async function assignRequest(deps: Platform, act: ActionOn, ownerId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockOpen(trx, act.id);
    const owner = isUuid(ownerId) ? await findAccount(trx, ownerId) : undefined;
    if (!owner?.roles.includes('operator') || owner.disabledAt !== null)
      throw new Problem(unprocessable, 'Choose an operator who can sign in.');
    await setOwner(trx, act.id, owner.id);
    await auditRequest(trx, deps, act, 'assigned', { owner: owner.id });
  });
}

/** Stores that somebody told the person that their complaint arrived. @throws Problem `not-found`, also if it is answered. */
export async function acknowledgeRequest(deps: Platform, act: ActionOn): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockOpen(trx, act.id);
    await setAcknowledged(trx, act.id, deps.clock.now());
    await auditRequest(trx, deps, act, 'acknowledged');
  });
}

/** Adds a note to a request. @throws Problem `not-found`, also if it is answered. */
export async function addRequestNote(deps: Platform, act: ActionOn, text: string): Promise<void> {
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    await lockOpen(trx, act.id);
    await insertNote(trx, act.id, { id: newId(at.getTime()), at, byName: act.caller.name, text });
    await auditRequest(trx, deps, act, 'note_added');
  });
}

/** Stores what somebody answered, which finishes the request. @throws Problem `not-found`, also if it is answered. */
export async function answerRequest(deps: Platform, act: ActionOn, answer: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await lockOpen(trx, act.id);
    await setAnswered(trx, act.id, { answer, byName: act.caller.name, at: deps.clock.now() });
    await auditRequest(trx, deps, act, 'answered');
  });
}

async function lockOpen(trx: Trx, id: string): Promise<void> {
  if (!isUuid(id) || !(await lockOpenRequest(trx, id))) throw new Problem(notFound);
}

function auditRequest(
  trx: Trx,
  { clock }: Platform,
  { caller, id, ipAddress }: ActionOn,
  what: 'read' | 'assigned' | 'acknowledged' | 'note_added' | 'answered',
  details?: Record<string, unknown>,
): Promise<void> {
  return recordAudit(trx, {
    at: clock.now(),
    actor: actorOf(caller, ipAddress),
    action: `record_request.${what}`,
    subject: { type: 'record_request', id },
    ...(details && { details }),
  });
}
