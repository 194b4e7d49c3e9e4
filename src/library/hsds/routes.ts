import { Type } from 'typebox';
import type { App } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { jsonContentType } from './etag.ts';
import { findOrganizationAnswer } from './organizations-store.ts';
import { addItemRoute, readOptions, resources, tags, unauthorised } from './resource.ts';
import { fullServiceParameter, libraryAnswerSchema, librarySchemas } from './schemas.ts';
import { findServiceAtLocation } from './service-at-locations-store.ts';
import { findServiceWithHistory } from './services-store.ts';
import { findTaxonomy, findTaxonomyTerm } from './taxonomies-store.ts';

/** Reads one item of each HSDS resource. The search room adds the lists. */
export function hsdsRoutes(app: App, deps: WebPlatform): void {
  const { db } = deps;
  for (const schema of librarySchemas) app.addSchema(schema);
  aboutRoute(app, deps);

  addItemRoute(
    app,
    resources.services,
    {
      operationId: 'getService',
      summary: 'Read a service',
      description:
        'One service in full, whatever its status: what it does, for whom, when, where, what it costs, how to get in touch, who runs it, its terms, when the entry was last checked, and in `metadata` its latest 100 changes: which field, when and by whom. Only editors of the service can read the old and new values, in its history; so `previous_value` and `replacement_value` are empty here, except in changes that the source itself reported. Lists do not have these changes.',
    },
    (id) => findServiceWithHistory(db, id),
  );

  addItemRoute(
    app,
    resources.serviceAtLocations,
    {
      operationId: 'getServiceAtLocation',
      summary: 'Read a service at a location',
      description:
        'One location of a service in full, with the service, whatever its status. The name and the status of the service stand beside the rest too, since the published HSDS API asks for them here.',
    },
    (id) => findServiceAtLocation(db, id),
  );

  addItemRoute(
    app,
    resources.taxonomies,
    {
      operationId: 'getTaxonomy',
      summary: 'Read a taxonomy',
      description:
        'One taxonomy: its name, and what its terms are about. `/api/library/taxonomy_terms?taxonomy_id=` has them.',
    },
    (id) => findTaxonomy(db, id),
  );

  addItemRoute(
    app,
    resources.taxonomyTerms,
    {
      operationId: 'getTaxonomyTerm',
      summary: 'Read a term',
      description:
        'One term of a taxonomy: what it is called and what it means, its taxonomy, and what it is below.',
    },
    (id) => findTaxonomyTerm(db, id),
  );

  addItemRoute(
    app,
    resources.organizations,
    {
      operationId: 'getOrganization',
      summary: 'Read an organisation',
      description:
        'One organisation in full: what it is, how to get in touch, and its active services, in short or in full.',
      querystring: organizationQuery,
    },
    async (id, { full_service }) => {
      const answer = await findOrganizationAnswer(db, id, full_service ? 'with-services' : 'document');
      // Not dated: the organisation's date does not change when a service leaves it.
      return answer && { content: JSON.stringify(answer) };
    },
  );
}

const organizationQuery = Type.Object({ full_service: fullServiceParameter }, { additionalProperties: true });

/** The base address that Open Referral clients, validators and aggregators start from. */
function aboutRoute(app: App, { settings }: WebPlatform): void {
  const about = JSON.stringify({
    version: 'HSDS-UK-3.0',
    profile: 'https://docs.openreferraluk.org/',
    openapi_url: `${settings.baseUrl}/api/openapi.json`,
  });
  const schema = {
    operationId: 'getLibrary',
    tags,
    summary: 'Get to know the library',
    description:
      'Says which version of the Human Services Data Specification (HSDS) the library speaks: Open Referral UK 3.0. The address of this answer is the base that Open Referral clients, validators and aggregators are pointed at.',
    response: { 200: libraryAnswerSchema, ...unauthorised },
  };
  app.get('/api/library/', { ...readOptions, schema }, (_request, reply) => {
    reply.type(jsonContentType).send(about as never);
  });
}
