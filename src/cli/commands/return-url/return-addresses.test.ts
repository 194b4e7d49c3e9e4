import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeApp, type TestApp } from '../../../../test/app/make-app.ts';
import { commandInput } from '../../../../test/process/command-input.ts';
import type { OpenPlatform } from '../../../site/open-platform.ts';
import { returnAddressAdd } from './return-addresses.ts';

let site: TestApp;
beforeAll(async () => {
  site = await makeApp();
});
afterAll(() => site.close());

describe('onward return-url add', () => {
  it('says that an address on this computer counts with any port', async () => {
    const add = async (address: string) => {
      const open = { platform: site.deps } as unknown as OpenPlatform;
      return (await returnAddressAdd.run(open, commandInput([address]))).text;
    };
    expect(await add('http://localhost:3000/back')).toBe(
      'http://localhost/back is registered, with any port.',
    );
    expect(await add('https://client.example/back')).toBe('https://client.example/back is registered.');
  });
});
