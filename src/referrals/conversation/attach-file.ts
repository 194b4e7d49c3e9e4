import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction, inTransaction, type Trx } from '../../platform/database/index.ts';
import {
  type App,
  fileRouteOptions,
  installUploads,
  noToken,
  problemAnswers,
  withToken,
  withUpload,
} from '../../platform/http/index.ts';
import { newId } from '../../platform/ids/index.ts';
import { Problem, tooLarge } from '../../platform/problem/index.ts';
import { lockForSides } from '../model/access/access.ts';
import { writingSide } from '../model/access/sides.ts';
import { type Author, authorOf } from '../model/actors/authors.ts';
import { watchFile } from '../model/attention/watches.ts';
import type { ReferralDeps } from '../model/deps.ts';
import {
  type KeyedAnswer,
  type KeyedRequest,
  keepAnswer,
  keyedRequest,
  replayOrRefuse,
} from '../model/idempotency/idempotency.ts';
import { markReplayed } from '../model/presentation/http.ts';
import { wrongState } from '../model/problems.ts';
import { type Draft, isSent, type Referral } from '../model/referral.ts';
import { setUpdated } from '../model/referrals-store.ts';
import {
  idempotencyHeaders,
  idParams,
  notYours,
  restrictedOrErased,
  tags,
} from '../model/schemas/route-parts.ts';
import type { Side } from '../model/status/state-machine.ts';
import { type Attachment, insertAttachment, sumAttachments } from './attachments-store.ts';
import { describeFile, scanUploaded, type UploadedFile } from './check-upload.ts';
import { attachmentSchema, type PresentedAttachment, presentAttachment } from './read-attachments.ts';

export const maxFileBytes = 10 * 1024 * 1024;
export const maxFiles = 20;
export const maxReferralBytes = 50 * 1024 * 1024;

/**
 * Attaches a file to a referral, for both sides to read.
 * @throws Problem `not-found`, `forbidden` for somebody on neither side, `wrong-state`, `unprocessable` for anything but a
 * PDF, PNG or JPEG and for a virus, `too-large` when the referral has too many files, `still-in-progress`, `idempotency-key-reused`.
 */
export async function attachFile(
  deps: ReferralDeps,
  caller: Caller,
  upload: { referralId: string; file: UploadedFile; ipAddress: string; idempotencyKey?: string | undefined },
): Promise<KeyedAnswer<PresentedAttachment>> {
  const startedAt = deps.clock.now();
  const scanned = await scanBeforeStoring(deps, caller, upload, startedAt);
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral, sides } = await lockForSides(trx, caller, upload.referralId, startedAt);
    // The time is taken after the scan and the lock. Otherwise somebody who read the page meanwhile would count as having seen this file.
    const at = deps.clock.now();
    const request = requestWithFile(deps, caller, referral.id, upload);
    const earlier = await replayOrRefuse<PresentedAttachment>(trx, deps, request);
    if (earlier) return { answer: earlier, isReplayed: true };
    if (referral.status === 'entered-in-error')
      throw new Problem(wrongState, 'The referral was sent by mistake, so files cannot be added.');
    const author = { ...authorOf(caller), actor: actorOf(caller, upload.ipAddress) };
    const side = writingSide(sides)!;
    const attachment = await storeFile(trx, deps, referral, upload.file, { ...author, side, at, scanned });
    const answer = presentAttachment(attachment);
    await keepAnswer(trx, request, { referralId: referral.id, answer, at });
    return { answer, isReplayed: false };
  });
}

/**
 * Stores a file, and tells of it unless the referral is still a draft.
 * @throws Problem `unprocessable`, `too-large`
 */
export async function storeFile(
  trx: Trx,
  { roomsAbove, settings }: Pick<ReferralDeps, 'roomsAbove' | 'settings'>,
  referral: Referral | Draft,
  file: UploadedFile,
  { actor, ...details }: Author & { side: Side; at: Date; scanned: boolean; actor: Actor },
): Promise<Attachment> {
  const attachment = { id: newId(details.at.getTime()), ...details, ...describeFile(file), ...notRemoved };
  const { id: referralId } = referral;
  await requireSpace(trx, referralId, attachment.size);
  await insertAttachment(trx, referralId, attachment, file.content);
  await setUpdated(trx, referralId, details.at);
  if (isSent(referral)) {
    const { id: attachmentId, name, side, at, authorId: actorId } = attachment;
    await watchFile(trx, settings, referral, attachment, at);
    await roomsAbove.onFile(trx, { referral, attachmentId, name, side, actorId, at });
  }
  await recordAudit(trx, {
    at: details.at,
    actor,
    action: 'referral.file_attached',
    subject: { type: 'referral', id: referralId },
    details: { attachment: attachment.id },
  });
  return attachment;
}

