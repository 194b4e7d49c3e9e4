import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { storedEntries } from '../../../test/audit/stored.ts';
import { emptyLibrary } from '../../../test/database/empty-library.ts';
import { countRows } from '../../../test/database/stored.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { storedNames, storedServicesInFull, whileRefusingName } from '../../../test/library/stored.ts';
import { findServiceDocument } from '../../library/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { importServices } from './import-services.ts';

const clock = manualClock();
const actor = { name: 'A test' };
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => emptyLibrary(database.db));
afterAll(() => database.close());

const run = (...things: (object | string)[]) => {
  const lines = things.map((thing) => (typeof thing === 'string' ? thing : JSON.stringify(thing)));
  return importServices({ db: database.db, clock }, actor, Readable.from([Buffer.from(lines.join('\n'))]));
};

const term = (id: string, name = id) => ({
  taxonomy_term: { id, name, taxonomy_detail: { id: 'need', name: 'Need' } },
});
const service = (id: string, more: object = {}) => ({
  id,
  name: `Service ${id}`,
  status: 'active',
  organization: { id: 'org', name: 'The Trust' },
  attributes: [term('lonely')],
  ...more,
});

describe('an import of services', () => {
  it('stores every field, known to HSDS or not, and the date', async () => {
    const given = { ...service('a'), extra: { deep: [1, 2.5, 'ü', { more: true }] } };
    expect(await run(given)).toMatchObject({ read: 1, created: 1, rejected: 0, problems: [] });
    const document = JSON.parse((await findServiceDocument(database.db, 'a')) ?? '');
    expect(document).toEqual({ ...given, last_modified: clock.now().toISOString() });
  });

  it('changes nothing when a file or its stored form comes again', async () => {
    const dated = service('b', { last_modified: '2026-01-02T03:04:05Z' });
    await run(service('a'), dated);
    const stored = await storedServicesInFull(database.db);
    clock.moveOn(60_000);
    expect(await run(service('a'), dated)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    const given = await Promise.all(['a', 'b'].map((id) => findServiceDocument(database.db, id)));
    expect(await run(given.join('\n'))).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    expect(await storedServicesInFull(database.db)).toEqual(stored);
  });

  it('keeps a service with an unknown organisation, and names it', async () => {
    const lost = { ...service('lost'), organization: undefined, organization_id: 'nobody' };
    expect(await run(service('a'), lost)).toMatchObject({
      created: 2,
      rejected: 0,
      notes: [expect.stringMatching(/does not have.*: lost\. Import/)],
    });
    clock.moveOn(1000);
    const found = { ...service('b'), organization: undefined, organization_id: 'org' };
    expect(await run(found)).toMatchObject({ created: 1, notes: [] });
  });

  it('updates a changed service, its organisation and its terms', async () => {
    await run(service('a'), service('b'));
    const changed = service('a', {
      name: 'New name',
      organization: { id: 'org', name: 'New trust' },
      attributes: [term('debt'), term('debt'), term('lonely', 'Loneliness')],
    });
    expect(await run(changed, service('b'))).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    expect(await storedNames(database.db, 'a')).toEqual({
      service: 'New name',
      organization: 'New trust',
      terms: ['Loneliness', 'debt'],
    });
  });

  it('reports progress for each batch, and writes one audit entry', async () => {
    const text = Array.from({ length: 1200 }, (_, index) => JSON.stringify(service(`many-${index}`))).join(
      '\n',
    );
    const seen: number[] = [];
    const source = Readable.from([gzipSync(text)]);
    const onProgress = ({ created }: { created: number }) => void seen.push(created);
    const before = (await storedEntries(database.db, { action: 'library.imported' })).length;
    const result = await importServices({ db: database.db, clock }, actor, source, { onProgress });
    expect(result).toMatchObject({ read: 1200, created: 1200 });
    expect(seen).toEqual([500, 1000, 1200]);
    const entries = await storedEntries(database.db, { action: 'library.imported' });
    expect(entries.slice(before)).toMatchObject([
      { actor_name: 'A test', details: { created: 1200, rejected: 0 } },
    ]);
  });

  it('creates each service once when two imports run together', async () => {
    const many = Array.from({ length: 300 }, (_, index) => service(`twin-${index}`));
    const results = await Promise.all([run(...many), run(...many.toReversed())]);
    for (const result of results) expect(result).toMatchObject({ read: 300, updated: 0, rejected: 0 });
    const [one, other] = results;
    expect(one!.created + other!.created).toBe(300);
    expect(one!.unchanged + other!.unchanged).toBe(300);
    expect(await countRows(database.db, 'library_changes')).toBe(300);
  });
});

describe('a bad record', () => {
  it('is reported by line, id, place and reason; others go in', async () => {
    const result = await run(
      service('a'),
      '{"id":',
      { id: 'c', name: 'C', status: 'open' },
      service('a'),
      service('d'),
    );
    expect(result).toMatchObject({ read: 5, created: 2, rejected: 3 });
    expect(result.problems).toEqual([
      { line: 2, pointer: '', reason: 'is not JSON: it stops before its end' },
      { line: 3, id: 'c', pointer: '/status', reason: expect.stringContaining('must be one of active') },
      { line: 4, id: 'a', pointer: '/id', reason: 'is the id of the record on line 1 too' },
    ]);
  });

  it('is reported in text that can be stored, whatever it holds', async () => {
    const emoji = `${'x'.repeat(99)}😀`;
    const { problems, leftOut } = await run(
      service('a\0b'),
      service('half \ud800'),
      service('a', { 'b\0c': 'd\0' }),
      service(emoji, { status: 'open' }),
    );
    expect(problems.map(({ id, pointer }) => [id, pointer])).toEqual([
      ['a\uFFFDb', '/id'],
      ['a\uFFFDb', '/name'],
      ['half \uFFFD', '/id'],
      ['half \uFFFD', '/name'],
      [`${'x'.repeat(99)}\uFFFD`, '/status'],
    ]);
    expect(leftOut.parts).toMatchObject([{ first: [{ id: 'a', pointer: '/b\uFFFDc' }] }]);
  });

  it('is reported where a list ends in a comma; the rest goes in', async () => {
    expect(await run(`[${JSON.stringify(service('a'))},`)).toMatchObject({
      created: 1,
      rejected: 1,
      problems: [{ line: 1, pointer: '', reason: expect.stringContaining('stops here') }],
    });
  });

  it('is found even if only PostgreSQL refuses it; others go in', async () => {
    const result = await whileRefusingName(database.db, 'Service 7', () =>
      run(...Array.from({ length: 20 }, (_, index) => service(String(index)))),
    );
    expect(result).toMatchObject({ read: 20, created: 19, rejected: 1 });
    expect(result.problems).toEqual([
      { line: 8, id: '7', pointer: '', reason: 'the database refused it (23514)' },
    ]);
  });
});
