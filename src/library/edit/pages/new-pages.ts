import { type Caller, requireCaller } from '../../../accounts/index.ts';
import {
  changedFormProblem,
  type FormErrors,
  fieldError,
  toFormErrors,
} from '../../../platform/html/index.ts';
import { type App, anyForm, type Reply, type Request } from '../../../platform/http/index.ts';
import { isUuid, newId } from '../../../platform/ids/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, requireRefusal, unprocessable } from '../../../platform/problem/index.ts';
import { findOrganization } from '../../hsds/organizations-store.ts';
import { listUsedTerms } from '../../hsds/taxonomies-store.ts';
import { serviceExists } from '../../model/problems.ts';
import type { Service } from '../../model/service.ts';
import { servicePath } from '../../view/links.ts';
import { checkService } from '../check-service.ts';
import { createService } from '../edit-service.ts';
import { findStoredService } from '../edit-service-store.ts';
import { labels } from '../form/labels.ts';
import { formOf, serviceFormErrors, withForm } from '../form/service-form.ts';
import { canCorrectInForm, editConfig } from './edit-pages.ts';
import { formView, loadFormReferences, readServiceForm } from './form-view.ts';
import { savedBanner } from './manage-view.ts';

type SentForm = Pick<ReturnType<typeof readServiceForm>, 'typed' | 'organisation' | 'newId'>;

const blank: Service = { id: '', name: '', status: 'active' };

/** The form that adds a service. A provider's service belongs to their organisation; an operator names one. */
export function newServicePages(app: App, deps: WebPlatform): void {
  app.get('/services/new', { config: editConfig }, (request, reply) =>
    sendForm(deps, request, reply, { typed: formOf(blank), organisation: '', newId: newId() }),
  );

  app.post('/services/new', { config: editConfig, schema: { body: anyForm } }, async (request, reply) => {
    const sentForm = readServiceForm(request.body);
    if (!isUuid(sentForm.newId)) throw changedFormProblem();
    try {
      const service = await readNewService(deps, requireCaller(request), sentForm);
      await createService(deps, requireCaller(request), service, request.ip);
    } catch (error) {
      if (canCorrectInForm(error))
        return sendForm(deps, request, reply.code(error.kind.status), sentForm, toFormErrors(labels, error));
      requireRefusal(error, [serviceExists]);
      // The same name means that the button was pressed twice. With another name, somebody went back in the browser and
      // reused the form for another service.
      const existing = await findStoredService(deps.db, sentForm.newId);
      if (existing && existing.name !== sentForm.typed.values.name?.trim()) {
        const message = `You added “${existing.name}” already. To add this one too, press the button again`;
        const next = { ...sentForm, newId: newId() };
        return sendForm(deps, request, reply.code(409), next, fieldError('name', message));
      }
    }
    return reply.redirect(savedBanner.path(servicePath(sentForm.newId), 'added'), 303);
  });
}

/** @throws Problem `unprocessable`, with what to correct in the form. */
async function readNewService(
  { db }: WebPlatform,
  caller: Caller,
  { typed, organisation, newId: id }: SentForm,
): Promise<Service> {
  const errors: FieldError[] = [];
  const named = namesOrganisation(caller) ? await findOrganization(db, organisation) : undefined;
  if (namesOrganisation(caller) && !named) {
    const message = 'Enter the exact name of an organisation of the library, or its id';
    errors.push({ pointer: '/organisation', message });
  }
  const service = { ...blank, id, ...(named && { organization_id: named.id }) };
  errors.push(...serviceFormErrors(service, typed));
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return checkService(withForm(service, typed, await loadFormReferences(db, typed)));
}

function namesOrganisation({ roles }: Caller): boolean {
  return roles.includes('operator');
}

async function sendForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  { typed, organisation, newId: id }: SentForm,
  errors?: FormErrors,
): Promise<Reply> {
  const terms = await listUsedTerms(deps.db);
  const view = formView(blank, typed, { terms, today: '', errors });
  return deps.pages.send(request, reply, 'library/edit/templates/new-service.njk', {
    ...view,
    values: { ...view.values, organisation },
    newId: id,
    namesOrganisation: namesOrganisation(requireCaller(request)),
  });
}
