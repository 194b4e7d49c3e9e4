import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { changeImport, keptImportFiles, storedServices } from '../../../test/library/stored.ts';
import { type FeedAnswer, feedServer, sendJson } from '../../../test/network/feed-server.ts';
import { pageVisitor } from '../../../test/people/page-visitor.ts';
import { rowInWords } from '../../../test/people/row-in-words.ts';
import {
  findImportJob,
  importServices,
  previewFeed,
  previewFile,
  runImportJob,
} from '../../exchange/index.ts';

// There is no worker: the tests run each import job themselves.

let site: TestApp;
let operator: ReturnType<typeof pageVisitor>;
let whose: { id: string; name: string; role: string };
beforeAll(async () => {
  site = await makeApp();
  const baseUrl = await site.app.listen({ host: '127.0.0.1', port: 0 });
  operator = pageVisitor(baseUrl, site.deps.settings.baseUrl);
  const account = await anAccount(site.deps, { role: 'operator', name: 'Olive Operator' });
  whose = { id: account.id, name: 'Olive Operator', role: 'operator' };
  await operator.signIn(account);
});
afterAll(() => site.close());

const aService = { name: 'Service', status: 'active', phones: [{ number: '01632 960001' }] };
const linesOf = (ids: readonly string[]) =>
  ids.map((id) => `${JSON.stringify({ id, name: `Service ${id}`, status: 'active' })}\n`).join('');
const bytesOf = (ids: readonly string[]) => Readable.from([Buffer.from(linesOf(ids))]);

/** An import of a complete file, after its preview. */
async function anImport(count: number): Promise<string> {
  const ids = Array.from({ length: count }, (_, index) => `new${index}`);
  const wishes = { sourceName: 'Council', isComplete: true };
  const id = await previewFile(site.deps, whose, { name: 'weekly.ndjson', content: bytesOf(ids) }, wishes);
  await changeImport(site.deps.db, id, { dry_run: false });
  return id;
}
const pathOf = (id: string) => `/operator/library/imports/${id}`;
async function stop(id: string) {
  return operator.submit(await operator.visit(pathOf(id)), `${pathOf(id)}/stop`, {});
}

describe('an import that is stopped', () => {
  it('keeps what it stored, and makes nothing inactive', async () => {
    await importServices(site.deps, { name: 'x', role: 'operator' }, bytesOf(['old']), { source: 'Council' });
    const id = await anImport(30_000);
    const running = runImportJob(site.deps, { import_id: id });
    await until(async () => (await operator.visit(pathOf(id))).text.includes('services read so far'));
    const asked = await stop(id);
    expect(asked.text).toContain('It stops once it has stored what it is reading now');
    expect(asked.page.querySelector('form[action$="/stop"]')).toBeNull();
    await running;
    const { text } = await operator.visit(pathOf(id));
    expect(text).toMatch(/Cancelled\s+Olive Operator stopped it\./);
    const list = (await operator.visit('/operator/library')).page.querySelectorAll('tbody tr');
    expect(list.map(rowInWords).join()).toContain('State Cancelled');
    expect(text).toContain('What was read before that is in the library');
    const services = await storedServices(site.deps.db);
    expect(services.filter(({ status }) => status === 'inactive')).toEqual([]);
    expect(services.length).toBeGreaterThan(1);
    expect(services.length).toBeLessThan(30_001);
    expect(text).toMatch(new RegExp(`New\\s+${(services.length - 1).toLocaleString('en-GB')}\\s`));
  });

  it('stops at once when its feed never answers', async () => {
    const feed = await feedServer();
    const never = () => undefined;
    const nothing: FeedAnswer = (_request, response, query) => {
      const contents = Array.from({ length: 500 }, (_, index) => ({ id: `${query.get('page')}-${index}` }));
      sendJson(response, { contents: [{ ...aService, id: query.get('page') }, ...contents] });
    };
    for (const answer of [never, nothing]) {
      feed.answers(answer);
      const id = await previewFeed(site.deps, whose, { address: feed.base, isComplete: false });
      const running = runImportJob(site.deps, { import_id: id });
      await until(() => feed.asked.length > 0);
      await stop(id);
      await running;
      expect((await operator.visit(pathOf(id))).text).toContain('Olive Operator stopped it.');
    }
    feed.close();
  });

  it('says why it gave up, and what it stored', async () => {
    const content = Readable.from([Buffer.from(linesOf(['kept']) + '{}\n'.repeat(3000))]);
    const id = await previewFile(
      site.deps,
      whose,
      { name: 'junk.ndjson', content },
      { sourceName: 'Junk', isComplete: true },
    );
    await changeImport(site.deps.db, id, { dry_run: false });
    await runImportJob(site.deps, { import_id: id });
    const { text } = await operator.visit(pathOf(id));
    expect(text).toMatch(/It could not be finished\s+The import gave up after 1,000 records in a row/);
    expect(text).toContain('What was read before that is in the library');
    expect(text).toMatch(/New\s+1\s/);
    expect(text).toMatch(/Rejected\s+1,?000\s/);
  });

  it('ends at once while it waits, and its file is deleted', async () => {
    const id = await anImport(1);
    expect((await stop(id)).text).toContain('It was cancelled before it started');
    await runImportJob(site.deps, { import_id: id });
    expect((await findImportJob(site.deps.db, id))!.state).toBe('discarded');
    expect(await keptImportFiles(site.deps.db)).not.toContainEqual(expect.objectContaining({ id }));
  });

  it('is not started again when its process died', async () => {
    const id = await anImport(1);
    await changeImport(site.deps.db, id, { state: 'running' });
    const leftOpen = await operator.visit(pathOf(id));
    await stop(id);
    await runImportJob(site.deps, { import_id: id });
    const pressedAgain = await operator.submit(leftOpen, `${pathOf(id)}/stop`, {});
    expect(pressedAgain.text).toContain('Olive Operator stopped it');
  });
});
