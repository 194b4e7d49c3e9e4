import { expect, test } from 'vitest';
import { UsageError } from './command.ts';
import { readRoles } from './new-account.ts';

const read = (role: string[] | undefined) =>
  readRoles({ values: { role }, positionals: [], progress: () => undefined });

test('roles may be repeated or separated by commas, and count once', () => {
  expect(read(['provider', 'operator'])).toEqual(['operator', 'provider']);
  expect(read(['provider, referrer', 'referrer'])).toEqual(['referrer', 'provider']);
  for (const wrong of [undefined, [], [''], ['king'], ['referrer,king'], ['referrer,']])
    expect(() => read(wrong), String(wrong)).toThrow(UsageError);
});
