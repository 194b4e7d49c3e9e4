import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { isKnownPostcode } from '../../../library/index.ts';
import { fieldError, joinDate, readUntrimmedFields, trimToUndefined } from '../../../platform/html/index.ts';
import {
  type App,
  anyForm,
  describeErrors,
  page,
  type Reply,
  type Request,
  signedIn,
  validatorOf,
} from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, unprocessable, versionStale } from '../../../platform/problem/index.ts';
import {
  type AgreementChange,
  agreementChangeSchema,
  changeAgreement,
} from '../../corrections/change-agreement.ts';
import { correctReferral } from '../../corrections/correct-referral.ts';
import { type Correction, correctionSchema } from '../../corrections/correction.ts';
import { confirmChangeRead, newChangeSchema, tellChange } from '../../corrections/tell-change.ts';
import { deathSchema } from '../../endings/death-routes.ts';
import { confirmDeath, reportDeath, undoDeath } from '../../endings/report-death.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { doesNotFit, wrongState } from '../../model/problems.ts';
import type { DraftInput } from '../../model/schemas/new-referral.ts';
import type { FormErrors } from '../form-errors.ts';
import { type FullReferral, readFullReferral } from '../referral/full-referral.ts';
import { referralDone, referralPath } from '../referral/referral-page.ts';
import { referralView } from '../referral/referral-view.ts';
import { answerText, saidByQuestion, sharingQuestion } from './agreement-wording.ts';
import { choosePractice, type PracticeChoice } from './choose-practice.ts';
import { choices } from './form-layout.ts';
import { askAgain, contactContradictions } from './form-page.ts';
import {
  agreementFrom,
  correctionFrom,
  explainReferralErrors,
  formOf,
  type ReferralForm,
  readReferralForm,
  sharingFrom,
} from './referral-form.ts';

type Deps = ReferralDeps & WebPlatform;

const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const changeParams = Type.Object({ ...params.properties, change_id: Type.String({ maxLength: 100 }) });

