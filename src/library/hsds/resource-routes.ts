import { Type } from 'typebox';
import type { App } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import {
  exampleAtLocation,
  exampleOrganization,
  exampleService,
  exampleTaxonomy,
  exampleTerm,
} from './examples.ts';
import { findOrganizationAnswer } from './organizations-store.ts';
import { idParams, itemAnswers, libraryRead, requireFound, tags, tidyQueryHook } from './route-parts.ts';
import { type DatedContent, sendAnswer } from './send-answer.ts';
import { findAtLocation } from './service-at-locations-store.ts';
import { readService } from './services-store.ts';
import { findTaxonomyThing } from './taxonomies-store.ts';

/** Reading one service, service at a location, organisation, taxonomy or term. Lists of them are the search's. */
export function resourceRoutes(app: App, { db }: WebPlatform): void {
  const add = (
    path: string,
    thing: string,
    schema: typeof getService,
    find: (id: string) => Promise<DatedContent | undefined>,
  ) =>
    app.get(`/api/library/${path}/:id`, { ...libraryRead, schema }, async (request, reply) => {
      const { content, updatedAt } = requireFound(thing, await find(request.params.id));
      return sendAnswer(request, reply, content, updatedAt);
    });
  add('services', 'service', getService, (id) => readService(db, id));
  add('service_at_locations', atLocation, getAtLocation, (id) => findAtLocation(db, id));
  add('taxonomies', 'taxonomy', getTaxonomy, (id) => findTaxonomyThing(db, 'taxonomies', id));
  add('taxonomy_terms', 'term', getTerm, (id) => findTaxonomyThing(db, 'taxonomy_terms', id));

  app.get(
    '/api/library/organizations/:id',
    { ...libraryRead, ...getOrganization },
    async (request, reply) => {
      const form = request.query.full_service ? 'with-services' : 'document';
      const found = requireFound('organisation', await findOrganizationAnswer(db, request.params.id, form));
      // Without a date: none says when a service that it had has left it.
      return sendAnswer(request, reply, JSON.stringify(found));
    },
  );
}

const atLocation = 'service at a location';

const organizationQuery = Type.Object(
  {
    full_service: Type.Optional(
      Type.Boolean({
        description: 'The services of each organisation in full, and not their ids and names alone.',
      }),
    ),
  },
  { additionalProperties: true },
);

const getService = {
  operationId: 'getService',
  tags,
  summary: 'Read a service',
  description:
    'One service in full, whatever its status: what it does, for whom, when, where, what it costs, how to get in touch, who runs it, its terms, when the entry was last checked, and in `metadata` its latest 100 changes: which field, when and by whom. What the field said before is for those who edit the service, in its history; so `previous_value` and `replacement_value` are empty there, except in what the source told itself. Lists do not have these changes.',
  params: idParams('service', exampleService),
  response: itemAnswers('service', Type.Ref('Service'), exampleService),
};

const getAtLocation = {
  operationId: 'getServiceAtLocation',
  tags,
  summary: 'Read a service at a location',
  description:
    'One location of a service in full, with the service, whatever its status. The name and the status of the service stand beside the rest too, since the published HSDS API asks for them here.',
  params: idParams(atLocation, exampleAtLocation),
  response: itemAnswers(atLocation, Type.Ref('ServiceAtLocation'), exampleAtLocation),
};

const getOrganization = {
  preValidation: tidyQueryHook(organizationQuery),
  schema: {
    operationId: 'getOrganization',
    tags,
    summary: 'Read an organisation',
    description:
      'One organisation in full: what it is, how to get in touch, and its active services, in short or in full.',
    params: idParams('organisation', exampleOrganization),
    querystring: organizationQuery,
    response: itemAnswers('organisation', Type.Ref('Organization'), exampleOrganization),
  },
};

const getTaxonomy = {
  operationId: 'getTaxonomy',
  tags,
  summary: 'Read a taxonomy',
  description:
    'One taxonomy: its name, and what its terms are about. `/taxonomy_terms?taxonomy_id=` has them.',
  params: idParams('taxonomy', exampleTaxonomy),
  response: itemAnswers('taxonomy', Type.Ref('HsdsTaxonomy'), exampleTaxonomy),
};

const getTerm = {
  operationId: 'getTaxonomyTerm',
  tags,
  summary: 'Read a term',
  description:
    'One term of a taxonomy: what it is called and what it means, its taxonomy, and what it is below.',
  params: idParams('term', exampleTerm),
  response: itemAnswers('term', Type.Ref('HsdsTaxonomyTerm'), exampleTerm),
};
