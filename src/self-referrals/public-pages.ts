import { Type } from 'typebox';
import { tooManyAttempts } from '../accounts/index.ts';
import { agesInWords, crisisHelpFor, readPostcode } from '../library/index.ts';
import {
  type FormErrors,
  readFields,
  readUntrimmedFields,
  toFormErrors,
  trimToUndefined,
} from '../platform/html/index.ts';
import { type App, anyForm, anyone, page, type Reply, type Request } from '../platform/http/index.ts';
import { isUuid, newId, requireById } from '../platform/ids/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import {
  type FieldError,
  notFound,
  Problem,
  requireRefusal,
  unprocessable,
} from '../platform/problem/index.ts';
import { onOneLine } from '../platform/visible-text.ts';
import { hasNhsNumber } from '../referrals/index.ts';
import { isListedInDirectory } from '../search/index.ts';
import { findDesk } from './desk-store.ts';
import { dayToRingBy, deskState, ringDayInWords, type SelfReferralDetails } from './model.ts';
import { findSelfReferralService, referYourself, selfReferralPathOf } from './refer-yourself.ts';
import { findReceipt } from './self-referrals-store.ts';

const template = (name: string) => `self-referrals/templates/${name}.njk`;
const textFields = [
  'form_id',
  'given_name',
  'family_name',
  'telephone',
  'only_at',
  'voicemail',
  'postcode',
  'about',
] as const;
type FormValues = Record<(typeof textFields)[number] | 'safe' | 'age', string>;

/** The form's own messages are whole sentences, so they need no labels. */
const labels = {
  given_name: '',
  family_name: '',
  telephone: '',
  only_at: '',
  voicemail: '',
  postcode: '',
  about: '',
};

/**
 * The pages on which somebody refers themselves. The first step says whom to call in an emergency and by when somebody
 * rings, and asks for their age and whether it is safe to ring. Only then is there a field to write in.
 */
export function referYourselfPages(app: App, deps: WebPlatform): void {
  if (!deps.settings.publicDirectory) return;
  const config = page(anyone, { countsAsCall: true });
  const params = Type.Object({ id: Type.String({ maxLength: 200 }) });
  const schema = { hide: true, params } as const;
  const path = '/find/:id/refer-yourself';
  // Somebody may have the address from a poster, or from before it was switched off.
  if (!deps.settings.selfReferral) {
    app.get(path, { config, schema }, (request, reply) =>
      sendNotHere(deps, request, reply, request.params.id),
    );
    return;
  }

  app.get(path, { config, schema }, (request, reply) =>
    sendFirstStep(deps, request, reply, request.params.id),
  );

  app.post(path, { config, schema: { ...schema, body: anyForm } }, async (request, reply) => {
    const { id } = request.params;
    const firstStep = readFields(request.body, ['step', 'safe', 'age']);
    // Whom to talk to is said at once, even if the form has errors.
    if (firstStep.age === 'under-16') return sendPage(deps, request, reply, id, 'under-16');
    if (firstStep.safe === 'no') return sendPage(deps, request, reply, id, 'not-safe');
    const errors = firstStepErrors(firstStep);
    if (errors)
      return sendFirstStep(deps, request, reply.code(unprocessable.status), id, {
        values: firstStep,
        errors,
      });
    if (firstStep.step !== 'send')
      return sendDetails(deps, request, reply, id, { values: { ...firstStep, form_id: newId() } });
    const form = { ...firstStep, ...readUntrimmedFields(request.body, textFields) };
    return submit(request, reply, id, form);
  });

  async function submit(request: Request, reply: Reply, id: string, form: FormValues): Promise<Reply> {
    try {
      const details = readDetails(form);
      if (!(await findSelfReferralService(deps, id))) return sendNotHere(deps, request, reply, id);
      const submission = { formId: form.form_id, serviceId: id, details, ipAddress: request.ip };
      if (!(await referYourself(deps, submission))) return sendClosed(deps, request, reply, id);
      return reply.redirect(`${selfReferralPathOf(id)}/sent/${form.form_id}`, 303);
    } catch (error) {
      requireRefusal(error, [unprocessable, tooManyAttempts]);
      reply.code(error.kind.status).headers(error.headers ?? {});
      return sendDetails(deps, request, reply, id, { values: form, errors: toFormErrors(labels, error) });
    }
  }

  const sentParams = Type.Object({
    id: Type.String({ maxLength: 200 }),
    form: Type.String({ maxLength: 50 }),
  });
  // The receipt names only the day, since others may use the same browser.
  app.get(
    `${path}/sent/:form`,
    { config, schema: { hide: true, params: sentParams } },
    async (request, reply) => {
      const { form } = request.params;
      const receipt = await requireById(form, (id) => findReceipt(deps.db, id));
      return deps.pages.send(request, withNoIndex(reply), template('sent'), {
        ringByInWords: ringDayInWords(receipt.ringBy),
        crisisHelp: receipt.mentionsCrisis ? crisisHelpFor(deps.settings, 'suicide') : undefined,
      });
    },
  );
}

/** Keeps search engines away from these pages. They may list the service's own page. */
function withNoIndex(reply: Reply): Reply {
  return reply.header('x-robots-tag', 'noindex');
}

