import { Readable } from 'node:stream';
import { requireCaller } from '../accounts/index.ts';
import type { Reply, Request } from '../platform/http/index.ts';
import { piecesOf } from './attachments-store.ts';
import type { ReferralDeps } from './deps.ts';
import { readAttachment } from './read-part.ts';

/** Answers with a file as something to save: whatever is in it, no browser shows it as a part of this site. */
export async function sendAttachment(
  deps: ReferralDeps,
  request: Request,
  reply: Reply,
  which: { referralId: string; id: string },
): Promise<Reply> {
  const file = await readAttachment(deps, requireCaller(request), { ...which, address: request.ip });
  const plain = file.name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const disposition = `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file.name)}`;
  return reply
    .headers({
      'content-disposition': disposition,
      'content-length': file.size,
      'x-content-type-options': 'nosniff',
    })
    .type(file.mediaType)
    .send(Readable.from(piecesOf(deps.db, file), { objectMode: false }));
}
