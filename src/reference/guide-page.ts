import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type App, page, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { renderMarkdown } from './render-markdown.ts';

const file = join(import.meta.dirname, '..', '..', 'docs', 'connecting-a-system.md');

/** How a developer connects a system: the guide of docs/, with this site's address in its calls. */
export function guidePage(app: App, { pages, settings }: WebPlatform): void {
  app.get('/guide', { config: page(visitor) }, async (request, reply) => {
    const document = await readFile(file, 'utf8');
    // The page has its heading already; and `${site}` is JavaScript.
    const text = document
      .replace(/^# .*\n/, '')
      .replaceAll(/http:\/\/localhost:8080|(?<!\$)\{site\}/g, settings.baseUrl);
    return pages.send(request, reply, 'reference/templates/guide.njk', renderMarkdown(text));
  });
}
