import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';
import { scopeWords } from '../tokens/index.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_BASE_URL: 'http://localhost:8089' } });
});
afterAll(() => site.close());

const open = async (path: string) => {
  const { statusCode, body } = await site.app.inject(path);
  return { status: statusCode, page: parse(body, { blockTextElements: { pre: true } }) };
};

/** The addresses of the chapters, as the list of them links them. */
async function listChapters(): Promise<string[]> {
  const links = (await open('/guide')).page.querySelectorAll('main ol a');
  return links.map((link) => link.getAttribute('href')!);
}

describe('the guide', () => {
  it('lists every chapter that is written', async () => {
    const files = await readdir(join(import.meta.dirname, '..', '..', 'docs', 'guide'));
    const written = files.map((file) => `/guide/${file.replace('.md', '')}`);
    expect((await listChapters()).sort()).toEqual(written.sort());
    expect((await open('/guide/not-written')).status).toBe(404);
  });

  it('has a title, working links and scrolling tables throughout', async () => {
    const chapters = await listChapters();
    for (const path of chapters) {
      const { status, page } = await open(path);
      const main = page.querySelector('main')!;
      expect([path, status, main.querySelectorAll('h1').length]).toEqual([path, 200, 1]);
      expect(main.text, path).not.toMatch(/localhost:8080/);
      for (const wide of main.querySelectorAll('pre, table'))
        expect(wide.parentNode!.getAttribute('tabindex'), wide.text.slice(0, 80)).toBe('0');
      for (const link of main.querySelectorAll('a')) {
        const href = link.getAttribute('href')!;
        if (/^https?:/.test(href)) continue;
        const [target, part] = href.split('#') as [string, string?];
        const linked = target === '' ? { status, page } : await open(target);
        expect([200, 302, 303], `${path} links to ${href}`).toContain(linked.status);
        if (part)
          expect(linked.page.querySelectorAll(`#${part}`), `${path} links to ${href}`).toHaveLength(1);
      }
    }
  });

  it('has this site’s address, and folds the samples by language', async () => {
    const { page } = await open('/guide/start');
    const calls = page.querySelectorAll('main pre').map(({ text }) => text);
    expect(calls[0]).toContain('export SITE=http://localhost:8089 ACCESS_TOKEN=');
    expect(page.querySelectorAll('details summary').map(({ text }) => text)).toEqual([
      'curl',
      'JavaScript',
      'Python',
      'C#',
      'Java',
    ]);
    const signIn = (await open('/guide/users-sign-in')).page.querySelector('main')!;
    expect(signIn.text).toContain('http://localhost:8089/apilogin?returnUrl=');
    const keys = (await open('/guide/keys')).page.querySelector('main')!;
    expect(keys.text, 'Python’s own braces').toContain('f"{site}/api/token/refresh"');
    expect(keys.text).toMatch(/fetch\(`\$\{site\}\/api\/token\/refresh`/);
  });

  it('names every scope, in the words of the keys page', async () => {
    const rows = (await open('/guide/keys')).page.querySelectorAll('tr').map(({ text }) => text.trim());
    for (const [scope, words] of Object.entries(scopeWords))
      expect(
        rows.some((row) => row.startsWith(scope) && row.includes(words)),
        scope,
      ).toBe(true);
  });

  it('is linked from the home page, the reference and the problems', async () => {
    for (const path of ['/', '/api/docs', '/problems'])
      expect((await open(path)).page.querySelector('a[href="/guide"]'), path).not.toBeNull();
    expect((await open('/problems/wrong-state')).page.querySelector('.onward-scroll table')).not.toBeNull();
  });
});
