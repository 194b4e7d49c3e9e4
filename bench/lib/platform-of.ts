import type { Pool } from 'pg';
import { createLog } from '../../src/platform/log/index.ts';
import type { Platform } from '../../src/platform/platform.ts';
import { readSettings } from '../../src/platform/settings/index.ts';
import { openPlatform } from '../../src/site/open-platform.ts';

/** Uses a site's own database while the site runs, as a command does. */
export async function withPlatformOf<T>(
  env: NodeJS.ProcessEnv,
  work: (platform: Platform, pool: Pool) => Promise<T>,
): Promise<T> {
  const open = await openPlatform(readSettings(env), createLog('silent'), {
    purpose: 'command',
    openAs: 'existing',
  });
  try {
    return await work(open.platform, open.database.pool);
  } finally {
    await open.closers.closeAll();
  }
}
