import { Type } from 'typebox';
import type { App } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { examplePages, exampleTerm } from '../examples.ts';
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
import { flag, identifier, listParameters, pageOf } from '../search/list-parameters.ts';
import { searchText } from '../search/text-query.ts';
import { sendAnswer, sendListing } from '../send-answer.ts';
import { findTaxonomyThing, termsListing } from './store.ts';

const listQuery = Type.Object(
  {
    ...listParameters('terms', 'the name, the code and the description', 'lonely'),
    taxonomy_id: identifier('Terms of this taxonomy.'),
    top_only: flag('Only terms at the top, which are below no other that the library has.'),
    parent_id: identifier('Terms directly below this term.'),
  },
  { additionalProperties: true },
);

export function termRoutes(app: App, deps: WebPlatform): void {
  const { db } = deps;
  app.get('/api/library/taxonomy_terms', readingList(deps, listTerms), async (request, reply) => {
    const { query } = request;
    const wanted = { search: searchText(query.search), ...pageOf(query), format: query.format };
    const listing = termsListing(db, {
      taxonomyId: query.taxonomy_id,
      parentId: query.parent_id,
      topOnly: query.top_only,
    });
    return sendListing(db, request, reply, listing, wanted);
  });

  app.get('/api/library/taxonomy_terms/:id', { ...reading, schema: getTerm }, async (request, reply) => {
    const found = foundOr404('term', await findTaxonomyThing(db, 'taxonomy_terms', request.params.id));
    return sendAnswer(request, reply, found.content, found.updatedAt);
  });
}

const listTerms = {
  preValidation: tidied(listQuery),
  schema: {
    operationId: 'listTaxonomyTerms',
    tags,
    summary: 'List the terms of taxonomies',
    description:
      'Lists the terms that describe the services, a page at a time, by name. Filters combine: a term must fit them all. The `id` of a term is what a list of services takes as `taxonomy_term_id`. Parameters that are not named here are ignored.',
    querystring: listQuery,
    response: listAnswers('terms', pageSchema('terms', Type.Ref('HsdsTaxonomyTerm')), examplePages.terms),
  },
};

const getTerm = {
  operationId: 'getTaxonomyTerm',
  tags,
  summary: 'Read a term',
  description:
    'One term of a taxonomy: what it is called and what it means, its taxonomy, and what it is below.',
  params: idOf('term', exampleTerm),
  response: oneAnswer('term', Type.Ref('HsdsTaxonomyTerm'), exampleTerm),
};
