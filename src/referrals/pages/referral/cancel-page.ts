import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { unprocessable } from '../../../platform/problem/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import type { Action } from '../../model/status/state-machine.ts';
import { referralPagePath } from '../referral-page-address.ts';
import { type ActionForm, emptyActionForm, readActionForm, reasonsToChoose } from './action-form.ts';
import { submitAction } from './action-pages.ts';
import { listSuffix } from './list-links.ts';
import { pathAfter, type RefusedForm, showReferral } from './referral-page.ts';
import { readFullReferral } from './view/full-referral.ts';
import { referralView } from './view/referral-view.ts';
import { whatACancellationDoes } from './view/what-an-end-does.ts';

type Deps = ReferralDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** `other` is also a reason to cancel, so the form tells “Another mistake” from “Another reason”. */
const otherMistake = 'other-mistake';

const mistakes = reasonsToChoose('withdraw-as-error', 'referrer').map((each) =>
  each.value === 'other' ? { value: otherMistake, text: 'Another mistake' } : each,
);

/**
 * One form for the referrer to cancel a referral. The reason decides whether it is cancelled, or was sent by mistake
 * (`withdraw-as-error`).
 */
export function cancelPage(app: App, deps: Deps): void {
  const config = page(signedIn());
  const path = '/referrals/:id/withdraw';
  app.get(path, { config, schema: { hide: true, params } }, (request, reply) =>
    showCancellation(deps, request, reply),
  );
  app.post(path, { config, schema: { hide: true, params, body: anyForm } }, async (request, reply) => {
    const { id } = request.params;
    const sentForm = readActionForm(request.body);
    const { action, values } = cancellationFrom(sentForm);
    const refused = await submitAction(deps, request, id, action, { values });
    if (!refused) return reply.redirect(pathAfter(request, id, action), 303);
    return refused.status === unprocessable.status
      ? showCancellation(deps, request, reply, { ...refused, values: sentForm })
      : showReferral(deps, request, reply, id, refused);
  });
}

function cancellationFrom(sentForm: ActionForm): { action: Action; values: ActionForm } {
  const { reason_code } = sentForm;
  if (!mistakes.some(({ value }) => value === reason_code)) return { action: 'cancel', values: sentForm };
  const code = reason_code === otherMistake ? 'other' : reason_code;
  return { action: 'withdraw-as-error', values: { ...sentForm, reason_code: code } };
}

/** Shows the form. Somebody who may not cancel the referral now is sent to its page. */
async function showCancellation(
  deps: Deps,
  request: Request & { params: { id: string } },
  reply: Reply,
  refused?: RefusedForm,
): Promise<Reply> {
  const { id } = request.params;
  const full = await readFullReferral(deps, requireCaller(request), id, request.ip);
  const view = referralView(deps.settings, full);
  if (!view.canCancel) return reply.redirect(referralPagePath(id), 303);
  if (refused) reply.code(refused.status);
  return deps.pages.send(request, reply, 'referrals/pages/templates/referral/cancel.njk', {
    ...view,
    listSuffix: listSuffix(request),
    asksAboutRisk: view.risk.isAskedAbout,
    values: refused?.values ?? emptyActionForm,
    errors: refused?.errors,
    after: whatACancellationDoes(view),
    noLongerNeeded: reasonsToChoose('cancel', 'referrer'),
    mistakes,
  });
}
