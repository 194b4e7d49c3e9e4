import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disableAccount } from '../../../test/accounts/stored.ts';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { storedDeliveries, storedUndeliveredRow } from '../../../test/delivery/stored.ts';
import { storeReferral, tellOfChange } from '../../../test/delivery/test-site.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { watchDeliveries } from '../follow-up/watch-deliveries.ts';
import { addUndelivered, resolveUndelivered } from './undelivered-store.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

describe('the worklist of a former operator', () => {
  it('is shared out among the others, also what comes back', async () => {
    const { deps } = site;
    const at = deps.clock.now();
    for (const _ of [1, 2, 3, 4]) await tellOfChange(deps, await storeReferral(site.database.pool), null);
    const ids = (await storedDeliveries(deps.db)).map(({ id }) => id).slice(0, 4);
    const add = (deliveryId: string) =>
      inTransaction(deps.db, (trx) => addUndelivered(trx, { deliveryId, kind: 'failed', reason: 'no', at }));
    const gone = await anAccount(deps, { role: 'operator' });
    for (const id of ids) await add(id);
    const owners = async () =>
      Promise.all(ids.map(async (id) => (await storedUndeliveredRow(deps.db, id))!.owner_id));
    expect(await owners()).toEqual(ids.map(() => gone.id));

    await inTransaction(deps.db, (trx) => resolveUndelivered(trx, ids[0]!, at));
    const [one, two] = [
      await anAccount(deps, { role: 'operator' }),
      await anAccount(deps, { role: 'operator' }),
    ];
    await disableAccount(deps.db, gone.id);
    await add(ids[0]!);
    await watchDeliveries(deps);
    const now = await owners();
    expect([one, two].map(({ id }) => now.filter((owner) => owner === id).length)).toEqual([2, 2]);
    await watchDeliveries(deps);
    expect(await owners()).toEqual(now);
  });
});
