import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { actorOf, type Caller, requireCaller } from '../../accounts/index.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { recordConnectionFailure, recordConnectionWorking } from '../../platform/connections/index.ts';
import { countPages } from '../../platform/count-pages.ts';
import { inRetriedTransaction, inTransaction, type Trx } from '../../platform/database/index.ts';
import { cleanFileName, detectFileType, mediaTypes } from '../../platform/file-type.ts';
import {
  type App,
  fileRouteOptions,
  installUploads,
  listOf,
  listQuery,
  noOtherFields,
  noToken,
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
  withUpload,
} from '../../platform/http/index.ts';
import { newId, requireById } from '../../platform/ids/index.ts';
import { scanFile, uploadTimeoutMs } from '../../platform/outbound/index.ts';
import { forbidden, notFound, Problem, tooLarge, unprocessable } from '../../platform/problem/index.ts';
import { authoriseContent, lockForSides } from '../model/access/access.ts';
import { hideWords, isServiceHidden } from '../model/access/hide-sensitive-services.ts';
import { writingSide } from '../model/access/sides.ts';
import { type Author, authorOf, presentAuthor } from '../model/actors/authors.ts';
import { watchFiles } from '../model/attention/watches.ts';
import { endWatchesOfNews } from '../model/attention/watches-store.ts';
import type { ReferralDeps } from '../model/deps.ts';
import {
  type KeyedRequest,
  type KeyedResponse,
  keepResponse,
  keyedRequest,
  replayOrRefuse,
} from '../model/idempotency/idempotency.ts';
import { isShownToSomebody, markReplayed } from '../model/presentation/http.ts';
import { wrongState } from '../model/problems.ts';
import { type Draft, isSent, type Referral } from '../model/referral.ts';
import { authorSchema, moment } from '../model/schemas/referral.ts';
import {
  contentRefusals,
  idempotencyHeaders,
  idParams,
  notYours,
  restrictedOrErased,
  shownToHeaders,
  tags,
} from '../model/schemas/route-parts.ts';
import type { Side } from '../model/status/state-machine.ts';
import { setUpdated } from '../model/store.ts';
import {
  type Attachment,
  findAttachment,
  insertAttachment,
  listAttachments,
  noteOpenedByOtherSide,
  readInChunks,
  sumAttachments,
} from './attachments-store.ts';
import { removalCodes, removedFileName, virusFound } from './removal-reasons.ts';

export const maxFileBytes = 10 * 1024 * 1024;
export const maxFiles = 20;
export const maxReferralBytes = 50 * 1024 * 1024;

export type UploadedFile = { name: string; content: Buffer };

/**
 * Attaches a file to a referral, for both sides to read.
 * @throws Problem `not-found`, `forbidden` for somebody on neither side, `wrong-state`, `unprocessable` for anything but a
 * PDF, PNG or JPEG and for a virus, `too-large` when the referral has too many files, `still-in-progress`, `idempotency-key-reused`.
 */
export async function attachFile(
  deps: ReferralDeps,
  caller: Caller,
  sent: { referralId: string; file: UploadedFile; ipAddress: string; idempotencyKey?: string | undefined },
): Promise<KeyedResponse<PresentedAttachment>> {
  const at = deps.clock.now();
  const scanned = await scanBeforeStoring(deps, caller, sent, at);
  return inRetriedTransaction(deps.db, async (trx) => {
    const { referral, sides } = await lockForSides(trx, caller, sent.referralId, at);
    const request = requestWithFile(deps, caller, referral.id, sent);
    const earlier = await replayOrRefuse<PresentedAttachment>(deps, trx, request);
    if (earlier) return { answer: earlier, isReplayed: true };
    if (referral.status === 'entered-in-error')
      throw new Problem(
        wrongState,
        'The referral was withdrawn as sent by mistake, so files cannot be added.',
      );
    const author = { ...authorOf(caller), actor: actorOf(caller, sent.ipAddress) };
    const side = writingSide(sides)!;
    const attachment = await storeFile(deps, trx, referral, sent.file, { ...author, side, at, scanned });
    const answer = presentAttachment(attachment);
    await keepResponse(trx, request, { referralId: referral.id, answer, at });
    return { answer, isReplayed: false };
  });
}

/**
 * Stores a file, and tells of it unless the referral is still a draft.
 * @throws Problem `unprocessable`, `too-large`
 */
export async function storeFile(
  { roomsAbove, settings }: Pick<ReferralDeps, 'roomsAbove' | 'settings'>,
  trx: Trx,
  referral: Referral | Draft,
  file: UploadedFile,
  { actor, ...given }: Author & { side: Side; at: Date; scanned: boolean; actor: Actor },
): Promise<Attachment> {
  const attachment = { id: newId(given.at.getTime()), ...given, ...describeFile(file), ...notRemoved };
  const { id: referralId } = referral;
  await requireSpace(trx, referralId, attachment.size);
  await insertAttachment(trx, referralId, attachment, file.content);
  await setUpdated(trx, referralId, given.at);
  if (isSent(referral)) {
    const { id: attachmentId, name, side, at, authorId: actorId } = attachment;
    await watchFiles(trx, settings, referral, [attachment], at);
    await roomsAbove.onFile(trx, { referral, attachmentId, name, side, actorId, at });
  }
  await recordAudit(trx, {
    at: given.at,
    actor,
    action: 'referral.file_attached',
    subject: { type: 'referral', id: referralId },
    details: { attachment: attachment.id },
  });
  return attachment;
}

const notRemoved = {
  removedAt: null,
  removedByName: null,
  removedByOrganisation: null,
  reason: null,
  isKept: false,
};

