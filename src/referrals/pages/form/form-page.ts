import { requireCaller } from '../../../accounts/index.ts';
import { isKnownPostcode, servicePath } from '../../../library/index.ts';
import { lowerFirst } from '../../../platform/first-letter.ts';
import { readUntrimmedFields } from '../../../platform/html/index.ts';
import { describeErrors, type Reply, type Request, validatorOf } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, versionStale } from '../../../platform/problem/index.ts';
import { sendsTexts } from '../../../platform/texts/index.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { dayOfAgreement } from '../../model/due/dates.ts';
import { agreementErrors } from '../../model/person/agreement.ts';
import { partsWithCrisis } from '../../model/person/danger/risk.ts';
import { findMisfit } from '../../model/person/fit.ts';
import { ownNameCode } from '../../model/person/identity/own-referral.ts';
import { patientErrors } from '../../model/person/identity/patient.ts';
import {
  cannotRefer,
  deathReported,
  doesNotFit,
  idempotencyKeyReused,
  personMismatch,
  possibleDuplicate,
  riskNotActedOn,
  stillInProgress,
  wrongState,
} from '../../model/problems.ts';
import type { Agreement } from '../../model/referral.ts';
import {
  type DraftInput,
  draftSchema,
  type NewReferral,
  newReferralSchema,
} from '../../model/schemas/new-referral.ts';
import { triedTooOftenCode } from '../../submit/checks/refuse-mismatches.ts';
import { riskHelp } from '../../submit/checks/require-risk-acted-on.ts';
import { contradiction, type FormErrors } from '../form-errors.ts';
import { gpContradictions, hasFurtherActions, missingGpAnswers } from '../gp-actions-form.ts';
import type { ReferralField } from '../referral-fields.ts';
import { referralPagePath } from '../referral-page-address.ts';
import { agreementQuestions, composeWording } from './agreement-wording.ts';
import { findOwnPractice, type PracticeChoice, unknownPractice } from './choose-practice.ts';
import {
  agreementEnd,
  choices,
  foldContents,
  openFolds,
  searchedAgeInWords,
  serviceFacts,
} from './form-layout.ts';
import type { FormService } from './form-service.ts';
import { draftFrom, explainReferralErrors, newReferralFrom, type ReferralForm } from './referral-form.ts';

/** The form of a new referral or a draft, as it is filled in. */
export type FilledForm = {
  service: FormService;
  form: ReferralForm;
  /** The address that the form is sent to. */
  action: string;
  practice?: PracticeChoice;
  /** Of a new referral: the idempotency key. */
  key?: string | undefined;
  /** Of a draft: the version that was seen. */
  version?: number;
  /** The referral that it replaces. */
  replaced?: { id: string; reference: string } | undefined;
  /** A later referral of the same person by the same organisation. */
  newest?: { id: string; reference: string; requested_at: Date | string | null } | undefined;
  /** A draft to the same service that the caller began not long ago. */
  begun?: { id: string; updatedAt: Date } | undefined;
  /** Where somebody who was referred before can be chosen. */
  earlierPath?: string | undefined;
  /** Of a draft that somebody else has saved meanwhile: its version now. */
  newerVersion?: number | undefined;
  /** The service was marked as sensitive after the draft was saved. */
  mustAskSharing?: boolean;
  /** The service that declined suggested this one. */
  isSuggested?: boolean;
  /** What was written about the earlier referral that tells of a danger. It is not passed on. */
  toldSince?: readonly string[];
  /** When the person said that they no longer want the earlier referral, if nobody has dealt with it. */
  wishToStopAt?: Date | undefined;
  /** The age that was searched for. */
  age?: string | undefined;
  /** Whether it says nothing yet about a person, and may be sent compressed. */
  isBlank?: boolean;
};

/** What the hidden field of the form says of the search that led to it. */
export function searchedAgeOf(body: unknown): string | undefined {
  return readUntrimmedFields(body, ['searched_age']).searched_age || undefined;
}

export type FormWithPractice = { form: ReferralForm; practice: PracticeChoice; service: FormService };

