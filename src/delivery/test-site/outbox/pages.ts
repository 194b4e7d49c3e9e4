import { parse } from 'node:path';
import { Type } from 'typebox';
import { type Caller, requireCaller } from '../../../accounts/index.ts';
import { channelInWords } from '../../../library/index.ts';
import { type App, noOtherFields, page, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import type { DeliveryDeps } from '../../channels/deps.ts';
import {
  listCaptured,
  listMails,
  readCapturedFile,
  readCapturedMail,
  readCapturedMessage,
} from './read-captured.ts';

const pageSize = 25;
const config = page(signedIn());
const querystring = Type.Object({ before: Type.Optional(Type.String({ format: 'uuid' })) }, noOtherFields);
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The pages of what a test site would have sent. A live site does not have them. */
export function outboxPages(app: App, deps: DeliveryDeps & WebPlatform): void {
  capturedMailPages(app, deps);
  app.get('/outbox', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const { before } = request.query;
    const caller = requireCaller(request);
    const mails = before === undefined ? await newestMails(deps, caller) : [];
    const found = await listCaptured(deps, caller, {
      before,
      limit: pageSize + 1,
    });
    const messages = found.slice(0, pageSize);
    const older = found.length > pageSize ? messages.at(-1)!.id : undefined;
    return deps.pages.send(request, reply, 'delivery/templates/outbox.njk', {
      mails,
      messages: messages.map((message) => ({ ...message, channelText: channelInWords(message.channel) })),
      older,
      before,
    });
  });

  app.get('/outbox/:id', { config, schema: { hide: true, params } }, async (request, reply) => {
    const caller = requireCaller(request);
    const message = await readCapturedMessage(deps, caller, request.params.id, request.ip);
    return deps.pages.send(request, reply, 'delivery/templates/captured-message.njk', {
      message: { ...message, channelText: channelInWords(message.channel) },
    });
  });

  const ofFile = Type.Object({ ...params.properties, name: Type.String({ maxLength: 100 }) });
  app.get('/outbox/:id/:name', { config, schema: { hide: true, params: ofFile } }, async (request, reply) => {
    const target = { ...request.params, ipAddress: request.ip };
    const { reference, type, content } = await readCapturedFile(deps, requireCaller(request), target);
    const { name: stem, ext: extension } = parse(target.name);
    return reply
      .type(type)
      .header('content-disposition', `attachment; filename="${stem}-${reference}${extension}"`)
      .send(content);
  });
}

/** The emails and texts that a test site would have sent. */
function capturedMailPages(app: App, deps: WebPlatform): void {
  app.get('/outbox/emails', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const caller = requireCaller(request);
    const { before } = request.query;
    const found = await listMails(deps, caller, { before, limit: pageSize + 1 });
    const mails = found.slice(0, pageSize);
    const older = found.length > pageSize ? mails.at(-1)!.id : undefined;
    return deps.pages.send(request, reply, 'delivery/templates/outbox-mails.njk', { mails, older, before });
  });

  app.get('/outbox/emails/:id', { config, schema: { hide: true, params } }, async (request, reply) => {
    const mail = await readCapturedMail(deps, requireCaller(request), request.params.id, request.ip);
    return deps.pages.send(request, reply, 'delivery/templates/outbox-mail.njk', {
      mail,
      parts: inParts(mail.text, deps.settings.baseUrl),
    });
  });
}

/** Splits a text into parts. Addresses of this site get a `href`, so that readers can follow them as from a mailbox. */
function inParts(text: string, baseUrl: string): { text: string; href: string | undefined }[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) => ({ text: part, href: part.startsWith(`${baseUrl}/`) ? part : undefined }));
}

/** The newest few, for the outbox's first page. */
function newestMails(deps: WebPlatform, caller: Caller) {
  return listMails(deps, caller, { before: undefined, limit: 5 });
}
