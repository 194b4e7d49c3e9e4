import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aTokenHolder } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { smallDisk } from '../../../test/database/small-disk.ts';
import { storeReferral, tellOfChange } from '../../../test/delivery/test-site.ts';
import { liveEnv } from '../../../test/process/live-env.ts';
import { listDeliveriesOf } from '../model/deliveries-store.ts';
import { maxAttempts } from './attempt.ts';
import { deliver } from './deliver.ts';

// The folder of letters on a disk that is full.

const disk = smallDisk(256);
const { folder, isThere } = disk;
let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: { ...liveEnv, ONWARD_DOCUMENT_DIR: folder } });
});
afterAll(async () => {
  await site.close();
  disk.remove();
});

async function aLetter() {
  const referral = await storeReferral(site.database.pool, { simulated: false });
  await tellOfChange(site.deps, referral, null);
  const current = async () =>
    (await listDeliveriesOf(site.deps.db, referral.id)).find((each) => each.leg === 'gp_practice')!;
  const { id } = await current();
  return { id, current, send: () => deliver(site.deps, { delivery_id: id }) };
}

const letters = async () => (await readdir(folder)).filter((name) => join(folder, name) !== disk.filler);

describe.runIf(isThere)('a disk for letters', () => {
  it('puts the letter on the worklist until there is space', async () => {
    const { headers } = await aTokenHolder(site.deps, { role: 'operator', name: 'Olive' });
    const { id, current, send } = await aLetter();
    // There is space for the beginning of a letter, but not for its end.
    disk.fill(8 * 1024);
    await send();
    expect(await current()).toMatchObject({
      status: 'queued',
      attempts: [{ outcome: 'will-retry', detail: 'The disk with the folder of letters is full.' }],
    });
    // Nothing of it stays there, under whichever name.
    expect(await letters()).toEqual([]);
    for (let tries = 2; tries <= maxAttempts; tries += 1) await send();
    const { items } = (await site.app.inject({ url: '/api/deliveries?kind=failed', headers })).json();
    expect(items).toMatchObject([
      {
        id,
        worklist: {
          reason: 'The disk with the folder of letters is full. It was tried 25 times.',
          owner: { name: 'Olive' },
        },
      },
    ]);

    disk.makeRoom();
    const retried = await site.app.inject({ method: 'POST', url: `/api/deliveries/${id}/retry`, headers });
    expect(retried.statusCode).toBe(200);
    await send();
    await send();
    expect((await current()).status).toBe('sent');
    const [name, ...others] = await letters();
    expect(others).toEqual([]);
    expect((await readFile(join(folder, name!))).subarray(-6).toString()).toBe('%%EOF\n');
  });

  it('says that it may only be read, and gets the letter later', async () => {
    const { current, send } = await aLetter();
    const before = await letters();
    disk.setWritable(false);
    await send();
    disk.setWritable(true);
    expect((await current()).detail).toBe('The site may not write to the folder of letters.');
    await send();
    expect((await current()).status).toBe('sent');
    expect(await letters()).toHaveLength(before.length + 1);
  });
});
