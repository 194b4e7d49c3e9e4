import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { type FormProblem, formProblem } from '../../../platform/html/index.ts';
import { type App, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { badRequest, Problem, unprocessable, versionStale } from '../../../platform/problem/index.ts';
import { localTime } from '../../hours/calendar-day.ts';
import { listUsedTerms } from '../../hsds/taxonomies-store.ts';
import type { Service } from '../../model/service.ts';
import { servicePath } from '../../view/links.ts';
import { checkService } from '../check-service.ts';
import { editService, readForEdit } from '../edit-service.ts';
import { labels } from '../form/labels.ts';
import { formErrors, formOf, mergeForm, type ServiceForm, withForm } from '../form/service-form.ts';
import { formView, loadFormReferences, readServiceForm } from './form-parts.ts';
import { entryDone } from './manage-view.ts';

export const editors = page(signedIn('operator', 'provider'));
export const idParams = Type.Object({ id: Type.String() });
export const anyForm = Type.Object({}, { additionalProperties: true });
const template = 'library/templates/edit-service.njk';

/** Changing a service with a form. */
export function editPages(app: App, deps: WebPlatform): void {
  app.get('/services/:id/edit', { config: editors, schema: { params: idParams } }, async (request, reply) => {
    const service = await readForEdit(deps.db, requireCaller(request), request.params.id);
    return sendForm(deps, request, reply, service, formOf(service));
  });

  app.post(
    '/services/:id/edit',
    { config: editors, schema: { params: idParams, body: anyForm } },
    async (request, reply) => {
      const { id } = request.params;
      const refused = await saveForm(deps, request, id);
      if (!refused) return reply.redirect(entryDone.path(servicePath(id), 'saved'), 303);
      const { service, form, errors, status } = refused;
      return sendForm(deps, request, reply.code(status), service, form, errors);
    },
  );
}

type RefusedForm = { service: Service; form: ServiceForm; errors: FormProblem; status: number };

/** Saves what was typed, beside what others changed meanwhile. @returns what the page shows instead where it cannot. */
async function saveForm(deps: WebPlatform, request: Request, id: string): Promise<RefusedForm | undefined> {
  const { typed, shown } = readServiceForm(request.body);
  const known = await loadFormReferences(deps.db, typed);
  let now: Service | undefined;
  let form = typed;
  try {
    const edit = { id, address: request.ip, action: 'service.edited' };
    await editService(deps, requireCaller(request), edit, (service) => {
      now = service;
      const merged = mergeForm(formOf(service), typed, shown);
      form = merged.form;
      if (merged.conflicts.length > 0) throw conflict(service, merged.conflicts);
      const errors = formErrors(service, form);
      if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
      return checkService(withForm(service, form, known));
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem) || !now || !correctable.includes(error.kind)) throw error;
    return { service: now, form, errors: formProblem(labels, error), status: error.kind.status };
  }
}

/** What a person can mend in the form, where everything they typed still stands. */
export const correctable = [unprocessable, badRequest, versionStale];

function conflict(service: Service, names: readonly string[]): Problem {
  const { values } = formOf(service);
  const errors = names.map((name) => ({
    pointer: `/${name}`,
    message: `Somebody else changed “${labels[name]}” while you were writing. ${nowInWords(name, values[name])} Save again to keep what you wrote`,
  }));
  return new Problem(versionStale, undefined, { errors });
}

function nowInWords(name: string, value = ''): string {
  if (name === 'terms') return '';
  return value === '' ? 'It is empty now.' : `It says “${value}” now.`;
}

async function sendForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  service: Service,
  form: ServiceForm,
  errors?: FormProblem,
): Promise<Reply> {
  const today = localTime(deps.clock.now()).day.date;
  const terms = await listUsedTerms(deps.db);
  const view = formView(service, form, { terms, today, errors });
  return deps.pages.send(request, reply, template, {
    service,
    entryPath: servicePath(service.id),
    ...view,
  });
}
