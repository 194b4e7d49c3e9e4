import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { emptyAnswerForm } from './answer-form.ts';
import type { ReferralDeps } from './deps.ts';
import type { FormErrors } from './form-errors.ts';
import { readWholeReferral } from './read-whole.ts';
import { inWords } from './referral-in-words.ts';

/** A form of the page that was refused: with what was typed, and what is wrong with it. */
export type Refused = {
  status: number;
  values: Record<string, string>;
  errors: FormErrors;
  /** Which form it was. */
  tried: string;
};

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The page of one referral. */
export function singleReferralPage(app: App, deps: ReferralDeps & WebPlatform): void {
  const config = page(signedIn());
  app.get('/referrals/:id', { config, schema: { hide: true, params } }, (request, reply) =>
    showReferral(deps, request, reply, request.params.id),
  );
}

export async function showReferral(
  deps: ReferralDeps & WebPlatform,
  request: Request,
  reply: Reply,
  id: string,
  refused?: Refused,
): Promise<Reply> {
  const whole = await readWholeReferral(deps, requireCaller(request), id, request.ip);
  if (refused) reply.code(refused.status);
  return deps.pages.send(request, reply, 'referrals/templates/referral.njk', {
    ...inWords(whole),
    values: { ...emptyAnswerForm, ...refused?.values },
    errors: refused?.errors,
    tried: refused?.tried,
  });
}
