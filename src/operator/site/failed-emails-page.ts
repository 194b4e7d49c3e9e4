import { type App, page, signedIn } from '../../platform/http/index.ts';
import { listFailedMails } from '../../platform/mail/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';

const maxShown = 100;

/** The emails that the mail server refused, and the texts that Notify refused. */
export function failedEmailsPage(app: App, { db, pages }: WebPlatform): void {
  app.get('/operator/emails', { config: page(signedIn('operator')) }, async (request, reply) =>
    pages.send(request, reply, 'operator/site/templates/failed-emails.njk', {
      mails: await listFailedMails(db, maxShown),
      maxShown,
    }),
  );
}
