import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { type Caller, requireCaller } from '../../accounts/index.ts';
import { mediaTypes } from '../../platform/file-type.ts';
import {
  type App,
  listOf,
  listQuery,
  noOtherFields,
  openEnum,
  orNull,
  type PagedList,
  type PagedListQuery,
  pageOfRows,
  problemAnswers,
  type Reply,
  type Request,
  readIdCursor,
  withToken,
} from '../../platform/http/index.ts';
import { requireById } from '../../platform/ids/index.ts';
import { forbidden, notFound, Problem } from '../../platform/problem/index.ts';
import { readAudited } from '../model/access/access.ts';
import { isServiceHidden } from '../model/access/hide-sensitive-services.ts';
import { hideWords } from '../model/access/hide-words.ts';
import { presentAuthor } from '../model/actors/authors.ts';
import { markNewsRead } from '../model/attention/readings-store.ts';
import { endWatchesOfNews } from '../model/attention/watches-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { isShownToSomebody } from '../model/presentation/http.ts';
import { authorSchema, moment } from '../model/schemas/referral.ts';
import { contentRefusals, idParams, notYours, shownToHeaders, tags } from '../model/schemas/route-parts.ts';
import {
  type Attachment,
  findAttachment,
  listAttachments,
  readInChunks,
  setFileOpened,
} from './attachments-store.ts';
import { removalCodes, removedFileName, virusFound } from './removal-reasons.ts';

/**
 * A page of the list of a referral's files, newest first.
 * @throws Problem `not-found`, `forbidden` for an operator who has not opened the referral, `referral-restricted`,
 * `referral-erased`.
 */
async function listReferralAttachments(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, ipAddress, cursor, limit }: PagedListQuery & { referralId: string; ipAddress: string },
): Promise<PagedList<Attachment>> {
  const beforeId = readIdCursor(cursor);
  const request = { referralId, ipAddress, action: 'referral.attachments_listed' } as const;
  return readAudited(deps, caller, request, async (trx, { referral }) => {
    const page = pageOfRows(await listAttachments(trx, referral.id, { beforeId, limit: limit + 1 }), limit);
    return { ...page, items: await hideWords(trx, { caller, referral }, page.items) };
  });
}

/**
 * What a file is called and what it is. One that was removed is read by operators alone, while a legal hold keeps it.
 * @throws Problem as `listReferralAttachments`; `forbidden` for one that may name a service.
 */
async function readAttachment(
  deps: ReferralDeps,
  caller: Caller,
  {
    referralId,
    id,
    ipAddress,
    shownToSomebody,
  }: { referralId: string; id: string; ipAddress: string; shownToSomebody: boolean },
): Promise<Attachment> {
  const request = {
    referralId,
    ipAddress,
    action: 'referral.attachment_read',
    details: (attachment: Attachment) => ({ attachment: attachment.id }),
  } as const;
  return readAudited(deps, caller, request, async (trx, { referral, sides, gaveReason }, at) => {
    const attachment = await requireById(id, (id) => findAttachment(trx, referral.id, id));
    const view = { caller, referral };
    if (await isServiceHidden(trx, view))
      throw new Problem(
        forbidden,
        'It may name a restricted service. Give a reason to open the referral first.',
      );
    const isOthers = sides.length > 0 && !sides.includes(attachment.side);
    const name = shownToSomebody && !caller.isSystem ? caller.name : null;
    const isThere = isOthers
      ? await setFileOpened(trx, attachment.id, { at, name })
      : attachment.removedAt === null ||
        (attachment.isKept && gaveReason && attachment.reason?.code !== virusFound);
    if (!isThere)
      throw new Problem(
        notFound,
        attachment.reason?.code === virusFound
          ? 'The file was removed, because it has a virus.'
          : 'The file was removed, because it was attached by mistake.',
      );
    if (shownToSomebody && !caller.isSystem) {
      await endWatchesOfNews(trx, referral.id, { sides, accountId: caller.accountId }, [attachment.id]);
      if (sides.length > 0)
        await markNewsRead(trx, referral.id, caller.accountId, { attachmentIds: [attachment.id] });
    }
    return attachment;
  });
}

export function presentAttachment({ id, at, name, mediaType, size, scanned, ...author }: Attachment) {
  const file = { name, media_type: mediaType, size, scanned };
  return { id, at: at.toISOString(), by: presentAuthor(author), ...file, removed: presentRemoval(author) };
}

