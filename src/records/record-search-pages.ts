import { requireCaller } from '../accounts/index.ts';
import { readUntrimmedFields, toFormErrors, trimToUndefined } from '../platform/html/index.ts';
import {
  type App,
  anyForm,
  describeErrors,
  page,
  type Reply,
  type Request,
  signedIn,
  validatorOf,
} from '../platform/http/index.ts';
import { withoutUndefined } from '../platform/objects.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { type FieldError, Problem, requireRefusal, unprocessable } from '../platform/problem/index.ts';
import { reasonErrors } from '../platform/reason.ts';
import {
  findLooksAtPerson,
  findPerson,
  holdPerson,
  missingDetails,
  type PatientDetails,
  personFieldWords,
  personFromForm,
  type ReferralDeps,
  statusInWords,
} from '../referrals/index.ts';
import { packCopy } from './copy/pack-copy.ts';
import { copyRequestSchema, type OptOut, optOutDecisions, type Purpose, purposes } from './copy/schemas.ts';

type Deps = ReferralDeps & WebPlatform;

const path = '/operator/patients';
const template = 'records/templates/record-search.njk';

/** Where operators find the records about a person, hold them, and pack a copy. Forms are posted, so that no name is in a URL. */
export function recordSearchPages(app: App, deps: Deps): void {
  const config = page(signedIn('operator'), { needsRecentSignIn: true, returnTo: path });
  app.get(path, { config, schema: { hide: true } }, (request, reply) =>
    deps.pages.send(request, reply, template, { values: readUntrimmedFields({}, personFields) }),
  );

  app.post(path, { config, schema: { hide: true, body: anyForm } }, (request, reply) =>
    showErrorsOnForm(deps, request, reply, async () => {
      const details = { ...readPerson(request.body), ipAddress: request.ip };
      return showSearch(deps, request, reply, {
        referrals: await findPerson(deps, requireCaller(request), details),
      });
    }),
  );

  app.post(`${path}/legal-hold`, { config, schema: { hide: true, body: anyForm } }, (request, reply) =>
    showErrorsOnForm(deps, request, reply, async () => {
      const details = { ...readPerson(request.body), ipAddress: request.ip };
      return showSearch(deps, request, reply, {
        referrals: await holdPerson(deps, requireCaller(request), details),
      });
    }),
  );

  app.post(`${path}/looks`, { config, schema: { hide: true, body: anyForm } }, (request, reply) =>
    showErrorsOnForm(deps, request, reply, async () => {
      const details = { ...readPerson(request.body), ipAddress: request.ip };
      const { looks, isCut } = await findLooksAtPerson(deps, requireCaller(request), details);
      const rows = looks.map((look) => ({ ...look, ...lookInWords(look) }));
      return deps.pages.send(request, reply, 'records/templates/looks-at-person.njk', { rows, isCut });
    }),
  );

  app.post(`${path}/export`, { config, schema: { hide: true, body: anyForm } }, (request, reply) => {
    const pack = async () => {
      const details = { ...readPerson(request.body), ...readPurpose(request.body), ipAddress: request.ip };
      const copy = await packCopy(deps, requireCaller(request), details);
      if (!copy) return showSearch(deps, request, reply, { referrals: [] });
      return reply.redirect(`${path}/copies/${copy.id}?done=packed`, 303);
    };
    return showErrorsOnForm(deps, request, reply, pack, { isPacking: true });
  });
}

const lookWords = {
  search: 'Looked for somebody of this name or number',
  opening: 'Opened the referral',
  list: 'Saw the person in a list',
  copy: 'Took the copy for days without the site',
  'copy-by-email': 'The copy for days without the site was sent',
} as const;

function lookInWords({
  kind,
  accountId,
  firstDay,
  lastDay,
}: Awaited<ReturnType<typeof findLooksAtPerson>>['looks'][number]) {
  const entries = accountId && new URLSearchParams({ who: accountId, from: firstDay, to: lastDay });
  return { words: lookWords[kind], auditHref: entries && `/operator/audit?${entries}` };
}

type SearchResults = Awaited<ReturnType<typeof findPerson>>;

/** The form to search, the referrals that it found, and the form to pack a copy. */
function showSearch(
  deps: Deps,
  request: Request,
  reply: Reply,
  {
    referrals,
    errors,
    isAboutCopy = false,
  }: { referrals?: SearchResults; errors?: object; isAboutCopy?: boolean },
): Reply {
  const rows = referrals?.map((referral) => ({
    ...referral,
    words: statusInWords(referral.status, referral.status_reason),
  }));
  return deps.pages.send(request, reply, template, {
    values: readUntrimmedFields(request.body, [...personFields, 'reason']),
    use: readUntrimmedFields(request.body, purposeFields),
    rows,
    // The errors are in the form to pack a copy, so the form to search stays folded.
    isAboutCopy,
    foundSeveralPeople: rows?.some(({ named }) => named),
    allHeld: rows?.every(({ held }) => held),
    errors,
  });
}

