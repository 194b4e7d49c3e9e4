import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount, aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { changeImport, storedServices } from '../../../test/library/stored.ts';
import { libraryEditors } from '../../../test/people/library-editors.ts';
import {
  type pageVisitor as makeVisitor,
  pageVisitor,
  type Visit,
} from '../../../test/people/page-visitor.ts';
import { commandLineActor } from '../../accounts/index.ts';
import { ImportReport, importServices, runListedImport, runUndo } from '../../exchange/index.ts';
import { deleteOldSnapshots } from '../../library/index.ts';
import { dayMs } from '../../platform/durations.ts';

const path = '/operator/library';
let site: TestApp;
let operator: ReturnType<typeof makeVisitor>;
beforeAll(async () => {
  site = await makeApp({ worker: true });
  const baseUrl = await site.app.listen({ host: '127.0.0.1', port: 0 });
  operator = pageVisitor(baseUrl, site.deps.settings.baseUrl);
  await operator.signIn(await anAccount(site.deps, { role: 'operator', name: 'Olive Operator' }));
});
afterAll(() => site.close());

type Entry = { id: string; name: string };

/** Imports a complete list as the command line does. @returns the address of the import’s page. */
async function importList(source: string, entries: readonly Entry[]): Promise<string> {
  site.clock.moveOn(60_000);
  const file = entries.map((entry) => `${JSON.stringify({ status: 'active', ...entry })}\n`).join('');
  const job = {
    name: `${source}.ndjson`,
    isFeed: false,
    sourceName: source,
    isComplete: true,
    dryRun: false,
  };
  const report = new ImportReport();
  await runListedImport(site.deps, commandLineActor, job, report, (importId) =>
    importServices(site.deps, commandLineActor, Readable.from([Buffer.from(file)]), {
      source,
      complete: true,
      report,
      importId,
    }),
  );
  const list = await operator.visit(path);
  return list.page.querySelector('tbody a')!.getAttribute('href')!;
}

const stored = async (prefix: string) => {
  const services = await storedServices(site.deps.db);
  return services
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, status }) => `${name} ${status}`)
    .sort();
};

async function undo(address: string): Promise<Visit> {
  const page = await operator.visit(`${address}/undo`);
  await operator.submit(page, `${address}/undo`, {});
  let seen!: Visit;
  await until(async () => {
    seen = await operator.visit(address);
    return seen.text.includes('has undone this import');
  });
  return seen;
}

describe('undoing an import', () => {
  it('puts back what it changed, and makes what it added inactive', async () => {
    await importList('town', [
      { id: 't1', name: 'Town choir' },
      { id: 't2', name: 'Town lunch club' },
    ]);
    const wrong = await importList('town', [
      { id: 't1', name: 'Town chior' },
      { id: 't3', name: 'Town test entry' },
    ]);
    expect(await stored('Town')).toEqual([
      'Town chior active',
      'Town lunch club inactive',
      'Town test entry active',
    ]);
    const asked = await operator.visit(`${wrong}/undo`);
    expect(asked.text).toMatch(/2 services that it changed.*1 service that it added/s);
    expect((await undo(wrong)).text).toMatch(/2 services put back as before\..*1 service that it had added/s);
    expect(await stored('Town')).toEqual([
      'Town choir active',
      'Town lunch club active',
      'Town test entry inactive',
    ]);
    expect((await operator.visit(path)).text).toContain('Undone');
    const [entry] = await storedEntries(site.deps.db, { action: 'library.import_undone' });
    expect(entry).toMatchObject({ actor_name: 'Olive Operator', details: { source: 'town' } });
    expect((await operator.visit(`${wrong}/undo`)).status).toBe(404);
  });

  it('leaves what a later import has changed', async () => {
    await importList('parish', [{ id: 'p1', name: 'Parish walk' }]);
    const second = await importList('parish', [
      { id: 'p1', name: 'Parish walk on Mondays' },
      { id: 'p2', name: 'Parish library' },
    ]);
    await importList('parish', [
      { id: 'p1', name: 'Parish walk on Tuesdays' },
      { id: 'p2', name: 'Parish library' },
    ]);
    expect((await undo(second)).text).toContain('1 service left as it is, because it was changed later.');
    expect(await stored('Parish')).toEqual(['Parish library inactive', 'Parish walk on Tuesdays active']);
  });

  it('lets the next import bring the services back', async () => {
    await importList('county', [{ id: 'c1', name: 'County advice' }]);
    const list = [{ id: 'c1', name: 'County advice line' }];
    await undo(await importList('county', list));
    expect(await stored('County')).toEqual(['County advice active']);
    await importList('county', list);
    expect(await stored('County')).toEqual(['County advice line active']);
  });

  it('protects again what somebody had edited here', async () => {
    const list = [{ id: 'l1', name: 'Lake swimmers' }];
    await importList('lake', list);
    const caller = await aTokenHolder(site.deps, { role: 'operator' });
    const { call } = libraryEditors(site);
    const url = '/api/library/services/l1';
    const { body, etag } = await call(caller, 'GET', url);
    await call(caller, 'PUT', url, { body: { ...body, name: 'Lake swimmers and divers' }, etag });
    const withoutIt = await importList('lake', [{ id: 'l2', name: 'Another list' }]);
    expect(await stored('Lake')).toEqual(['Lake swimmers and divers inactive']);
    await undo(withoutIt);
    await importList('lake', list);
    expect(await stored('Lake')).toEqual(['Lake swimmers and divers active']);
  });

  it('goes on after a stop in the middle, counting each once', async () => {
    const entries = Array.from({ length: 450 }, (_, index) => ({ id: `m${index}`, name: `Many ${index}` }));
    const address = await importList('many', entries);
    const id = address.split('/').at(-1)!;
    await changeImport(site.deps.db, id, { undo_state: 'running', undone_by: 'Olive Operator' });
    const payload = { import_id: id, account_id: '00000000-0000-0000-0000-000000000000' };
    // Two processes that both took the job, as after a long pause of one of them.
    await Promise.all([runUndo(site.deps, payload), runUndo(site.deps, payload)]);
    expect((await operator.visit(address)).text).toContain('450 services that it had added made inactive.');
    expect((await stored('Many')).every((each) => each.endsWith('inactive'))).toBe(true);
  });

  it('is possible for a month', async () => {
    const address = await importList('village', [{ id: 'v1', name: 'Village hall' }]);
    expect((await operator.visit(address)).text).toContain('Undo this import');
    const page = await operator.visit(`${address}/undo`);
    const later = new Date(site.clock.now().getTime() + 30 * dayMs + 1000);
    await deleteOldSnapshots(site.deps.db, later);
    expect((await operator.visit(address)).text).not.toContain('Undo this import');
    expect((await operator.submit(page, `${address}/undo`, {})).status).toBe(404);
    expect(await stored('Village')).toEqual(['Village hall active']);
  });
});
