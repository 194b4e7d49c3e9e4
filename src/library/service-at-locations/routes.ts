import { Type } from 'typebox';
import type { App } from '../../platform/http/index.ts';
import type { WebPlatform } from '../../platform/platform.ts';
import { exampleAtLocation, examplePages } from '../examples.ts';
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
import { pageSchema, placeMember } from '../schemas.ts';
import { pageOf } from '../search/list-parameters.ts';
import { atLocationsQuerySchema, selectionOf } from '../search/list-query.ts';
import { sendAnswer, sendListing } from '../send-answer.ts';
import { atLocationsListing } from './list-at-locations.ts';
import { findAtLocation } from './store.ts';

const thing = 'service at a location';

export function serviceAtLocationRoutes(app: App, deps: WebPlatform): void {
  const { db } = deps;
  app.get('/api/library/service_at_locations', readingList(deps, listAtLocations), async (request, reply) => {
    const { query } = request;
    const selection = await selectionOf(deps, query, '/query');
    const listing = atLocationsListing(db, selection, query.full ? 'document' : 'summary');
    return sendListing(db, request, reply, listing, { ...selection, ...pageOf(query), format: query.format });
  });

  app.get(
    '/api/library/service_at_locations/:id',
    { ...reading, schema: getAtLocation },
    async (request, reply) => {
      const { content, updatedAt } = foundOr404(thing, await findAtLocation(db, request.params.id));
      return sendAnswer(request, reply, content, updatedAt);
    },
  );
}

const contents = Type.Union([Type.Ref('ServiceAtLocationSummary'), Type.Ref('ServiceAtLocation')]);

const listAtLocations = {
  preValidation: tidied(atLocationsQuerySchema),
  schema: {
    operationId: 'listServicesAtLocations',
    tags,
    summary: 'Find services at their locations',
    description:
      'Lists every location of every active service, a page at a time: for maps, and for clients that ask where something can be had. The filters are those of services, but places, days and times are those of each location; the order is that of services too, so that the locations of one service stand together unless you sort by distance. A service that has no location is not here.',
    querystring: atLocationsQuerySchema,
    response: listAnswers(
      'services at locations',
      pageSchema('services at locations', contents, placeMember),
      examplePages.atLocations,
    ),
  },
};

const getAtLocation = {
  operationId: 'getServiceAtLocation',
  tags,
  summary: 'Read a service at a location',
  description:
    'One location of a service in full, with the service, whatever its status. The name and the status of the service stand beside the rest too, since the published HSDS API asks for them here.',
  params: idOf(thing, exampleAtLocation),
  response: oneAnswer(thing, Type.Ref('ServiceAtLocation'), exampleAtLocation),
};
