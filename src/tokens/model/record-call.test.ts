import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import type { Request } from '../../platform/http/index.ts';
import { findKeyActivity } from '../refresh-tokens/key-activity-store.ts';
import { createCallRecorder } from './token-services.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

/** The recorder of one process, and how often it has written. */
function aProcess() {
  const state = { written: 0 };
  const db = site.deps.db.withPlugin({
    transformQuery({ node }) {
      state.written += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { ...createCallRecorder({ ...site.deps, db }), state };
}

const firstPairOf = (accountId: string) => ({ accountId, keyId: null });
const from = (ip: string) => ({ ip }) as Request;
const addressOf = async (id: string) => (await findKeyActivity(site.deps.db, [id])).get(id)?.calledIpAddress;

describe('when an account last called', () => {
  it('is written once a minute by each process', async () => {
    const [one, other] = [await anAccount(site.deps), await anAccount(site.deps)];
    const process = aProcess();
    for (let second = 0; second < 60; second += 1) {
      for (const { id } of [one, other]) process.record(firstPairOf(id), site.clock.now(), from('192.0.2.1'));
      site.clock.moveOn(1000);
    }
    expect(process.state.written).toBe(2);
    process.record(firstPairOf(one.id), site.clock.now(), from('192.0.2.1'));
    expect(process.state.written).toBe(3);
  });

  it('is kept once a minute when several processes write it', async () => {
    const { id } = await anAccount(site.deps);
    const [first, second] = [aProcess(), aProcess()];
    first.record(firstPairOf(id), site.clock.now(), from('::ffff:192.0.2.1'));
    await until(async () => (await addressOf(id)) === '192.0.2.1');
    site.clock.moveOn(59_000);
    second.record(firstPairOf(id), site.clock.now(), from('192.0.2.2'));
    await until(() => second.state.written === 1);
    site.clock.moveOn(1000);
    first.record(firstPairOf(id), site.clock.now(), from('not an address'));
    await until(async () => (await addressOf(id)) !== '192.0.2.1');
    expect(await addressOf(id)).toBe('unknown');
  });
});
