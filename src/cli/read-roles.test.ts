import { expect, test } from 'vitest';
import { UsageError } from './command.ts';
import { readRoles } from './read-roles.ts';

const read = (role: string[] | undefined) =>
  readRoles({ values: { role }, positionals: [], progress: () => undefined });

test('roles are given one by one or by commas, each counts once', () => {
  expect(read(['provider', 'operator'])).toEqual(['operator', 'provider']);
  expect(read(['provider, referrer', 'referrer'])).toEqual(['referrer', 'provider']);
  for (const wrong of [undefined, [], [''], ['king'], ['referrer,king'], ['referrer,']])
    expect(() => read(wrong), String(wrong)).toThrow(UsageError);
});
