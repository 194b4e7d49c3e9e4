import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import { reasonErrors } from '../audit/index.ts';
import { formProblem, readUntrimmedFields, trimmed } from '../platform/html/index.ts';
import {
  type App,
  describeErrors,
  page,
  type Reply,
  type Request,
  signedIn,
  validatorOf,
} from '../platform/http/index.ts';
import { compact } from '../platform/objects.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../platform/problem/index.ts';
import {
  findPerson,
  holdPerson,
  missingDetails,
  type Person,
  personFieldWords,
  personFromForm,
  type ReferralDeps,
  statusWords,
} from '../referrals/index.ts';
import { exportRecord } from './copy/export-record.ts';
import { sendPacked } from './copy/pack-record.ts';
import { exportRequestSchema } from './copy/schemas.ts';

type Deps = ReferralDeps & WebPlatform;

const path = '/operator/patients';
const template = 'records/templates/person.njk';
const anyForm = Type.Object({}, { additionalProperties: true });

/** Finds the records about a person, and exports them. Forms are posted, so that no name appears in a URL. */
export function personPages(app: App, deps: Deps): void {
  const config = page(signedIn('operator'), { fresh: path });
  app.get(path, { config, schema: { hide: true } }, (request, reply) =>
    deps.pages.send(request, reply, template, { values: readUntrimmedFields({}, personFields) }),
  );

  app.post(path, { config, schema: { hide: true, body: anyForm } }, (request, reply) =>
    showErrorsOnForm(deps, request, reply, async () => {
      const details = { ...readPerson(request.body), address: request.ip };
      return show(deps, request, reply, { found: await findPerson(deps, requireCaller(request), details) });
    }),
  );

  app.post(`${path}/legal-hold`, { config, schema: { hide: true, body: anyForm } }, (request, reply) =>
    showErrorsOnForm(deps, request, reply, async () => {
      const details = { ...readPerson(request.body), address: request.ip };
      return show(deps, request, reply, { found: await holdPerson(deps, requireCaller(request), details) });
    }),
  );

  app.post(`${path}/export`, { config, schema: { hide: true, body: anyForm } }, (request, reply) =>
    showErrorsOnForm(deps, request, reply, async () => {
      const details = { ...readPerson(request.body), address: request.ip };
      return sendPacked(deps, reply, await exportRecord(deps, requireCaller(request), details));
    }),
  );
}

type FoundReferrals = Awaited<ReturnType<typeof findPerson>>;

function show(
  deps: Deps,
  request: Request,
  reply: Reply,
  context: { found?: FoundReferrals; errors?: object },
): Reply {
  const { found, errors } = context;
  const rows = found?.map((referral) => ({ ...referral, words: statusWords[referral.status] }));
  return deps.pages.send(request, reply, template, {
    values: readUntrimmedFields(request.body, [...personFields, 'reason']),
    rows,
    allHeld: rows?.every(({ held }) => held),
    errors,
  });
}

/** What is wrong is said on the form. */
async function showErrorsOnForm(
  deps: Deps,
  request: Request,
  reply: Reply,
  work: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== unprocessable) throw error;
    const errors = formProblem(personLabels, explainOnForm(error));
    return show(deps, request, reply.code(unprocessable.status), { errors });
  }
}

const personFields = [
  'nhs_number',
  'given_name',
  'family_name',
  'birth_day',
  'birth_month',
  'birth_year',
] as const;

/** The label of each field, by its name in an error. */
const personLabels = {
  nhs_number: personFieldWords.nhs_number.label,
  given_name: personFieldWords.given_name.label,
  family_name: personFieldWords.family_name.label,
  birth_day: personFieldWords.birth_day.label,
  reason: 'The reason',
};

/** The person and the reason of a form. @throws Problem `unprocessable` in the words of the form's fields. */
function readPerson(body: unknown): { person: Person; reason: string } {
  const form = readUntrimmedFields(body, [...personFields, 'reason']);
  const person = { ...personFromForm(form), given_name: trimmed(form.given_name) };
  const reason = trimmed(form.reason) ?? '';
  const found = describeErrors(validatorOf(exportRequestSchema).Errors({ ...compact(person), reason }), '');
  if (found.length > 0) {
    const errors = [...found, ...missingDetails(person), ...reasonErrors(reason)];
    throw new Problem(unprocessable, undefined, { errors });
  }
  return { person, reason };
}

/** The same refusal, in the form's words and beside its fields; of each field the first mistake is enough. */
function explainOnForm({ kind, detail, errors = [] }: Problem): Problem {
  const first = errors.filter(
    ({ pointer }, index) => errors.findIndex((each) => each.pointer === pointer) === index,
  );
  const explained = first.map((error) => ({
    pointer: error.pointer === '/birth_date' ? '/birth_day' : error.pointer,
    message: messages[error.pointer]?.(error) ?? error.message,
  }));
  return new Problem(kind, detail, { errors: explained });
}

const messages: Readonly<Record<string, (error: FieldError) => string>> = {
  '/nhs_number': ({ code }) =>
    code === 'required'
      ? 'Enter an NHS number, or the names and the date of birth'
      : personFieldWords.nhs_number.wrong,
  '/given_name': () => 'Enter the first name, too',
  '/family_name': () => 'Enter the last name, too',
  '/birth_date': () => 'Enter a real date of birth, like 9 3 1947',
  '/reason': ({ code = '', message }) =>
    ['names-person', 'too-short', 'maxLength'].includes(code) ? `The reason ${message}` : 'Enter a reason',
};
