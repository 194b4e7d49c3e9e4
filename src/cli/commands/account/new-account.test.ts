import { describe, expect, it } from 'vitest';
import { commandInput } from '../../../../test/process/command-input.ts';
import { UsageError } from '../../command.ts';
import { readRoles } from './new-account.ts';

const read = (role: string[] | undefined) => readRoles(commandInput([], { role }));

describe('the --role option', () => {
  it('can be repeated or hold a list; each role counts once', () => {
    expect(read(['provider', 'operator'])).toEqual(['operator', 'provider']);
    expect(read(['provider, referrer', 'referrer'])).toEqual(['referrer', 'provider']);
    for (const wrong of [undefined, [], [''], ['king'], ['referrer,king'], ['referrer,']])
      expect(() => read(wrong), String(wrong)).toThrow(UsageError);
  });
});