/** The forms of a sent referral that change what it says: a correction, another agreement, and news of the person. */
export function changePages(app: App, deps: Deps): void {
  const config = page(signedIn());
  const schema = { hide: true, params } as const;
  const sent = { hide: true, params, body: anyForm } as const;

  for (const form of ['correct', 'agreement', 'things-have-changed', 'died'] as const)
    app.get(`/referrals/:id/${form}`, { config, schema }, (request, reply) =>
      showChange(deps, request, reply, form),
    );

  app.post('/referrals/:id/correct', { config, schema: sent }, async (request, reply) => {
    const { id: referralId } = request.params;
    const hidden = readUntrimmedFields(request.body, [
      'version',
      'find_practice',
      'before',
      'postcode_confirmed',
    ]);
    const { version, find_practice, postcode_confirmed } = hidden;
    // Read once, also where the form is shown again, so that the audit has one look.
    const seen = await readView(deps, request);
    const { full, view } = seen;
    const refuse = (refused: RefusedChange) => showChange(deps, request, reply, 'correct', refused, seen);
    const typed = readReferralForm(request.body);
    const values = withTypedChanges(formOf(storedInput(full)), typed, hidden.before);
    const practice = await choosePractice(deps, values, {
      presentCode: full.presented.gp_practice?.ods_code,
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
    const change = { referralId, version: Number(version), ipAddress: request.ip };
    try {
      await correctReferral(deps, requireCaller(request), {
        ...change,
        correction: correction as Correction,
      });
      return reply.redirect(referralDone.path(referralPath(referralId), 'correct'), 303);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.kind === unprocessable && error.errors)
        return refuse(refusedCorrection(values, practice, error.errors));
      if (error.kind === doesNotFit && error.errors)
        return refuse({
          ...refusedCorrection({ ...values, ...askAgain(error.extra ?? {}) }, practice, error.errors),
          misfit: error.extra,
        });
      return refuse({ ...explainConflict(error), values, practice });
    }
  });

  app.post('/referrals/:id/agreement', { config, schema: sent }, async (request, reply) => {
    const { id: referralId } = request.params;
    const form = readReferralForm(request.body);
    const values = { ...form, ...readUntrimmedFields(request.body, ['referral', 'agreement_reason']) };
    const said_by = agreementFrom(form);
    // Opening the page is a look, so it is read only where it matters who the person is.
    const seen = said_by?.basis === undefined ? await readView(deps, request) : undefined;
    const refuse = (errors: FormErrors) => {
      const refused = { status: unprocessable.status, values, errors };
      return showChange(deps, request, reply, 'agreement', refused, seen);
    };
    const share = sharingFrom(form.share_with_gp);
    if (share === undefined)
      return refuse(fieldError('share_with_gp', 'Select what the GP practice may have'));
    if (seen?.view.mustSayWho) return refuse(fieldError('agreement_basis', 'Select who said so'));
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
      return reply.redirect(referralDone.path(referralPath(referralId), 'agreement'), 303);
    } catch (refusal) {
      if (!(refusal instanceof Problem) || refusal.kind !== unprocessable || !refusal.errors) throw refusal;
      return refuse(saidByErrors(refusal.errors, form));
    }
  });

  app.post('/referrals/:id/things-have-changed', { config, schema: sent }, async (request, reply) => {
    const { id: referralId } = request.params;
    const values = readUntrimmedFields(request.body, ['text', 'urgency']);
    const text = trimToUndefined(values.text) ?? '';
    const [error] = describeErrors(validatorOf(newChangeSchema).Errors({ text }), '');
    if (error) {
      const words = text === '' ? 'Enter what has changed' : `What you wrote ${error.message}`;
      return showChange(deps, request, reply, 'things-have-changed', {
        status: unprocessable.status,
        values,
        errors: fieldError('text', words),
      });
    }
    const urgency = values.urgency === 'urgent' ? 'urgent' : undefined;
    try {
      await tellChange(deps, requireCaller(request), { referralId, text, urgency, ipAddress: request.ip });
      return reply.redirect(referralDone.path(referralPath(referralId), 'things-have-changed'), 303);
    } catch (refusal) {
      if (!(refusal instanceof Problem)) throw refusal;
      const refused = explainConflict(refusal);
      return showChange(deps, request, reply, 'things-have-changed', { ...refused, values });
    }
  });

  app.post('/referrals/:id/died', { config, schema: sent }, async (request, reply) => {
    const { id: referralId } = request.params;
    const values = readUntrimmedFields(request.body, ['told_by', 'died_day', 'died_month', 'died_year']);
    const date = joinDate([values.died_year, values.died_month, values.died_day]);
    const body = { told_by: trimToUndefined(values.told_by) ?? '', ...(date !== undefined && { date }) };
    const refuse = (field: string, text: string) =>
      showChange(deps, request, reply, 'died', {
        status: unprocessable.status,
        values,
        errors: fieldError(field, text),
      });
    const [error] = describeErrors(validatorOf(deathSchema).Errors(body), '');
    if (error?.pointer === '/date')
      return refuse('died_day', 'The date must be a real date, like 20 11 2026');
    if (error) return refuse('told_by', 'Enter who told you');
    try {
      const told = { referralId, toldBy: body.told_by, date: date ?? null, ipAddress: request.ip };
      await reportDeath(deps, requireCaller(request), told);
      return reply.redirect(referralDone.path(referralPath(referralId), 'died'), 303);
    } catch (refusal) {
      if (!(refusal instanceof Problem)) throw refusal;
      if (refusal.kind === unprocessable)
        return refuse('died_day', `The date ${refusal.errors?.[0]?.message ?? 'is wrong'}`);
      return showChange(deps, request, reply, 'died', { ...explainConflict(refusal), values });
    }
  });

  app.post('/referrals/:id/died/confirm', { config, schema: sent }, async (request, reply) => {
    const { id: referralId } = request.params;
    await confirmDeath(deps, requireCaller(request), { referralId, ipAddress: request.ip });
    return reply.redirect(referralDone.path(referralPath(referralId), 'died-confirmed'), 303);
  });

  app.post('/referrals/:id/died/undo', { config, schema: sent }, async (request, reply) => {
    const { id: referralId } = request.params;
    await undoDeath(deps, requireCaller(request), { referralId, ipAddress: request.ip });
    return reply.redirect(referralDone.path(referralPath(referralId), 'died-undone'), 303);
  });

  app.post(
    '/referrals/:id/things-have-changed/:change_id/confirm',
    { config, schema: { hide: true, params: changeParams, body: anyForm } },
    async (request, reply) => {
      const { id: referralId, change_id: changeId } = request.params;
      await confirmChangeRead(deps, requireCaller(request), { referralId, changeId, ipAddress: request.ip });
      return reply.redirect(referralDone.path(referralPath(referralId), 'read'), 303);
    },
  );
}