/** @throws Problem `cannot-refer` with every error that can be found without the database. */
export function readCompleteForm(
  deps: Pick<WebPlatform, 'settings' | 'clock'>,
  filled: FormWithPractice,
): NewReferral {
  const input = withWording(newReferralFrom(withPractice(filled), filled.service.id) as DraftInput, filled);
  const check = validatorOf(newReferralSchema);
  const notAsked = [
    ...requiredOnPages(input),
    ...agreementErrorsSoFar(input, deps.clock.now()),
    ...missingPractice(filled.form),
    ...contradictionsIn(filled.form),
  ];
  if (!filled.practice.error && notAsked.length === 0 && check.Check(input)) return input;
  throw refusal(deps, [...describeErrors(check.Errors(input), ''), ...notAsked], input, filled.practice);
}

/** What the API may leave out, and the pages ask of everybody. */
function requiredOnPages({ urgency, risk, contact, agreement, gp_actions }: DraftInput): FieldError[] {
  const missingError = (pointer: string) => ({ pointer, message: 'is required' });
  return [
    ...(urgency === undefined ? [missingError('/urgency')] : []),
    ...(risk === undefined ? [missingError('/risk')] : []),
    ...(contact?.safe === undefined ? [missingError('/contact/safe')] : []),
    ...(contact?.safe === 'only_at' && contact.only_at === undefined
      ? [missingError('/contact/only_at')]
      : []),
    ...(agreement?.basis === undefined ? [missingError('/agreement/basis')] : []),
    ...(gp_actions ? missingGpAnswers(gp_actions) : []),
  ];
}

/** With every other error, so that nobody corrects a form in rounds. Without a date of birth, nothing is known of it yet. */
function agreementErrorsSoFar({ agreement, patient, made_at }: DraftInput, now: Date): FieldError[] {
  const birth_date = patient?.birth_date;
  if (agreement?.basis === undefined || birth_date === undefined) return [];
  const answers = { agreement: agreement as Agreement, patient: { birth_date } };
  return agreementErrors(answers, dayOfAgreement({ made_at }, now));
}

/** Somebody who skips the question, or names no “other” practice, would not notice that no practice is told. */
function missingPractice({ gp_asked, gp_from, gp_ods_code }: ReferralForm): FieldError[] {
  const required = (pointer: string) => [{ pointer, message: 'is required', code: 'required' }];
  if (gp_from === 'other' && gp_ods_code.trim() === '') return required('/gp_practice');
  // A code without an answer comes from a form that was sent signed out, which does not know whose surgery it is.
  return gp_asked === 'yes' && gp_from === '' && gp_ods_code.trim() === '' ? required('/gp_from') : [];
}

/** Every answer that does not fit what was chosen above it. */
function contradictionsIn(form: ReferralForm): FieldError[] {
  const { agreement_basis: basis } = form;
  const isOtherBasis =
    (basis !== 'competent_child' && isFilled(form, 'agreement_judged_by', 'agreement_when')) ||
    (basis !== 'best_interests' && isFilled(form, 'agreement_decided_by', 'agreement_consulted'));
  return [...(isOtherBasis ? [contradiction('/agreement/basis')] : []), ...notKeptInDraft(form)];
}

/** The contradictions in which a draft would lose what was typed. The name of the person who judged or decided is kept in it, whatever was chosen. */
function notKeptInDraft(form: ReferralForm): FieldError[] {
  const isRiskLost = form.risk !== 'yes' && isFilled(form, 'risk_told', 'risk_told_at');
  return [
    ...(isRiskLost ? [contradiction('/risk')] : []),
    ...contactContradictions(form),
    ...gpContradictions(form),
  ];
}

/** @throws Problem `cannot-refer` if a draft would be saved without something that was typed. */
export function requireAllKept({ form }: { form: ReferralForm }): void {
  const errors = notKeptInDraft(form);
  if (errors.length > 0) throw new Problem(cannotRefer, undefined, { errors });
}

/** The fields that a draft is saved without, because another answer was chosen above them. */
export function fieldsNotKept(form: ReferralForm): ReferralField[] {
  const errors = notKeptInDraft(form).map(({ pointer }) => pointer);
  return [
    ...(errors.includes('/risk') ? (['risk_told'] as const) : []),
    ...(errors.includes('/contact/safe') ? (['contact_only_at'] as const) : []),
    ...(errors.includes('/gp_actions') ? (['gp_1_text'] as const) : []),
  ];
}