const notRemoved = {
  openedAt: null,
  openedByName: null,
  removedAt: null,
  removedByName: null,
  removedByOrganisation: null,
  reason: null,
  isKept: false,
};

/**
 * Has a scanner look at the file, if the site has one: before the transaction, because scanning is slow, and only for those who may attach
 * it. If the scanner does not work, operators learn of it; if it finds a virus, the audit keeps who sent the file.
 * @returns whether a scanner has looked at the file
 * @throws Problem as `attachFile`
 */
async function scanBeforeStoring(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, file, ipAddress }: { referralId: string; file: UploadedFile; ipAddress: string },
  at: Date,
): Promise<boolean> {
  // Without a scanner there is nothing to check first, so the referral is not locked for it.
  if (deps.settings.scanUrl === undefined) return false;
  await inTransaction(deps.db, (trx) => lockForSides(trx, caller, referralId, at));
  return scanUploaded(deps, file, { referralId, actor: actorOf(caller, ipAddress), at });
}

/** A repeated upload is recognised by a hash of the file. */
function requestWithFile(
  { secrets }: ReferralDeps,
  { accountId }: Caller,
  referralId: string,
  { file, idempotencyKey }: { file: UploadedFile; idempotencyKey?: string | undefined },
): KeyedRequest | undefined {
  if (idempotencyKey === undefined) return undefined;
  const content = secrets.hashText('idempotent file', file.content.toString('latin1'));
  return keyedRequest({ secrets }, accountId, idempotencyKey, {
    referral: referralId,
    name: file.name,
    content,
  });
}

/** Checked while the referral is locked, so that two uploads at once cannot exceed the limits together. @throws Problem `too-large` */
async function requireSpace(trx: Trx, referralId: string, size: number): Promise<void> {
  const { count, bytes } = await sumAttachments(trx, referralId);
  if (count >= maxFiles || bytes + size > maxReferralBytes)
    throw new Problem(tooLarge, `A referral has at most ${maxFiles} files, of 50 megabytes together.`);
}

export function attachFileRoute(app: App, deps: ReferralDeps): void {
  installUploads(app, maxFileBytes, (scope) => addRoute(scope, deps));
}

function addRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/attachments',
    {
      config: { access: withToken(), scope: 'referrals:write' },
      validatorCompiler: fileRouteOptions.validatorCompiler,
      schema: {
        operationId: 'attachFile',
        tags,
        summary: 'Attach a file to a referral',
        description:
          'A PDF, PNG or JPEG of at most 10 megabytes, as multipart/form-data in the field `file`. What it is called does not matter: its first octets say what it is. A referral has at most 20 files, of 50 megabytes together. The other side’s system is told by the event `attachment.created`, once the referral was sent. It changes neither the status nor the version; `updated_at` moves.',
        ...fileRouteOptions.schema,
        params: idParams,
        headers: idempotencyHeaders,
        response: {
          201: attachmentSchema,
          ...problemAnswers({
            400: 'There is no file.',
            401: noToken,
            403: 'You are on neither side of the referral.',
            404: notYours,
            409: `The referral was sent by mistake. ${restrictedOrErased}`,
            413: 'The file is too large, or the referral has reached its limit of files.',
            415: 'The file is not sent as multipart/form-data.',
            422: 'The file is not a PDF, PNG or JPEG, it has a virus, or the idempotency key was used for another request.',
          }),
        },
      },
    },
    async (request, reply) => {
      const { id: referralId } = request.params;
      const { answer, isReplayed } = await withUpload(request, (file) =>
        attachFile(deps, requireCaller(request), {
          referralId,
          file,
          ipAddress: request.ip,
          idempotencyKey: request.headers['idempotency-key'],
        }),
      );
      const location = `${deps.settings.baseUrl}/api/referrals/${referralId}/attachments/${answer.id}`;
      return markReplayed(reply.code(201).header('location', location), isReplayed).send(answer);
    },
  );
}
