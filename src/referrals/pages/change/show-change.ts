import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type Problem, versionStale } from '../../../platform/problem/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { wrongState } from '../../model/problems.ts';
import type { DraftInput } from '../../model/schemas/new-referral.ts';
import { isUsable } from '../../model/status/usable.ts';
import { saidByQuestion, sharingQuestion } from '../form/agreement-wording.ts';
import { choosePractice, type PracticeChoice } from '../form/choose-practice.ts';
import { choices, foldContents, openFolds } from '../form/form-layout.ts';
import { emptyReferralForm, formOf } from '../form/referral-form.ts';
import type { FormErrors } from '../form-errors.ts';
import { type FullReferral, readFullReferral } from '../referral/view/full-referral.ts';
import { referralView } from '../referral/view/referral-view.ts';
import { referralPagePath } from '../referral-page-address.ts';

export type ChangeDeps = ReferralDeps & WebPlatform;

export const params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** How the routes of these forms are declared. */
export const changeFormRoute = {
  config: page(signedIn()),
  schema: { hide: true, params, body: anyForm },
} as const;

export type ChangeForm = 'correct' | 'agreement' | 'things-have-changed' | 'died';

export type RefusedChange = {
  status: number;
  values: Record<string, string>;
  errors: FormErrors | undefined;
  practice?: PracticeChoice;
  /** The service’s telephone number, where the new postcode is outside its area. */
  misfit?: Problem['extra'];
  /** Somebody has to confirm the new postcode, which this site does not know. */
  unknownPostcode?: boolean;
};

/** Says on the form that the referral was changed or ended meanwhile. @throws any other problem unchanged. */
export function explainConflict(problem: Problem): Pick<RefusedChange, 'status' | 'errors'> {
  const words = new Map([
    [
      versionStale,
      'The referral has changed since you opened this page. Check what you typed, and save it again',
    ],
    [wrongState, 'The referral has ended since you opened this page, so nothing was changed'],
  ]);
  const text = words.get(problem.kind);
  if (text === undefined) throw problem;
  return { status: problem.kind.status, errors: { summary: [{ text }], fields: {} } };
}

export async function readView(deps: ChangeDeps, request: Request) {
  const { id } = request.params as { id: string };
  const full = await readFullReferral(deps, requireCaller(request), id, request.ip);
  return { full, view: referralView(deps.settings, full) };
}

export async function showChange(
  deps: ChangeDeps,
  request: Request,
  reply: Reply,
  form: ChangeForm,
  refused?: RefusedChange,
  loaded?: Awaited<ReturnType<typeof readView>>,
): Promise<Reply> {
  const { full, view } = loaded ?? (await readView(deps, request));
  const offered = { agreement: view.canChangeAgreement, died: view.canReportDeath } as const;
  const isOffered = form === 'agreement' || form === 'died' ? offered[form] : view.canChange;
  // Somebody who may not (or no longer) change it sees the referral’s page.
  if (!isOffered) return reply.redirect(referralPagePath(full.referral.id), 303);
  if (refused) reply.code(refused.status);
  // What a restricted referral says is shown nowhere.
  const stored = isUsable(full.referral) ? formOf(storedInput(full)) : emptyReferralForm;
  const practice =
    refused?.practice ?? (await choosePractice(deps, stored, { currentCode: stored.gp_ods_code }));
  const values = refused?.values ?? (form === 'correct' ? stored : { share_with_gp: stored.share_with_gp });
  return deps.pages.send(request, reply, 'referrals/pages/templates/form/change.njk', {
    ...view,
    open: openFolds(refused?.errors),
    inside: foldContents({ ...emptyReferralForm, ...values }),
    form,
    addressNotice: 'address_notice' in full.presented ? full.presented.address_notice : undefined,
    practice,
    choices,
    sharingQuestion,
    saidByQuestion,
    before: JSON.stringify(stored),
    values,
    errors: refused?.errors,
    misfit: refused?.misfit,
    unknownPostcode: refused?.unknownPostcode,
  });
}

/**
 * What the referral says now, as a client system would send it. What a confidential service keeps from the reader is left blank, and so is
 * the reason for an earlier misfit, which is no reason for a new one.
 */
export function storedInput({
  referral: { content, urgency, gp_practice },
  isAddressHidden,
}: FullReferral): DraftInput {
  const { fit_override: _, ...rest } = content;
  const { address, ...person } = content.patient ?? {};
  return {
    ...rest,
    patient: isAddressHidden ? person : { ...person, address },
    urgency,
    ...(gp_practice && { gp_practice: { ods_code: gp_practice.ods_code } }),
  } as DraftInput;
}
