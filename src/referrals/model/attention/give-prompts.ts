import { recordAudits, siteActor } from '../../../audit/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { recordEvents } from '../../../platform/events/index.ts';
import { promptKindsShownToReferrer } from './prompts.ts';
import { type OwnedPrompt, savePrompts } from './prompts-store.ts';

/** Stores the prompts that somebody is told of now, with an audit entry and an event for each. Drafts cause no events. */
export async function givePrompts(trx: Trx, prompts: readonly OwnedPrompt[], at: Date): Promise<void> {
  if (prompts.length === 0) return;
  await savePrompts(trx, prompts, at);
  const events = prompts
    .filter(({ kind }) => kind !== 'draft-waiting')
    .map(({ referralId, kind, side }) => ({
      type: 'referral.prompted' as const,
      resource: { type: 'referral', id: referralId, path: `/api/referrals/${referralId}` },
      referralId,
      side: promptKindsShownToReferrer.includes(kind) ? ('referrer' as const) : side,
    }));
  await recordEvents(trx, events, at);
  await recordAudits(
    trx,
    prompts.map(({ referralId, kind, ownerId }) => ({
      at,
      actor: siteActor,
      action: 'referral.prompted',
      subject: { type: 'referral', id: referralId },
      details: { kind, owner: ownerId },
    })),
  );
}
