import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { emptyLibrary } from '../../../test/database/empty-library.ts';
import { countRows } from '../../../test/database/stored.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { storedServices, storedServicesInFull, storedThings } from '../../../test/library/stored.ts';
import { findServiceDocument, listServiceChanges } from '../../library/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { exportLibrary } from '../export/export-library.ts';
import { type ImportOptions, importServices } from './import-services.ts';

const clock = manualClock();
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => emptyLibrary(database.db));
afterAll(() => database.close());

const bring = (things: (object | string)[], options: ImportOptions = {}) => {
  const lines = things.map((thing) => (typeof thing === 'string' ? thing : JSON.stringify(thing)));
  clock.moveOn(60_000);
  return importServices(
    { db: database.db, clock },
    { name: 'An operator' },
    Readable.from([Buffer.from(lines.join('\n'))]),
    options,
  );
};
const service = (id: string, more: object = {}) => ({ id, name: `Service ${id}`, status: 'active', ...more });
const read = async (id: string) => JSON.parse((await findServiceDocument(database.db, id)) ?? '{}');
const statuses = async () =>
  Object.fromEntries((await storedServices(database.db)).map(({ id, status }) => [id, status]));
const exported = () => text(exportLibrary(database.db));

describe('a complete file of a source', () => {
  it('makes the services that it lacks inactive, and no others', async () => {
    await bring([service('a'), service('b'), service('shut', { status: 'defunct' })], { source: 'north' });
    await bring([service('c')], { source: 'south' });
    await bring([service('d')]);
    expect(await bring([service('a')], { source: 'north' })).toMatchObject({ unchanged: 1, inactive: 0 });
    expect(await bring([service('a')], { source: 'east', complete: true })).toMatchObject({ inactive: 0 });
    expect(await bring([service('a')], { source: 'north', complete: true })).toMatchObject({ inactive: 1 });
    expect(await statuses()).toEqual({
      a: 'active',
      b: 'inactive',
      c: 'active',
      d: 'active',
      shut: 'defunct',
    });
    expect(await read('b')).toMatchObject({ status: 'inactive', last_modified: clock.now().toISOString() });
    expect(await bring([service('a')], { source: 'north', complete: true })).toMatchObject({ inactive: 0 });
    // It comes back unchanged.
    expect(await bring([service('a'), service('b')], { source: 'north' })).toMatchObject({ updated: 1 });
    expect(await statuses()).toMatchObject({ b: 'active' });
  });

  it('makes nothing inactive if it has no services at all', async () => {
    await bring([service('a'), service('b')], { source: 'north' });
    const standalone = { organization: { id: 'o', name: 'Trust' } };
    for (const things of [[], ['[]'], [standalone]]) {
      const result = await bring(things, { source: 'north', complete: true });
      expect(result).toMatchObject({
        inactive: 0,
        notes: ['The file has no services in it, so nothing was made inactive.'],
      });
    }
    expect(await statuses()).toEqual({ a: 'active', b: 'active' });
  });

  it.each([
    ['a line that cannot be read', '{"id":"b"'],
    ['a record without an id', '{"name":"B","status":"active"}'],
  ])('makes nothing inactive if it has %s', async (_name, line) => {
    await bring([service('a'), service('b')], { source: 'north' });
    const result = await bring([service('a'), line], { source: 'north', complete: true });
    expect(result).toMatchObject({ rejected: 1, inactive: 0 });
  });

  it('leaves a service as it was if its record is rejected', async () => {
    await bring([service('a'), service('b')], { source: 'north' });
    const wrong = service('b', { status: 'open' });
    expect(await bring([service('a'), wrong], { source: 'north', complete: true })).toMatchObject({
      rejected: 1,
      inactive: 0,
    });
  });
});

