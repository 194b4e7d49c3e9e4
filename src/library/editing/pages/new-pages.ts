import { type Caller, requireCaller } from '../../../accounts/index.ts';
import { type FormProblem, formProblem } from '../../../platform/html/index.ts';
import type { App, Reply, Request } from '../../../platform/http/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { type FieldError, Problem, unprocessable } from '../../../platform/problem/index.ts';
import type { Service } from '../../hsds/service.ts';
import { findOrganization, listUsedTerms } from '../../services/store.ts';
import { servicePath } from '../../view/links.ts';
import { checkedService } from '../checked-service.ts';
import { createService } from '../create-service.ts';
import { labels } from '../form/labels.ts';
import { formErrors, formOf, type ServiceForm, withForm } from '../form/service-form.ts';
import { anyForm, editors, mendable } from './edit-pages.ts';
import { formView } from './form-view.ts';
import { knownFor } from './known-for.ts';
import { readServiceForm } from './read-form.ts';

const blank: Service = { id: '', name: '', status: 'active' };

/** Adding a service with a form. A provider's is their organisation's; an operator names one. */
export function newServicePages(app: App, deps: WebPlatform): void {
  app.get('/services/new', { config: editors }, (request, reply) =>
    sendForm(deps, request, reply, formOf(blank)),
  );

  app.post('/services/new', { config: editors, schema: { body: anyForm } }, async (request, reply) => {
    const { typed, organisation } = readServiceForm(request.body);
    try {
      const service = await serviceOf(deps, requireCaller(request), typed, organisation);
      await createService(deps, requireCaller(request), service, request.ip);
      return reply.redirect(servicePath(service.id), 303);
    } catch (error) {
      if (!(error instanceof Problem) || !mendable.includes(error.kind)) throw error;
      reply.code(error.kind.status);
      return sendForm(deps, request, reply, typed, organisation, formProblem(labels, error));
    }
  });
}

/** @throws Problem `unprocessable`, with what to mend in the form. */
async function serviceOf(
  { db }: WebPlatform,
  caller: Caller,
  typed: ServiceForm,
  organisation: string,
): Promise<Service> {
  const errors: FieldError[] = [];
  const named = namesOrganisation(caller) ? await findOrganization(db, organisation) : undefined;
  if (namesOrganisation(caller) && !named) {
    const message = 'Enter the exact name of an organisation of the library, or its id';
    errors.push({ pointer: '/organisation', message });
  }
  const service = { ...blank, id: newId(), ...(named && { organization_id: named.id }) };
  errors.push(...formErrors(service, typed));
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return checkedService(withForm(service, typed, await knownFor(db, typed)));
}

function namesOrganisation({ roles }: Caller): boolean {
  return roles.includes('operator');
}

async function sendForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  form: ServiceForm,
  organisation = '',
  errors?: FormProblem,
): Promise<Reply> {
  const terms = await listUsedTerms(deps.db);
  const view = formView(blank, form, { terms, today: '', errors });
  return deps.pages.send(request, reply, 'library/templates/new-service.njk', {
    ...view,
    values: { ...view.values, organisation },
    namesOrganisation: namesOrganisation(requireCaller(request)),
  });
}