function presentRemoval({
  removedAt,
  removedByName,
  removedByOrganisation,
  reason,
}: Pick<Attachment, 'removedAt' | 'removedByName' | 'removedByOrganisation' | 'reason'>) {
  if (removedAt === null) return null;
  const by = { name: removedByName!, organisation: removedByOrganisation };
  return { at: removedAt.toISOString(), by, reason: reason! };
}

export type PresentedAttachment = ReturnType<typeof presentAttachment>;

/** Answers with a file as a download, so that no browser shows its content as part of this site. */
export async function sendAttachment(
  deps: ReferralDeps,
  request: Request,
  reply: Reply,
  which: { referralId: string; id: string; shownToSomebody: boolean },
): Promise<Reply> {
  const file = await readAttachment(deps, requireCaller(request), { ...which, ipAddress: request.ip });
  return sendFile(deps, reply, file);
}

/** Answers with a file that somebody may read, as `sendAttachment` does. */
export function sendFile({ db }: Pick<ReferralDeps, 'db'>, reply: Reply, file: Attachment): Reply {
  const plain = file.name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const disposition = `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(file.name)}`;
  return reply
    .headers({
      'content-disposition': disposition,
      'content-length': file.size,
      'x-content-type-options': 'nosniff',
    })
    .type(file.mediaType)
    .send(Readable.from(readInChunks(db, file), { objectMode: false }));
}

export const attachmentSchema = Type.Object(
  {
    id: Type.String(),
    at: moment,
    by: authorSchema,
    name: Type.String({
      description: `Its original name, with the extension of its real type. “${removedFileName}” once it was removed.`,
    }),
    media_type: Type.Enum([...mediaTypes], { title: 'FileType' }),
    size: Type.Integer({ description: 'In bytes.' }),
    scanned: Type.Boolean({
      description:
        'A virus scanner has found nothing in it. False where none is set up, none answered, or a password keeps it out.',
    }),
    removed: orNull(
      Type.Object(
        {
          at: moment,
          by: authorSchema,
          reason: Type.Object(
            {
              code: openEnum([...removalCodes, virusFound], {
                title: 'FileRemovalCode',
                description: '`virus`: a virus scanner found it after the file was attached.',
              }),
              text: Type.String({ description: 'The reason in words; empty where the code says it all.' }),
            },
            { title: 'FileRemovalReason' },
          ),
        },
        {
          title: 'FileRemoval',
          description:
            'It was attached by mistake or has a virus, and its content is deleted: delete your copies of it. Null for a file that is there.',
        },
      ),
    ),
  },
  { title: 'Attachment' },
);

/** For the calls that name one file. */
export const fileParams = Type.Object({
  ...idParams.properties,
  attachment_id: Type.String({
    parameter: 'AttachmentId',
    maxLength: 100,
    description: 'The id of an attachment.',
  }),
});

const anyFile = Object.fromEntries(mediaTypes.map((type) => [type, { schema: Type.Any() }]));

export function readAttachmentRoutes(app: App, deps: ReferralDeps): void {
  app.get(
    '/api/referrals/:id/attachments',
    {
      config: { access: withToken(), scope: 'referrals:read' },
      schema: {
        operationId: 'listAttachments',
        tags,
        summary: 'List the files of a referral',
        description:
          'What each is called, what it is and who attached it, newest first. One that was removed says by whom and why.',
        params: idParams,
        querystring: Type.Object(listQuery, noOtherFields),
        response: {
          200: listOf(attachmentSchema),
          ...problemAnswers({
            400: 'A parameter is not known or not of the right form.',
            ...contentRefusals,
          }),
        },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const page = { referralId: request.params.id, ipAddress: request.ip, limit, cursor };
      const { items, next_cursor } = await listReferralAttachments(deps, requireCaller(request), page);
      return { items: items.map(presentAttachment), next_cursor };
    },
  );

  app.get(
    '/api/referrals/:id/attachments/:attachment_id',
    {
      // A download counts as opened, and an answer without the file must not.
      exposeHeadRoute: false,
      config: { access: withToken(), scope: 'referrals:read' },
      schema: {
        operationId: 'getAttachment',
        tags,
        summary: 'Download a file of a referral',
        description:
          'The file itself, to be saved: it is never shown within a page. One that was removed is answered 404.',
        params: fileParams,
        headers: shownToHeaders,
        response: {
          200: { description: 'The file.', content: anyFile },
          ...problemAnswers({ ...contentRefusals, 404: `${notYours} Or the file was removed.` }),
        },
      },
    },
    (request, reply) => {
      const { id: referralId, attachment_id: id } = request.params;
      const shownToSomebody = isShownToSomebody(request);
      return sendAttachment(deps, request, reply, { referralId, id, shownToSomebody });
    },
  );
}