/** For the forms that ask only how the person is reached. */
export function contactContradictions(form: ReferralForm): FieldError[] {
  const isLost = form.contact_safe !== 'only_at' && isFilled(form, 'contact_only_at');
  return isLost ? [contradiction('/contact/safe')] : [];
}

function isFilled(form: ReferralForm, ...names: (keyof ReferralForm)[]): boolean {
  return names.some((name) => form[name].trim() !== '');
}

/** As `readCompleteForm`, for a draft, whose fields may be missing. @throws Problem `cannot-refer` */
export function readDraftForm(
  deps: Pick<WebPlatform, 'settings' | 'clock'>,
  filled: FormWithPractice,
): DraftInput {
  const input = withWording(draftFrom(withPractice(filled), filled.service.id), filled);
  if (!filled.practice.error && validatorOf(draftSchema).Check(input))
    return {
      ...input,
      ...(filled.form.allow_duplicate === 'yes' && { duplicate_meant: true }),
      ...(filled.form.gp_from === 'none' && { no_practice: true }),
    };
  throw refusal(deps, describeErrors(validatorOf(draftSchema).Errors(input), ''), input, filled.practice);
}

function withPractice({ form, practice }: FormWithPractice): ReferralForm {
  return { ...form, gp_ods_code: practice.code };
}

function withWording(input: DraftInput, { form, service }: FormWithPractice): DraftInput {
  const wording = composeWording(form, service);
  return wording === undefined ? input : { ...input, consent: { ...input.consent, wording } };
}

function refusal(
  { settings, clock }: Pick<WebPlatform, 'settings' | 'clock'>,
  schemaErrors: ReturnType<typeof describeErrors>,
  { patient = {} }: DraftInput,
  practice: PracticeChoice,
): Problem {
  const errors = [
    ...schemaErrors,
    ...patientErrors(patient, settings.mode, clock.now()),
    ...(practice.error ? [practice.error] : []),
  ];
  return new Problem(cannotRefer, undefined, { errors });
}

/** The “Find practice” button reports one problem alone: that there is no practice to choose. */
export function practiceProblem({ code, offered }: PracticeChoice): Problem | undefined {
  if (code !== '' || offered.length > 0) return undefined;
  return new Problem(cannotRefer, undefined, { errors: [unknownPractice] });
}

export async function showForm(
  deps: ReferralDeps & WebPlatform,
  request: Request,
  reply: Reply,
  { form, key, age, ...filled }: FilledForm,
  problem?: Problem,
): Promise<Reply> {
  const { pages, settings, clock } = deps;
  if (problem) reply.code(problem.kind.status);
  const isDraft = readUntrimmedFields(request.body, ['save_draft']).save_draft !== '';
  const isCrisis = asksAboutCrisis(settings, form, draftFrom(form, filled.service.id));
  const doesNotFitYet = await alsoMisfit(deps, request, { form, service: filled.service, problem });
  const misfit = doesNotFitYet?.extra;
  const isPostcodeUnknown = misfit !== undefined && !(await isKnownPostcode(deps.db, form.postcode));
  const errors =
    problem &&
    withCrisisFirst(errorsOf(problem, form, { isDraft, misfit: doesNotFitYet, isPostcodeUnknown }), {
      isCrisis,
    });
  const facts = await serviceFacts(deps, filled.service, form);
  const ownPractice = await findOwnPractice(deps, requireCaller(request));
  const send = filled.isBlank ? pages.sendCompressed : pages.send;
  return send(request, reply, 'referrals/pages/templates/form/new.njk', {
    ...filled,
    values: {
      ...form,
      ...(misfit && clearedFitFields(misfit)),
      gp_from: practiceFrom(form, ownPractice?.odsCode),
    },
    ownPractice,
    backPath: backFrom(filled),
    facts: facts ?? filled.service,
    agreementEnd: await agreementEnd(deps, filled.service),
    age,
    searchedAge: searchedAgeInWords(age, clock.now()),
    open: openFolds(errors),
    inside: foldContents(form),
    agreementOther: readUntrimmedFields(request.body, ['agreement_other']).agreement_other,
    asked: agreementQuestions(filled.service),
    choices,
    // It is offered again where it was ticked, so that it can be taken back.
    offersPersonPage: (settings.personPages && !filled.service.sensitive) || form.person_page !== '',
    sendsTexts: sendsTexts(settings),
    hasMoreGpActions: hasFurtherActions(form),
    key: problem?.kind === idempotencyKeyReused ? newId() : key,
    duplicate: problem?.kind === possibleDuplicate ? problem.extra : undefined,
    mismatch: problem?.kind === personMismatch,
    triedTooOften: problem?.errors?.some(({ code }) => code === triedTooOftenCode),
    namesake: problem?.errors?.some(({ code }) => code === ownNameCode),
    death: problem?.kind === deathReported ? problem.extra : undefined,
    misfit,
    misfitWords: misfitInWords(doesNotFitYet, facts ?? {}),
    risk: problem && isRiskUntold(problem, form) ? riskHelp(settings) : undefined,
    crisis: {
      ...riskHelp(settings),
      isShown: isCrisis,
    },
    errors,
    isUnsent: request.method === 'POST',
  });
}