/** Where people cannot refer themselves to the service, says what to do instead. */
async function sendPage(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  id: string,
  name: string,
  context: object = {},
): Promise<Reply> {
  const service = await findSelfReferralService(deps, id);
  if (!service) return sendNotHere(deps, request, reply, id);
  const servicePath = servicePathOf(id);
  return deps.pages.send(request, withNoIndex(reply), template(name), {
    service,
    ages: agesInWords(service.minimumAge ?? undefined, service.maximumAge ?? undefined),
    servicePath,
    formPath: selfReferralPathOf(id),
    ...context,
  });
}

/** Says what to do instead, and not why: it is the same for a service that is not in the library. */
async function sendNotHere(deps: WebPlatform, request: Request, reply: Reply, id: string): Promise<Reply> {
  const servicePath = (await isListedInDirectory(deps, id)) ? servicePathOf(id) : undefined;
  return deps.pages.send(request, withNoIndex(reply.code(notFound.status)), template('not-here'), {
    servicePath,
  });
}

const servicePathOf = (id: string) => `/find/${encodeURIComponent(id)}`;

const sendClosed = (deps: WebPlatform, request: Request, reply: Reply, id: string) =>
  sendPage(deps, request, reply.code(503), id, 'closed');

type StepContent = { values: Partial<FormValues>; errors?: FormErrors };

/** Each step says by when somebody rings. If nobody would, it says that self-referral is closed. */
async function sendStep(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  serviceId: string,
  { name, values, errors }: StepContent & { name: string },
): Promise<Reply> {
  const now = deps.clock.now();
  const desk = await findDesk(deps.db);
  if (!desk || deskState(desk, deps.settings, now) !== 'open')
    return sendClosed(deps, request, reply, serviceId);
  const ringByInWords = ringDayInWords(dayToRingBy(deps.settings, desk, now));
  return sendPage(deps, request, reply, serviceId, name, { values, errors, ringByInWords });
}

const sendFirstStep = (
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  id: string,
  content: StepContent = { values: {} },
) => sendStep(deps, request, reply, id, { name: 'first-step', ...content });

const sendDetails = (deps: WebPlatform, request: Request, reply: Reply, id: string, content: StepContent) =>
  sendStep(deps, request, reply, id, { name: 'details', ...content });

function firstStepErrors({ safe, age }: Record<'safe' | 'age', string>): FormErrors | undefined {
  const errors: FieldError[] = [];
  if (!['yes', 'only_at', 'no'].includes(safe))
    errors.push({ pointer: '/safe', message: 'Say whether it is safe to ring you' });
  if (!['under-16', '16-or-over'].includes(age))
    errors.push({ pointer: '/age', message: 'Say how old you are' });
  if (errors.length === 0) return undefined;
  return toFormErrors({ safe: '', age: '' }, new Problem(unprocessable, undefined, { errors }));
}

const maxLengths = { given_name: 100, family_name: 100, only_at: 200, about: 1000 } as const;

/** Reads the form's second step. @throws Problem `unprocessable` in the words of the form. */
function readDetails(form: FormValues): SelfReferralDetails {
  const fieldText = (name: (typeof textFields)[number]) => trimToUndefined(form[name]);
  const given_name = fieldText('given_name');
  const family_name = fieldText('family_name');
  const telephone = fieldText('telephone');
  const only_at = fieldText('only_at');
  const postcode = fieldText('postcode');
  const about = fieldText('about');
  const errors: FieldError[] = [];
  const refuse = (field: string, message: string) => errors.push({ pointer: `/${field}`, message });
  if (!isUuid(form.form_id)) refuse('given_name', 'Start again: part of this form is missing');
  if (!given_name) refuse('given_name', 'Enter your first name');
  if (!family_name) refuse('family_name', 'Enter your last name');
  if (!telephone || !/^(\+|0)[\d ()-]{9,19}$/.test(telephone))
    refuse('telephone', 'Enter a telephone number, such as 01632 960 001');
  if (form.safe === 'only_at' && !only_at) refuse('only_at', 'Say when it is safe to ring');
  if (!['yes', 'no'].includes(form.voicemail)) refuse('voicemail', 'Say whether we may leave a message');
  const place = postcode === undefined ? undefined : readPostcode(postcode);
  if (postcode !== undefined && !place) refuse('postcode', 'Enter a full postcode, or leave it empty');
  for (const [field, maxLength] of Object.entries(maxLengths)) {
    const text = form[field as keyof typeof maxLengths];
    if ([...text].length > maxLength) refuse(field, `Use ${maxLength} characters or fewer`);
    else if (hasNhsNumber(text)) refuse(field, 'Leave out your NHS number. You do not need it here');
  }
  if (errors.length > 0 || !given_name || !family_name || !telephone)
    throw new Problem(unprocessable, undefined, { errors });
  const safe = form.safe === 'only_at' ? 'only_at' : 'yes';
  return {
    given_name: onOneLine(given_name),
    family_name: onOneLine(family_name),
    telephone,
    safe,
    ...(safe === 'only_at' && only_at && { only_at }),
    voicemail: form.voicemail === 'yes',
    ...(place && { postcode: place.text }),
    ...(about && { about }),
  };
}
