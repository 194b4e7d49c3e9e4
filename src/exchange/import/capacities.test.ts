import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeZip } from '../../../test/app/make-zip.ts';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { emptyLibrary } from '../../../test/database/empty-library.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { findServiceDocument } from '../../library/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { exportLibrary } from '../export/export-library.ts';
import { importServices } from './import-services.ts';

const clock = manualClock();
let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => emptyLibrary(database.db));
afterAll(() => database.close());

const bring = (file: Buffer | object) => {
  clock.moveOn(60_000);
  const bytes = Buffer.isBuffer(file) ? file : Buffer.from(JSON.stringify(file));
  return importServices({ db: database.db, clock }, { name: 'An operator' }, Readable.from([bytes]));
};
const read = async () => JSON.parse((await findServiceDocument(database.db, 'a'))!);
const exported = () => text(exportLibrary(database.db));

const service = { id: 'a', name: 'Service a', status: 'active' };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/;
const beds = (available: number, updated: string) => ({
  id: '0f6a7d55-3a55-4d53-8f0c-7f7a4a4f2a01',
  unit: { id: '0f6a7d55-3a55-4d53-8f0c-7f7a4a4f2a02', name: 'Bed' },
  available,
  updated,
});

describe('the capacities of HSDS 3.1', () => {
  it.each([
    ['capacity', 1, 'Has places'],
    ['waitlist', 0, 'Waiting list: six weeks'],
    ['no-capacity', 0, 'Full'],
    ['additional-assessment-required', 0, 'Needs an assessment first'],
  ])('say %s in the fields that HSDS requires', async (status, available, description) => {
    const waits = status === 'waitlist' && { waiting_time: 'six weeks' };
    const service_capacity = { status, ...waits, updated: '2026-10-01T10:00:00Z' };
    await bring({ ...service, service_capacity });
    expect(await read()).toMatchObject({
      service_capacity,
      capacities: [
        {
          id: expect.stringMatching(uuid),
          unit: { id: expect.any(String), name: 'Place for a new person' },
          available,
          description,
          updated: '2026-10-01T10:00:00.000Z',
        },
      ],
    });
    // A reader of HSDS 3.1 that drops what it does not know, and passes the rest on.
    const { service_capacity: _, ...passedOn } = await read();
    await emptyLibrary(database.db);
    await bring(passedOn);
    expect((await read()).service_capacity).toEqual(service_capacity);
  });

  it('are read where a source counts its places, and kept', async () => {
    await bring({ ...service, capacities: [beds(3, '2026-10-01T10:00:00+01:00')] });
    expect(await read()).toMatchObject({
      service_capacity: { status: 'capacity', updated: '2026-10-01T09:00:00Z' },
      capacities: [beds(3, '2026-10-01T10:00:00+01:00')],
    });
    await bring({ ...service, capacities: [beds(0, '2026-10-02T10:00:00Z')] });
    expect((await read()).service_capacity.status).toBe('no-capacity');
    for (const odd of ['many', [null, { available: '3' }], { available: 3 }])
      expect(await bring({ ...service, id: 'odd', capacities: odd })).toMatchObject({ rejected: 0 });
  });

  it('stand beside what was said here later', async () => {
    const said = { status: 'waitlist', updated: '2026-10-02T10:00:00Z' };
    await bring({ ...service, capacities: [beds(3, '2026-10-01T10:00:00Z')], service_capacity: said });
    expect((await read()).capacities).toMatchObject([
      { unit: { name: 'Bed' } },
      { description: 'Waiting list' },
    ]);
  });

  it('change nothing when an export is imported again', async () => {
    const said = { status: 'waitlist', updated: '2026-10-02T10:00:00Z' };
    await bring({ ...service, capacities: [beds(3, '2026-10-01T10:00:00Z')], service_capacity: said });
    const first = await exported();
    expect(await bring(Buffer.from(first))).toMatchObject({ updated: 0, unchanged: 1 });
    await emptyLibrary(database.db);
    await bring(Buffer.from(first));
    expect(await exported()).toBe(first);
  });

  it('are read from the tables of a package', async () => {
    await bring(
      makeZip({
        'services.csv': 'id,name,status\na,Service a,active\n',
        'units.csv': 'id,name\nu,Bed\n',
        'service_capacity.csv':
          'id,service_id,unit_id,available,maximum,updated\nc,a,u,2,10,2026-10-01T10:00:00Z\n',
      }),
    );
    expect(await read()).toMatchObject({
      service_capacity: { status: 'capacity' },
      capacities: [{ unit: { name: 'Bed' }, available: 2, maximum: 10 }],
    });
  });
});