/** Shows the form again with its errors. */
async function showErrorsOnForm(
  deps: Deps,
  request: Request,
  reply: Reply,
  work: () => Promise<Reply>,
  { isPacking = false } = {},
): Promise<Reply> {
  try {
    return await work();
  } catch (error) {
    requireRefusal(error, [unprocessable]);
    const errors = toFormErrors(personLabels, explainOnForm(error));
    reply.code(unprocessable.status);
    const isAboutCopy = isPacking && Object.keys(errors.fields).every(isPurposeField);
    if (!isAboutCopy) return showSearch(deps, request, reply, { errors });
    // What was found stays on the page: nobody should pack a record without seeing whose it is.
    const details = { ...readPerson(request.body), ipAddress: request.ip };
    const referrals = await findPerson(deps, requireCaller(request), details);
    return showSearch(deps, request, reply, { referrals, errors, isAboutCopy });
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
  purpose: '',
  opt_out: '',
  opt_out_because: 'How you know that',
};

const purposeFields = ['purpose', 'opt_out', 'opt_out_because'] as const;

const isPurposeField = (name: string) => purposeFields.some((each) => each === name);

/** Reads who gets the copy, and the decision about the opt-out. @throws Problem `unprocessable` if nobody was selected. */
function readPurpose(body: unknown): { purpose: Purpose; optOut: OptOut | undefined } {
  const form = readUntrimmedFields(body, purposeFields);
  const purpose = purposes.find((each) => each === form.purpose);
  const decision = optOutDecisions.find((each) => each === form.opt_out);
  if (!purpose)
    throw new Problem(unprocessable, undefined, {
      errors: [{ pointer: '/purpose', message: 'Select who gets the copy' }],
    });
  const hasDecision = purpose === 'beyond_care' && decision !== undefined;
  return { purpose, optOut: hasDecision ? { decision, because: form.opt_out_because } : undefined };
}

/** The person and the reason of a form. @throws Problem `unprocessable` in the words of the form's fields. */
function readPerson(body: unknown): { person: PatientDetails; reason: string } {
  const form = readUntrimmedFields(body, [...personFields, 'reason']);
  const person = { ...personFromForm(form), given_name: trimToUndefined(form.given_name) };
  const reason = trimToUndefined(form.reason) ?? '';
  const schemaErrors = describeErrors(
    validatorOf(copyRequestSchema).Errors({ ...withoutUndefined(person), reason }),
    '',
  );
  if (schemaErrors.length > 0) {
    const errors = [...schemaErrors, ...missingDetails(person), ...reasonErrors(reason)];
    throw new Problem(unprocessable, undefined, { errors });
  }
  return { person, reason };
}

/** The same refusal, in the form's words and beside its fields. Only the first error of each field is shown. */
function explainOnForm({ kind, detail, errors = [] }: Problem): Problem {
  const firstErrors = errors.filter(
    ({ pointer }, index) => errors.findIndex((each) => each.pointer === pointer) === index,
  );
  const formErrors = firstErrors.map((error) => ({
    pointer: fieldOf[error.pointer] ?? error.pointer,
    message: messages[error.pointer]?.(error) ?? error.message,
  }));
  return new Problem(kind, detail, { errors: formErrors });
}

const fieldOf: Readonly<Record<string, string>> = {
  '/birth_date': '/birth_day',
  '/opt_out/because': '/opt_out_because',
};

const messages: Readonly<Record<string, (error: FieldError) => string>> = {
  '/nhs_number': ({ code }) =>
    code === 'required'
      ? 'Enter an NHS number, or the names and the date of birth'
      : personFieldWords.nhs_number.wrong,
  '/given_name': ({ code }) =>
    code === 'several-people'
      ? 'Enter the first name, too: this NHS number was used with several first names or dates of birth'
      : 'Enter the first name, too',
  '/family_name': () => 'Enter the last name, too',
  '/birth_date': ({ code }) =>
    code === 'several-people' ? 'Enter the date of birth, too' : 'Enter a real date of birth, like 9 3 1947',
  '/opt_out': () => 'Select what was decided about the opt-out',
  '/opt_out/because': ({ code = '', message }) =>
    code === 'maxLength'
      ? `How you know that ${message}`
      : code === 'required'
        ? 'Enter how you know that'
        : message,
  '/reason': ({ code = '', message }) =>
    code === 'says-nothing'
      ? message
      : ['names-person', 'maxLength'].includes(code)
        ? `The reason ${message}`
        : 'Enter a reason',
};
