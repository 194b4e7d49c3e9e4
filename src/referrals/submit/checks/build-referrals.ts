import type { Caller } from '../../../accounts/index.ts';
import { hasClosed, type ServiceForReferral } from '../../../library/index.ts';
import type { Trx } from '../../../platform/database/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { type FieldError, Problem } from '../../../platform/problem/index.ts';
import { sendsTexts } from '../../../platform/texts/index.ts';
import { historyActorOf } from '../../model/actors/authors.ts';
import type { ReferralDeps } from '../../model/deps.ts';
import { dayOfAgreement, dueAt, londonDate, waitsSince } from '../../model/due/dates.ts';
import { limitOfJudgement, momentErrors } from '../../model/due/past-moment.ts';
import { buildGpActions, gpActionErrors } from '../../model/gp-actions.ts';
import { agreementErrors, basisWhenLeftOut } from '../../model/person/agreement.ts';
import { findLaterTexts } from '../../model/person/danger/later-texts-store.ts';
import { contactErrors } from '../../model/person/danger/safe-contact.ts';
import { requireFit } from '../../model/person/fit.ts';
import { withCompactNumber } from '../../model/person/identity/nhs-number.ts';
import { requireSomebodyElse } from '../../model/person/identity/own-referral.ts';
import { patientErrors } from '../../model/person/identity/patient.ts';
import { overrideErrors } from '../../model/person/override-errors.ts';
import { personPageErrors } from '../../model/person-page/person-page.ts';
import { cannotRefer, closedPractice, noSuchPractice, whatToChange } from '../../model/problems.ts';
import type { Draft, Referral, ReferralContent } from '../../model/referral.ts';
import { lockReferralRows } from '../../model/referrals-store.ts';
import { type DraftInput, isDraft, type NewReferral } from '../../model/schemas/new-referral.ts';
import {
  agreementErrorsOfReroute,
  dangerErrorsOfReroute,
  findReplacedReferral,
  notTakenOver,
  riskErrorsOfReroute,
  staysHiddenOnline,
} from './check-reroute.ts';
import { contentOf } from './content-of-input.ts';
import {
  type Lookups,
  loadLookups,
  noSuchService,
  practiceCodeOf,
  serviceErrors,
} from './library-lookups.ts';
import { requireRiskActedOn, riskToldAtErrors } from './require-risk-acted-on.ts';
import { refuseSubmission, type SubmissionInProgress, undecidedSubmissions } from './submissions.ts';

/**
 * Checks each submission, and builds its referral or refuses it. The reasons to refuse it, in this order: nobody acted on a risk; there are
 * errors that the schema cannot detect, which are all named; the person is the account’s holder; the service does not fit the person.
 */
export async function buildReferrals(
  trx: Trx,
  deps: ReferralDeps,
  submissions: readonly SubmissionInProgress[],
  at: Date,
): Promise<void> {
  const open = undecidedSubmissions(submissions);
  const inputs = open.map(({ input }) => input);
  const lookups = await loadLookups(trx, deps, inputs);
  // All replaced referrals are locked at once, in the order of their ids, so that two batches cannot deadlock.
  const replacedIds = inputs.flatMap(({ reroutes }) => reroutes ?? []);
  if (replacedIds.length > 0) await lockReferralRows(trx, replacedIds);
  for (const submission of open) {
    try {
      submission.referral = await buildReferral(
        { deps, trx, lookups, caller: submission.caller, at },
        submission,
      );
    } catch (error) {
      refuseSubmission(submission, error);
    }
  }
}

/** What the checks of an input need: the library, who sends it and when. */
export type CheckContext = { deps: ReferralDeps; trx: Trx; lookups: Lookups; caller: Caller; at: Date };

async function buildReferral(
  context: CheckContext,
  { caller, input, draft, checksAreaText }: SubmissionInProgress,
): Promise<Referral | Draft> {
  const { deps, at } = context;
  const urgency = (input.urgency ?? 'routine') as Referral['urgency'];
  const fields = {
    ...(draft ?? initialFields(deps, at)),
    version: draft ? draft.version + 1 : 1,
    updated_at: at,
    versionAt: at,
    urgency,
    reroutes: input.reroutes ?? null,
    referrerAccountId: caller.accountId,
    referrerOrganisationId: caller.organisation?.id ?? null,
  };
  if (isDraft(input)) {
    const draftFields = await buildDraftFields(context, input);
    return { ...fields, ...draftFields, status: 'draft', requested_at: null, due_at: null };
  }
  const checked = await requireValidReferral(context, input, { checksAreaText });
  const referralFields = buildReferralFields(context, input, checked);
  const due_at = dueAt(deps.settings, urgency, waitsSince(referralFields.content, at));
  return { ...fields, ...referralFields, status: 'requested', requested_at: at, due_at };
}

