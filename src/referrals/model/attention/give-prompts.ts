import { recordAudits, siteActor } from '../../../audit/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { type OwnedPrompt, savePrompts } from './prompts-store.ts';

/** Stores the prompts that somebody is told of now, with an audit entry for each. */
export async function givePrompts(trx: Trx, prompts: readonly OwnedPrompt[], at: Date): Promise<void> {
  if (prompts.length === 0) return;
  await savePrompts(trx, prompts, at);
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
