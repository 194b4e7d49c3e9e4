import { Type } from 'typebox';
import { findDataSharingDetails, listDataSharingDetails, requireCaller } from '../../accounts/index.ts';
import { requireReason } from '../../audit/index.ts';
import { readFields, successBanner, toFormErrors } from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/ids/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import { mergeOrganisations, planMerge, renameOrganisation } from './merge.ts';

const path = '/operator/organisations';
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
const labels = { new_name: '', into: '', reason: 'Reason' };
const maxChoices = 500;

export const organisationDone = successBanner({
  added: 'The organisation is on this site now. Next: enter its details, and invite its people.',
  saved: 'The organisation was saved.',
  renamed: 'The organisation has its new name.',
  merged: 'The two organisations are one now. The other operators get an email about it.',
});

/** Renames an organisation, or merges it into another, after a page that says what moves. */
export function mergePages(app: App, deps: WebPlatform): void {
  const config = page(signedIn('operator'), { freshSignIn: true });
  const actOf = (request: Request) => ({ caller: requireCaller(request), ipAddress: request.ip });

  app.get(`${path}/:id/name`, { config, schema: { params } }, (request, reply) =>
    send(request, reply, 'rename-organisation', {}),
  );
  app.post(`${path}/:id/name`, { config, schema: { params, body: anyForm } }, async (request, reply) => {
    const values = readFields(request.body, ['new_name']);
    try {
      await renameOrganisation(deps, actOf(request), await idOf(request), values.new_name);
      return reply.redirect(organisationDone.path(`${path}/${request.params.id}`, 'renamed'), 303);
    } catch (error) {
      return refuse(request, reply, error, 'rename-organisation', { values });
    }
  });

  const querystring = Type.Object({ into: Type.Optional(Type.String({ maxLength: 100 })) });
  app.get(`${path}/:id/merge`, { config, schema: { params, querystring } }, async (request, reply) => {
    const { into = '' } = request.query;
    const plan = isUuid(into)
      ? await planMerge(deps, actOf(request), { fromId: await idOf(request), toId: into })
      : undefined;
    return send(request, reply, 'merge-organisations', { plan });
  });
  app.post(`${path}/:id/merge`, { config, schema: { params, body: anyForm } }, async (request, reply) => {
    const values = readFields(request.body, ['into', 'reason']);
    const fromId = await idOf(request);
    if (!isUuid(values.into)) throw new Problem(notFound);
    const pair = { fromId, toId: values.into };
    try {
      await mergeOrganisations(deps, actOf(request), pair, requireReason(values.reason));
      return reply.redirect(organisationDone.path(`${path}/${values.into}`, 'merged'), 303);
    } catch (error) {
      const plan = await planMerge(deps, actOf(request), pair);
      return refuse(request, reply, error, 'merge-organisations', { values, plan });
    }
  });

  async function idOf(request: Request): Promise<string> {
    const { id } = request.params as { id: string };
    if (!isUuid(id) || !(await findDataSharingDetails(deps.db, id))) throw new Problem(notFound);
    return id;
  }

  function refuse(request: Request, reply: Reply, error: unknown, template: string, more: object) {
    if (!(error instanceof Problem) || error.kind.status === 404 || error.kind.status >= 500) throw error;
    return send(request, reply.code(error.kind.status), template, {
      ...more,
      errors: toFormErrors(labels, error),
    });
  }

  async function send(request: Request, reply: Reply, template: string, more: object): Promise<Reply> {
    const organisation = await findDataSharingDetails(deps.db, await idOf(request));
    const all = await listDataSharingDetails(deps.db, { limit: maxChoices });
    const others = all
      .filter(({ id }) => id !== organisation!.id)
      .toSorted((one, other) => one.name.localeCompare(other.name));
    return deps.pages.send(request, reply, `operator/organisations/templates/${template}.njk`, {
      organisation,
      others,
      values: { new_name: organisation!.name },
      ...more,
    });
  }
}
