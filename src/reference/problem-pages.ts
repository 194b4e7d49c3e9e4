import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { type App, page, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { allProblems, notFound, Problem } from '../platform/problem/index.ts';
import { renderMarkdown } from './render-markdown.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'problems');

/** The page that a problem's `type` names: what happened, and how to mend it. Written in docs/problems. */
export function problemPages(app: App, deps: WebPlatform): void {
  app.get('/problems', { config: page(visitor) }, (request, reply) =>
    deps.pages.send(request, reply, 'reference/templates/problems.njk', { problems: allProblems() }),
  );
  const params = Type.Object({ type: Type.String({ maxLength: 100 }) });
  app.get('/problems/:type', { config: page(visitor), schema: { params } }, async (request, reply) => {
    const kind = allProblems().find((each) => each.type === request.params.type);
    if (!kind) throw new Problem(notFound);
    const { html } = renderMarkdown(await readFile(join(folder, `${kind.type}.md`), 'utf8'));
    return deps.pages.send(request, reply, 'reference/templates/problem.njk', { kind, html });
  });
}
