import { Type } from 'typebox';
import { toFormErrors } from '../../platform/html/index.ts';
import { type App, page, signedIn } from '../../platform/http/index.ts';
import type { Platform, WebPlatform } from '../../platform/platform.ts';
import { requireRefusal, unprocessable, wrongInput } from '../../platform/problem/index.ts';
import { checkContactDetails } from '../model/account.ts';
import { updateContactDetails } from '../model/accounts-store.ts';
import { actorOf, type Caller, requireCaller } from '../model/caller.ts';
import { changeAccount } from '../model/change-account.ts';

const config = page(signedIn());
const template = 'accounts/people/templates/account-contact.njk';
const labels = { job_title: 'Job title', telephone: 'Telephone number' };
const contactForm = Type.Object({
  job_title: Type.String({ maxLength: 1000 }),
  telephone: Type.String({ maxLength: 1000 }),
});

/** What a person is and where others can ask them, which services and GP practices read in what the person sends. */
export function contactPage(app: App, deps: WebPlatform): void {
  app.get('/account/contact', { config }, (request, reply) => {
    const { jobTitle, telephone } = requireCaller(request);
    const values = { job_title: jobTitle ?? '', telephone: telephone ?? '' };
    return deps.pages.send(request, reply, template, { values });
  });

  app.post('/account/contact', { config, schema: { body: contactForm } }, async (request, reply) => {
    const values = request.body;
    const details = { jobTitle: values.job_title.trim(), telephone: values.telephone.trim() };
    try {
      await changeContactDetails(deps, requireCaller(request), details, request.ip);
      return reply.redirect('/account?done=contact', 303);
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      const errors = toFormErrors(labels, error);
      return deps.pages.send(request, reply.code(unprocessable.status), template, { values, errors });
    }
  });
}

/** Changes a person's own job title and telephone; an empty one removes it. @throws Problem `unprocessable`. */
async function changeContactDetails(
  deps: Platform,
  caller: Caller,
  details: { jobTitle: string; telephone: string },
  ipAddress: string,
): Promise<void> {
  const jobTitle = details.jobTitle || null;
  const telephone = details.telephone || null;
  await changeAccount(
    deps,
    actorOf(caller, ipAddress),
    { id: caller.accountId },
    {
      action: 'account.contact-changed',
      async make(trx, account) {
        const errors = checkContactDetails(details);
        if (errors.length > 0) throw wrongInput(unprocessable, errors);
        if (account.jobTitle === jobTitle && account.telephone === telephone) return { changed: false };
        await updateContactDetails(trx, account.id, { jobTitle, telephone });
        return { changed: true };
      },
    },
  );
}