/** The fields with which every new referral or draft begins. It gets its reference when it is stored. */
function initialFields({ settings }: ReferralDeps, at: Date) {
  return {
    id: newId(at.getTime()),
    reference: '',
    status_reason: null,
    endCause: null,
    created_at: at,
    expected_date: null,
    simulated: settings.mode === 'test',
    rerouted_to: null,
    referred_again: false,
    resolvedAt: null,
    resolvedBy: null,
    outcome: null,
    remindedAt: null,
    rejectionAt: null,
    declineFinalAt: null,
    next_date: null,
    first_contact_at: null,
    seenAt: null,
    seenByName: null,
    deathReportedAt: null,
    death_reported: null,
    restrictedAt: null,
    legalHoldAt: null,
    erasedAt: null,
  };
}

/** The fields that are built from the input and the library: the service, the practice and the content. */
type BuiltField = 'service_id' | 'service' | 'gp_practice' | 'content';

type CheckResult = {
  service: ServiceForReferral;
  practice: Referral['gp_practice'];
  /** The unsuccessful referral in whose place this one is made. */
  replacedReferral: Referral | undefined;
  /** Why the person is referred although they are outside the ages or the area. */
  fitOverride: ReferralContent['fit_override'];
};

/**
 * Checks what the schema of a new referral cannot detect.
 * @throws Problem `risk-not-acted-on`, before anything else; `cannot-refer`, with a pointer and a sentence for each thing that
 * is wrong; `refers-themselves`; `does-not-fit`.
 */
async function requireValidReferral(
  context: CheckContext,
  input: NewReferral,
  { checksAreaText }: Pick<SubmissionInProgress, 'checksAreaText'>,
): Promise<CheckResult> {
  const { deps, lookups, caller, at } = context;
  const { personPages, crisisPhrases } = deps.settings;
  const circumstances = { isOn: personPages, sendsTexts: sendsTexts(deps.settings), crisisPhrases };
  const today = londonDate(at);
  // Checked here too, because referrals made on pages do not go through the hook of the API’s routes.
  requireRiskActedOn(deps, input, at);
  const service = lookups.services.get(input.service_id);
  const common = await readCommonFields(context, input);
  const { practice, replacedReferral } = common;
  const isSensitive = service?.sensitive ?? false;
  const errors = [
    ...serviceErrors(lookups, service),
    ...common.errors,
    ...(input.consent.referral ? [] : [referralNotAgreed]),
    ...contactErrors(input),
    ...agreementErrors(input, dayOfAgreement(input, at)),
    ...overrideErrors(input),
    ...personPageErrors(input, { ...circumstances, isSensitive, today }),
    ...(replacedReferral
      ? [
          ...agreementErrorsOfReroute(replacedReferral, input, today),
          ...riskErrorsOfReroute(replacedReferral, input),
          ...dangerErrorsOfReroute(replacedReferral, input, {
            laterTexts: notTakenOver(replacedReferral, await findLaterTexts(context.trx, replacedReferral)),
            crisisPhrases,
          }),
        ]
      : []),
  ];
  if (errors.length > 0 || !service) throw cannotReferProblem('Nothing was sent.', errors);
  requireSomebodyElse(caller, input, { mayShareName: input.namesake_override !== undefined });
  const fitOverride = await requireFit(context.trx, service, input, at, { checksAreaText });
  return { service, practice, replacedReferral, fitOverride };
}

const referralNotAgreed: FieldError = {
  pointer: '/consent/referral',
  message: 'must be true: without the person’s consent there is no referral',
};

