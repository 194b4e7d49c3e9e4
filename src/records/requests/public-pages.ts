import { Type } from 'typebox';
import { tooManyAttempts } from '../../accounts/index.ts';
import { readUntrimmedFields, toFormErrors, trimToUndefined } from '../../platform/html/index.ts';
import { type App, anyForm, page, visitor } from '../../platform/http/index.ts';
import { requireById } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { type FieldError, Problem, requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { onOneLine } from '../../platform/visible-text.ts';
import { makeRequest, type NewRecordRequest } from './make-request.ts';
import { requestKinds, requestWords } from './request.ts';
import { findRequest } from './requests-store.ts';

const path = '/rights';
const config = page(visitor, { allowedWithoutSecondFactor: true, countsAsCall: true });
const fields = ['kind', 'name', 'contact', 'words'] as const;
/** No labels: the form's own messages are whole sentences. */
const labels = { kind: '', name: '', contact: '', words: '' };
const choices = requestKinds.map((kind) => ({ value: kind, ...requestWords[kind] }));

/** The form with which people ask about their record, and its receipt. Nobody needs an account for it. */
export function publicRequestPages(app: App, deps: WebPlatform): void {
  const { pages } = deps;
  app.get(path, { config, schema: { hide: true } }, (request, reply) =>
    pages.send(request, reply, 'records/templates/rights.njk', { choices, values: {} }),
  );

  app.post(path, { config, schema: { hide: true, body: anyForm } }, async (request, reply) => {
    try {
      const id = await makeRequest(deps, { ...readForm(request.body), ipAddress: request.ip });
      return reply.redirect(`${path}/sent/${id}`, 303);
    } catch (error) {
      requireRefusal(error, [unprocessable, tooManyAttempts]);
      reply.code(error.kind.status).headers(error.headers ?? {});
      return pages.send(request, reply, 'records/templates/rights.njk', {
        choices,
        values: readUntrimmedFields(request.body, fields),
        errors: toFormErrors(labels, error),
      });
    }
  });

  const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
  // The receipt has only dates, since others may use the same browser.
  app.get(`${path}/sent/:id`, { config, schema: { hide: true, params } }, async (request, reply) => {
    const { id } = request.params;
    const { reference, dueOn, acknowledgeOn } = await requireById(id, (id) => findRequest(deps.db, id));
    const receipt = { reference, dueOn, acknowledgeOn };
    return pages.send(request, reply, 'records/templates/rights-sent.njk', receipt);
  });
}

const maxLengths = { name: 200, contact: 500, words: 5000 } as const;

/** Reads the form. @throws Problem `unprocessable` in the words of the form. */
function readForm(body: unknown): NewRecordRequest {
  const form = readUntrimmedFields(body, fields);
  const kind = requestKinds.find((each) => each === form.kind);
  const name = trimToUndefined(form.name);
  const contact = trimToUndefined(form.contact);
  const words = trimToUndefined(form.words);
  const errors: FieldError[] = [];
  if (!kind) errors.push({ pointer: '/kind', message: 'Choose what you want to do' });
  if (!name) errors.push({ pointer: '/name', message: 'Enter your name' });
  if (!contact) errors.push({ pointer: '/contact', message: 'Say how we can reach you safely' });
  if (!words) errors.push({ pointer: '/words', message: 'Say what it is about' });
  for (const [field, maxLength] of Object.entries(maxLengths)) {
    if ([...form[field as keyof typeof maxLengths]].length > maxLength)
      errors.push({ pointer: `/${field}`, message: `Use ${maxLength} characters or fewer` });
  }
  if (!kind || !name || !contact || !words || errors.length > 0)
    throw new Problem(unprocessable, undefined, { errors });
  return { kind, name: onOneLine(name), contact, words };
}
