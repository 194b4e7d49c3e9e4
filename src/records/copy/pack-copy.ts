import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit, withRefusalAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import { reasonErrors } from '../../platform/reason.ts';
import { newReference, type PatientDetails, packPerson, type ReferralDeps } from '../../referrals/index.ts';
import { collectRecord } from './collect-record.ts';
import { findCopy, insertCopy, type StoredCopy } from './copies-store.ts';
import type { OptOut, Purpose } from './schemas.ts';

export type CopyRequest = {
  person: PatientDetails;
  reason: string;
  purpose: Purpose;
  optOut: OptOut | undefined;
  ipAddress: string;
};

/**
 * Packs everything that the site holds about one person, for somebody to review before it is handed out.
 * @returns undefined if the site holds nothing about such a person.
 * @throws Problem `unprocessable` for too few details of the person, a reason that names them, or a copy for use beyond care without a
 * decision about the opt-out.
 */
export async function packCopy(
  deps: ReferralDeps,
  caller: Caller,
  { purpose, optOut, ipAddress, ...request }: CopyRequest,
): Promise<StoredCopy | undefined> {
  const actor = actorOf(caller, ipAddress);
  const at = deps.clock.now();
  // The refusal of a reason can reveal that the site knows somebody of that name, so refusals are audited too.
  return withRefusalAudit(deps, { actor, action: 'patient.packed' }, () =>
    inTransaction(deps.db, async (trx) => {
      const errors = optOutErrors(purpose, optOut);
      if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
      const { records, reason, keys } = await packPerson(trx, deps, caller, { ...request, ipAddress });
      if (records.length === 0) return undefined;
      const id = newId(at.getTime());
      const copy = {
        id,
        reference: newReference(),
        packedAt: at,
        packedBy: caller.accountId,
        packedByName: caller.name,
        reason,
        purpose,
        optOut: optOut ?? null,
        keys,
      };
      await insertCopy(trx, copy, await collectRecord(trx, records));
      const details = { purpose, ...(optOut && { opt_out: optOut.decision }) };
      const subject = { type: 'record_copy', id };
      await recordAudit(trx, { at, actor, action: 'record_copy.packed', subject, details });
      return findCopy(trx, id);
    }),
  );
}

/** A copy for use beyond care needs a decision about the national data opt-out, and no other copy may have one. */
function optOutErrors(purpose: Purpose, optOut: OptOut | undefined): FieldError[] {
  if (purpose !== 'beyond_care')
    return optOut
      ? [
          {
            pointer: '/opt_out',
            message: 'is only for a copy whose purpose is beyond_care',
            code: 'needless',
          },
        ]
      : [];
  if (!optOut)
    return [
      {
        pointer: '/opt_out',
        message: 'is required where purpose is beyond_care: say what was decided about the opt-out',
        code: 'required',
      },
    ];
  return reasonErrors(optOut.because).map((error) => ({ ...error, pointer: '/opt_out/because' }));
}
