import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Marked, Renderer, type RendererObject } from 'marked';
import { Type } from 'typebox';
import { type App, page, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { allProblems, notFound, Problem } from '../platform/problem/index.ts';

type Section = { id: string; text: string };

/**
 * A document of docs/ as a page's content, in NHS.UK's classes, and its sections. What may be wider than a telephone (code
 * and tables) scrolls within itself, and can be reached with the keyboard to do so.
 */
function renderMarkdown(text: string): { html: string; sections: Section[] } {
  const sections: Section[] = [];
  let examples = 0;
  const renderer: RendererObject = {
    heading({ depth, tokens, text: words }) {
      const inner = this.parser.parseInline(tokens);
      if (depth !== 2)
        return `<h${depth} class="nhsuk-heading-${depth === 1 ? 'l' : 's'}">${inner}</h${depth}>`;
      const id = words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      sections.push({ id, text: words });
      return `<h2 class="nhsuk-heading-m" id="${id}">${inner}</h2>`;
    },
    code(token) {
      examples += 1;
      return scrolling(`Example ${examples}`, Renderer.prototype.code.call(this, token));
    },
    table(token) {
      // A corner without words heads nothing.
      const table = Renderer.prototype.table.call(this, token).replace('<th></th>', '<td></td>');
      const name = sections.at(-1)?.text ?? 'Table';
      return scrolling(name, table.replace('<table>', '<table class="nhsuk-table nhsuk-body-s">'));
    },
  };
  const html = new Marked({ renderer }).parse(text) as string;
  return { html, sections };
}

function scrolling(name: string, inner: string): string {
  return `<div class="onward-scroll" tabindex="0" role="group" aria-label="${name}">${inner}</div>`;
}

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

const folder = join(import.meta.dirname, '..', '..', 'docs', 'problems');

/** The page that a problem's `type` names: what happened, and how to fix it. Written in docs/problems. */
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
