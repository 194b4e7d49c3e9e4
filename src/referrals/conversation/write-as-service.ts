import type { Actor } from '../../audit/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { newId } from '../../platform/ids/index.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { lockReferral } from '../model/store.ts';
import { requireUsable } from '../model/usable.ts';
import { storeFile, type UploadedFile } from './attachments.ts';
import { storeMessage } from './messages.ts';

/** The simulator has no account. */
const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * On a test site the simulator writes in place of the service’s staff, and may attach a file.
 * @throws Problem `referral-restricted`, `referral-erased`.
 */
export async function writeAsService(
  deps: ReferralDeps,
  trx: Trx,
  referralId: string,
  { text, file }: { text: string; file?: UploadedFile | undefined },
  actor: Actor,
): Promise<void> {
  const referral = await lockReferral(trx, referralId);
  if (!referral || referral.requested_at === null) return;
  requireUsable(referral);
  const at = deps.clock.now();
  const author = {
    authorId: nobody,
    authorName: actor.name,
    authorOrganisation: null,
    authorOrganisationId: null,
  };
  if (file) await storeFile(deps, trx, referral, file, { ...author, at, scanned: false, actor });
  const message = { id: newId(at.getTime()), at, side: 'provider' as const, ...author, text };
  await storeMessage(deps, trx, { referral, message, sides: ['provider'], actor });
}
