import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import {
  type App,
  installUploads,
  listOf,
  pageQuery,
  problemAnswers,
  takesFile,
  withToken,
  withUpload,
} from '../platform/http/index.ts';
import { attachFile, largestFileBytes } from './attach-file.ts';
import type { ReferralDeps } from './deps.ts';
import { mediaTypes } from './file-kind.ts';
import { listReferralAttachments } from './list-parts.ts';
import { closed } from './new-referral-schema.ts';
import { presentAttachment } from './present-parts.ts';
import { idempotencyHeaders, idParams, noToken, notNow, notYours, tags } from './route-parts.ts';
import { attachmentSchema } from './schemas.ts';
import { sendAttachment } from './send-attachment.ts';

const anyFile = Object.fromEntries(mediaTypes.map((type) => [type, { schema: Type.Any() }]));

const refusals = {
  401: noToken,
  403: 'An operator has not opened the referral.',
  404: notYours,
  409: notNow,
};

export function attachmentRoutes(app: App, deps: ReferralDeps): void {
  readRoutes(app, deps);
  installUploads(app, largestFileBytes, (scope) => uploadRoute(scope, deps));
}

function uploadRoute(app: App, deps: ReferralDeps): void {
  app.post(
    '/api/referrals/:id/attachments',
    {
      config: { access: withToken() },
      validatorCompiler: takesFile.validatorCompiler,
      schema: {
        operationId: 'attachFile',
        tags,
        summary: 'Attach a file to a referral',
        description:
          'A PDF, PNG or JPEG of at most 10 megabytes, as multipart/form-data in the field `file`. What it is called does not matter: its first octets say what it is. A referral has at most 20 files, of 50 megabytes together.',
        ...takesFile.schema,
        params: idParams,
        headers: idempotencyHeaders,
        response: {
          201: attachmentSchema,
          ...problemAnswers({
            400: 'There is no file.',
            401: noToken,
            403: 'You are on neither side of the referral.',
            404: notYours,
            409: 'The referral was made in error.',
            413: 'The file is too large, or the referral has enough of them.',
            415: 'The file is not sent as multipart/form-data.',
            422: 'The file is not a PDF, PNG or JPEG, or the idempotency key was used for another request.',
          }),
        },
      },
    },
    async (request, reply) => {
      const { id: referralId } = request.params;
      const attached = await withUpload(request, (file) =>
        attachFile(deps, requireCaller(request), {
          referralId,
          file,
          address: request.ip,
          idempotencyKey: request.headers['idempotency-key'],
        }),
      );
      const location = `${deps.settings.baseUrl}/api/referrals/${referralId}/attachments/${attached.id}`;
      return reply.code(201).header('location', location).send(attached);
    },
  );
}

function readRoutes(app: App, deps: ReferralDeps): void {
  app.get(
    '/api/referrals/:id/attachments',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'listAttachments',
        tags,
        summary: 'List the files of a referral',
        description: 'What each is called, what it is and who attached it, newest first.',
        params: idParams,
        querystring: Type.Object(pageQuery, closed),
        response: {
          200: listOf(attachmentSchema),
          ...problemAnswers({ 400: 'A parameter is not known or not of the right form.', ...refusals }),
        },
      },
    },
    async (request) => {
      const { limit = 50, cursor } = request.query;
      const asked = { referralId: request.params.id, address: request.ip, limit, cursor };
      const { items, next_cursor } = await listReferralAttachments(deps, requireCaller(request), asked);
      return { items: items.map(presentAttachment), next_cursor };
    },
  );

  app.get(
    '/api/referrals/:id/attachments/:attachment_id',
    {
      config: { access: withToken() },
      schema: {
        operationId: 'getAttachment',
        tags,
        summary: 'Download a file of a referral',
        description: 'The file itself, to be saved: it is never shown within a page.',
        params: Type.Object({
          ...idParams.properties,
          attachment_id: Type.String({ maxLength: 100, description: 'The id of an attachment.' }),
        }),
        response: { 200: { description: 'The file.', content: anyFile }, ...problemAnswers(refusals) },
      },
    },
    (request, reply) => {
      const { id: referralId, attachment_id: id } = request.params;
      return sendAttachment(deps, request, reply, { referralId, id });
    },
  );
}
