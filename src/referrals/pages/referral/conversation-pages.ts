import { type TSchema, Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import {
  type App,
  anyForm,
  describeErrors,
  installUploads,
  page,
  type Request,
  signedIn,
  validatorOf,
  withUpload,
} from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { badRequest, Problem } from '../../../platform/problem/index.ts';
import { attachFile, maxFileBytes } from '../../conversation/attach-file.ts';
import { closeQuestion } from '../../conversation/close-question.ts';
import { newMessageSchema, sendMessage } from '../../conversation/messages.ts';
import { fileParams, sendAttachment } from '../../conversation/read-attachments.ts';
import { type RemovalCode, removalCodes } from '../../conversation/removal-reasons.ts';
import { removeAttachment } from '../../conversation/remove-attachment.ts';
import { newOpeningSchema, openReferral } from '../../listing/openings.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { referralPagePath } from '../referral-page-address.ts';
import { pathAfter, refusedField, showReferral } from './referral-page.ts';

type Deps = ReferralDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The forms of a referral’s page that do not change its status: messages, files, and a reason to see all. */
export function conversationPages(app: App, deps: Deps): void {
  const config = page(signedIn());
  const schema = { hide: true, params, body: anyForm } as const;
  // A form that came back with errors has such an address, and may be reloaded.
  for (const part of ['messages', 'attachments', 'open', 'no-answer-needed'])
    app.get(`/referrals/:id/${part}`, { config, schema: { hide: true, params } }, (request, reply) =>
      reply.redirect(referralPagePath(request.params.id), 303),
    );

  app.post('/referrals/:id/messages', { config, schema }, async (request, reply) => {
    const { id: referralId } = request.params;
    const input = readText(request, 'text', newMessageSchema, 'Write your message');
    if ('refused' in input) return showReferral(deps, request, reply, referralId, input.refused);
    const { answers, form_token: formToken } = readUntrimmedFields(request.body, ['answers', 'form_token']);
    const message = { referralId, text: input.text, ipAddress: request.ip, formToken };
    await sendMessage(deps, requireCaller(request), message);
    return reply.redirect(pathAfter(request, referralId, answers === 'yes' ? 'answered' : 'message'), 303);
  });

  const bare = { hide: true, params } as const;
  app.post('/referrals/:id/no-answer-needed', { config, schema: bare }, async (request, reply) => {
    const { id: referralId } = request.params;
    await closeQuestion(deps, requireCaller(request), { referralId, ipAddress: request.ip });
    return reply.redirect(pathAfter(request, referralId, 'question'), 303);
  });

  app.post('/referrals/:id/open', { config, schema }, async (request, reply) => {
    const { id: referralId } = request.params;
    const input = readText(request, 'reason', newOpeningSchema, 'Say why you have to look at it');
    if ('refused' in input) return showReferral(deps, request, reply, referralId, input.refused);
    const opening = { referralId, reason: input.text, ipAddress: request.ip };
    try {
      await openReferral(deps, requireCaller(request), opening);
      return reply.redirect(pathAfter(request, referralId, 'opened'), 303);
    } catch (error) {
      const message = error instanceof Problem ? error.errors?.[0]?.message : undefined;
      if (message === undefined) throw error;
      const refused = refusedField('reason', `What you wrote ${message}`, { reason: input.text });
      return showReferral(deps, request, reply, referralId, refused);
    }
  });

  app.get(
    '/referrals/:id/attachments/:attachment_id',
    { config: page(signedIn(), { refusesPrefetch: true }), schema: { hide: true, params: fileParams } },
    (request, reply) => {
      const { id: referralId, attachment_id: id } = request.params;
      return sendAttachment(deps, request, reply, { referralId, id, shownToSomebody: true });
    },
  );
  removalPage(app, deps);
  installUploads(app, maxFileBytes, (scope) => uploadPage(scope, deps));
}

function removalPage(app: App, deps: Deps): void {
  const config = page(signedIn());
  const path = '/referrals/:id/attachments/:attachment_id/remove';
  app.get(path, { config, schema: { hide: true, params: fileParams } }, (request, reply) =>
    reply.redirect(referralPagePath(request.params.id), 303),
  );
  app.post(
    path,
    { config, schema: { hide: true, params: fileParams, body: anyForm } },
    async (request, reply) => {
      const { id: referralId, attachment_id: id } = request.params;
      const values = readUntrimmedFields(request.body, ['removal_reason', 'removal_text']);
      const refuse = (field: string, message: string) =>
        showReferral(
          deps,
          request,
          reply,
          referralId,
          refusedField(field, message, { ...values, removed_file: id }),
        );
      const code = removalCodes.find((each) => each === values.removal_reason) as RemovalCode | undefined;
      if (code === undefined) return refuse('removal_reason', 'Say why it is removed');
      const text = trimToUndefined(values.removal_text);
      if (text !== undefined && text.length > 500)
        return refuse('removal_text', 'What you wrote must have at most 500 characters');
      const removal = {
        referralId,
        id,
        reason: { code, ...(text !== undefined && { text }) },
        ipAddress: request.ip,
      };
      try {
        await removeAttachment(deps, requireCaller(request), removal);
      } catch (error) {
        const message = error instanceof Problem ? error.errors?.[0]?.message : undefined;
        if (message === undefined) throw error;
        return refuse('removal_text', message);
      }
      return reply.redirect(pathAfter(request, referralId, 'file-removed'), 303);
    },
  );
}

function uploadPage(app: App, deps: Deps): void {
  const config = page(signedIn());
  app.post(
    '/referrals/:id/attachments',
    { config, schema: { hide: true, params } },
    async (request, reply) => {
      const { id: referralId } = request.params;
      try {
        const { answer } = await withUpload(request, (file) => {
          // This is what a browser sends when no file was chosen.
          if (file.name === '' && file.content.length === 0) throw new Problem(badRequest);
          return attachFile(deps, requireCaller(request), { referralId, file, ipAddress: request.ip });
        });
        const isUnscanned = deps.settings.scanUrl !== undefined && !answer.scanned;
        return reply.redirect(pathAfter(request, referralId, isUnscanned ? 'file-unscanned' : 'file'), 303);
      } catch (error) {
        const text = error instanceof Problem ? fileProblemInWords(error) : undefined;
        if (text === undefined) throw error;
        return showReferral(deps, request, reply, referralId, refusedField('file', text));
      }
    },
  );
}

/** What the page says of a file that was refused; undefined if it was refused for another reason. */
export function fileProblemInWords({ kind, errors }: Problem): string | undefined {
  if (errors?.[0]?.code === 'virus') return 'The file has a virus, so it was not attached';
  return fileWords[kind.status];
}

const fileWords: Readonly<Record<number, string>> = {
  400: 'Choose a file',
  413: 'The file must be smaller than 10 megabytes, and a referral has at most 20 files, of 50 megabytes together',
  422: 'The file must be a PDF, PNG or JPEG',
};

/** Reads the single text of a form, and checks it by the API’s schema. */
function readText<Name extends string>(request: Request, name: Name, schema: TSchema, empty: string) {
  const values = readUntrimmedFields(request.body, [name]);
  const text = trimToUndefined(values[name]) ?? '';
  const error = describeErrors(validatorOf(schema).Errors({ [name]: text }), '')[0];
  if (!error) return { text };
  const message = text === '' ? empty : `What you wrote ${error.message}`;
  return { refused: refusedField(name, message, values) };
}
