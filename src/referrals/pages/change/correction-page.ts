import { requireCaller } from '../../../accounts/index.ts';
import { compactPostcode, isKnownPostcode } from '../../../library/index.ts';
import { readUntrimmedFields } from '../../../platform/html/index.ts';
import { type App, describeErrors, validatorOf } from '../../../platform/http/index.ts';
import { type FieldError, Problem, unprocessable } from '../../../platform/problem/index.ts';
import { correctReferral } from '../../corrections/correct-referral.ts';
import { type Correction, correctionSchema } from '../../corrections/correction.ts';
import { doesNotFit } from '../../model/problems.ts';
import { choosePractice, type PracticeChoice } from '../form/choose-practice.ts';
import { clearedFitFields, contactContradictions } from '../form/form-page.ts';
import {
  correctionFrom,
  explainReferralErrors,
  formOf,
  type ReferralForm,
  readReferralForm,
} from '../form/referral-form.ts';
import { referralPagePath, referralSuccess } from '../referral-page-address.ts';
import {
  type ChangeDeps,
  changeFormRoute,
  explainConflict,
  type RefusedChange,
  readView,
  showChange,
  storedInput,
} from './show-change.ts';

/** The form that puts details of a referral right. */
export function correctionPage(app: App, deps: ChangeDeps): void {
  app.post('/referrals/:id/correct', changeFormRoute, async (request, reply) => {
    const { id: referralId } = request.params;
    const carried = readUntrimmedFields(request.body, [
      'version',
      'find_practice',
      'before',
      'postcode_confirmed',
    ]);
    const { version, find_practice, postcode_confirmed } = carried;
    // Read once, also if the form is shown again, so that the audit has one entry.
    const loaded = await readView(deps, request);
    const { full, view } = loaded;
    const refuse = (refused: RefusedChange) => showChange(deps, request, reply, 'correct', refused, loaded);
    const typed = readReferralForm(request.body);
    const values = withTypedChanges(formOf(storedInput(full)), typed, carried.before);
    const practice = await choosePractice(deps, values, {
      currentCode: full.presented.gp_practice?.ods_code,
    });
    if (find_practice !== '') {
      const errors = practice.error && practice.offered.length === 0 ? [practice.error] : [];
      return refuse(refusedCorrection(values, practice, errors));
    }
    const isReferrer = view.isReferrer;
    const chosen = { ...values, gp_ods_code: practice.code };
    const correction = correctionFrom(chosen, storedInput(full), {
      isReferrer,
      isAddressHidden: full.isAddressHidden,
    });
    const errors = [
      ...describeErrors(validatorOf(correctionSchema).Errors(correction), ''),
      ...(isReferrer && practice.error ? [practice.error] : []),
      ...contactContradictions(chosen),
    ];
    if (errors.length > 0) return refuse(refusedCorrection(values, practice, errors));
    const { postcode } = formOf(storedInput(full));
    if (await mustConfirmPostcode(deps, values.postcode, { before: postcode, confirmed: postcode_confirmed }))
      return refuse({ ...refusedCorrection(values, practice, [unknownPostcode]), unknownPostcode: true });
    const expected = { referralId, version: Number(version), ipAddress: request.ip };
    try {
      await correctReferral(deps, requireCaller(request), {
        ...expected,
        correction: correction as Correction,
      });
      return reply.redirect(referralSuccess.path(referralPagePath(referralId), 'correct'), 303);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.kind === unprocessable && error.errors)
        return refuse(refusedCorrection(values, practice, error.errors));
      if (error.kind === doesNotFit && error.errors)
        return refuse({
          ...refusedCorrection({ ...values, ...clearedFitFields(error.extra ?? {}) }, practice, error.errors),
          misfit: error.extra,
        });
      return refuse({ ...explainConflict(error), values, practice });
    }
  });
}

function refusedCorrection(
  values: ReturnType<typeof readReferralForm>,
  practice: PracticeChoice,
  fieldErrors: readonly FieldError[],
): RefusedChange {
  const errors = fieldErrors.length > 0 ? explainReferralErrors(fieldErrors, values) : undefined;
  return { status: errors ? unprocessable.status : 200, values, errors, practice };
}

const unknownPostcode: FieldError = {
  pointer: '/patient/address/postcode',
  message: 'is not known on this site',
  code: 'unknown-postcode',
};

/** Whether a new postcode may be mistyped, and nobody has confirmed this very postcode. */
async function mustConfirmPostcode(
  { db }: ChangeDeps,
  typed: string,
  { before, confirmed }: { before: string; confirmed: string },
): Promise<boolean> {
  if ([before, confirmed, ''].map(compactPostcode).includes(compactPostcode(typed))) return false;
  return !(await isKnownPostcode(db, typed));
}

/**
 * What is stored now, with only those fields changed that somebody changed on the page. Otherwise a page that was open for long would
 * undo what others put right meanwhile, such as that it is not safe to ring. `before` is the form as the page first showed it.
 */
function withTypedChanges(stored: ReferralForm, typed: ReferralForm, before: string): ReferralForm {
  if (before === '') return typed;
  const shown = readReferralForm(parseForm(before) ?? {});
  const changed = Object.entries(typed).filter(
    ([name, value]) => value.replaceAll('\r\n', '\n') !== shown[name as keyof ReferralForm],
  );
  return { ...stored, ...Object.fromEntries(changed) };
}

function parseForm(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
