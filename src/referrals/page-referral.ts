import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { emptyAnswerForm } from './answer-form.ts';
import type { ReferralDeps } from './deps.ts';
import type { FormErrors } from './form-errors.ts';
import { readWholeReferral } from './read-whole.ts';
import { referralDone } from './referral-done.ts';
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
// Others have links to a referral with what is theirs in the query.
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
  refused?: Refused,
  done?: string,
): Promise<Reply> {
  const whole = await readWholeReferral(deps, requireCaller(request), id, request.ip);
  if (refused) reply.code(refused.status);
  return deps.pages.send(request, reply, 'referrals/templates/referral.njk', {
    ...inWords(whole),
    values: { ...emptyAnswerForm, ...refused?.values },
    errors: refused?.errors,
    tried: refused?.tried,
    done,
  });
}
