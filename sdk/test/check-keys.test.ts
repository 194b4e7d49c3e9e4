import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aNamedKey } from '../../test/people/named-keys.ts';
import { type ClientFixture, makeClientFixture } from './client-fixture.ts';

const run = promisify(execFile);
const program = join(import.meta.dirname, '..', 'src', 'command-line', 'main.ts');

let fixture: ClientFixture;
beforeAll(async () => {
  fixture = await makeClientFixture();
});
afterAll(() => fixture.close());

const check = async (refreshToken: string) => {
  const env = { PATH: process.env.PATH, SITE: fixture.siteUrl, REFRESH_TOKEN: refreshToken };
  return (await run(process.execPath, [program, 'keys', 'check'], { env })).stdout;
};

describe('keys check', () => {
  it('says the name and the scopes of a named key', async () => {
    const { site, accounts, refreshTokens } = fixture;
    const given = { name: 'Night import', scopes: ['library:read', 'referrals:read'] };
    const { refreshToken } = await aNamedKey(site, accounts.referrer.id, given);
    expect(await check(refreshToken)).toContain(
      '\nKey           Night import, which allows library:read, referrals:read\n',
    );
    expect(await check(refreshTokens.referrer)).not.toContain('\nKey ');
  });
});
