import { parse } from 'node:path';
import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, page, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { capturedMailPages, newestMails } from './captured-mail-pages.ts';
import { channelWords } from './channel-words.ts';
import { listCapturedMessages } from './outbox-store.ts';
import { readCapturedFile, readCapturedMessage } from './read-captured-message.ts';

const pageSize = 25;
const config = page(signedIn());
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** What a test site would have sent. A live site has no such pages. */
export function outboxPages(app: App, deps: WebPlatform): void {
  capturedMailPages(app, deps);
  const querystring = Type.Object(
    { before: Type.Optional(Type.String({ format: 'uuid' })) },
    { additionalProperties: false },
  );
  app.get('/outbox', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const { before } = request.query;
    const caller = requireCaller(request);
    const mails = before === undefined ? await newestMails(deps, caller) : [];
    const found = await listCapturedMessages(deps.db, caller, {
      before,
      limit: pageSize + 1,
    });
    const messages = found.slice(0, pageSize);
    const older = found.length > pageSize ? messages.at(-1)!.id : undefined;
    return deps.pages.send(request, reply, 'delivery/templates/outbox.njk', {
      mails,
      messages,
      older,
      before,
      channelWords,
    });
  });

  app.get('/outbox/:id', { config, schema: { hide: true, params } }, async (request, reply) => {
    const caller = requireCaller(request);
    const message = await readCapturedMessage(deps, caller, request.params.id, request.ip);
    return deps.pages.send(request, reply, 'delivery/templates/captured-message.njk', {
      message,
      channelWords,
    });
  });

  const ofFile = Type.Object({ ...params.properties, name: Type.String({ maxLength: 100 }) });
  app.get('/outbox/:id/:name', { config, schema: { hide: true, params: ofFile } }, async (request, reply) => {
    const asked = { ...request.params, address: request.ip };
    const { reference, type, content } = await readCapturedFile(deps, requireCaller(request), asked);
    const { name: stem, ext: extension } = parse(asked.name);
    return reply
      .type(type)
      .header('content-disposition', `attachment; filename="${stem}-${reference}${extension}"`)
      .send(content);
  });
}
