import { actorOf, type Caller } from '../../accounts/index.ts';
import { type Actor, recordAudit, withRefusalAudit } from '../../audit/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import { Problem } from '../../platform/problem/index.ts';
import { requireReason } from '../../platform/reason.ts';
import { deleteKeptContent } from '../conversation/attachments-store.ts';
import { requireAnonymousReason } from '../model/access/operator-reason.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { type PresentedReferral, presentStored } from '../model/presentation/present.ts';
import { wrongState } from '../model/problems.ts';
import { lockReferral } from '../model/referrals-store.ts';
import { changeRecord, type RecordChangeRequest } from './change-record.ts';
import { findReferralsOfOnePerson, type PatientDetails } from './find-person.ts';
import { insertBlock, liftBlock } from './records-store.ts';

/**
 * Puts a referral on legal hold: until that is lifted, nothing erases it. Both sides go on working with it.
 * @throws Problem `not-found`, `wrong-state` if it is held already, `referral-erased`, `unprocessable`.
 */
export function holdReferral(
  deps: ReferralDeps,
  caller: Caller,
  request: RecordChangeRequest,
): Promise<PresentedReferral> {
  return changeRecord(deps, caller, request, 'referral.held', async (trx, { referral, by, attempt }) => {
    if (referral.legalHoldAt !== null) throw new Problem(wrongState, 'It is held already.');
    await hold(trx, referral.id, by, attempt.actor);
  });
}

/**
 * Holds all referrals and drafts of one person that are not held yet. @returns the status of each, as a search does.
 * @throws Problem `unprocessable` for too few details of the person, and for a reason that names them.
 */
export function holdPerson(
  deps: ReferralDeps,
  caller: Caller,
  { person, ipAddress, reason: givenReason }: { person: PatientDetails; ipAddress: string; reason: string },
): Promise<PresentedReferral[]> {
  const at = deps.clock.now();
  const actor = actorOf(caller, ipAddress);
  return withRefusalAudit(deps, { actor, action: 'patient.held' }, () =>
    inRetriedTransaction(deps.db, async (trx) => {
      const reason = requireReason(givenReason);
      const referrals = await findReferralsOfOnePerson(trx, deps, person);
      for (const { content } of referrals) requireAnonymousReason(reason, content);
      const by = { accountId: caller.accountId, name: caller.name, reason, at };
      const presented: PresentedReferral[] = [];
      for (const { id } of referrals) {
        const referral = (await lockReferral(trx, id))!;
        if (referral.legalHoldAt === null && referral.erasedAt === null)
          await hold(trx, referral.id, by, actor);
        presented.push(await presentStored(trx, deps, caller, id, at));
      }
      return presented;
    }),
  );
}

/**
 * Lifts the hold. The record can be erased again, on request or by the rule, and files that were removed meanwhile are deleted.
 * @throws Problem `not-found`, `wrong-state` if it is not held, `referral-erased`, `unprocessable`.
 */
export function liftHold(
  deps: ReferralDeps,
  caller: Caller,
  request: RecordChangeRequest,
): Promise<PresentedReferral> {
  return changeRecord(
    deps,
    caller,
    request,
    'referral.hold-lifted',
    async (trx, { referral, by, attempt }) => {
      const { reason, at } = by;
      if (referral.legalHoldAt === null) throw new Problem(wrongState, 'It is not held.');
      await liftBlock(trx, 'hold', referral.id, by);
      if (await deleteKeptContent(trx, referral.id))
        await addKeyedJob(trx, 'vacuum-erased', {}, { key: 'vacuum-erased', inSeconds: 60 });
      const subject = { type: 'referral', id: referral.id };
      await recordAudit(trx, { at, ...attempt, subject, details: { reason } });
    },
  );
}

type HoldAuthor = { accountId: string; name: string; reason: string; at: Date };

async function hold(trx: Trx, id: string, by: HoldAuthor, actor: Actor): Promise<void> {
  const { reason, at } = by;
  await insertBlock(trx, 'hold', id, { ...by, id: newId(at.getTime()) });
  const subject = { type: 'referral', id };
  await recordAudit(trx, { at, actor, action: 'referral.held', subject, details: { reason } });
}