type Form = 'correct' | 'agreement' | 'things-have-changed' | 'died';

type RefusedChange = {
  status: number;
  values: Record<string, string>;
  errors: FormErrors | undefined;
  practice?: PracticeChoice;
  /** The service’s telephone number, where the new postcode is outside its area. */
  misfit?: Problem['extra'];
  /** Somebody has to confirm the new postcode, which this site does not know. */
  unknownPostcode?: boolean;
};

function refusedCorrection(
  values: ReturnType<typeof readReferralForm>,
  practice: PracticeChoice,
  found: readonly FieldError[],
): RefusedChange {
  const errors = found.length > 0 ? explainReferralErrors(found, values) : undefined;
  return { status: errors ? unprocessable.status : 200, values, errors, practice };
}

const unknownPostcode: FieldError = {
  pointer: '/patient/address/postcode',
  message: 'is not known on this site',
  code: 'unknown-postcode',
};

/** Whether a new postcode may be mistyped and nobody has said that it is right. What was confirmed was one postcode, and no other. */
async function mustConfirmPostcode(
  { db }: Deps,
  typed: string,
  { before, confirmed }: { before: string; confirmed: string },
): Promise<boolean> {
  const plain = (postcode: string) => postcode.replaceAll(/\s/g, '').toUpperCase();
  if ([plain(before), plain(confirmed), ''].includes(plain(typed))) return false;
  return !(await isKnownPostcode(db, typed));
}

/** In the words of the form for a new referral, which asks the same of the first agreement. */
function saidByErrors(errors: readonly FieldError[], form: ReferralForm): FormErrors {
  const reason = errors.find(({ pointer }) => pointer === '/reason');
  if (reason) {
    const words = 'Enter why the practice is told more than the person decided themselves';
    return fieldError(
      'agreement_reason',
      reason.code === 'required' ? words : `What you wrote ${reason.message}`,
    );
  }
  const asOfAgreement = errors.map((error) => ({
    ...error,
    pointer: error.pointer.replace(/^\/said_by/, '/agreement'),
  }));
  return explainReferralErrors(asOfAgreement, form);
}

/** @throws the problem itself when it is not about the referral having moved on. */
function explainConflict(problem: Problem): Pick<RefusedChange, 'status' | 'errors'> {
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

async function readView(deps: Deps, request: Request) {
  const { id } = request.params as { id: string };
  const full = await readFullReferral(deps, requireCaller(request), id, request.ip);
  return { full, view: referralView(deps.settings, full) };
}

async function showChange(
  deps: Deps,
  request: Request,
  reply: Reply,
  form: Form,
  refused?: RefusedChange,
  seen?: Awaited<ReturnType<typeof readView>>,
): Promise<Reply> {
  const { full, view } = seen ?? (await readView(deps, request));
  const offered = { agreement: view.canChangeAgreement, died: view.canReportDeath } as const;
  const isOffered = form === 'agreement' || form === 'died' ? offered[form] : view.canChange;
  // Somebody who may not (or no longer) change it sees the referral’s page.
  if (!isOffered) return reply.redirect(referralPath(full.referral.id), 303);
  if (refused) reply.code(refused.status);
  const stored = formOf(storedInput(full));
  const practice =
    refused?.practice ?? (await choosePractice(deps, stored, { presentCode: stored.gp_ods_code }));
  return deps.pages.send(request, reply, 'referrals/pages/templates/form/change.njk', {
    ...view,
    form,
    practice,
    choices,
    sharingQuestion,
    saidByQuestion,
    before: JSON.stringify(stored),
    values: refused?.values ?? (form === 'correct' ? stored : { share_with_gp: stored.share_with_gp }),
    errors: refused?.errors,
    misfit: refused?.misfit,
    unknownPostcode: refused?.unknownPostcode,
  });
}

/**
 * What the referral says now, as a client system would send it. What a confidential service keeps from the reader is left blank. A reason
 * for an earlier misfit is none for a new one, so the form does not begin with it.
 */
function storedInput({
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