/** That the service does not take the person, beside the other errors of a form that cannot be sent yet. */
async function alsoMisfit(
  deps: ReferralDeps & WebPlatform,
  request: Request,
  { form, service, problem }: { form: ReferralForm; service: FormService; problem: Problem | undefined },
): Promise<Problem | undefined> {
  if (problem?.kind === doesNotFit) return problem;
  const { save_draft, find_practice } = readUntrimmedFields(request.body, ['save_draft', 'find_practice']);
  if (problem?.kind !== cannotRefer || save_draft !== '' || find_practice !== '') return undefined;
  const { patient = {}, fit_override } = draftFrom(form, service.id);
  const isWrong = (pointer: string) => hasErrorIn(problem, pointer);
  return findMisfit(
    deps,
    service,
    {
      service_id: service.id,
      patient: {
        birth_date: isWrong('/patient/birth_date') ? undefined : patient.birth_date,
        address: { postcode: isWrong('/patient/address/postcode') ? '' : (patient.address?.postcode ?? '') },
      },
      fit_override: fit_override as { reason: string; misfits?: string[] } | undefined,
    },
    deps.clock.now(),
  );
}

const crisisHint = {
  text: 'Your words may tell of a crisis: read “Is somebody in danger?” first',
  href: '#crisis',
};

/** The box about it stands in the middle of the page, and nobody who reads the list of errors may miss it. */
function withCrisisFirst<Errors extends FormErrors<ReferralField>>(
  errors: Errors,
  { isCrisis }: { isCrisis: boolean },
): Errors {
  return isCrisis ? { ...errors, summary: [crisisHint, ...errors.summary] } : errors;
}

/** Where somebody came from: the draft, the search for another service, or the service itself. */
function backFrom({ version, action, replaced, service }: Omit<FilledForm, 'form'>): string {
  if (version !== undefined) return action.replace(/\/edit$/, '');
  return replaced ? `${referralPagePath(replaced.id)}/reroute` : servicePath(service.id);
}

/** A misfit may be right, and people see the summary first. */
const fitHint = {
  text: 'If that is right, say why you are referring them all the same',
  href: '#fit_reason',
};

/** What of the person does not fit, and whom the service takes in its own words, so that nobody looks for a fault that is not there. */
function misfitInWords(
  misfit: Problem | undefined,
  { areas = [], ages }: { areas?: readonly string[]; ages?: string | undefined },
): { takes: string; correct: string } {
  const isAbout = (pointer: string) => misfit?.errors?.some((error) => error.pointer === pointer) ?? false;
  const isAge = isAbout('/patient/birth_date');
  const isArea = isAbout('/patient/address/postcode');
  // A reason that was given before may be about either.
  if (!isAge && !isArea)
    return { takes: 'The service may not take this person.', correct: 'the date of birth or the postcode' };
  const area = areas.join('; ').replace(/\.$/, '');
  const people = ages === undefined ? 'people of other ages' : lowerFirst(ages);
  const covers =
    area === '' || area.length > maxAreaLength ? 'does not cover this postcode' : `covers ${area}`;
  return {
    takes: `The service ${[...(isAge ? [`takes ${people}`] : []), ...(isArea ? [covers] : [])].join(', and ')}.`,
    correct: [...(isAge ? ['the date of birth'] : []), ...(isArea ? ['the postcode'] : [])].join(' or '),
  };
}

