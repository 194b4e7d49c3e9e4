import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import {
  changeImport,
  deleteImportFile,
  keptAddresses,
  keptImportFiles,
  storedServices,
} from '../../../test/library/stored.ts';
import {
  type pageVisitor as makeVisitor,
  pageVisitor,
  type Visit,
} from '../../../test/people/page-visitor.ts';
import { plainBrowser } from '../../../test/people/plain-browser.ts';
import { rowInWords } from '../../../test/people/row-in-words.ts';
import { commandLineActor } from '../../accounts/index.ts';
import { siteActor } from '../../audit/index.ts';
import {
  deleteOldImportContents,
  ImportReport,
  importServices,
  runImportJob,
  runListedImport,
} from '../../exchange/index.ts';
import { dayMs } from '../../platform/durations.ts';

const path = '/operator/library';
let site: TestApp;
let baseUrl: string;
let operator: ReturnType<typeof makeVisitor>;
beforeAll(async () => {
  site = await makeApp({ worker: true, env: { ONWARD_LIBRARY_PUBLIC: 'true' } });
  baseUrl = await site.app.listen({ host: '127.0.0.1', port: 0 });
  operator = pageVisitor(baseUrl, site.deps.settings.baseUrl);
  await operator.signIn(await anAccount(site.deps, { role: 'operator', name: 'Olive Operator' }));
});
afterAll(() => site.close());

const service = (id: string, more: object = {}) =>
  `${JSON.stringify({ id, name: `Service ${id}`, status: 'active', ...more })}\n`;

