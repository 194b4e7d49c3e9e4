import { afterAll, beforeAll, expect, test } from 'vitest';
import { anAccount } from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { until } from '../../../test/app/until.ts';
import type { Request } from '../../platform/http/index.ts';
import { listKeyUses } from '../keys/key-uses-store.ts';
import { createCallNotes } from './token-desk.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

/** The notes of one process, and how many of them it has written. */
function aProcess() {
  const state = { written: 0 };
  const db = site.deps.db.withPlugin({
    transformQuery({ node }) {
      state.written += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { ...createCallNotes({ ...site.deps, db }), state };
}

const from = (ip: string) => ({ ip }) as Request;
const addressOf = async (id: string) => (await listKeyUses(site.deps.db, [id])).get(id)?.calledAddress;

test('a process writes one note a minute for each account', async () => {
  const [one, other] = [await anAccount(site.deps), await anAccount(site.deps)];
  const process = aProcess();
  for (let second = 0; second < 60; second += 1) {
    for (const { id } of [one, other]) process.note(id, site.clock.now(), from('192.0.2.1'));
    site.clock.moveOn(1000);
  }
  expect(process.state.written).toBe(2);
  process.note(one.id, site.clock.now(), from('192.0.2.1'));
  expect(process.state.written).toBe(3);
});

test('of the notes that several processes write in a minute one is kept', async () => {
  const { id } = await anAccount(site.deps);
  const [first, second] = [aProcess(), aProcess()];
  first.note(id, site.clock.now(), from('::ffff:192.0.2.1'));
  await until(async () => (await addressOf(id)) === '192.0.2.1');
  site.clock.moveOn(59_000);
  second.note(id, site.clock.now(), from('192.0.2.2'));
  await until(() => second.state.written === 1);
  site.clock.moveOn(1000);
  first.note(id, site.clock.now(), from('not an address'));
  await until(async () => (await addressOf(id)) !== '192.0.2.1');
  expect(await addressOf(id)).toBe('unknown');
});