/**
 * Has a scanner look at the file, if the site has one: before the transaction, because it is slow, and only for those who may attach it.
 * Operators learn that it does not look at files; the audit keeps who sent a virus.
 * @returns whether it has looked at the file
 * @throws Problem as `attachFile`
 */
async function scanBeforeStoring(
  deps: ReferralDeps,
  caller: Caller,
  { referralId, file, ipAddress }: { referralId: string; file: UploadedFile; ipAddress: string },
  at: Date,
): Promise<boolean> {
  if (deps.settings.scanUrl === undefined) return false;
  await inTransaction(deps.db, (trx) => lockForSides(trx, caller, referralId, at));
  return scanUploaded(deps, file, { referralId, actor: actorOf(caller, ipAddress), at });
}

/**
 * Has the site's scanner look at a file.
 * @returns whether it has; false where none is set up, or none answered
 * @throws Problem `unprocessable` for anything but a PDF, PNG or JPEG, and for a virus
 */
export async function scanUploaded(
  { db, settings }: ReferralDeps,
  file: UploadedFile,
  { referralId, actor, at }: { referralId: string; actor: Actor; at: Date },
): Promise<boolean> {
  if (settings.scanUrl === undefined) return false;
  describeFile(file);
  const result = await scanFile(settings, file.content, { timeoutMs: uploadTimeoutMs });
  await inTransaction(db, async (trx) => {
    await recordScan(trx, result, at);
    if (result === 'infected')
      await recordAudit(trx, {
        at,
        actor,
        action: 'referral.file_refused',
        subject: { type: 'referral', id: referralId },
        details: { reason: 'virus' },
      });
  });
  if (result === 'infected') {
    const errors = [{ pointer: '/file', message: 'has a virus, so nothing was stored', code: 'virus' }];
    throw new Problem(unprocessable, 'The computer it came from may be infected. Tell your IT team.', {
      errors,
    });
  }
  return result === 'clean' && !isEncrypted(file.content);
}

/** Operators learn of a scanner that does not look at files. */
export async function recordScan(
  trx: Trx,
  result: Awaited<ReturnType<typeof scanFile>>,
  at: Date,
): Promise<void> {
  const connection = 'virus-scanner';
  if (result !== 'not-scanned') return recordConnectionWorking(trx, connection, at);
  const reason = 'It did not answer, or not with a verdict.';
  await recordConnectionFailure(trx, { connection, kind: 'away', reason }, at);
}

/** A scanner cannot look into a PDF that opens with a password, whatever verdict it gives. */
export const isEncrypted = (content: Buffer): boolean => content.includes('/Encrypt');

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

/** @throws Problem `unprocessable` unless the content is a PDF, PNG or JPEG. The file's name does not matter. */
function describeFile({ name, content }: UploadedFile) {
  const kind = detectFileType(content);
  if (!kind) {
    const errors = [{ pointer: '/file', message: 'must be a PDF, PNG or JPEG file' }];
    throw new Problem(unprocessable, 'The type is checked by the content of the file, not by its name.', {
      errors,
    });
  }
  return {
    name: cleanFileName(name, kind.extension),
    mediaType: kind.mediaType,
    size: content.length,
    pages: countPages(content, kind.mediaType),
  };
}

/** The referral is locked, so that two uploads at once cannot exceed the limits together. @throws Problem `too-large` */
async function requireSpace(trx: Trx, referralId: string, size: number): Promise<void> {
  const { count, bytes } = await sumAttachments(trx, referralId);
  if (count >= maxFiles || bytes + size > maxReferralBytes)
    throw new Problem(tooLarge, `A referral has at most ${maxFiles} files, of 50 megabytes together.`);
}

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
  const at = deps.clock.now();
  const beforeId = readIdCursor(cursor);
  return inTransaction(deps.db, async (trx) => {
    const { referral } = await authoriseContent(deps, trx, caller, referralId, at);
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.attachments_listed',
      subject: { type: 'referral', id: referral.id },
    });
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
  const at = deps.clock.now();
  return inTransaction(deps.db, async (trx) => {
    const { referral, sides, gaveReason } = await authoriseContent(deps, trx, caller, referralId, at);
    const attachment = await requireById(id, (id) => findAttachment(trx, referral.id, id));
    const view = { caller, referral };
    if (await isServiceHidden(trx, view))
      throw new Problem(
        forbidden,
        'It may name a restricted service. Give a reason to open the referral first.',
      );
    const isOthers = sides.length > 0 && !sides.includes(attachment.side);
    const isThere = isOthers
      ? await noteOpenedByOtherSide(trx, attachment.id, at)
      : attachment.removedAt === null ||
        (attachment.isKept && gaveReason && attachment.reason?.code !== virusFound);
    if (!isThere)
      throw new Problem(
        notFound,
        attachment.reason?.code === virusFound
          ? 'The file was removed, because it has a virus.'
          : 'The file was removed, because it was attached by mistake.',
      );
    await recordAudit(trx, {
      at,
      actor: actorOf(caller, ipAddress),
      action: 'referral.attachment_read',
      subject: { type: 'referral', id: referral.id },
      details: { attachment: attachment.id },
    });
    if (shownToSomebody && !caller.isSystem)
      await endWatchesOfNews(trx, referral.id, { sides, accountId: caller.accountId }, [attachment.id]);
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

type PresentedAttachment = ReturnType<typeof presentAttachment>;

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

export function attachmentRoutes(app: App, deps: ReferralDeps): void {
  attachmentReadRoutes(app, deps);
  installUploads(app, maxFileBytes, (scope) => uploadRoute(scope, deps));
}

function uploadRoute(app: App, deps: ReferralDeps): void {
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

function attachmentReadRoutes(app: App, deps: ReferralDeps): void {
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