/** Sends the form as a browser does: its fields in their order, the file last. */
async function upload(content: string, fields: Record<string, string> = {}, name = 'weekly.ndjson') {
  const body = new FormData();
  for (const [field, value] of Object.entries({ source: '', ...fields })) body.append(field, value);
  body.append('file', new Blob([content]), name);
  const cookie = [...operator.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { cookie, origin: site.deps.settings.baseUrl };
  return fetch(`${baseUrl}${path}/files`, { method: 'POST', redirect: 'manual', headers, body });
}

/** Opens the page again until the import is over. */
async function outcome(address: string): Promise<Visit> {
  let seen!: Visit;
  await until(async () => {
    seen = await operator.visit(address);
    return seen.text.includes('ended on');
  });
  return seen;
}
const tried = async (content: string, fields = {}) =>
  outcome((await upload(content, fields)).headers.get('location')!);
const names = async () => {
  const services = await storedServices(site.deps.db);
  return services.map(({ name, status }) => `${name} ${status}`);
};

describe('the import pages', () => {
  it('try a file out, import it, and report bad records', async () => {
    const first = await tried(service('a') + service('b') + service('c', { status: 'open' }), {
      source: 'Council',
    });
    expect(first.text).toContain('Nothing has changed yet');
    expect(first.text).toMatch(/New\s+2/);
    expect(first.text).toMatch(/line 3 \(c\).*\/status\s.*must be one of/s);
    expect(await names()).toEqual([]);
    const begun = await operator.submit(first, `${first.url}/import`, {});
    const imported = await outcome(begun.url);
    expect(imported.text).toMatch(
      /2 services added\.\s*1 record was left out: see why\. Next: import postcodes.*New\s+2/s,
    );
    expect(await names()).toEqual(['Service a active', 'Service b active']);

    const second = await tried(service('a'), { source: 'Council', complete: 'yes' });
    expect(second.text).toMatch(/Made inactive\s+1/);
    const again = await operator.submit(second, `${second.url}/import`, {});
    await outcome(again.url);
    expect(await names()).toEqual(['Service a active', 'Service b inactive']);
    expect(await keptImportFiles(site.deps.db)).toEqual([]);
    expect((await operator.visit(path)).text).toMatch(/Import of weekly.ndjson/);
    const entries = await storedEntries(site.deps.db, { action: 'library.imported' });
    expect(entries.map((entry) => entry.actor_name)).toEqual(['Olive Operator', 'Olive Operator']);
  });

  it('look again by themselves while an import runs', async () => {
    const preview = await tried(service('r'));
    const id = preview.url.split('/').at(-1)!;
    const become = (state: string) => changeImport(site.deps.db, id, { state });
    expect(
      preview.page.querySelector('#import-status, head script[src*=follow-import], head noscript'),
    ).toBeNull();
    await become('running');
    const { page } = await operator.visit(preview.url);
    expect(page.querySelector('head noscript')?.toString()).toContain('http-equiv="refresh" content="3"');
    const script = page.querySelector('head script[src*=follow-import]')!.getAttribute('src')!;
    expect(await (await fetch(baseUrl + script)).text()).toContain("getElementById('import-status')");
    expect(page.querySelector('#import-status ~ p a')?.getAttribute('href')).toBe(preview.url);
    // A slow feed shows nothing for a while.
    await changeImport(site.deps.db, id, { counts: null });
    expect((await operator.visit(preview.url)).text).toContain('It has started');
    await become('waiting');
    expect((await operator.visit(preview.url)).text).toContain('It starts in a moment');
    await become('done');
    await operator.submit(preview, `${preview.url}/discard`, {});
  });

  it('show progress against the preview’s count', async () => {
    const preview = await tried(service('shown-1') + service('shown-2'));
    const imported = await operator.submit(preview, `${preview.url}/import`, {});
    await outcome(imported.url);
    const id = imported.url.split('/').at(-1)!;
    const counts = { read: 1500, created: 0, updated: 0, unchanged: 0, inactive: 0, rejected: 0 };
    await changeImport(site.deps.db, id, { state: 'running', total: 37_639, counts: JSON.stringify(counts) });
    const { text, page } = await operator.visit(imported.url);
    expect(text).toContain('1,500 of 37,639 services imported. You can leave this page.');
    expect(page.querySelector('progress')?.getAttribute('max')).toBe('37639');
    await changeImport(site.deps.db, id, { started_at: new Date(site.clock.now().getTime() - 15_000) });
    expect((await operator.visit(imported.url)).text).toContain('imported. About 6 minutes left.');
    await changeImport(site.deps.db, id, { total: 1501 });
    expect((await operator.visit(imported.url)).text).toContain('imported. Less than a minute left.');
  });

  it('say where a CSV file belongs; nothing of it can be imported', async () => {
    for (const content of ['ods_code,name\nZ99001,Weir House Surgery\n', '"Z99001","Weir House"\n']) {
      const refused = await upload(content, {}, 'practices.csv');
      expect([refused.status, await refused.text()]).toEqual([
        422,
        expect.stringMatching(/This is a CSV file( of GP practices)?, not Open Referral/),
      ]);
    }
    const bad = await tried(service('z', { status: 'open' }));
    expect(bad.text).toContain('Every record was rejected');
    expect(bad.page.querySelector('form[action$="/import"]')).toBeNull();
    expect((await operator.submit(bad, `${bad.url}/discard`, {})).text).toContain('The import was discarded');
  });

  it('can discard a preview, and import it once', async () => {
    const first = await tried(service('x'));
    expect((await operator.submit(first, `${first.url}/discard`, {})).text).toContain('Imports');
    expect((await operator.submit(first, `${first.url}/import`, {})).status).toBe(404);
    const second = await tried(service('y'));
    const answers = await Promise.all([1, 2].map(() => operator.submit(second, `${second.url}/import`, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    await outcome(answers.find(({ status }) => status === 200)!.url);
    expect(await names()).toContain('Service y active');
    expect(await names()).not.toContain('Service x active');
  });

  it('try a feed out and say what is wrong with it', async () => {
    const page = await operator.visit(path);
    const own = await operator.submit(page, `${path}/feeds`, { address: `${baseUrl}/api/library` });
    expect((await outcome(own.url)).text).toMatch(/Unchanged\s+\d/);
    const wrong = await operator.submit(page, `${path}/feeds`, { address: `${baseUrl}/nothing` });
    expect((await outcome(wrong.url)).text).toContain('no Open Referral feed at that address');
    const refused = await operator.submit(page, `${path}/feeds`, { address: 'council.example' });
    expect([refused.status, refused.text]).toEqual([
      422,
      expect.stringContaining('must be the address of a feed'),
    ]);
    expect(refused.page.querySelector('#address')?.getAttribute('value')).toBe('council.example');
  });

  it('keep the key of a feed secret and only as long as needed', async () => {
    const page = await operator.visit(path);
    const address = `${baseUrl}/api/library?key=hush-hush&area=north`;
    const preview = await outcome((await operator.submit(page, `${path}/feeds`, { address })).url);
    expect(preview.text).toContain('?key=…&area=north');
    expect(await keptAddresses(site.deps.db)).toEqual([expect.not.stringContaining('hush-hush')]);
    const imported = await outcome((await operator.submit(preview, `${preview.url}/import`, {})).url);
    expect(imported.text).toMatch(/Unchanged\s+\d/);
    expect(preview.text + imported.text + (await operator.visit(path)).text).not.toContain('hush-hush');
    const kept = await keptImportFiles(site.deps.db);
    expect(kept.filter(({ isFeed }) => isFeed)).toEqual([]);
    expect(await keptAddresses(site.deps.db)).toEqual([]);
  });

  it('import no feed by less than its whole address', async () => {
    const page = await operator.visit(path);
    const address = `${baseUrl}/api/library?key=hush-hush`;
    const preview = await outcome((await operator.submit(page, `${path}/feeds`, { address })).url);
    const { db, clock } = site.deps;
    await deleteOldImportContents(db, new Date(clock.now().getTime() + 7 * dayMs + 1000));
    const { page: later } = await operator.visit(preview.url);
    expect(later.querySelector('form[action$="/import"]')).toBeNull();
    const id = preview.url.split('/').at(-1)!;
    await changeImport(db, id, { dry_run: false, state: 'waiting' });
    await runImportJob(site.deps, { import_id: id });
    expect((await operator.visit(preview.url)).text).toContain('The address of its feed is no longer stored');
  });

  it('say that counts after a restart leave out the first part', async () => {
    const preview = await tried(service('m') + service('n'));
    const id = preview.url.split('/').at(-1)!;
    // As if a process had died after storing one of the two.
    await changeImport(site.deps.db, id, { dry_run: false, state: 'running' });
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(service('m'))]), {
      source: 'weekly.ndjson',
    });
    await runImportJob(site.deps, { import_id: id });
    const { text } = await operator.visit(preview.url);
    expect(text).toMatch(/New\s+1/);
    expect(text).toMatch(/Unchanged\s+1/);
    expect(text).toContain('The site stopped in the middle of this import');
  });

  it('make no service inactive if the file of an import is lost', async () => {
    const preview = await tried(service('w'), { source: 'Waiting', complete: 'yes' });
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(service('v') + service('w'))]), {
      source: 'Waiting',
    });
    const { db, clock } = site.deps;
    const id = preview.url.split('/').at(-1)!;
    // As if the button had been pressed while no worker ran for a long time.
    await changeImport(db, id, { dry_run: false, state: 'waiting' });
    await deleteOldImportContents(db, new Date(clock.now().getTime() + 7 * dayMs + 1000));
    expect(await keptImportFiles(db)).toContainEqual(expect.objectContaining({ id }));

    await deleteImportFile(db, id);
    await runImportJob(site.deps, { import_id: id });
    expect((await operator.visit(preview.url)).text).toContain('Its file is no longer stored');
    expect(await names()).toEqual(expect.arrayContaining(['Service v active', 'Service w active']));
  });

  it('count, group and list everything that was left out', async () => {
    const partly = Array.from({ length: 300 }, (_, index) => service(`partly-${index}`, { phones: [{}] }));
    const bad = ['=cmd()', 'b', 'c'].map((id) => service(id, { status: 'open' }));
    const first = await tried([...partly, ...bad].join(''));
    expect(first.text).toMatch(/Rejected\s+3\s+Parts left out\s+300/);
    expect(first.text).toMatch(/3 records left out.*line 301 \(=cmd\(\)\).*\/status.*300 parts left out/s);
    expect(first.text).toMatch(/line 1 \(partly-0\).* and 295 more\s+\/phones\/\*\/number/s);
    const link = first.page.querySelector('a[download]')!.getAttribute('href')!;
    const cookie = [...operator.cookies].map((pair) => pair.join('=')).join('; ');
    const csv = await fetch(`${baseUrl}${link}`, { headers: { cookie } });
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = (await csv.text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(304);
    expect(lines[1]).toBe(
      `record,301,,,'=cmd(),/status,"must be one of active, inactive, defunct, temporarily closed"`,
    );
    expect(lines[303]).toBe('part,300,,,partly-299,/phones/0/number,is required');
    const stranger = await fetch(`${baseUrl}${link}`, { redirect: 'manual' });
    expect(stranger.status).toBe(303);
  });

  it('show each note of an import as its own paragraph', async () => {
    const schedules = [{ id: 'n', opens_at: '5:00pm', closes_at: 'by appointment' }];
    const { page } = await tried(service('notes', { schedules }));
    const notes = page.querySelectorAll('.nhsuk-card--warning p').map(({ text }) => text);
    expect(notes).toEqual([
      expect.stringMatching(/^1 opening time was written as “5:00pm” and is read as 17:00\./),
      expect.stringMatching(/^1 opening time cannot be read\./),
    ]);
  });

  it('list imports at the command line, with their results', async () => {
    const job = { isFeed: false, sourceName: 'town', isComplete: false, dryRun: false };
    const run = (name: string, content: string) => {
      const report = new ImportReport();
      const options = { source: 'town', report };
      return runListedImport(site.deps, commandLineActor, { ...job, name }, report, () =>
        importServices(site.deps, commandLineActor, Readable.from([Buffer.from(content)]), options),
      );
    };
    site.clock.moveOn(1000);
    await run('town.ndjson', service('p') + service('q', { status: 'open' }));
    site.clock.moveOn(1000);
    await expect(run('broken.zip', 'PK\x03\x04 nothing')).rejects.toThrow();
    const list = await operator.visit(path);
    const rows = list.page.querySelectorAll('tbody tr').map(rowInWords);
    expect(rows[0]).toMatch(/Import of broken\.zip .*by command line State Failed/);
    expect(rows[1]).toMatch(/Import of town\.ndjson .*State Imported New 1 .*Rejected 1/);
    const link = list.page.querySelectorAll('tbody a')[1]!.getAttribute('href')!;
    expect((await operator.visit(link)).text).toMatch(/line 2.*q.*\/status/s);
  });

  it('refuse a missing, empty or broken file and keep nothing', async () => {
    const none = await upload('', {}, '');
    expect([none.status, await none.text()]).toEqual([422, expect.stringContaining('Choose a file')]);
    expect((await upload('', {}, 'empty.json')).status).toBe(422);
    const broken = await tried('PK\x03\x04 nothing');
    expect(broken.text).toContain('The zip is damaged');
    const kept = await keptImportFiles(site.deps.db);
    expect(kept.filter(({ state }) => state !== 'done')).toEqual([]);
  });

  it('refuse the name of a source that cannot be stored', async () => {
    const refused = await upload(service('a'), { source: 'Coun\0cil' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('must be text without NUL or broken characters');
  });

  it('are only for operators, and no other form takes a file', async () => {
    const stranger = pageVisitor(baseUrl, site.deps.settings.baseUrl);
    await stranger.signIn(await anAccount(site.deps, { role: 'referrer' }));
    expect((await stranger.visit(path)).status).toBe(403);
    const body = new FormData();
    body.append('address', 'x');
    const cookie = [...operator.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, origin: site.deps.settings.baseUrl };
    expect((await fetch(`${baseUrl}${path}/feeds`, { method: 'POST', headers, body })).status).toBe(415);
  });

  it('take a file whatever its name is', async () => {
    const { headers } = await upload(service('n'), {}, 'odd\0name.ndjson');
    expect((await outcome(headers.get('location')!)).text).toContain('Preview of oddname.ndjson');
  });
});

describe('the preview of an import', () => {
  it('names up to twenty to add, to change or to make inactive', async () => {
    const many = Array.from({ length: 22 }, (_, index) => service(`p${String(index).padStart(2, '0')}`));
    const fresh = await tried(many.join(''), { source: 'Previewed' });
    const added = fresh.page.querySelectorAll('main #named-1 + ul li').map(({ text }) => text.trim());
    expect([added.length, added[0], added.at(-1)]).toEqual([21, 'Service p00', 'and 2 more']);
    expect(fresh.page.querySelectorAll('main #named-1 + ul a')).toEqual([]);
    await outcome((await operator.submit(fresh, `${fresh.url}/import`, {})).url);
    const next = await tried(service('p00', { description: 'Moved.' }) + service('p01'), {
      source: 'Previewed',
      complete: 'yes',
    });
    const linked = (id: string) =>
      next.page.querySelectorAll(`main #${id} + ul a`).map((each) => each.getAttribute('href'));
    expect(next.text).toMatch(
      /Services that would change\s+Service p00.*Services that would become inactive/s,
    );
    expect(linked('named-1')).toEqual(['/services/p00']);
    expect(linked('named-2')).toHaveLength(20);
    expect((await operator.submit(next, `${next.url}/discard`, {})).status).toBe(200);
  });
});

describe('the page of an import', () => {
  it('names the services that were added and changed, with links', async () => {
    const bring = async (content: string) => {
      const preview = await tried(content, { source: 'Named' });
      return outcome((await operator.submit(preview, `${preview.url}/import`, {})).url);
    };
    const links = ({ page }: Visit) =>
      page.querySelectorAll('main li a[href^="/services/"]').map((each) => each.getAttribute('href'));
    const first = await bring(service('n1') + service('n2'));
    expect(first.text).toContain('2 services added.');
    expect(links(first)).toEqual(['/services/n1', '/services/n2']);
    const second = await bring(
      service('n1', { description: 'On Tuesdays.' }) + service('n2') + service('n3'),
    );
    expect(second.text).toMatch(
      /1 service added, 1 changed\..*New services\s+Service n3.*Changed services\s+Service n1/s,
    );
    expect(links(second)).toEqual(['/services/n3', '/services/n1']);
    const third = await bring(service('n1') + service('n2') + service('n3'));
    expect(third.text).toContain('1 service changed.');
    const more = Array.from({ length: 11 }, (_, index) => service(`m${index}`)).join('');
    const fourth = await bring(more);
    expect(fourth.text).toContain('The first 10 of 11, by name.');
    expect(links(fourth)).toHaveLength(10);
  });
});

describe('an import that needs a new sign-in first', () => {
  it('is not started, and the pages say so and lead back to it', async () => {
    const { deps, clock } = site;
    const { email } = await anAccount(deps, { role: 'operator' });
    const browser = plainBrowser(site.app);
    await browser.signIn(email);
    const { url } = await tried(service('late'));
    clock.moveOn(16 * 60_000);
    const asked = await browser.post(`${url}/import`, {});
    expect((await browser.get(asked.headers.location!)).body).toContain('Nothing has been done yet');
    const next = new URLSearchParams(asked.headers.location!.split('?')[1]).get('next')!;
    expect(await browser.signIn(email, next)).toBe(next);
    const back = (await browser.get(next)).body;
    expect(back).toContain('Check the page, and press “Import” again');
    expect(back).toContain(`action="${url}/import"`);
    expect((await browser.post(`${url}/discard`, {})).statusCode).toBe(303);
  });
});
