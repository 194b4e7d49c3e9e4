import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { until } from '../app/until.ts';

/**
 * A folder that is made once in each run, by whichever worker comes first; the others wait for it. Undefined with an
 * outside PostgreSQL, whose run has no folder of its own.
 */
export async function onceARun(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string | undefined> {
  const run = inject('postgres').folder;
  if (run === undefined) return undefined;
  const folder = join(run, name);
  const isMade = join(folder, 'made');
  const isFirst = await mkdir(folder).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    await make(folder);
    await writeFile(isMade, '');
  }
  await until(() => existsSync(isMade), 180_000);
  return folder;
}
