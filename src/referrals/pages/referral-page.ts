import { Type } from 'typebox';
import { requireCaller } from '../../accounts/index.ts';
import { successBanner } from '../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import type { ReferralDeps } from '../model/deps.ts';
import { emptyAnswerForm } from './answer-form.ts';
import type { FormErrors } from './form-errors.ts';
import { readFullReferral, referralView } from './referral-view.ts';

/** What the page says after a form was sent. */
export const referralDone = successBanner({
  sent: 'The referral was sent. This page shows how far it has come.',
  draft: 'The draft was saved.',
  'seen-to': 'You have said that the person was helped another way. This referral no longer waits for you.',
});

/** A form of the page that was refused, with what was typed and its errors. */
export type RefusedForm = {
  status: number;
  values: Record<string, string>;
  errors: FormErrors;
  /** Which form: an action, `text`, `reason` or `file`. */
  tried: string;
};

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
// Other rooms may add their own parameters to a link.
const querystring = Type.Object({ done: referralDone.query }, { additionalProperties: true });

/** The page of one referral. */
export function singleReferralPage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn());
  app.get('/referrals/:id', { config, schema: { hide: true, params, querystring } }, (request, reply) =>
    showReferral(deps, request, reply, request.params.id, undefined, referralDone.words(request.query.done)),
  );
}

export async function showReferral(
  deps: ReferralDeps & WebPlatform,
  request: Request,
  reply: Reply,
  id: string,
  refused?: RefusedForm,
  done?: string,
): Promise<Reply> {
  const full = await readFullReferral(deps, requireCaller(request), id, request.ip);
  if (refused) reply.code(refused.status);
  return deps.pages.send(request, reply, 'referrals/pages/templates/referral.njk', {
    ...referralView(full),
    values: { ...emptyAnswerForm, ...refused?.values },
    errors: refused?.errors,
    tried: refused?.tried,
    done,
  });
}
