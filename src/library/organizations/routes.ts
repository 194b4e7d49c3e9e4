import { Type } from 'typebox';
import type { App } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { exampleOrganization, examplePages } from '../examples.ts';
import { organizationScalars } from '../hsds/organization.ts';
import {
  foundOr404,
  idOf,
  listAnswers,
  oneAnswer,
  reading,
  readingList,
  tags,
  tidied,
} from '../route-parts.ts';
import { pageSchema } from '../schemas.ts';
import { flag, listParameters, pageOf } from '../search/list-parameters.ts';
import { searchText } from '../search/text-query.ts';
import { sendAnswer, sendListing } from '../send-answer.ts';
import { findOrganizationAnswer, organizationsListing } from './store.ts';

const full_service = flag('The services of each organisation in full, and not their ids and names alone.');

const oneQuery = Type.Object({ full_service }, { additionalProperties: true });
const listQuery = Type.Object(
  {
    ...listParameters('organisations', 'the name, other names and the description', 'weir house'),
    full_service,
    full: flag(
      'Each organisation in full, with the ids and names of its services; `full_service` implies it.',
    ),
  },
  { additionalProperties: true },
);

export function organizationRoutes(app: App, deps: WebPlatform): void {
  const { db } = deps;
  app.get('/api/library/organizations', readingList(deps, listOrganizations), async (request, reply) => {
    const { query } = request;
    const form = query.full_service ? 'with-services' : query.full ? 'document' : 'summary';
    const wanted = { search: searchText(query.search), ...pageOf(query), format: query.format };
    return sendListing(db, request, reply, organizationsListing(db, form), wanted);
  });

  app.get('/api/library/organizations/:id', { ...reading, ...getOrganization }, async (request, reply) => {
    const form = request.query.full_service ? 'with-services' : 'document';
    const found = foundOr404('organisation', await findOrganizationAnswer(db, request.params.id, form));
    // Without a date: none says when a service that it had has left it.
    return sendAnswer(request, reply, found);
  });
}

const contents = Type.Union([Type.Object(organizationScalars), Type.Ref('Organization')]);

const listOrganizations = {
  preValidation: tidied(listQuery),
  schema: {
    operationId: 'listOrganizations',
    tags,
    summary: 'Find organisations',
    description:
      'Lists the organisations that the library knows, a page at a time: by name, or best matches first where you search. Each with what there is one of, unless you ask for more. A page past the end is an empty page. Parameters that are not named here are ignored.',
    querystring: listQuery,
    response: listAnswers('organisations', pageSchema('organisations', contents), examplePages.organizations),
  },
};

const getOrganization = {
  preValidation: tidied(oneQuery),
  schema: {
    operationId: 'getOrganization',
    tags,
    summary: 'Read an organisation',
    description:
      'One organisation in full: what it is, how to get in touch, and its active services, in short or in full.',
    params: idOf('organisation', exampleOrganization),
    querystring: oneQuery,
    response: oneAnswer('organisation', Type.Ref('Organization'), exampleOrganization),
  },
};