describe('an import from a source', () => {
  it('says in a dry run what would change, and changes nothing', async () => {
    await bring([service('a'), service('b'), service('c')], { source: 'north' });
    const before = await everything();
    const changed = [
      service('a'),
      service('b', { name: 'New' }),
      service('n'),
      { organization: { id: 'o', name: 'O' } },
    ];
    const options = { source: 'north', complete: true };
    const foretold = await bring(changed, { ...options, dryRun: true });
    expect(await bring([service('x')], { source: 'never seen', complete: true, dryRun: true })).toMatchObject(
      {
        created: 1,
      },
    );
    expect(await everything()).toEqual(before);
    expect(foretold).toMatchObject({ read: 4, created: 2, updated: 1, unchanged: 1, inactive: 1 });
    const { seconds: _, ...done } = await bring(changed, options);
    expect(foretold).toMatchObject(done);
  });

  it('records each change: its time, source and old value', async () => {
    await bring([service('a', { phones: [{ number: '1' }] })], { source: 'north' });
    await bring([service('a', { name: 'New', phones: [{ number: '2' }] })], { source: 'north' });
    expect(await listServiceChanges(database.db, 'a', { before: undefined, limit: 10 })).toMatchObject([
      {
        action: 'update',
        field_name: 'phones',
        previous_value: '[{"number":"1"}]',
        replacement_value: '[{"number":"2"}]',
        updated_by: 'north',
        at: clock.now(),
      },
      { field_name: 'name', previous_value: 'Service a', replacement_value: 'New' },
      { action: 'create', field_name: 'id', replacement_value: 'a' },
    ]);
  });

  it('keeps a local edit until the source says something new', async () => {
    await bring([service('a')], { source: 'north' });
    await bring([service('a', { name: 'Edited here' })]);
    expect(await bring([service('a')], { source: 'north' })).toMatchObject({ unchanged: 1 });
    expect(await read('a')).toMatchObject({ name: 'Edited here' });
    expect(await bring([service('a', { alert: 'New' })], { source: 'north' })).toMatchObject({ updated: 1 });
    expect(await read('a')).toMatchObject({ name: 'Service a', alert: 'New' });
  });

  it('refuses a packed file that unpacks to 200 times its size', async () => {
    const bomb = gzipSync(Buffer.alloc(1024 * 1024 + 1, ' '));
    const file = Readable.from([bomb]);
    await expect(importServices({ db: database.db, clock }, { name: 'x' }, file)).rejects.toMatchObject({
      detail: expect.stringContaining('200 times'),
    });
  });
});

describe('an export that is imported again', () => {
  it('restores everything, even unused terms and unknown fields', async () => {
    const odd = service('a', {
      'x-ünknown': { deep: [1.5, null, '\u2028'] },
      __proto__x: 1,
      '7': 'seven',
      service_capacity: [{ available: 3 }],
    });
    const room = { status: 'waitlist', waiting_time: 'a week', updated: '2026-10-01T00:00:00Z' };
    const term = { id: 't', name: 'T', taxonomy_detail: { id: 'x', name: 'X' } };
    const organization = { id: 'o', name: 'Used' };
    await bring([odd, service('shut', { status: 'inactive', organization, service_capacity: room })]);
    const standalone = [
      { organization: { id: 'idle', name: 'Idle', more: true } },
      { taxonomy: { id: 'bare', name: 'Bare' } },
      { taxonomy_term: term },
    ];
    expect(await bring(standalone)).toMatchObject({ read: 3, created: 3, rejected: 0 });
    const first = await exported();
    expect(first.split('\n')).toHaveLength(6);
    expect(first).toContain(`,"service_capacity":[{"available":3}],`);
    expect(JSON.parse(first.split('\n')[1]!)).toMatchObject({ service_capacity: room });
    expect(await bring([first])).toMatchObject({ updated: 0, unchanged: 5 });
    await emptyLibrary(database.db);
    expect(await bring([first])).toMatchObject({ created: 5, rejected: 0 });
    expect(await exported()).toBe(first);
    expect(await bring([first])).toMatchObject({ created: 0, updated: 0, unchanged: 5 });
  });

  it('keeps the wording of the library where services differ', async () => {
    const taxonomy = (name: string) => ({ id: 'x', name });
    const term = (name: string, more: object = {}) => ({
      id: 't',
      name,
      taxonomy_detail: taxonomy(name),
      ...more,
    });
    const organization = (name: string) => ({ id: 'o', name });
    const said = (name: string) => ({
      organization: organization(name),
      attributes: [{ taxonomy_term: term(name) }],
    });
    await bring([service('b', said('Old'))]);
    await bring([service('a', said('New'))]);
    await bring([
      { taxonomy_term: term('Newest', { parent_id: 'top' }) },
      { taxonomy: taxonomy('By itself') },
    ]);
    // Nothing in it but its id.
    await bring([
      { organization: { id: 'named', name: 'Named' } },
      service('c', { organization_id: 'named' }),
    ]);
    const before = await storedThings(database.db);
    expect(before.map(({ id, name }) => `${id} ${name}`)).toEqual([
      'named Named',
      'o New',
      't Newest',
      'x By itself',
    ]);
    const first = await exported();
    await emptyLibrary(database.db);
    expect(await bring([first])).toMatchObject({ rejected: 0 });
    expect(await storedThings(database.db)).toEqual(before);
    expect(await exported()).toBe(first);
    expect(await bring([first])).toMatchObject({ created: 0, updated: 0 });
  });
});

async function everything() {
  const others = ['library_changes', 'library_sources', 'organizations', 'audit_entries'] as const;
  const counts = await Promise.all(others.map((table) => countRows(database.db, table)));
  return [await storedServicesInFull(database.db), counts];
}
