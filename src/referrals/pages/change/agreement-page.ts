import { requireCaller } from '../../../accounts/index.ts';
import { fieldError, readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import { type App, describeErrors, validatorOf } from '../../../platform/http/index.ts';
import { type FieldError, Problem, unprocessable } from '../../../platform/problem/index.ts';
import {
  type AgreementChange,
  agreementChangeSchema,
  changeAgreement,
} from '../../corrections/change-agreement.ts';
import { sharingLevel } from '../../model/person/agreement.ts';
import { referralRestricted } from '../../model/problems.ts';
import { answerText, saidByQuestion, sharingQuestion } from '../form/agreement-wording.ts';
import {
  agreementFrom,
  explainReferralErrors,
  type ReferralForm,
  readReferralForm,
  sharingFrom,
} from '../form/referral-form.ts';
import type { FormErrors } from '../form-errors.ts';
import { referralPagePath, referralSuccess } from '../referral-page-address.ts';
import { type ChangeDeps, changeFormRoute, readView, showChange } from './show-change.ts';

/** The form for what the person agrees to from now on. */
export function agreementPage(app: App, deps: ChangeDeps): void {
  app.post('/referrals/:id/agreement', changeFormRoute, async (request, reply) => {
    const { id: referralId } = request.params;
    const form = readReferralForm(request.body);
    const values = { ...form, ...readUntrimmedFields(request.body, ['referral', 'agreement_reason']) };
    const said_by = agreementFrom(form);
    // Each reading is recorded, so the referral is read only if it matters who the person is.
    const loaded = said_by?.basis === undefined ? await readView(deps, request) : undefined;
    const refuse = (errors: FormErrors) => {
      const refused = { status: unprocessable.status, values, errors };
      return showChange(deps, request, reply, 'agreement', refused, loaded);
    };
    const share = sharingFrom(form.share_with_gp);
    if (share === undefined)
      return refuse(fieldError('share_with_gp', 'Select what the GP practice may have'));
    if (loaded?.view.mustSayWho) return refuse(fieldError('agreement_basis', 'Select who said so'));
    // Somebody at the page can say who said so, also for an adult.
    if (
      loaded &&
      !loaded.view.referral.restricted &&
      sharingLevel(share) > sharingLevel(loaded.view.sharedBefore)
    )
      return refuse(whoSaidMore);
    const answers = [
      answerText(sharingQuestion, form.share_with_gp),
      answerText(saidByQuestion, form.agreement_basis),
    ];
    const reason = trimToUndefined(values.agreement_reason);
    const typed = {
      share_with_gp: share,
      wording: answers.filter((line) => line !== undefined).join('\n'),
      ...(said_by?.basis !== undefined && { said_by }),
      ...(values.referral === 'no' && { referral: false }),
      ...(reason !== undefined && { reason }),
    };
    const errors = describeErrors(validatorOf(agreementChangeSchema).Errors(typed), '');
    if (errors.length > 0) return refuse(saidByErrors(errors, form));
    const agreement = typed as AgreementChange;
    try {
      await changeAgreement(deps, requireCaller(request), { referralId, agreement, ipAddress: request.ip });
      return reply.redirect(referralSuccess.path(referralPagePath(referralId), 'agreement'), 303);
    } catch (refusal) {
      if (refusal instanceof Problem && refusal.kind === referralRestricted) return refuse(onlyLess);
      if (!(refusal instanceof Problem) || refusal.kind !== unprocessable || !refusal.errors) throw refusal;
      return refuse(saidByErrors(refusal.errors, form));
    }
  });
}

const whoSaidMore = fieldError(
  'agreement_basis',
  'Select who said so, because the practice is told more than before',
);

const onlyLess = fieldError(
  'share_with_gp',
  'While the referral is restricted, you can only have the practice told less than before',
);

const childDecided = fieldError(
  'agreement_basis',
  'The child decided that the practice is told less, and only the child can change that. If somebody is in danger, tell the practice yourself',
);

const noLongerAgreed = fieldError(
  'share_with_gp',
  'The person no longer wanted the referral, so you cannot have the practice told more. If they changed their mind, ask the referrer to record it',
);

const reasonIsMissing: Readonly<Record<string, string>> = {
  'reason-to-tell-more': 'Enter why the practice is told more than the person decided themselves',
  'reason-to-end': 'Enter why the referral ends although the person had agreed to it themselves',
};

/** In the words of the form for a new referral, which asks the same of the first agreement. */
function saidByErrors(errors: readonly FieldError[], form: ReferralForm): FormErrors {
  const reason = errors.find(({ pointer }) => pointer === '/reason');
  if (reason) {
    const words = reasonIsMissing[reason.code ?? ''] ?? `What you wrote ${reason.message}`;
    return fieldError('agreement_reason', words);
  }
  if (errors.some(({ pointer }) => pointer === '/said_by')) return whoSaidMore;
  if (errors.some(({ code }) => code === 'child-decided')) return childDecided;
  if (errors.some(({ code }) => code === 'no-longer-agreed')) return noLongerAgreed;
  const asOfAgreement = errors.map((error) => ({
    ...error,
    pointer: error.pointer.replace(/^\/said_by/, '/agreement'),
  }));
  return explainReferralErrors(asOfAgreement, form);
}
