import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { type Db, inTransaction, notify } from '../../platform/database/index.ts';
import { newId, requireById } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import {
  defaultSeconds,
  eventsOperation,
  maxTroubles,
  refreshOperation,
  type Trouble,
  type TroubleKind,
  timedTroubles,
  troubleLifetimeMs,
  troublesOfCalls,
  troublesOfRefresh,
} from './trouble.ts';
import {
  deleteTroubles,
  findTrouble,
  insertTrouble,
  listTroubles,
  lockAndCountTroubles,
} from './troubles-store.ts';

/** The notice that an account has other troubles than before. */
export const troublesChanged = 'troubles';

export type TroubleInput = {
  kind: TroubleKind;
  calls?: number | undefined;
  operationId?: string | undefined;
  seconds?: number | undefined;
};

/**
 * Simulates a failure on the next calls of the caller's own account.
 * @param operations those that can be made to fail.
 * @throws Problem `unprocessable`.
 */
export async function addTrouble(
  deps: Platform,
  caller: Caller,
  {
    input,
    operations,
    ipAddress,
  }: { input: TroubleInput; operations: ReadonlySet<string>; ipAddress: string },
): Promise<Trouble> {
  const errors = troubleErrors(input, operations);
  if (errors.length > 0)
    throw new Problem(unprocessable, 'This failure cannot be simulated here.', { errors });
  const { kind, calls = 1, operationId = null, seconds = defaultSeconds } = input;
  const at = deps.clock.now();
  const trouble: Trouble = {
    id: newId(at.getTime()),
    kind,
    operationId,
    calls,
    played: 0,
    seconds: timedTroubles.includes(kind) ? seconds : null,
    createdAt: at,
    endsAt: new Date(at.getTime() + troubleLifetimeMs),
  };
  await inTransaction(deps.db, async (trx) => {
    if ((await lockAndCountTroubles(trx, caller.accountId, at)) >= maxTroubles)
      throw new Problem(
        unprocessable,
        `${maxTroubles} wait already. Clear them, with DELETE /api/simulator/troubles.`,
      );
    await insertTrouble(trx, caller.accountId, trouble);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'simulator.trouble_added',
      subject: { type: 'account', id: caller.accountId },
      details: { kind, calls, operation_id: operationId ?? undefined },
    });
    await notify(trx, troublesChanged, '');
  });
  return trouble;
}

function troubleErrors(
  { kind, operationId, seconds }: TroubleInput,
  operations: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  if (seconds !== undefined && !timedTroubles.includes(kind))
    errors.push({ pointer: '/retry_after', message: `is only for ${timedTroubles.join(', ')}` });
  if (operationId !== undefined && !operations.has(operationId))
    errors.push({
      pointer: '/operation_id',
      message:
        'is no operation that a failure can be played on: send the operationId of a call of /api, such as createReferral',
    });
  else if (operationId !== undefined && !kindsOf(operationId).includes(kind))
    errors.push({ pointer: '/operation_id', message: `cannot have a trouble of the kind ${kind}` });
  return errors;
}

/** The kinds of trouble that can be played on a named operation. */
export function kindsOf(operationId: string): readonly TroubleKind[] {
  if (operationId === refreshOperation) return troublesOfRefresh;
  return operationId === eventsOperation ? [...troublesOfCalls, 'event-gap'] : troublesOfCalls;
}

export function listOwnTroubles({ db, clock }: Platform, caller: Caller): Promise<Trouble[]> {
  return listTroubles(db, caller.accountId, clock.now());
}

/** @throws Problem `not-found`, including for the trouble of another account. */
export async function readOwnTrouble(
  { db, clock }: { db: Db; clock: Platform['clock'] },
  caller: Caller,
  id: string,
): Promise<Trouble> {
  const found = await requireById(id, (id) => findTrouble(db, caller.accountId, id, clock.now()));
  return found;
}

/** Forgets all troubles of the caller's own account, played or not. */
export async function clearTroubles(deps: Platform, caller: Caller, ipAddress: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if ((await deleteTroubles(trx, caller.accountId)) === 0) return;
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(caller, ipAddress),
      action: 'simulator.troubles_cleared',
      subject: { type: 'account', id: caller.accountId },
    });
    await notify(trx, troublesChanged, '');
  });
}
