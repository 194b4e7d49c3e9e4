import type { Caller } from '../accounts/index.ts';
import { newId } from '../platform/ids/index.ts';
import { Problem, tooLarge, unprocessable } from '../platform/problem/index.ts';
import { type Addition, addToReferral } from './add-to-referral.ts';
import { insertAttachment, sumAttachments } from './attachments-store.ts';
import { authorOf } from './author.ts';
import type { ReferralDeps } from './deps.ts';
import { fileName, kindOf } from './file-kind.ts';
import { presentAttachment } from './present-parts.ts';
import { wrongState } from './problems.ts';

export const largestFileBytes = 10 * 1024 * 1024;
const mostFiles = 20;
const mostBytes = 50 * 1024 * 1024;

export type UploadedFile = { name: string; content: Buffer };

/**
 * Keeps a file with a referral, for both sides.
 * @throws Problem `not-found`, `forbidden`, `wrong-state`, `unprocessable` for what is no PDF, PNG or JPEG, `too-large`
 * where the referral has enough of them, `idempotency-key-reused`.
 */
export function attachFile(
  deps: ReferralDeps,
  caller: Caller,
  { file, ...addition }: Addition & { file: UploadedFile },
): Promise<ReturnType<typeof presentAttachment>> {
  const { name, content } = file;
  const size = content.length;
  const sameFile = addition.idempotencyKey !== undefined && {
    name,
    content: deps.secrets.hashText('idempotent file', content.toString('latin1')),
  };
  const kind = { request: { ...sameFile }, action: 'referral.file_attached', is: 'attachment' } as const;
  return addToReferral(deps, caller, addition, kind, async (trx, { referral }, at) => {
    if (referral.status === 'entered-in-error')
      throw new Problem(wrongState, 'It is entered-in-error, so nothing is added to it.');
    const type = kindOf(content);
    if (!type) {
      const errors = [{ pointer: '/file', message: 'must be a PDF, PNG or JPEG file' }];
      throw new Problem(unprocessable, 'What it is called does not matter, but what it is.', { errors });
    }
    // The referral is locked, so that two together are not more than is allowed.
    const { count, bytes } = await sumAttachments(trx, referral.id);
    if (count >= mostFiles || bytes + size > mostBytes)
      throw new Problem(tooLarge, `A referral has at most ${mostFiles} files, of 50 megabytes together.`);
    const attachment = {
      id: newId(at.getTime()),
      at,
      ...authorOf(caller),
      name: fileName(name, type.ending),
      mediaType: type.mediaType,
      size,
    };
    await insertAttachment(trx, referral.id, attachment, content);
    return presentAttachment(attachment);
  });
}
