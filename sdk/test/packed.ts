import { execFile } from 'node:child_process';
import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onceARun } from '../../test/database/once-a-run.ts';

const run = promisify(execFile);
const sdk = join(import.meta.dirname, '..');

/** What `npm pack` makes, as it would be published. */
export async function packClient(): Promise<string> {
  const pack = (folder: string) => run('npm', ['pack', '--pack-destination', folder], { cwd: sdk });
  const folder =
    (await onceARun('packed-client', async (own) => void (await pack(own)))) ??
    (await mkdtemp(join(tmpdir(), 'onward-client-')));
  const find = async () => (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (!(await find())) await pack(folder);
  return join(folder, (await find())!);
}

/** Installs the packed client in a project, as a vendor does. */
async function installClient(project: string): Promise<void> {
  const words = ['install', '--no-save', '--offline', '--no-audit', '--no-fund', await packClient()];
  await run('npm', words, { cwd: project });
}

/** A vendor's project with the client, and with files of its own. */
export async function vendorProject(files: Readonly<Record<string, string>>): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'onward-vendor-'));
  const all = { 'package.json': JSON.stringify({ private: true, type: 'module' }), ...files };
  for (const [name, text] of Object.entries(all)) await writeFile(join(project, name), text);
  await installClient(project);
  return project;
}
