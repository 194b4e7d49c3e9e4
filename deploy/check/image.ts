import { spawnSync } from 'node:child_process';
import { chmod, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { deploy, freePort, isInstalled, outputOf, requireThat, root, run, scratch, until } from './checks.ts';

const maxImageMegabytes = 400;

/** The engine for containers that answers on this machine. */
export const engine = ['docker', 'podman'].find(
  (name) => isInstalled(name) && spawnSync(name, ['info']).status === 0,
);

/** Builds the image, and runs a site in it on a read-only root. */
export async function tryImage(databaseUrl: string): Promise<string> {
  const image = 'onward:deploy-check';
  // Podman's own format has no health checks.
  const format = engine === 'podman' ? ['--format=docker'] : [];
  run(engine!, [
    'build',
    ...format,
    '--network=host',
    '--file',
    join(deploy, 'Dockerfile'),
    '--tag',
    image,
    root,
  ]);
  const size = Math.round(Number(run(engine!, ['image', 'inspect', '--format', '{{.Size}}', image])) / 1e6);
  requireThat(size <= maxImageMegabytes, `the image has ${size} MB, and may have ${maxImageMegabytes}`);
  const port = String(await freePort());
  // The key of the site that used this database before, which the image's user must be able to read.
  const key = join(scratch, 'image-site.key');
  await cp(join(scratch, 'data', 'site.key'), key);
  await chmod(key, 0o444);
  const settings = {
    ONWARD_SITE_KEY_FILE: '/keys/site.key',
    ONWARD_PORT: port,
    ONWARD_HOST: '127.0.0.1',
    ONWARD_DATABASE_URL: databaseUrl,
    ONWARD_MODE: 'test',
  };
  // By name alone, so that the database's password is in no error of this check.
  const names = Object.keys(settings).flatMap((name) => ['--env', name]);
  const hardening = [
    '--read-only',
    '--tmpfs',
    '/tmp',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    '--network=host',
  ];
  const args = [
    'run',
    '--detach',
    '--init',
    '--volume',
    `${key}:/keys/site.key:ro`,
    ...hardening,
    ...names,
    image,
  ];
  const id = run(engine!, args, { env: { ...process.env, ...settings } }).trim();
  try {
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200;
    await until('the container is ready', isReady).catch((error) => {
      throw new Error(`${error.message}\n${outputOf(engine!, ['logs', id]).all}`);
    });
    run(engine!, ['exec', id, 'node', 'src/cli/main.ts', '--version']);
    run(engine!, ['stop', '--time', '15', id]);
    const status = run(engine!, ['inspect', '--format', '{{.State.ExitCode}}', id]).trim();
    requireThat(status === '0', `the container ended with status ${status}`);
    return `${size} MB, ready with a read-only root, ended with 0 (${engine})`;
  } finally {
    run(engine!, ['rm', '--force', id]);
  }
}
