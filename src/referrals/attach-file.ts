import { actorOf, type Caller } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { inTransaction } from '../platform/database/index.ts';
import { newId } from '../platform/ids/index.ts';
import { Problem, tooLarge, unprocessable } from '../platform/problem/index.ts';
import { type Attachment, insertAttachment, sumAttachments } from './attachments-store.ts';
import { authorOf } from './author.ts';
import type { ReferralDeps } from './deps.ts';
import { fileName, kindOf } from './file-kind.ts';
import { lockOnSide } from './look-at.ts';
import { wrongState } from './problems.ts';

export const largestFileBytes = 10 * 1024 * 1024;
const mostFiles = 20;
const mostBytes = 50 * 1024 * 1024;

export type UploadedFile = { name: string; content: Buffer };

/**
 * Keeps a file with a referral, for both sides.
 * @throws Problem `not-found`, `forbidden`, `wrong-state`, `unprocessable` for what is no PDF, PNG or JPEG, `too-large`
 * where the referral has enough of them.
 */
export async function attachFile(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, file, address }: { referralId: string; file: UploadedFile; address: string },
): Promise<Attachment> {
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const { referral } = await lockOnSide(trx, caller, referralId, at);
    if (referral.status === 'entered-in-error')
      throw new Problem(wrongState, 'It is entered-in-error, so nothing is added to it.');
    const kind = kindOf(file.content);
    if (!kind) {
      const errors = [{ pointer: '/file', message: 'must be a PDF, PNG or JPEG file' }];
      throw new Problem(unprocessable, 'What it is called does not matter, but what it is.', { errors });
    }
    // The lock lets one at a time come here, so that two together are not more than is allowed.
    const { count, bytes } = await sumAttachments(trx, referral.id);
    const size = file.content.length;
    if (count >= mostFiles || bytes + size > mostBytes)
      throw new Problem(tooLarge, `A referral has at most ${mostFiles} files, of 50 megabytes together.`);
    const attachment = {
      id: newId(at.getTime()),
      at,
      ...authorOf(caller),
      name: fileName(file.name, kind.ending),
      mediaType: kind.mediaType,
      size,
    };
    await insertAttachment(trx, referral.id, attachment, file.content);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, address),
      action: 'referral.file_attached',
      subject: { type: 'referral', id: referral.id },
      details: { attachment: attachment.id },
    });
    return attachment;
  });
}
