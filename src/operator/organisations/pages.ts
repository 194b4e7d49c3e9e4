import { Type } from 'typebox';
import {
  actorOf,
  type DataSharingDetails,
  dsptStatuses,
  dsptStatusWords,
  findOrMakeOrganisation,
  listDataSharingDetails,
  type OrganisationWithDetails,
  requireCaller,
  requireDataSharingDetails,
  sharingRoles,
  sharingRoleWords,
  updateDataSharingDetails,
} from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { findOfflineCopyChoice } from '../../delivery/index.ts';
import { countInWords, findOrganisationForAccount, listAcceptingUnattended } from '../../library/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import {
  dayInWords,
  type FormErrors,
  fieldError,
  readFields,
  toFormErrors,
} from '../../platform/html/index.ts';
import { type App, anyForm, page, type Reply, type Request, signedIn } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { requireRefusal, unprocessable } from '../../platform/problem/index.ts';
import {
  type DataSharingForm,
  dataSharingFields,
  dataSharingLabels,
  formOf,
  readDataSharing,
} from './data-sharing-form.ts';
import { expiriesOf } from './expiries.ts';
import { lastMergeInWords } from './merge.ts';
import { mergePages } from './merge-pages.ts';
import { organisationDone } from './organisation-banner.ts';
import {
  countOfOrganisations,
  listActiveServices,
  listMembers,
  listServicesOf,
} from './organisations-store.ts';

const path = '/operator/organisations';
const config = page(signedIn('operator'));
const params = Type.Object({ id: Type.String({ maxLength: 100 }) });
/** Organisations on the page: more than an area has. A search by name finds the others. */
const maxShown = 50;

/** Where operators keep each organisation's role, ICO number, toolkit status and sharing agreement. */
export function organisationPages(app: App, deps: WebPlatform): void {
  const listQuery = Type.Object({ name: Type.Optional(Type.String({ maxLength: 200 })) });
  app.get(path, { config, schema: { querystring: listQuery } }, (request, reply) =>
    sendList(deps, request, reply, { name: request.query.name?.trim() ?? '' }),
  );

  app.post(path, { config, schema: { body: anyForm } }, async (request, reply) => {
    const { organisation: text } = readFields(request.body, ['organisation']);
    const organization = await findLibraryOrganization(deps, text);
    if (!organization) {
      const errors = fieldError(
        'organisation',
        'The library has no organisation with exactly this name or id, or more than one: enter its id',
      );
      return sendList(deps, request, reply.code(unprocessable.status), { name: '', sentName: text, errors });
    }
    const at = deps.clock.now();
    const { id } = await inTransaction(deps.db, async (trx) => {
      const organisation = await findOrMakeOrganisation(trx, organization, at);
      await recordAudit(trx, {
        at,
        actor: actorOf(requireCaller(request), request.ip),
        action: 'organisation.added',
        subject: { type: 'organisation', id: organisation.id },
      });
      return organisation;
    });
    return reply.redirect(organisationDone.path(`${path}/${id}`, 'added'), 303);
  });

  mergePages(app, deps);

  const querystring = Type.Object({ done: organisationDone.query });
  app.get(`${path}/:id`, { config, schema: { params, querystring } }, async (request, reply) => {
    const organisation = await requireDataSharingDetails(deps.db, request.params.id);
    const { done } = request.query;
    const words = done === 'merged' ? await lastMergeInWords(deps.db, organisation.id) : undefined;
    return sendOrganisation(deps, request, reply, organisation, words ?? organisationDone.words(done));
  });

  app.get(`${path}/:id/sharing`, { config, schema: { params } }, async (request, reply) => {
    const organisation = await requireDataSharingDetails(deps.db, request.params.id);
    return sendSharingForm(deps, request, reply, organisation, { values: formOf(organisation) });
  });

  app.post(`${path}/:id`, { config, schema: { params, body: anyForm } }, async (request, reply) => {
    const organisation = await requireDataSharingDetails(deps.db, request.params.id);
    try {
      await saveDataSharing(deps, request, organisation.id, readDataSharing(request.body));
      return reply.redirect(organisationDone.path(`${path}/${organisation.id}`, 'saved'), 303);
    } catch (error) {
      requireRefusal(error, [unprocessable]);
      const values = readFields(request.body, dataSharingFields);
      const errors = toFormErrors(dataSharingLabels, error);
      return sendSharingForm(deps, request, reply.code(error.kind.status), organisation, { values, errors });
    }
  });
}

/** Finds an organization of the library by its name or id. It may share data although it has no account here. */
async function findLibraryOrganization({ db }: WebPlatform, text: string) {
  if (text === '' || [...text].length > 200) return undefined;
  return findOrganisationForAccount(db, ['provider'], text);
}

async function saveDataSharing(
  deps: WebPlatform,
  request: Request,
  id: string,
  details: DataSharingDetails,
): Promise<void> {
  // The audit does not name addresses.
  const { mailbox, ...auditDetails } = details;
  await inTransaction(deps.db, async (trx) => {
    await updateDataSharingDetails(trx, id, details);
    await recordAudit(trx, {
      at: deps.clock.now(),
      actor: actorOf(requireCaller(request), request.ip),
      action: 'organisation.facts_changed',
      subject: { type: 'organisation', id },
      details: { ...auditDetails, mailbox: mailbox !== null },
    });
  });
}

