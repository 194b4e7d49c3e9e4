import { type Actor, recordAudit } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import { Problem, unprocessable } from '../../platform/problem/index.ts';
import { deleteEndMeasuresDue, expectEndMeasures } from '../model/after-acceptance/end-measures-store.ts';
import { isWorrying, maxMeasures, type TakenMeasure } from '../model/after-acceptance/measures.ts';
import { setMeasures } from '../model/after-acceptance/measures-store.ts';
import { noteWorryingAnswer } from '../model/after-acceptance/worrying-answers-store.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import type { Referral } from '../model/referral.ts';

/**
 * Adds measures to a locked referral, for staff or the person, and has somebody look into a worrying one.
 * @throws Problem `unprocessable` where there are too many.
 */
export async function recordMeasures(
  trx: Trx,
  deps: ReferralDeps,
  referral: Referral,
  { added, actor, at }: { added: readonly TakenMeasure[]; actor: Actor; at: Date },
): Promise<Referral> {
  const all = [...(referral.content.measures ?? []), ...added];
  if (all.length > maxMeasures) {
    const message = `cannot be added: a referral has at most ${maxMeasures} measures`;
    throw new Problem(unprocessable, undefined, { errors: [{ pointer: '/measures', message }] });
  }
  const changed = await setMeasures(trx, referral.id, all, at);
  await updateMeasurePrompts(trx, referral.id, { all, added, at });
  await deps.roomsAbove.onFollowUp(trx, { referral: changed, kind: 'measures', before: referral, at });
  await recordAudit(trx, {
    at,
    actor,
    action: 'referral.measured',
    subject: { type: 'referral', id: referral.id },
  });
  return changed;
}

/**
 * Keeps what `update-prompts` makes prompts of: a worrying answer, which somebody looks into, and that the end is still to be measured.
 */
export async function updateMeasurePrompts(
  trx: Trx,
  referralId: string,
  { all, added, at }: { all: readonly TakenMeasure[]; added: readonly TakenMeasure[]; at: Date },
): Promise<void> {
  const isEnd = added.some(({ stage }) => stage === 'end');
  if (isEnd) await deleteEndMeasuresDue(trx, referralId);
  else if (added.some(({ stage }) => stage === 'start')) await expectEndMeasures(trx, referralId, at);
  const needsSomebody = added.some((measure) => isWorrying(all, measure));
  if (needsSomebody) {
    await noteWorryingAnswer(trx, referralId, at);
    // A prompt that was dealt with before would hide this one.
    await deletePrompts(trx, referralId, ['alarming-answer']);
  }
  if (isEnd || needsSomebody) await addJobs(trx, 'update-prompts', [{}]);
}
