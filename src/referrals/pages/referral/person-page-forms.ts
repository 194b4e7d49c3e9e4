import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { fieldError, readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, anyForm, page, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { unprocessable } from '../../../platform/problem/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { endPersonPage, sendPersonPageAgain } from '../../person-page/manage-page.ts';
import { referralPagePath } from '../referral-page-address.ts';
import { listSuffix } from './list-links.ts';
import { pathAfter, showReferral } from './referral-page.ts';

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The forms of a referral’s page by which staff send the person a link to a page of their own, or end it. */
export function personPageForms(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn());
  const schema = { hide: true, params, body: anyForm } as const;
  for (const part of ['person-page', 'person-page/end'])
    app.get(`/referrals/:id/${part}`, { config, schema: { hide: true, params } }, (request, reply) =>
      reply.redirect(`${referralPagePath(request.params.id)}${listSuffix(request)}#person-page`, 303),
    );

  app.post('/referrals/:id/person-page', { config, schema }, async (request, reply) => {
    const referralId = request.params.id;
    const values = readUntrimmedFields(request.body, ['person_page_send']);
    if (values.person_page_send !== 'yes') {
      const errors = fieldError(
        'person_page_send',
        'Ask the person whether it is safe to send them this, then tick the box',
      );
      const refused = { status: unprocessable.status, values, errors, tried: 'person-page' };
      return showReferral(deps, request, reply, referralId, refused);
    }
    await sendPersonPageAgain(deps, requireCaller(request), { referralId, ipAddress: request.ip });
    return reply.redirect(pathAfter(request, referralId, 'page-sent'), 303);
  });

  app.post('/referrals/:id/person-page/end', { config, schema }, async (request, reply) => {
    const referralId = request.params.id;
    const { asked_by_person } = readUntrimmedFields(request.body, ['asked_by_person']);
    await endPersonPage(deps, requireCaller(request), {
      referralId,
      askedByPerson: asked_by_person === 'yes',
      ipAddress: request.ip,
    });
    return reply.redirect(pathAfter(request, referralId, 'page-ended'), 303);
  });
}
