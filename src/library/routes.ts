import type { App } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { editingRoutes } from './edit/routes.ts';
import { stateRoutes } from './edit/state-routes.ts';
import { resourceRoutes } from './hsds/resource-routes.ts';
import { libraryRead, refused, tags } from './hsds/route-parts.ts';
import { libraryAnswerSchema, librarySchemas } from './hsds/schemas.ts';

/** Reading what the library has, one by one, and changing it. */
export function libraryRoutes(app: App, deps: WebPlatform): void {
  for (const schema of librarySchemas) app.addSchema(schema);
  aboutRoutes(app, deps);
  resourceRoutes(app, deps);
  editingRoutes(app, deps);
  stateRoutes(app, deps);
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
  app.get('/api/library/', { ...libraryRead, schema }, (_request, reply) => {
    reply.type(json).send(about as never);
  });
}
