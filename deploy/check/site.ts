import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { freePort, read, root, run, scratch, siteName, start, until } from './checks.ts';

// What the image runs, without an engine for containers: a site in a folder, its health check and its backup.

type Step = { instruction: string; words: string };

async function stepsOfImage(): Promise<Step[]> {
  const text = (await read('Dockerfile')).replace(/^#.*\n/gm, '').replace(/\\\n/g, ' ');
  return text.split('\n').flatMap((line) => {
    const [, instruction, words] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return instruction === undefined ? [] : [{ instruction, words: words! }];
  });
}

/** Does in a folder what the Dockerfile does to build the image: copies and commands. */
export async function buildFolder(): Promise<string> {
  const folder = join(scratch, 'onward');
  await mkdir(folder);
  const steps = await stepsOfImage();
  const build = steps.slice(
    0,
    steps.findLastIndex(({ instruction }) => instruction === 'FROM'),
  );
  for (const { instruction, words } of build) {
    if (instruction === 'RUN') run('sh', ['-ec', words], { cwd: folder });
    if (instruction !== 'COPY') continue;
    const paths = words.split(/\s+/);
    const target = paths.pop()!;
    for (const path of paths) {
      await cp(join(root, path), target === './' ? join(folder, path) : join(folder, target), {
        recursive: true,
      });
    }
  }
  return folder;
}

/** How much room a folder takes on the disk. */
export const megabytes = (folder: string) =>
  Math.ceil(Number(run('du', ['-sk', folder]).split('\t')[0]) / 1024);

const node = process.execPath;

export type Site = Awaited<ReturnType<typeof startSite>>;

/** A test site with the sample library, behind a proxy that ends https. */
export async function startSite(folder: string, databaseUrl: string) {
  const port = String(await freePort());
  const env = {
    PATH: process.env.PATH,
    ONWARD_PORT: port,
    ONWARD_DATA_DIR: join(scratch, 'data'),
    ONWARD_DATABASE_URL: databaseUrl,
    ONWARD_BASE_URL: `https://${siteName}`,
    ONWARD_TRUSTED_PROXIES: '127.0.0.1',
    ONWARD_MODE: 'test',
  };
  const startMs = Date.now();
  const site = start(node, ['src/main.ts'], { cwd: folder, env });
  await until(
    () => `the site is ready\n${site.output()}`,
    () => site.hasEnded() || site.output().includes('Onward is ready'),
  );
  if (site.hasEnded()) throw new Error(`the site ended:\n${site.output()}`);
  const [, password] = /operator@example\.org\s+(\S+)/.exec(site.output()) ?? [];
  if (password === undefined) throw new Error('the site showed no password of operator@example.org');
  return { ...site, port, env, folder, password, startedMs: Date.now() - startMs };
}

/** Runs the health check as the image does. */
export async function checkHealth({ folder, env }: Site): Promise<undefined> {
  const steps = await stepsOfImage();
  const { words } = steps.find(({ instruction }) => instruction === 'HEALTHCHECK')!;
  const [command, ...args]: string[] = JSON.parse(words.slice(words.indexOf('[')));
  if (command !== 'node') throw new Error(`the health check runs ${command}, which the image may not have`);
  await until(
    'the health check exits with 0',
    () => spawnSync(node, args, { cwd: folder, env }).status === 0,
    40_000,
  );
  const nothingListens = { ...env, ONWARD_PORT: String(await freePort()) };
  if (spawnSync(node, args, { cwd: folder, env: nothingListens }).status !== 1)
    throw new Error('it does not exit with 1 if nothing answers');
}

/** The script of the nightly backup, with an old backup in the folder. */
export async function checkBackup({ folder, env }: Site): Promise<string> {
  const backups = join(scratch, 'backups');
  await mkdir(backups);
  const old = join(backups, 'onward-2020-01-01T000000Z.backup');
  await writeFile(old, '');
  run('touch', ['-d', '2020-01-01', old]);
  run('sh', ['deploy/backup', backups, '14'], {
    cwd: folder,
    env: { ...env, PATH: `${dirname(node)}:${process.env.PATH}` },
  });
  const kept = await readdir(backups);
  if (kept.length !== 1 || kept[0]!.includes('2020')) throw new Error(`the folder holds ${kept.join(', ')}`);
  return kept[0]!;
}
