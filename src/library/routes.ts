import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { editingRoutes } from './editing/routes.ts';
import { stateRoutes } from './editing/state-routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { reading, refused, tags } from './route-parts.ts';
import { libraryAnswerSchema, librarySchemas } from './schemas.ts';
import { heedLibraryNews } from './search/remembered-store.ts';
import { serviceAtLocationRoutes } from './service-at-locations/routes.ts';
import { serviceRoutes } from './services/routes.ts';
import { taxonomyRoutes } from './taxonomies/routes.ts';
import { termRoutes } from './taxonomies/term-routes.ts';

/** Reading the library, as any Open Referral client does. */
export function libraryRoutes(app: App, deps: WebPlatform): void {
  for (const schema of librarySchemas) app.addSchema(schema);
  heedLibraryNews(deps.db, deps.notices);
  aboutRoutes(app, deps);
  serviceRoutes(app, deps);
  editingRoutes(app, deps);
  stateRoutes(app, deps);
  serviceAtLocationRoutes(app, deps);
  organizationRoutes(app, deps);
  taxonomyRoutes(app, deps);
  termRoutes(app, deps);
}

function aboutRoutes(app: App, { settings }: WebPlatform): void {
  const about = JSON.stringify({
    version: 'HSDS-UK-3.0',
    profile: 'https://docs.openreferraluk.org/',
    openapi_url: `${settings.baseUrl}/api/openapi.json`,
  });
  const json = 'application/json; charset=utf-8';
  const schema = {
    operationId: 'getLibrary',
    tags,
    summary: 'Get to know the library',
    description:
      'Says which version of the Human Services Data Specification (HSDS) the library speaks: Open Referral UK 3.0. The address of this answer is the base that Open Referral clients, validators and aggregators are pointed at.',
    response: { 200: libraryAnswerSchema, ...refused },
  };
  app.get('/api/library/', { ...reading, schema }, (_request, reply) => {
    reply.type(json).send(about as never);
  });
}
