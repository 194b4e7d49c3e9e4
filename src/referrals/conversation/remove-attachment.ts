import { type Static, Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { inRetriedTransaction, type Trx } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/html/index.ts';
import { type App, noOtherFields, problemAnswers, withToken } from '../../platform/http/index.ts';
import { newId, requireById } from '../../platform/ids/index.ts';
import { addKeyedJob } from '../../platform/jobs/index.ts';
import { forbidden, Problem, unprocessable } from '../../platform/problem/index.ts';
import { reasonErrors } from '../../platform/reason.ts';
import { cleanText } from '../../platform/visible-text.ts';
import { type AuthorisedReferral, lockForAnyReader } from '../model/access/access.ts';
import { requireKnownService } from '../model/access/hide-sensitive-services.ts';
import { authorOf, historyActorOf } from '../model/actors/authors.ts';
import { endWatches } from '../model/attention/watches-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { replaceKeptAnswer } from '../model/idempotency/idempotency-store.ts';
import { type Draft, isSent, type Referral } from '../model/referral.ts';
import { setUpdated, updateContent } from '../model/referrals-store.ts';
import {
  badBody,
  notYours,
  orServiceHidden,
  restrictedOrErased,
  tags,
} from '../model/schemas/route-parts.ts';
import { type Attachment, findAttachment, type Removal, removeContent } from './attachments-store.ts';
import { storeMessage } from './messages.ts';
import { attachmentSchema, fileParams, presentAttachment } from './read-attachments.ts';
import { type RemovalReason, removalCodes, removalInWords } from './removal-reasons.ts';

type RemovalRequest = {
  referralId: string;
  id: string;
  reason: Static<typeof reasonSchema>;
  ipAddress: string;
};

/**
 * Removes a file that was attached by mistake, such as the letter of another patient. If somebody of the other side has opened it, they are
 * asked to delete their copies. Once it is removed, a second call changes nothing and gets the same answer.
 * @throws Problem `not-found`, `forbidden` for the side that did not attach it and for an operator who has not opened the referral,
 * `unprocessable`, `referral-restricted`, `referral-erased`.
 */
export function removeAttachment(
  deps: ReferralDeps,
  caller: Caller,
  request: RemovalRequest,
): Promise<ReturnType<typeof presentAttachment>> {
  const at = deps.clock.now();
  return inRetriedTransaction(deps.db, async (trx) => {
    const authorised = await lockForAnyReader(trx, caller, request.referralId, at);
    const attachment = await authoriseRemoval(trx, caller, authorised, request.id);
    if (attachment.removedAt !== null) return presentAttachment(attachment);
    const reason = requireRemovalReason(request.reason);
    const { referral } = authorised;
    const by = authorOf(caller);
    const removal = { at, byName: by.authorName, byOrganisation: by.authorOrganisation, reason };
    const actor = actorOf(caller, request.ipAddress);
    const action = 'referral.file_removed';
    const { wasOpened } = (await removeFile(trx, deps, { referral, attachmentId: attachment.id }, removal, {
      actor,
      action,
    }))!;
    const removed = (await findAttachment(trx, referral.id, attachment.id))!;
    const answer = presentAttachment(removed);
    await replaceKeptAnswer(trx, referral.id, answer);
    if (!isSent(referral)) return answer;
    const next = await noteInHistory(trx, referral, { attachment, reason, caller, at });
    await deps.roomsAbove.onFileRemoved(trx, { referral: next, attachmentId: attachment.id, at });
    if (wasOpened) {
      const message = {
        id: newId(at.getTime()),
        at,
        side: attachment.side,
        ...by,
        text: deleteYourCopies(attachment, reason),
      };
      await storeMessage(trx, deps, { referral: next, message, isNewsOfPerson: false, actor });
    }
    return answer;
  });
}

/**
 * Deletes a file of a locked referral for good, except on legal hold, and audits it.
 * @returns whether somebody of the other side had opened it; undefined if it was removed before
 */
export async function removeFile(
  trx: Trx,
  { roomsAbove }: Pick<ReferralDeps, 'roomsAbove'>,
  { referral, attachmentId }: { referral: Referral | Draft; attachmentId: string },
  removal: Removal,
  { actor, action }: { actor: Actor; action: 'referral.file_removed' | 'referral.file_blocked' },
): Promise<{ wasOpened: boolean } | undefined> {
  const { id, legalHoldAt } = referral;
  const isOnLegalHold = legalHoldAt !== null;
  const removed = await removeContent(trx, attachmentId, { ...removal, isOnLegalHold });
  if (!removed) return undefined;
  await endWatches(trx, [attachmentId]);
  await roomsAbove.onFileDeleted(trx, { referralId: id, attachmentId, at: removal.at });
  if (!isOnLegalHold) await addKeyedJob(trx, 'vacuum-erased', {}, { key: 'vacuum-erased', inSeconds: 60 });
  await recordAudit(trx, {
    at: removal.at,
    actor,
    action,
    subject: { type: 'referral', id },
    // Not the words: the audit keeps them for good, and they may name somebody.
    details: { attachment: attachmentId, reason: removal.reason.code },
  });
  await setUpdated(trx, id, removal.at);
  return removed;
}

/** @throws Problem `not-found`, `forbidden` */
async function authoriseRemoval(
  trx: Trx,
  caller: Caller,
  { referral, sides, gaveReason }: AuthorisedReferral,
  id: string,
): Promise<Attachment> {
  if (sides.length === 0 && !gaveReason)
    throw new Problem(
      forbidden,
      'This is for the side that attached the file. An operator opens the referral first.',
    );
  if (sides.length > 0) await requireKnownService(trx, { caller, referral });
  const attachment = await requireById(id, (id) => findAttachment(trx, referral.id, id));
  if (sides.length > 0 && !sides.includes(attachment.side))
    throw new Problem(
      forbidden,
      'The other side attached it. Write to them that it was attached by mistake, or ask an operator to remove it.',
    );
  return attachment;
}

/** @throws Problem `unprocessable` for another reason without words */
function requireRemovalReason({ code, text }: RemovalRequest['reason']): RemovalReason {
  const errors = code === 'other' ? reasonErrors(text, { pointer: '/reason/text', request: 'Say why' }) : [];
  if (errors.length > 0) throw new Problem(unprocessable, 'Say why it is removed.', { errors });
  return { code, text: cleanText(text ?? '') };
}

/**
 * Notes that a file was removed, without its name or the words of the reason. From that, later letters to somebody whose earlier
 * letter listed the file say so, too.
 */
function noteInHistory(
  trx: Trx,
  referral: Referral,
  {
    attachment,
    reason,
    caller,
    at,
  }: { attachment: Attachment; reason: RemovalReason; caller: Caller; at: Date },
): Promise<Referral> {
  const from = `A file of ${dayInWords(attachment.at)}`;
  const why = reason.code === 'other' ? '' : `. ${removalInWords({ ...reason, text: '' })}`;
  const to = `Removed: attached by mistake${why}`;
  const details = { kind: 'file-removed' as const, changes: [{ field: 'attachments', from, to }] };
  return updateContent(trx, referral, referral, { details, actor: historyActorOf(caller), at });
}

function deleteYourCopies({ at }: Attachment, reason: RemovalReason): string {
  const why = reason.code === 'about-somebody-else' ? 'It is about somebody else. ' : '';
  return `A file that we attached here on ${dayInWords(at)} was attached by mistake, and we have removed it. ${why}Somebody of your side has opened it. Delete your copies of it, on computers and on paper, and do not use what it says.`;
}

const reasonSchema = Type.Object(
  {
    code: Type.Enum([...removalCodes], { title: 'FileRemovalReasonCode' }),
    text: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'The reason in words, for both sides to read; needed with `other`. It must not say who the other person is.',
      }),
    ),
  },
  { title: 'NewFileRemovalReason', ...noOtherFields },
);

