import { Type } from 'typebox';
import { requireCaller } from '../../../accounts/index.ts';
import { localTime } from '../../../platform/clock/index.ts';
import { type FormErrors, toFormErrors } from '../../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../../platform/http/index.ts';
import type { WebPlatform } from '../../../platform/platform.ts';
import { badRequest, Problem, unprocessable, versionStale } from '../../../platform/problem/index.ts';
import { listUsedTerms } from '../../hsds/taxonomies-store.ts';
import type { Service } from '../../model/service.ts';
import { servicePath } from '../../view/links.ts';
import { findAvailability } from '../../write/availability-store.ts';
import { checkService } from '../check-service.ts';
import { editService, readForEdit } from '../edit-service.ts';
import { labels } from '../form/labels.ts';
import {
  type FormReferences,
  formOf,
  mergeForm,
  type ServiceForm,
  type ShownFields,
  serviceFormErrors,
  withForm,
} from '../form/service-form.ts';
import { formView, loadFormReferences, readServiceForm } from './form-view.ts';
import { availabilityInSentences, savedBanner } from './manage-view.ts';

export const editConfig = page(signedIn('operator', 'provider'));
export const idParams = Type.Object({ id: Type.String() });
const template = 'library/edit/templates/edit-service.njk';

/** The form that edits a service. */
export function editPages(app: App, deps: WebPlatform): void {
  app.get(
    '/services/:id/edit',
    { config: editConfig, schema: { params: idParams } },
    async (request, reply) => {
      const service = await readForEdit(deps.db, requireCaller(request), request.params.id);
      return sendForm(deps, request, reply, service, formOf(service));
    },
  );

  app.post(
    '/services/:id/edit',
    { config: editConfig, schema: { params: idParams, body: anyForm } },
    async (request, reply) => {
      const { id } = request.params;
      const caller = requireCaller(request);
      const { typed, shown } = readServiceForm(request.body);
      const references = await loadFormReferences(deps.db, typed);
      const edit = { id, ipAddress: request.ip, action: 'service.edited' as const };
      try {
        await editService(deps, caller, edit, (service) => applyForm(service, typed, shown, references));
      } catch (error) {
        if (!canCorrectInForm(error)) throw error;
        const service = await readForEdit(deps.db, caller, id);
        const { form } = mergeForm(formOf(service), typed, shown);
        const errors = toFormErrors(labels, error);
        return sendForm(deps, request, reply.code(error.kind.status), service, form, errors);
      }
      return reply.redirect(savedBanner.path(servicePath(id), 'saved'), 303);
    },
  );
}

/**
 * The service with what somebody typed, merged with what others changed meanwhile.
 * @throws Problem `version-stale` for a field that both changed, `unprocessable`, `bad-request`.
 */
function applyForm(
  service: Service,
  typed: ServiceForm,
  shown: ShownFields,
  references: FormReferences,
): Service {
  const { form, conflicts } = mergeForm(formOf(service), typed, shown);
  if (conflicts.length > 0) throw conflictProblem(service, conflicts);
  const errors = serviceFormErrors(service, form);
  if (errors.length > 0) throw new Problem(unprocessable, undefined, { errors });
  return checkService(withForm(service, form, references));
}

/** Whether a person can correct this in the form, which keeps everything they typed. */
export function canCorrectInForm(error: unknown): error is Problem {
  return error instanceof Problem && [unprocessable, badRequest, versionStale].includes(error.kind);
}

function conflictProblem(service: Service, names: readonly string[]): Problem {
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
  errors?: FormErrors,
): Promise<Reply> {
  const today = localTime(deps.clock.now()).day.date;
  const terms = await listUsedTerms(deps.db);
  const view = formView(service, form, { terms, today, errors });
  const current = await findAvailability(deps.db, service.id);
  // A waiting list without a wait leaves that to the form.
  const availability = current?.status === 'waitlist' && !current.waiting_time ? undefined : current;
  return deps.pages.send(request, reply, template, {
    service,
    availability: availability && {
      text: availabilityInSentences[availability.status],
      waiting: availability.waiting_time,
    },
    entryPath: servicePath(service.id),
    ...view,
  });
}
