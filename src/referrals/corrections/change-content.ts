import type { Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { HistoryActor } from '../model/actors/authors.ts';
import { updateDanger } from '../model/attention/dangers.ts';
import { deletePrompts } from '../model/attention/prompts-store.ts';
import { mustBeOpenedSoon, watchAgain, watchUntilSeen } from '../model/attention/watches.ts';
import { endWatches } from '../model/attention/watches-store.ts';
import type { ContentChange, ReferralDeps } from '../model/deps.ts';
import type { FieldChange } from '../model/history-store.ts';
import { isRiskToRead } from '../model/person/danger/risk.ts';
import type { Referral } from '../model/referral.ts';
import { type ContentUpdate, updateContent } from '../model/referrals-store.ts';

/** What is changed, by whom and when. */
export type ContentEdit = Pick<ContentChange, 'by' | 'at' | 'endFollows'> & {
  kind: 'correction' | 'agreement' | 'things-have-changed';
  changes: FieldChange[];
  actor: HistoryActor;
};

/**
 * Stores the new content of a locked referral with a line of its history, and has everybody told who must know. What the service must not
 * miss is watched until somebody there has seen it.
 */
export async function changeContent(
  trx: Trx,
  deps: Pick<ReferralDeps, 'roomsAbove' | 'settings'>,
  referral: Referral,
  update: ContentUpdate,
  { kind, changes, by, endFollows, actor, at }: ContentEdit,
): Promise<Referral> {
  const changed = await updateContent(trx, referral, update, { details: { kind, changes }, actor, at });
  await updateDanger(trx, deps.settings, { before: referral, after: changed }, at);
  if (by === 'referrer')
    await watchCorrection(trx, deps.settings, { before: referral, changed, kind, changes, actor, at });
  if (changed.gp_practice?.ods_code !== referral.gp_practice?.ods_code)
    await deletePrompts(trx, referral.id, ['practice-closed']);
  const change = { referral: changed, before: referral, kind, by, endFollows, actorId: actor.id, at };
  await deps.roomsAbove.onContentChange(trx, change);
  return changed;
}

/** Fields whose change the service must not miss: to go on as before could harm the person. */
const watchedFields = [
  'patient.address',
  'patient.telephone',
  'patient.email',
  'patient.preferred_contact',
  'contact',
  'do_not_show_online',
  'safety_notes',
  'urgency',
  'consent.share_with_gp',
];

type CorrectionResult = Pick<ContentEdit, 'kind' | 'changes' | 'actor' | 'at'> & {
  before: Referral;
  changed: Referral;
};

/**
 * Watches a correction until somebody of the service sees it. If it makes the referral urgent, or tells of a risk, the referral is watched
 * like a new urgent one. A life change is watched already, until a named person confirms that they read it.
 */
async function watchCorrection(
  trx: Trx,
  settings: ReferralDeps['settings'],
  { before, changed, kind, changes, actor, at }: CorrectionResult,
): Promise<void> {
  if (kind === 'things-have-changed') return;
  const authorId = actor.id ?? changed.referrerAccountId;
  const hasRisk = ({ content }: Referral) => isRiskToRead(content, settings.crisisPhrases);
  const isRaised = changed.urgency === 'urgent' && before.urgency !== 'urgent';
  if (isRaised || (hasRisk(changed) && !hasRisk(before)))
    return watchAgain(trx, settings, changed, authorId, at);
  // A referral that became routine before anybody opened it is still watched.
  const isLowered = before.urgency === 'urgent' && changed.urgency === 'routine';
  const wasWatched = mustBeOpenedSoon(before, settings.crisisPhrases);
  if (wasWatched && !isLowered && !mustBeOpenedSoon(changed, settings.crisisPhrases))
    await endWatches(trx, [changed.id]);
  if (!changes.some(({ field }) => watchedFields.includes(field))) return;
  const id = newId(at.getTime());
  await watchUntilSeen(trx, settings, changed, {
    id,
    kind: 'correction',
    unseenBy: 'provider',
    authorId,
    at,
  });
}