async function sendList(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  { name, sentName, errors }: { name: string; sentName?: string; errors?: FormErrors },
): Promise<Reply> {
  const at = deps.clock.now();
  const organisations = await listDataSharingDetails(deps.db, { name: name || undefined, limit: maxShown });
  const unattended = await countUnattended(
    deps,
    organisations.flatMap((organisation) => organisation.libraryOrganizationId ?? []),
  );
  const counts = await countOfOrganisations(
    deps.db,
    organisations.map(({ id }) => id),
  );
  return deps.pages.send(request, reply, 'operator/organisations/templates/organisations.njk', {
    name,
    sentName,
    errors,
    isCut: organisations.length === maxShown,
    rows: organisations.map((organisation) => ({
      ...organisation,
      ...counts.get(organisation.id),
      ends: expiriesOf(organisation, at),
      unattended: unattended.get(organisation.libraryOrganizationId ?? '') ?? 0,
      role: organisation.sharingRole && sharingRoleWords[organisation.sharingRole],
      dspt: organisation.dsptStatus && dsptStatusWords[organisation.dsptStatus],
    })),
  });
}

/** How many services each organisation of the library has that accept referrals and have nobody to answer them. */
async function countUnattended(
  { db }: WebPlatform,
  organizationIds: readonly string[],
): Promise<Map<string, number>> {
  const services = await listActiveServices(db, organizationIds);
  const unattended = await listAcceptingUnattended(
    db,
    services.map(({ id }) => id),
  );
  const counts = new Map<string, number>();
  for (const { id, organizationId } of services)
    if (organizationId !== null && unattended.has(id))
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
  return counts;
}

/** The services of an organisation, each with whether it accepts referrals that nobody can answer. */
async function listServicesWithStaffing({ db }: WebPlatform, organizationId: string | null) {
  if (organizationId === null) return [];
  const services = await listServicesOf(db, organizationId);
  const unattended = await listAcceptingUnattended(
    db,
    services.map(({ id }) => id),
  );
  return services.map((service) => ({ ...service, isUnattended: unattended.has(service.id) }));
}

/** What an operator mostly wants to know, before the lists. */
function summaryOf(organisation: OrganisationWithDetails, counts: { members: number; services: number }) {
  const { sharingRole, dsptStatus, dsptUntil, agreement, agreementUntil, icoNumber } = organisation;
  const until = (day: string | null) => (day === null ? '' : `, until ${dayInWords(`${day}T12:00:00Z`)}`);
  const line = (name: string, value: string, action: string, href: string) => ({ name, value, action, href });
  const change = (name: string, value: string, field: string) =>
    line(name, value, 'Change', `${path}/${organisation.id}/sharing#${field}`);
  return [
    line(
      'People',
      countInWords(counts.members, 'person can sign in', 'people can sign in'),
      'See',
      '#people',
    ),
    ...(organisation.libraryOrganizationId === null
      ? []
      : [line('Services', countInWords(counts.services, 'service', 'services'), 'See', '#services')]),
    change('Role', sharingRole ? sharingRoleWords[sharingRole] : 'Not entered', 'sharing_role'),
    change('ICO number', icoNumber ?? 'Not entered', 'ico_number'),
    change(
      'Toolkit status',
      dsptStatus ? dsptStatusWords[dsptStatus] + until(dsptUntil) : 'Not entered',
      'dspt_status',
    ),
    change('Sharing agreement', agreement ? agreement + until(agreementUntil) : 'Not entered', 'agreement'),
  ];
}

async function sendOrganisation(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  organisation: OrganisationWithDetails,
  done: string | undefined,
): Promise<Reply> {
  const copy = await findOfflineCopyChoice(deps.db, organisation.id);
  const services = await listServicesWithStaffing(deps, organisation.libraryOrganizationId);
  const members = await listMembers(deps.db, organisation.id);
  return deps.pages.send(request, reply, 'operator/organisations/templates/organisation.njk', {
    organisation,
    summary: summaryOf(organisation, {
      members: members.filter(({ disabled }) => !disabled).length,
      services: services.length,
    }),
    members,
    services,
    unattended: services.filter(({ isUnattended }) => isUnattended).length,
    ends: expiriesOf(organisation, deps.clock.now()),
    copy: copy && { since: copy.chosenAt, madeAt: copy.madeAt, byEmail: copy.email !== null },
    done,
  });
}

/** The form of what an operator enters about data sharing. */
function sendSharingForm(
  deps: WebPlatform,
  request: Request,
  reply: Reply,
  organisation: OrganisationWithDetails,
  state: { values: DataSharingForm; errors?: FormErrors },
): Reply {
  return deps.pages.send(request, reply, 'operator/organisations/templates/data-sharing.njk', {
    organisation,
    roles: sharingRoles.map((value) => ({ value, text: sharingRoleWords[value] })),
    dsptStatuses: dsptStatuses.map((value) => ({ value, text: dsptStatusWords[value] })),
    ...state,
  });
}
