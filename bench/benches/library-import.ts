import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '../../test/process/site-process.ts';
import { england, missingData } from '../lib/england.ts';
import { runCommand } from '../lib/run-command.ts';
import { startBenchSite } from '../lib/site.ts';

type Answer = { read: number; created: number; updated: number; unchanged: number; rejected: number };

/**
 * Imports England by the command line into an empty library, imports it again without a change, and exports it.
 * Target: 3,000 services a second.
 */
export async function benchLibraryImport(): Promise<void> {
  const missing = missingData();
  if (missing) return console.log(`library-import: needs ${missing}`);
  const dataDir = await mkdtemp(join(tmpdir(), 'onward-bench-'));
  const env = { ...environment(), ONWARD_DATA_DIR: dataDir };
  try {
    await runCommand(env, 0, ['migrate']);
    await measureImport(env, 0, 'command and PostgreSQL on one core');
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  const site = await startBenchSite({ ONWARD_SAMPLE: 'false' });
  try {
    await measureImport(
      site.env,
      1,
      'while a site runs: it and PostgreSQL on one core, the command on the other',
    );
  } finally {
    await site.remove();
  }
}

async function measureImport(env: NodeJS.ProcessEnv, core: 0 | 1, where: string): Promise<void> {
  const command = ['library', 'import', england.services];
  const first = await runCommand<Answer>(env, core, command);
  if (first.answer.created !== first.answer.read) throw new Error('not every service was created');
  const rate = first.answer.created / first.seconds;
  const again = await runCommand<Answer>(env, core, command);
  if (again.answer.unchanged !== again.answer.read) throw new Error('the second import changed something');
  const file = join(env.ONWARD_DATA_DIR!, 'export.ndjson.gz');
  const out = await runCommand<{ lines: number }>(env, core, ['library', 'export', file]);
  const megabytes = ((await stat(file)).size / 1e6).toFixed(1);
  console.log(
    `library-import: ${first.answer.created} services in ${first.seconds.toFixed(1)} s, ${rate.toFixed(0)}/s (target: 3,000), ` +
      `again unchanged ${again.seconds.toFixed(1)} s, export ${out.seconds.toFixed(1)} s (${megabytes} MB packed), ` +
      `from each command’s start to its end; ${where}`,
  );
}
