import type { Trx } from '../../platform/database/index.ts';
import type { ContentChange, ReferralDeps } from '../model/deps.ts';
import { watchUrgent } from '../model/due/unseen.ts';
import { deletePrompts } from '../model/prompts-store.ts';
import type { HistoryActor, Referral } from '../model/referral.ts';
import { type ContentUpdate, type FieldChange, updateContent } from '../model/store.ts';

type Change = Pick<ContentChange, 'by' | 'at'> & {
  kind: 'correction' | 'agreement' | 'things-have-changed';
  changes: FieldChange[];
  actor: HistoryActor;
};

/**
 * Stores what a locked referral says from now on, with a line of its history, and has everybody told who must know. One that
 * became urgent is watched until the service has seen it.
 */
export async function changeContent(
  deps: Pick<ReferralDeps, 'referralListener'>,
  trx: Trx,
  referral: Referral,
  update: ContentUpdate,
  { kind, changes, by, actor, at }: Change,
): Promise<Referral> {
  const changed = await updateContent(trx, referral, update, { details: { kind, changes }, actor, at });
  if (changed.urgency !== referral.urgency) await watchUrgent(trx, [changed], at);
  if (changed.gp_practice?.ods_code !== referral.gp_practice?.ods_code)
    await deletePrompts(trx, referral.id, ['practice-closed']);
  const change = { referral: changed, before: referral, kind, by, actorId: actor.id, at };
  await deps.referralListener.onContentChange(trx, change);
  return changed;
}