/** A longer one names dozens of places, and nobody would find the telephone number behind it. */
const maxAreaLength = 300;

/** A reason that was given before is about something else, so it is not shown as the reason for this. */
export function clearedFitFields({ misfits }: NonNullable<Problem['extra']>) {
  return { fit_reason: '', fit_misfits: JSON.stringify(misfits) };
}

/** Whether the text has words of a crisis, and the form does not say that somebody is at risk. */
export function asksAboutCrisis(
  { crisisPhrases }: Pick<WebPlatform['settings'], 'crisisPhrases'>,
  { risk }: Pick<ReferralForm, 'risk'>,
  input: DraftInput,
): boolean {
  return risk !== 'yes' && partsWithCrisis(input, crisisPhrases).length > 0;
}

/** Which answer the practice belongs to: a draft has only its code. */
function practiceFrom({ gp_from, gp_ods_code }: ReferralForm, ownCode: string | undefined): string {
  const typed = gp_ods_code.trim();
  if (gp_from !== '' || typed === '') return gp_from;
  return typed === ownCode ? 'own' : 'other';
}

/** Whether there is a risk, and who was told is missing or wrong. The page then says whom to call, whatever else is wrong. */
function isRiskUntold(problem: Problem, form: ReferralForm): boolean {
  if (form.risk !== 'yes') return false;
  const isTold = form.risk_told.trim() !== '' && form.risk_told_at.trim() !== '';
  return !isTold || hasErrorIn(problem, '/risk_acted_on');
}

function hasErrorIn({ errors = [] }: Problem, part: string): boolean {
  return errors.some(({ pointer }) => pointer.startsWith(part));
}

const riskActedOnErrors = ['who_was_told', 'when'].map((field) => ({
  pointer: `/risk_acted_on/${field}`,
  message: 'is required',
  code: 'required',
}));

/** Why a draft was not saved, in one line. */
export function problemInWords(problem: Problem, form: ReferralForm): string {
  if (problem.kind.status === 404) return 'this draft cannot be found any more';
  const { summary } = errorsOf(problem, form, { isDraft: true });
  return summary.map(({ text }) => text).join('. ');
}

/** @throws the problem itself when the form has no words for it. */
function errorsOf(
  problem: Problem,
  form: ReferralForm,
  {
    isDraft,
    misfit,
    isPostcodeUnknown = false,
  }: { isDraft: boolean; misfit?: Problem | undefined; isPostcodeUnknown?: boolean },
): FormErrors<ReferralField> {
  if (problem.kind === riskNotActedOn && !hasErrorIn(problem, '/risk_acted_on/'))
    return explainReferralErrors(riskActedOnErrors, form);
  if (problem.errors?.length) {
    const found = misfit === problem ? problem.errors : [...problem.errors, ...(misfit?.errors ?? [])];
    // A slip of the finger looks like a person who lives elsewhere.
    const all = found.map((error) =>
      isPostcodeUnknown && error.code === 'outside-postcodes'
        ? { ...error, code: 'unknown-outside-postcodes' }
        : error,
    );
    const formErrors = explainReferralErrors(all, form, isDraft ? 'saved' : 'sent');
    return misfit ? { ...formErrors, summary: [...formErrors.summary, fitHint] } : formErrors;
  }
  const errorWithoutField = (text: string, href?: string) => ({
    summary: [{ text, ...(href !== undefined && { href }) }],
    fields: {},
  });
  switch (problem.kind) {
    case possibleDuplicate:
      return errorWithoutField(
        'Your organisation has an open referral of this person to this service already',
        '#allow_duplicate',
      );
    case deathReported:
      return errorWithoutField('Your organisation was told that this person has died', '#death_reason');
    case idempotencyKeyReused:
      return errorWithoutField(
        'You have sent this form before. If you mean to make another referral, send it again',
      );
    case stillInProgress:
      return errorWithoutField(
        'We are still working on this referral. Send it again in a moment: it is made once',
      );
    case versionStale:
      return errorWithoutField(
        'This draft was changed somewhere else after you opened this page, so nothing was saved over it',
        '#newer',
      );
    case wrongState:
      return errorWithoutField('This is no longer a draft: somebody sent or deleted it');
    default:
      throw problem;
  }
}
