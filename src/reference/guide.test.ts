import { parse } from 'node-html-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../test/app/make-app.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ONWARD_BASE_URL: 'http://localhost:8089' } });
});
afterAll(() => site.close());

const open = async (path: string) => {
  const { statusCode, body } = await site.app.inject(path);
  return { status: statusCode, page: parse(body, { blockTextElements: { pre: true } }) };
};

describe('the guide', () => {
  it('has this site’s address, links to sections and scrolling tables', async () => {
    const { status, page } = await open('/guide');
    expect(status).toBe(200);
    const main = page.querySelector('main')!;
    expect(main.querySelector('h1')!.text).toBe('Connecting your own system');
    const calls = main.querySelectorAll('pre').map(({ text }) => text);
    expect(calls.join('\n')).toContain('export SITE=http://localhost:8089 ACCESS_TOKEN=');
    expect(calls.join('\n')).toContain('http://localhost:8089/apilogin?returnUrl=');
    expect(calls.join('\n')).toMatch(/fetch\(`\$\{site\}\/api\/token\/refresh`/);
    expect(main.text).not.toMatch(/localhost:8080|(?<!\$)\{site\}/);
    const ways = main.querySelectorAll('nav a').map((link) => link.getAttribute('href')!);
    expect(ways.length).toBeGreaterThan(5);
    for (const way of ways) expect(main.querySelectorAll(`h2${way}`), way).toHaveLength(1);
    const wide = main.querySelectorAll('pre, table');
    expect(wide.length).toBeGreaterThan(10);
    for (const part of wide)
      expect(part.parentNode!.getAttribute('tabindex'), part.text.slice(0, 80)).toBe('0');
  });

  it('is linked from the home page, the reference and the problems', async () => {
    for (const path of ['/', '/api/docs', '/problems'])
      expect((await open(path)).page.querySelector('a[href="/guide"]'), path).not.toBeNull();
    expect((await open('/problems/wrong-state')).page.querySelector('.onward-scroll table')).not.toBeNull();
  });
});