const removalSchema = Type.Object(
  { reason: reasonSchema },
  {
    title: 'NewFileRemoval',
    ...noOtherFields,
    examples: [{ reason: { code: 'about-somebody-else', text: 'A letter for another patient.' } }],
  },
);

export function removeAttachmentRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/attachments/:attachment_id/remove',
    {
      config: { access: withToken(), scope: 'referrals:write' },
      schema: {
        operationId: 'removeAttachment',
        tags,
        summary: 'Remove a file that was attached by mistake',
        description:
          'For the side that attached it, and for an operator who opened the referral. Its content and its name are deleted for good; the list still says that there was a file, who removed it and why. While the referral is on legal hold, operators who open it can still read the file. If somebody of the other side had opened it, a message asks them to delete their copies. The other side’s system is told by the event `attachment.removed`, once the referral was sent. The version grows. To call it again changes nothing.',
        params: fileParams,
        body: removalSchema,
        response: {
          200: attachmentSchema,
          ...problemAnswers({
            ...badBody,
            403: `The other side attached it, or you are on neither side and have not opened the referral.${orServiceHidden}`,
            404: `${notYours} Or it has no such file.`,
            409: restrictedOrErased,
            422: 'The reason is `other`, and its words do not say why.',
          }),
        },
      },
    },
    (request) => {
      const { id: referralId, attachment_id: id } = request.params;
      const removal = { referralId, id, reason: request.body.reason, ipAddress: request.ip };
      return removeAttachment(deps, requireCaller(request), removal);
    },
  );
}
