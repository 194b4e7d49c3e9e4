import { Type } from 'typebox';
import type { App } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { examplePages, exampleTaxonomy } from '../examples.ts';
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
import { listParameters, pageOf } from '../search/list-parameters.ts';
import { searchText } from '../search/text-query.ts';
import { sendAnswer, sendListing } from '../send-answer.ts';
import { findTaxonomyThing, taxonomiesListing } from './store.ts';

const listQuery = Type.Object(listParameters('taxonomies', 'the name and the description', 'need'), {
  additionalProperties: true,
});

export function taxonomyRoutes(app: App, deps: WebPlatform): void {
  const { db } = deps;
  app.get('/api/library/taxonomies', readingList(deps, listTaxonomies), async (request, reply) => {
    const { query } = request;
    const wanted = { search: searchText(query.search), ...pageOf(query), format: query.format };
    return sendListing(db, request, reply, taxonomiesListing(db), wanted);
  });

  app.get('/api/library/taxonomies/:id', { ...reading, schema: getTaxonomy }, async (request, reply) => {
    const found = foundOr404('taxonomy', await findTaxonomyThing(db, 'taxonomies', request.params.id));
    return sendAnswer(request, reply, found.content, found.updatedAt);
  });
}

const listTaxonomies = {
  preValidation: tidied(listQuery),
  schema: {
    operationId: 'listTaxonomies',
    tags,
    summary: 'List the taxonomies',
    description:
      'Lists the taxonomies whose terms describe the services, a page at a time, by name: kinds of service, needs, whom a service is for. Parameters that are not named here are ignored.',
    querystring: listQuery,
    response: listAnswers(
      'taxonomies',
      pageSchema('taxonomies', Type.Ref('HsdsTaxonomy')),
      examplePages.taxonomies,
    ),
  },
};

const getTaxonomy = {
  operationId: 'getTaxonomy',
  tags,
  summary: 'Read a taxonomy',
  description:
    'One taxonomy: its name, and what its terms are about. `/taxonomy_terms?taxonomy_id=` has them.',
  params: idOf('taxonomy', exampleTaxonomy),
  response: oneAnswer('taxonomy', Type.Ref('HsdsTaxonomy'), exampleTaxonomy),
};
