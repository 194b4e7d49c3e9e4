import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { emptyDirectory, endEmbedded } from '../../../../test/database/embedded-databases.ts';
import { prepareDataDirectory } from './data-directory.ts';
import { chooseLauncher } from './programs.ts';

const asRoot = process.getuid?.() === 0 && process.platform === 'linux';

async function userSeenBy(ways: { userNamespace: boolean; otherUser: boolean }): Promise<string> {
  const launcher = await chooseLauncher(await prepareDataDirectory(await emptyDirectory()), ways);
  const { file, args } = launcher('id', ['-u']);
  return (await promisify(execFile)(file, args)).stdout.trim();
}

afterEach(endEmbedded);

describe.runIf(asRoot)('PostgreSQL when Onward runs as root', () => {
  it('runs as another user', async () => {
    expect(await userSeenBy({ userNamespace: true, otherUser: true })).not.toBe('0');
    expect(await userSeenBy({ userNamespace: false, otherUser: true })).toBe('65534');
  });

  it('is refused with advice if the system allows no way', async () => {
    const refused = userSeenBy({ userNamespace: false, otherUser: false });
    await expect(refused).rejects.toThrow(/Start Onward as an ordinary user, .*ONWARD_DATABASE_URL=/);
  });
});
