import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/app/manual-clock.ts';
import { testDatabase } from '../../../test/database/test-database.ts';
import { setChannels } from '../../../test/library/stored.ts';
import { importServices } from '../../exchange/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { findOrganization } from '../hsds/organizations-store.ts';
import { findServiceDocument } from '../hsds/services-store.ts';
import { findServiceForReferral } from './settings-store.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
  const services = [
    { id: 'a', name: 'Walk', status: 'active', organization: { id: 'o1', name: 'Boots' } },
    { id: 'b', name: 'Talk', status: 'inactive', organization: { id: 'o2', name: 'Boots' } },
    { id: 'c', name: 'Sing', status: 'active', organization: { id: 'o3', name: 'The Trust' } },
    { id: 'd', name: 'Alone', status: 'active' },
  ];
  const source = Readable.from([Buffer.from(JSON.stringify(services))]);
  await importServices({ db: database.db, clock: manualClock() }, { name: 'A test' }, source);
  await setChannels(database.db, 'c', { accepts: false, channels: ['email', 'inbox'] });
});
afterAll(() => database.close());

describe('what a referral needs of a service', () => {
  it('is the inbox unless its settings say otherwise', async () => {
    expect(await findServiceForReferral(database.db, 'a')).toEqual({
      id: 'a',
      name: 'Walk',
      status: 'active',
      organization: { id: 'o1', name: 'Boots' },
      accepts: true,
      channels: ['inbox'],
      minimumAge: null,
      maximumAge: null,
      hasOutlinedArea: false,
      answerByLink: true,
      selfReferral: false,
      sensitive: false,
      sensitiveSince: null,
    });
    expect(await findServiceForReferral(database.db, 'c')).toMatchObject({
      accepts: false,
      channels: ['email', 'inbox'],
    });
    expect(await findServiceForReferral(database.db, 'd')).toMatchObject({ organization: undefined });
    expect(await findServiceForReferral(database.db, 'nobody')).toBeUndefined();
    expect(await findServiceForReferral(database.db, '\0')).toBeUndefined();
  });

  it('is an organisation found by its id or unique name', async () => {
    expect(await findOrganization(database.db, 'o2')).toEqual({ id: 'o2', name: 'Boots' });
    expect(await findOrganization(database.db, 'The Trust')).toEqual({ id: 'o3', name: 'The Trust' });
    expect(await findOrganization(database.db, 'Boots')).toBeUndefined();
    expect(await findOrganization(database.db, 'the trust')).toBeUndefined();
    expect(await findOrganization(database.db, '\0')).toBeUndefined();
  });

  it('is read with any status', async () => {
    expect(JSON.parse((await findServiceDocument(database.db, 'b')) ?? '')).toMatchObject({
      status: 'inactive',
    });
    expect(await findServiceDocument(database.db, '\0')).toBeUndefined();
  });
});
