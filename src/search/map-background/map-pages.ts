import { basename, dirname } from 'node:path';
import { type App, page, signedIn, visitor } from '../../platform/http/index.ts';
import { notFound, Problem } from '../../platform/problem/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import type { MapFile } from './map-file.ts';

/** Where browsers read parts of the map file, by range requests (RFC 9110, section 14). */
export const mapFilePath = '/map.pmtiles';

/** Sends the background of the map to those who may see the services on it. */
export function mapPages(
  app: App,
  { settings, mapFile }: { settings: Settings; mapFile: MapFile | undefined },
): void {
  if (!mapFile) return;
  const config = page(settings.libraryPublic || settings.publicDirectory ? visitor : signedIn());
  const options = { root: dirname(mapFile.path), dotfiles: 'allow', cacheControl: false } as const;
  app.get(mapFilePath, { config, schema: { hide: true } }, async (request, reply) => {
    const { send } = await import('@fastify/send');
    const file = await send(request.raw, `/${encodeURIComponent(basename(mapFile.path))}`, options);
    if (file.statusCode === 416)
      return reply.code(416).header('content-range', file.headers['Content-Range']).send();
    if (file.type !== 'file' || file.statusCode >= 400)
      throw new Problem(notFound, 'The map file of this site is gone.');
    // Only the reader's own browser keeps it: it may be for users alone.
    const headers = { ...file.headers, 'cache-control': 'private, max-age=86400' };
    return reply.code(file.statusCode).headers(headers).type('application/vnd.pmtiles').send(file.stream);
  });
}
