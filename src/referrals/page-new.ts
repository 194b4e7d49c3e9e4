import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { requireCaller } from '../accounts/index.ts';
import { findServiceForReferral, type ServiceForReferral } from '../library/index.ts';
import { readForm } from '../platform/html/index.ts';
import {
  type App,
  describeErrors,
  page,
  type Reply,
  type Request,
  signedIn,
} from '../platform/http/index.ts';
import { isUuid, newId } from '../platform/ids/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { choosePractice, type PracticeChoice } from './choose-practice.ts';
import type { ReferralDeps } from './deps.ts';
import { patientErrors } from './patient.ts';
import { cannotRefer, idempotencyKeyReused, possibleDuplicate, stillInProgress } from './problems.ts';
import type { Patient } from './referral.ts';
import {
  emptyReferralForm,
  explainReferralErrors,
  newReferralFrom,
  type ReferralForm,
  readReferralForm,
} from './referral-form.ts';
import { type NewReferral, newReferralSchema } from './schemas.ts';
import { type Submission, submitReferral } from './submit-referral.ts';

type Deps = ReferralDeps & WebPlatform;
type Filled = {
  service: ServiceForReferral;
  form: ReferralForm;
  key: string;
  practice?: PracticeChoice;
};

const check = Compile(newReferralSchema);
/** A form may be incomplete in every way and is then shown again, so hardly anything is asked of it here. */
const anyForm = Type.Object({}, { additionalProperties: true });
const querystring = Type.Object({ service: Type.Optional(Type.String({ maxLength: 200 })) });

/** The form that makes a referral. */
export function newReferralPages(app: App, deps: Deps): void {
  const config = page(signedIn('referrer'));

  app.get('/referrals/new', { config, schema: { hide: true, querystring } }, async (request, reply) => {
    const id = request.query.service;
    if (!id) return reply.redirect('/services', 303);
    const service = await requireService(deps, id);
    if (!takesReferrals(service))
      return deps.pages.send(request, reply, 'referrals/templates/not-accepting.njk', { service });
    return showForm(deps, request, reply, { service, form: emptyReferralForm, key: newId() });
  });

  app.post('/referrals/new', { config, schema: { hide: true, body: anyForm } }, async (request, reply) => {
    const sent = readForm(request.body, ['service', 'idempotency_key', 'find_practice']);
    const form = readReferralForm(request.body);
    const service = await requireService(deps, sent.service);
    const key = isUuid(sent.idempotency_key) ? sent.idempotency_key : newId();
    const practice = await choosePractice(deps.db, form);
    const filled = { service, form, key, practice };
    if (sent.find_practice !== '') return showForm(deps, request, reply, filled, practiceProblem(practice));
    try {
      const input = checkForm(deps, form, practice, service.id);
      const submission = { input, address: request.ip, idempotencyKey: key };
      const { id } = await submitOnce(deps, request, submission);
      return reply.redirect(`/referrals/${id}`, 303);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return showForm(deps, request, reply, filled, error);
    }
  });
}

async function requireService({ db }: Deps, id: string): Promise<ServiceForReferral> {
  const service = id === '' ? undefined : await findServiceForReferral(db, id);
  if (!service) throw new Problem(notFound);
  return service;
}

function takesReferrals({ status, accepts, channels }: ServiceForReferral): boolean {
  return status === 'active' && accepts && channels.length > 0;
}

/** @throws Problem `cannot-refer` with everything that can be seen to be wrong without asking the database. */
function checkForm(
  { settings, clock }: Deps,
  form: ReferralForm,
  practice: PracticeChoice,
  serviceId: string,
): NewReferral {
  const input = newReferralFrom({ ...form, gp_ods_code: practice.code }, serviceId);
  if (!practice.error && check.Check(input)) return input;
  const { patient } = input as { patient: Patient };
  const errors = [
    ...describeErrors(check.Errors(input), ''),
    ...patientErrors(patient, settings.mode, clock.now()),
    ...(practice.error ? [practice.error] : []),
  ];
  throw new Problem(cannotRefer, undefined, { errors });
}

/** What the button that finds the practice says, of all that may be wrong: only whether there is one to choose. */
function practiceProblem({ code, offered }: PracticeChoice): Problem | undefined {
  if (code !== '' || offered.length > 0) return undefined;
  const errors = [{ pointer: '/gp_practice', message: 'is not a practice that this site knows' }];
  return new Problem(cannotRefer, undefined, { errors });
}

/** A double click sends the form twice; the second waits for the first, and then leads to the same referral. */
async function submitOnce(deps: Deps, request: Request, submission: Submission) {
  const caller = requireCaller(request);
  for (let patience = 20; ; patience--) {
    try {
      return await submitReferral(deps, caller, submission);
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== stillInProgress || patience === 0) throw error;
      await sleep(250);
    }
  }
}

function showForm(
  { pages }: Deps,
  request: Request,
  reply: Reply,
  { service, form, key, practice }: Filled,
  problem?: Problem,
): Reply {
  const duplicate = problem?.kind === possibleDuplicate ? problem.extra : undefined;
  const used = problem?.kind === idempotencyKeyReused;
  if (problem) reply.code(problem.kind.status);
  return pages.send(request, reply, 'referrals/templates/new.njk', {
    service,
    values: form,
    practice,
    key: used ? newId() : key,
    duplicate,
    errors: problem && errorsOf(problem, form),
  });
}

/** @throws the problem itself where the form cannot say it. */
function errorsOf(problem: Problem, form: ReferralForm) {
  if (problem.errors?.length) return explainReferralErrors(problem.errors, form);
  const fieldless = (text: string, href?: string) => ({ summary: [{ text, href }], fields: {} });
  switch (problem.kind) {
    case possibleDuplicate:
      return fieldless('This person has an open referral to this service already', '#allow_duplicate');
    case idempotencyKeyReused:
      return fieldless('You have sent this form before. If you mean to make another referral, send it again');
    case stillInProgress:
      return fieldless('We are still working on this referral. Send it again in a moment: it is made once');
    default:
      throw problem;
  }
}
