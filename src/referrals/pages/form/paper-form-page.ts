import { type App, page, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { paperQuestions } from './agreement-wording.ts';

/** A form on one sheet of paper, for days on which the site is away. It asks what the form for a new referral requires. */
export function paperFormPage(app: App, { pages, settings }: WebPlatform): void {
  app.get('/paper-form', { config: page(signedIn()) }, (request, reply) =>
    pages.send(request, reply, 'referrals/pages/templates/form/paper-form.njk', {
      safeguardingContact: settings.safeguardingContact,
      paperDays: settings.paperDays,
      agreement: Object.values(paperQuestions).map(({ ask, options }) => ({
        ask,
        answers: Object.values(options).map(({ text }) => text),
      })),
    }),
  );
}
