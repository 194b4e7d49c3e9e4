import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Marked, Renderer, type RendererObject } from 'marked';
import { Type } from 'typebox';
import { scrollingBox } from '../platform/html/index.ts';
import { type App, anyone, exampleOrigin, page, visitor } from '../platform/http/index.ts';
import type { WebPlatform } from '../platform/platform.ts';
import { allProblems, notFound, Problem } from '../platform/problem/index.ts';
import { exampleOfRefusal } from './document/refusals.ts';
import { type Group, operationsRefusedWith } from './grouped-operations.ts';

type Section = { id: string; text: string };

/**
 * A document of docs/ as a page's content, in NHS.UK's classes, and its sections. What may be wider than a telephone (code
 * and tables) scrolls within itself, and can be reached with the keyboard to do so. Unlike `renderWrittenText`, it trusts its text, links
 * chapters, and names headings and examples.
 */
function renderMarkdown(text: string): { html: string; sections: Section[] } {
  const sections: Section[] = [];
  let examples = 0;
  const renderer: RendererObject = {
    heading({ depth, tokens, text: words }) {
      const inner = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1 class="nhsuk-heading-l">${inner}</h1>`;
      const id = words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      if (depth > 2) return `<h${depth} class="nhsuk-heading-s" id="${id}">${inner}</h${depth}>`;
      sections.push({ id, text: words });
      return `<h2 class="nhsuk-heading-m" id="${id}">${inner}</h2>`;
    },
    code(token) {
      examples += 1;
      const [language = '', title] = (token.lang ?? '').split(' ');
      const code = Renderer.prototype.code.call(this, { ...token, lang: language });
      const name = title === undefined ? `Example ${examples}` : `Example ${examples}, ${title}`;
      return title === undefined ? scrollingBox(name, code) : foldedSample(title, scrollingBox(name, code));
    },
    link(token) {
      const chapter = /^([a-z-]+)\.md(#.*)?$/.exec(token.href);
      const href = chapter ? `/guide/${chapter[1]}${chapter[2] ?? ''}` : token.href;
      return Renderer.prototype.link.call(this, { ...token, href });
    },
    checkbox: () => '',
    table(token) {
      // An empty corner cell is not a heading.
      const table = Renderer.prototype.table.call(this, token).replace('<th></th>', '<td></td>');
      const name = sections.at(-1)?.text ?? 'Table';
      return scrollingBox(name, table.replace('<table>', '<table class="nhsuk-table nhsuk-body-s">'));
    },
  };
  const html = new Marked({ renderer }).parse(text) as string;
  return { html, sections };
}

/** The sample in one language of several: the reader opens the one that they need. */
function foldedSample(title: string, inner: string): string {
  return `<details class="nhsuk-details"><summary class="nhsuk-details__summary"><span class="nhsuk-details__summary-text">${title}</span></summary><div class="nhsuk-details__text">${inner}</div></details>`;
}

/** The chapters of docs/guide, in the order in which a developer needs them, each with a line for the list of them. */
const chapters = [
  {
    name: 'start',
    title: 'Your first referral in ten minutes',
    about: 'From your keys to an answered referral.',
  },
  {
    name: 'keys',
    title: 'Keys, and staying signed in',
    about: 'Access and refresh tokens, named keys and scopes.',
  },
  {
    name: 'users-sign-in',
    title: 'Users who each sign in as themselves',
    about: 'The sign-in at /apilogin, and calls from a browser.',
  },
  { name: 'finding-services', title: 'Finding services', about: 'Search, and a copy of the library.' },
  { name: 'referrals', title: 'Referrals', about: 'Making, following, answering and changing them.' },
  {
    name: 'events-and-webhooks',
    title: 'Events and webhooks',
    about: 'How your system learns that something happened.',
  },
  {
    name: 'test-site',
    title: 'Trying everything on a test site',
    about: 'Stories without a second person, and every failure to survive.',
  },
  { name: 'errors', title: 'When a call is refused', about: 'Each status, and what to do.' },
  { name: 'limits', title: 'Limits', about: 'Every number.' },
  { name: 'versions', title: 'Versions', about: 'What stays, what may be added, how something ends.' },
  { name: 'changes', title: 'Changes', about: 'What was added to the API.' },
  { name: 'going-live', title: 'Going live', about: 'A checklist.' },
] as const;

const firstReferral = join(import.meta.dirname, '..', '..', 'sample', 'first-referral.json');
const guideFolder = join(import.meta.dirname, '..', '..', 'docs', 'guide');

/** The guide for developers who connect a system: its chapters are files of docs/guide, shown with this site's address. */
export function guidePages(app: App, { pages, settings }: WebPlatform): void {
  app.get('/guide', { config: page(visitor) }, (request, reply) =>
    pages.sendPublic(request, reply, 'reference/templates/guide.njk', { chapters }),
  );
  app.get('/guide/first-referral.json', { config: { access: anyone } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(await readFile(firstReferral)),
  );
  const params = Type.Object({ chapter: Type.String({ maxLength: 100 }) });
  app.get('/guide/:chapter', { config: page(visitor), schema: { params } }, async (request, reply) => {
    const index = chapters.findIndex(({ name }) => name === request.params.chapter);
    const chapter = chapters[index];
    if (!chapter) throw new Problem(notFound);
    const written = await readFile(join(guideFolder, `${chapter.name}.md`), 'utf8');
    // The page has its heading already.
    const text = written.replace(/^# .*\n/, '').replaceAll(exampleOrigin, settings.baseUrl);
    return pages.sendPublic(request, reply, 'reference/templates/guide-chapter.njk', {
      chapter,
      previous: chapters[index - 1],
      next: chapters[index + 1],
      ...renderMarkdown(text),
    });
  });
}

const folder = join(import.meta.dirname, '..', '..', 'docs', 'problems');

/** The page that a problem's `type` names: what happened, and how to fix it. Written in docs/problems. */
export function problemPages(app: App, deps: WebPlatform, groups: () => readonly Group[]): void {
  app.get('/problems', { config: page(visitor) }, (request, reply) =>
    deps.pages.sendPublic(request, reply, 'reference/templates/problems.njk', { problems: allProblems() }),
  );
  const params = Type.Object({ type: Type.String({ maxLength: 100 }) });
  app.get('/problems/:type', { config: page(visitor), schema: { params } }, async (request, reply) => {
    const kind = allProblems().find((each) => each.type === request.params.type);
    if (!kind) throw new Problem(notFound);
    const operations = operationsRefusedWith(kind.type, groups());
    // The others are kinds of errors of pages.
    const example = operations.length > 0 ? exampleAnswer(kind.type, deps.settings.baseUrl) : '';
    const text = await readFile(join(folder, `${kind.type}.md`), 'utf8');
    const { html } = renderMarkdown(`${text}${example}`);
    return deps.pages.sendPublic(request, reply, 'reference/templates/problem.njk', {
      kind,
      html,
      operations,
    });
  });
}

function exampleAnswer(code: string, baseUrl: string): string {
  const body = JSON.stringify(exampleOfRefusal(code), null, 2).replaceAll(exampleOrigin, baseUrl);
  return `\n\n## What the answer looks like\n\n\`\`\`json\n${body}\n\`\`\`\n`;
}
