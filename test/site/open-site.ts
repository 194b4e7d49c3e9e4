import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createLog } from '../../src/platform/log/index.ts';
import { readSettings } from '../../src/platform/settings/index.ts';
import { type OpenOptions, openPlatform } from '../../src/site/open-platform.ts';
import { quickFolder } from '../database/memory-folder.ts';
import { liveEnv } from '../process/live-env.ts';

// A site or a command is opened on a data directory, as its process does it.

export const key = Buffer.alloc(32, 7);
export const otherKey = Buffer.alloc(32, 8);
export const liveWords = 'belongs to a live site';
export const testWords = 'belongs to a test site';

export type Mode = 'test' | 'live' | 'unstated';

/** Opens the platform as a site or a command, and closes it again. @returns `open`, or why it was refused. */
export async function open(
  env: Record<string, string>,
  options: Pick<OpenOptions, 'openAs' | 'purpose'>,
  lines: string[] = [],
): Promise<string> {
  const log = createLog(
    'warn',
    new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) }),
  );
  try {
    const { closers } = await openPlatform(readSettings(env), log, options);
    await closers.closeAll();
    return 'open';
  } catch (error) {
    return (error as Error).message;
  }
}

const folders: string[] = [];

/** Removes the data directories that a test made. Each test file says so itself, with `afterEach`. */
export async function removePlaces(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** A data directory with this key in it. A live site with an outside database must name it. */
export async function aPlace(siteKey: Buffer | 'none' = key) {
  const folder = await quickFolder('onward-identity-');
  folders.push(folder);
  return withKey(folder, siteKey);
}

/** The settings of a site whose data is in this folder, which gets this key. */
export async function withKey(folder: string, siteKey: Buffer | 'none') {
  if (siteKey !== 'none') await writeFile(join(folder, 'site.key'), siteKey, { mode: 0o600 });
  const env: Record<string, string> = { ONWARD_DATA_DIR: folder };
  return { folder, env, named: { ONWARD_SITE_KEY_FILE: join(folder, 'site.key') } };
}

export function modeEnv(mode: Mode): Record<string, string> {
  if (mode === 'unstated') return {};
  return mode === 'test' ? { ONWARD_MODE: 'test' } : liveEnv;
}
