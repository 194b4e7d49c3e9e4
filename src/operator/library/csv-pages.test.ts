import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { pageVisitor } from '../../../test/people/page-visitor.ts';

const path = '/operator/library/lists';
let site: TestApp;
let baseUrl: string;
beforeAll(async () => {
  site = await makeApp();
  baseUrl = await site.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => site.close());

async function visitorOf(role: 'operator' | 'referrer') {
  const visitor = pageVisitor(baseUrl, site.deps.settings.baseUrl);
  await visitor.signIn(await anAccount(site.deps, { role, name: 'Olive Operator' }));
  return visitor;
}

async function upload(
  visitor: Awaited<ReturnType<typeof visitorOf>>,
  list: string,
  content: string,
  name = 'list.csv',
) {
  const body = new FormData();
  body.append('file', new Blob([content]), name);
  const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { cookie, origin: site.deps.settings.baseUrl };
  const answer = await fetch(`${baseUrl}${path}/${list}`, { method: 'POST', headers, body });
  return {
    status: answer.status,
    text: (await answer.text()).replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' '),
  };
}

describe('the pages for CSV lists', () => {
  it('import practices, and say which lines are wrong', async () => {
    const operator = await visitorOf('operator');
    expect(
      (await operator.visit('/operator/practices')).page.querySelector(`a[href="${path}/practices"]`),
    ).not.toBeNull();
    const lines = 'ods_code,name,postcode\nZ99101,Mill Surgery,ZT1 1AA\nZ99102,Far Surgery,nowhere\n';
    const { status, text } = await upload(operator, 'practices', lines);
    expect(status).toBe(200);
    expect(text).toMatch(/New 1 .*Rejected 1/);
    expect(text).toMatch(/line 3.*Z99102.*\/postcode/);
    expect((await operator.visit('/operator/practices')).text).toContain('Mill Surgery');
    expect((await upload(operator, 'practices', lines)).text).toMatch(/Unchanged 1/);
  });

  it('import postcodes, which a search uses at once', async () => {
    const operator = await visitorOf('operator');
    const isUnknown = async () =>
      (await operator.visit('/services?postcode=ZT9+9ZT')).text.includes('does not know where ZT9 9ZT is');
    expect(await isUnknown()).toBe(true);
    const { text } = await upload(
      operator,
      'postcodes',
      'postcode,latitude,longitude\nZT9 9ZT,54.05,-2.15\n',
    );
    expect(text).toMatch(/New 1 /);
    expect(await isUnknown()).toBe(false);
  });

  it('say when a list of bad lines was given up', async () => {
    const operator = await visitorOf('operator');
    const { text } = await upload(
      operator,
      'postcodes',
      `postcode,latitude,longitude\n${'x\n'.repeat(3000)}`,
    );
    expect(text).toContain(
      'The import could not be finished The import gave up after 1,000 records in a row',
    );
  });

  it('refuse another kind of file beside its field', async () => {
    const operator = await visitorOf('operator');
    const wrong = await upload(operator, 'postcodes', 'name,colour\nx,red\n');
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('There is a problem')]);
    expect((await upload(operator, 'practices', '')).status).toBe(422);
    const none = await upload(operator, 'postcodes', '', '');
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('Choose a file')]);
  });

  it('are only for operators', async () => {
    const referrer = await visitorOf('referrer');
    expect((await referrer.visit(`${path}/practices`)).status).toBe(403);
    expect((await upload(referrer, 'practices', 'ods_code,name\nZ99109,Mine\n')).status).toBe(403);
  });

  it('ask for a new sign-in before the file is chosen, not after', async () => {
    const operator = await visitorOf('operator');
    site.clock.moveOn(14 * 60_000);
    const shown = await operator.visit(`${path}/practices`);
    expect(shown.text).toContain('Send it within 15 minutes');
    site.clock.moveOn(15 * 60_000);
    const sent = await upload(operator, 'practices', 'ods_code,name\nZ99120,Late Surgery\n');
    expect(sent.text).toMatch(/New 1 /);
    const before = await operator.visit(`${path}/practices`);
    expect(before.url).toMatch(/^\/signin\?next=/);
  });

  it('ask for the file again when the sender was signed out', async () => {
    const nobody = pageVisitor(baseUrl, site.deps.settings.baseUrl);
    const { status, text } = await upload(nobody, 'practices', 'ods_code,name\n');
    expect([status, text]).toEqual([401, expect.stringContaining('choose the file again')]);
    expect(text).not.toContain('Send it again');
  });
});
