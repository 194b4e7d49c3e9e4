import type { ServiceForReferral } from '../library/index.ts';
import { checkOf, describeErrors, type Reply, type Request } from '../platform/http/index.ts';
import { newId } from '../platform/ids/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { Problem, versionStale } from '../platform/problem/index.ts';
import type { PracticeChoice } from './choose-practice.ts';
import type { ReferralDeps } from './deps.ts';
import { type DraftInput, draftSchema, type NewReferral, newReferralSchema } from './new-referral-schema.ts';
import { patientErrors } from './patient.ts';
import {
  cannotRefer,
  idempotencyKeyReused,
  possibleDuplicate,
  stillInProgress,
  wrongState,
} from './problems.ts';
import { draftFrom, explainReferralErrors, newReferralFrom, type ReferralForm } from './referral-form.ts';

/** The page with the form of a referral, new or a draft, as it is filled in. */
export type Filled = {
  service: ServiceForReferral;
  form: ReferralForm;
  /** Where the form is sent to. */
  action: string;
  practice?: PracticeChoice;
  /** Of a new one: it is made once, however often it is sent. */
  key?: string;
  /** Of a draft: what was seen of it. */
  version?: number;
  /** What it takes the place of. */
  reroutes?: { id: string; reference: string } | undefined;
};

type Given = { form: ReferralForm; practice: PracticeChoice; service: { id: string } };

/** @throws Problem `cannot-refer` with everything that can be seen to be wrong without asking the database. */
export function wholeInput(deps: Pick<WebPlatform, 'settings' | 'clock'>, given: Given): NewReferral {
  const input = newReferralFrom(withPractice(given), given.service.id);
  if (!given.practice.error && checkOf(newReferralSchema).Check(input)) return input;
  throw refusal(
    deps,
    describeErrors(checkOf(newReferralSchema).Errors(input), ''),
    input as DraftInput,
    given.practice,
  );
}

/** @throws Problem `cannot-refer`, of what there is. */
export function draftInput(deps: Pick<WebPlatform, 'settings' | 'clock'>, given: Given): DraftInput {
  const input = draftFrom(withPractice(given), given.service.id);
  if (!given.practice.error && checkOf(draftSchema).Check(input)) return input;
  throw refusal(deps, describeErrors(checkOf(draftSchema).Errors(input), ''), input, given.practice);
}

function withPractice({ form, practice }: Given): ReferralForm {
  return { ...form, gp_ods_code: practice.code };
}

function refusal(
  { settings, clock }: Pick<WebPlatform, 'settings' | 'clock'>,
  found: ReturnType<typeof describeErrors>,
  { patient = {} }: DraftInput,
  practice: PracticeChoice,
): Problem {
  const errors = [
    ...found,
    ...patientErrors(patient, settings.mode, clock.now()),
    ...(practice.error ? [practice.error] : []),
  ];
  return new Problem(cannotRefer, undefined, { errors });
}

/** What the button that finds the practice says, of all that may be wrong: only whether there is one to choose. */
export function practiceProblem({ code, offered }: PracticeChoice): Problem | undefined {
  if (code !== '' || offered.length > 0) return undefined;
  const errors = [{ pointer: '/gp_practice', message: 'is not a practice that this site knows' }];
  return new Problem(cannotRefer, undefined, { errors });
}

export function showForm(
  { pages }: ReferralDeps & WebPlatform,
  request: Request,
  reply: Reply,
  { form, key, ...filled }: Filled,
  problem?: Problem,
): Reply {
  if (problem) reply.code(problem.kind.status);
  return pages.send(request, reply, 'referrals/templates/new.njk', {
    ...filled,
    values: form,
    key: problem?.kind === idempotencyKeyReused ? newId() : key,
    duplicate: problem?.kind === possibleDuplicate ? problem.extra : undefined,
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
    case versionStale:
      return fieldless(
        'Somebody changed this draft since you opened it. Open it anew to see what they wrote',
      );
    case wrongState:
      return fieldless('This is no draft any more: somebody sent it, or threw it away');
    default:
      throw problem;
  }
}
