import { Type } from 'typebox';
import { type Caller, requireCaller } from '../accounts/index.ts';
import { type App, page, signedIn } from '../platform/http/index.ts';
import { listCapturedMails } from '../platform/mail/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { mailsFor, readCapturedMail } from './read-captured-mail.ts';

const pageSize = 25;
const config = page(signedIn());
const querystring = Type.Object(
  { before: Type.Optional(Type.String({ format: 'uuid' })) },
  { additionalProperties: false },
);
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The emails that a test site would have sent. */
export function capturedMailPages(app: App, deps: WebPlatform): void {
  app.get('/outbox/emails', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const caller = requireCaller(request);
    const { before } = request.query;
    const found = await listCapturedMails(deps, mailsFor(caller), { before, limit: pageSize + 1 });
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

/** A text in parts, of which those with `href` are addresses of this site: its reader follows them as from a mailbox. */
function inParts(text: string, baseUrl: string): { text: string; href: string | undefined }[] {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) => ({ text: part, href: part.startsWith(`${baseUrl}/`) ? part : undefined }));
}

/** The newest few, for the outbox's first page. */
export function newestMails(deps: WebPlatform, caller: Caller) {
  return listCapturedMails(deps, mailsFor(caller), { before: undefined, limit: 5 });
}
