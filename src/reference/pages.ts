import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { requireCaller } from '../accounts/index.ts';
import {
  type App,
  anyone,
  type FixedContent,
  fixedContent,
  page,
  type Reply,
  type Request,
  sendFixed,
  signedIn,
  visitor,
} from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { notFound, Problem } from '../platform/problem/index.ts';
import { issueTokenToCopy, type TokenDeps } from '../tokens/index.ts';
import { describeCollection } from './collection.ts';
import { documentOf } from './document/openapi.ts';
import { type Group, groupOperations } from './grouped-operations.ts';
import { documentOfOperation } from './operation-document.ts';
import { siteRoute } from './site-route.ts';
import { guidePages, problemPages } from './written-pages.ts';

const swaggerUi = join(import.meta.dirname, '..', '..', 'node_modules', '@fastify', 'swagger-ui', 'static');
const starter = readFileSync(join(import.meta.dirname, 'start-reference.js'));

/** The interactive reference, the document behind it, the guide, and the page of each kind of problem. */
export function referencePages(app: App, deps: TokenDeps & WebPlatform): void {
  const { settings } = deps;
  const sendJson = createJsonSender();
  app.get('/api/openapi.json', { config: { access: anyone }, schema: { hide: true } }, (request, reply) => {
    reply.header('access-control-allow-origin', '*');
    return sendJson(request, reply, 'openapi.json', () => documentOf(app));
  });

  app.get('/openapi.json', { config: { access: anyone }, schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').redirect('/api/openapi.json', 308),
  );

  // Made when it is first asked for: the document has every route only then.
  let grouped: Group[] | undefined;
  const groups = () => {
    grouped ??= groupOperations(documentOf(app));
    return grouped;
  };

  siteRoute(app, deps);

  app.get('/api/docs', { config: page(visitor) }, (request, reply) =>
    deps.pages.sendPublic(request, reply, 'reference/templates/reference.njk', {
      tryItOut: settings.mode === 'test',
      groups: groups(),
    }),
  );
  app.get(
    '/api/docs/collection.json',
    { config: { access: anyone }, schema: { hide: true } },
    (request, reply) => {
      reply.header('content-disposition', 'attachment; filename="onward.postman_collection.json"');
      return sendJson(request, reply, 'collection.json', () =>
        describeCollection(documentOf(app), groups(), settings),
      );
    },
  );
  const params = Type.Object({ operation: Type.String({ maxLength: 100, pattern: '^[A-Za-z]+$' }) });
  app.get(
    '/api/docs/:operation.json',
    { config: { access: anyone }, schema: { hide: true, params } },
    (request, reply) => {
      const { operation } = request.params;
      return sendJson(request, reply, operation, () => {
        const document = documentOfOperation(documentOf(app), operation);
        if (!document) throw new Problem(notFound);
        return document;
      });
    },
  );

  if (settings.mode === 'test') keyRoute(app, deps);

  const script = 'text/javascript; charset=utf-8';
  addFileRoute(app, 'start-reference.js', script, async () => starter);
  addFileRoute(app, 'swagger-ui-bundle.js', script, () => readFile(join(swaggerUi, 'swagger-ui-bundle.js')));
  addFileRoute(app, 'swagger-ui.css', 'text/css; charset=utf-8', () =>
    readFile(join(swaggerUi, 'swagger-ui.css')),
  );
  guidePages(app, deps);
  problemPages(app, deps, groups);
}

/** Sends what is made from the document: made once for each name, since it stays as it is while the process runs. */
function createJsonSender() {
  const written = new Map<string, FixedContent>();
  return (request: Request, reply: Reply, name: string, make: () => object) => {
    const content =
      written.get(name) ??
      fixedContent('application/json; charset=utf-8', Buffer.from(JSON.stringify(make())));
    written.set(name, content);
    return sendFixed(request, reply.header('cache-control', 'no-cache'), content);
  };
}

function addFileRoute(app: App, name: string, type: string, body: () => Promise<Buffer>): void {
  let content: FixedContent | undefined;
  app.get(
    `/api/docs/${name}`,
    { config: { access: anyone }, schema: { hide: true } },
    async (request, reply) => {
      content ??= fixedContent(type, await body());
      return sendFixed(request, reply.header('cache-control', 'public, max-age=3600'), content);
    },
  );
}

/** “Use my key”: a signed-in person's own new access token, for the page to send with the calls it tries. */
function keyRoute(app: App, deps: TokenDeps): void {
  const config = page(signedIn(), { needsRecentSignIn: true, returnTo: '/api/docs', takesJson: true });
  app.post('/api/docs/key', { config }, async (request) => {
    const { text, validTo } = await issueTokenToCopy(deps, requireCaller(request), request.ip);
    return { access_token: text, valid_to: validTo.toISOString() };
  });
}
