import { Type } from 'typebox';
import {
  listDataSharingDetails,
  type OrganisationWithDetails,
  requireCaller,
  requireDataSharingDetails,
} from '../../accounts/index.ts';
import { type FormErrors, fieldError, readFields, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem, requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import { requireReason } from '../../platform/reason.ts';
import { type MergePlan, mergeOrganisations, planMerge, renameOrganisation } from './merge.ts';
import { organisationDone } from './organisation-banner.ts';

const path = '/operator/organisations';
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const labels = { new_name: '', into: '', reason: 'Reason' };
const maxChoices = 500;

/** Renames an organisation, or merges it into another, after a page that says what moves. */
export function mergePages(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'), { needsRecentSignIn: true });

  app.get(`${path}/:id/name`, { config, schema: { params } }, async (request, reply) => {
    const organisation = await requireDataSharingDetails(deps.db, request.params.id);
    return send(deps, request, reply, 'rename-organisation', { organisation });
  });
  app.post(`${path}/:id/name`, { config, schema: { params, body: anyForm } }, async (request, reply) => {
    const organisation = await requireDataSharingDetails(deps.db, request.params.id);
    const { id } = organisation;
    const values = readFields(request.body, ['new_name']);
    try {
      await renameOrganisation(deps, actOf(request), id, values.new_name);
      return reply.redirect(organisationDone.path(`${path}/${id}`, 'renamed'), 303);
    } catch (error) {
      return refuse(deps, request, reply, error, 'rename-organisation', { organisation, values });
    }
  });

  const querystring = Type.Object({ into: Type.Optional(Type.String({ maxLength: 100 })) });
  app.get(`${path}/:id/merge`, { config, schema: { params, querystring } }, async (request, reply) => {
    const { into = '' } = request.query;
    const errors =
      request.query.into === '' ? fieldError('into', 'Choose the organisation that stays') : undefined;
    const organisation = await requireDataSharingDetails(deps.db, request.params.id);
    const pair = { fromId: organisation.id, toId: into };
    const plan = isUuid(into) ? await planMerge(deps, actOf(request), pair) : undefined;
    if (errors) reply.code(unprocessable.status);
    return send(deps, request, reply, 'merge-organisations', {
      organisation,
      plan,
      ...(errors && { errors }),
    });
  });
  app.post(`${path}/:id/merge`, { config, schema: { params, body: anyForm } }, async (request, reply) => {
    const organisation = await requireDataSharingDetails(deps.db, request.params.id);
    const values = readFields(request.body, ['into', 'reason']);
    if (!isUuid(values.into)) throw new Problem(notFound);
    const pair = { fromId: organisation.id, toId: values.into };
    try {
      await mergeOrganisations(deps, actOf(request), pair, requireReason(values.reason));
      return reply.redirect(organisationDone.path(`${path}/${values.into}`, 'merged'), 303);
    } catch (error) {
      const plan = await planMerge(deps, actOf(request), pair);
      return refuse(deps, request, reply, error, 'merge-organisations', { organisation, values, plan });
    }
  });
}

function actOf(request: Request) {
  return { caller: requireCaller(request), ipAddress: request.ip };
}

type Template = 'rename-organisation' | 'merge-organisations';
/** The values of the page's template: the organisation, and what somebody typed or would change. */
type PageValues = { organisation: OrganisationWithDetails; values?: object; plan?: MergePlan | undefined };

function refuse(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  error: unknown,
  template: Template,
  state: PageValues,
): Promise<Reply> {
  requireRefusal(error, [unprocessable]);
  const errors = toFormErrors(labels, error);
  return send(deps, request, reply.code(unprocessable.status), template, { ...state, errors });
}

async function send(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  template: Template,
  state: PageValues & { errors?: FormErrors },
): Promise<Reply> {
  const { organisation } = state;
  const all = await listDataSharingDetails(deps.db, { limit: maxChoices });
  const others = all
    .filter(({ id }) => id !== organisation.id)
    .toSorted((one, other) => one.name.localeCompare(other.name));
  return deps.pages.send(request, reply, `operator/organisations/templates/${template}.njk`, {
    others,
    values: { new_name: organisation.name },
    ...state,
  });
}
