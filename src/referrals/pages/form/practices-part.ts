import { readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { errorText } from '../form-errors.ts';
import { referralFields } from '../referral-fields.ts';
import { choosePractice } from './choose-practice.ts';
import { emptyReferralForm } from './referral-form.ts';

/** The practices for what was typed, as the part of the form that offers them. A POST, since the postcode is a person’s. */
export function practicesPart(app: App, deps: WebPlatform): void {
  const config = page(signedIn('referrer'));
  app.post(
    '/referrals/practices',
    { config, schema: { hide: true, body: anyForm } },
    async (request, reply) => {
      const typed = readUntrimmedFields(request.body, ['gp_ods_code', 'postcode']);
      const values = { ...emptyReferralForm, ...typed };
      const practice = await choosePractice(deps, values);
      const { error } = practice;
      const problem =
        error && practice.offered.length === 0
          ? errorText(referralFields.gp_ods_code, typed.gp_ods_code, error)
          : undefined;
      const part = deps.pages.render('referrals/pages/templates/form/practice-choices.njk', {
        values,
        practice,
        problem,
      });
      return reply.type('text/html; charset=utf-8').send(part);
    },
  );
}