/** The fields of a checked referral: what was sent, and the defaults of fields that were left out. */
function buildReferralFields(
  { caller, at }: CheckContext,
  input: NewReferral,
  { service, practice, replacedReferral, fitOverride }: CheckResult,
): Pick<Referral, BuiltField> {
  const { consent, fit_override: _fit, ...rest } = contentOf(caller, input);
  const content = {
    ...rest,
    ...(fitOverride && { fit_override: fitOverride }),
    ...(replacedReferral && staysHiddenOnline(replacedReferral, input) && { do_not_show_online: true }),
    risk: input.risk ?? 'not_asked',
    contact: input.contact ?? { safe: 'not_asked' },
    agreement: rest.agreement ?? {
      basis: basisWhenLeftOut(input.patient.birth_date, dayOfAgreement(input, at)),
    },
    ...(input.gp_actions && {
      gp_actions: buildGpActions(input.gp_actions, 'referral', {
        ...historyActorOf(caller),
        telephone: caller.telephone,
      }),
      gp_actions_answered: ['referral'],
    }),
    consent: {
      recorded_by: caller.name,
      recorded_at: rest.made_at ?? at.toISOString(),
      ...consent,
      referral: true,
    },
  } as ReferralContent;
  return {
    service_id: input.service_id,
    service: {
      name: service.name,
      organization_id: service.organization?.id ?? null,
      organization_name: service.organization?.name ?? null,
    },
    gp_practice: practice,
    content,
  };
}

/**
 * The fields of a draft, from what was sent. The service and practice that it names must exist. Whether the service accepts the
 * referral is checked when the draft is sent.
 * @throws Problem `cannot-refer`
 */
export async function buildDraftFields(
  context: CheckContext,
  input: DraftInput,
): Promise<Pick<Draft, BuiltField>> {
  const { lookups, caller } = context;
  const { service_id: id } = input;
  const service = id === undefined ? undefined : lookups.services.get(id);
  const { errors, practice } = await readCommonFields(context, input);
  if (id !== undefined && !service) errors.unshift(noSuchService);
  if (errors.length > 0) throw cannotReferProblem('Nothing was stored.', errors);
  return {
    service_id: id ?? null,
    // Without the organisation's id, because its staff may not see the draft until it is sent.
    service: service
      ? { name: service.name, organization_id: null, organization_name: service.organization?.name ?? null }
      : null,
    gp_practice: practice,
    content: {
      ...contentOf(caller, input),
      ...(input.urgency === undefined && { urgency_not_asked: true }),
      ...(input.duplicate_meant && { duplicate_meant: true }),
      ...(input.no_practice && { no_practice: true }),
    },
  };
}

function cannotReferProblem(whatHappened: string, errors: FieldError[]): Problem {
  return new Problem(cannotRefer, whatToChange(whatHappened), { errors });
}

/** The practice and the replaced referral, and what is wrong with the fields that a draft may have as well as a referral. */
async function readCommonFields(
  { deps, trx, lookups, caller, at }: CheckContext,
  input: DraftInput,
): Promise<{
  errors: FieldError[];
  practice: Referral['gp_practice'];
  replacedReferral: Referral | undefined;
}> {
  const errors: FieldError[] = [];
  const code = practiceCodeOf(input);
  const practice = code === undefined ? undefined : lookups.practices.get(code);
  if (code !== undefined && !practice) errors.push(noSuchPractice);
  if (practice && hasClosed(practice, at)) errors.push(closedPractice);
  errors.push(...patientErrors(withCompactNumber(input.patient ?? {}), deps.settings.mode, at));
  errors.push(...allMomentErrors(deps, input, at), ...gpActionErrors(input.gp_actions, at));
  const { replacedReferral, errors: rerouteErrors } = await findReplacedReferral(trx, caller, input.reroutes);
  errors.push(...rerouteErrors);
  return {
    errors,
    practice: practice ? { ods_code: practice.odsCode, name: practice.name } : null,
    replacedReferral,
  };
}

function allMomentErrors({ settings }: ReferralDeps, input: DraftInput, at: Date): FieldError[] {
  const { paperDays } = settings;
  const pastMoments = [
    {
      pointer: '/consent/recorded_at',
      moment: input.consent?.recorded_at,
      maxDays: 3653,
      inWords: '10 years',
    },
    { ...limitOfJudgement, pointer: '/agreement/when', moment: input.agreement?.when },
    { pointer: '/made_at', moment: input.made_at, maxDays: paperDays, inWords: `${paperDays} days` },
  ];
  const bornOn = input.patient?.birth_date;
  const errors = pastMoments.flatMap(({ moment, ...rule }) =>
    moment === undefined ? [] : momentErrors({ ...rule, moment }, bornOn, at),
  );
  return [...errors, ...riskToldAtErrors(input, bornOn, at)];
}
