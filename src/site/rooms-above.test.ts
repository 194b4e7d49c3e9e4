import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Trx } from '../platform/database/index.ts';
import type { ReferralListener } from '../referrals/index.ts';
import { callInOrder } from './rooms-above.ts';

it('calls the rooms above in the list’s order, one at a time', async () => {
  const calls: string[] = [];
  const slow: ReferralListener = {
    async onStatusChange() {
      calls.push('slow begins');
      await setImmediate();
      calls.push('slow ends');
    },
  };
  const other: ReferralListener = {
    onFile: async () => {
      calls.push('not called');
    },
  };
  const last: ReferralListener = {
    onStatusChange: async () => {
      calls.push('last');
    },
  };
  await callInOrder([slow, other, last]).onStatusChange({} as Trx, []);
  expect(calls).toEqual(['slow begins', 'slow ends', 'last']);
});
