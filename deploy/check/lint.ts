import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { check, deploy, outputOf, read, root, run, scratch, siteName, skip } from './checks.ts';

const alertsFile = join(deploy, 'monitoring', 'alerts.yml');

/** Checks the files without starting what they describe. */
export async function lint(): Promise<void> {
  const scripts = [join(deploy, 'backup'), join(deploy, 'onward')];
  for (const script of scripts)
    await check(`sh reads ${script.slice(root.length + 1)}`, ['sh'], () => void run('sh', ['-n', script]));
  await check('shellcheck', ['shellcheck'], () => void run('shellcheck', scripts));
  await check('the units of systemd', ['systemd-analyze'], lintUnits);
  await check('hadolint', ['hadolint'], () => void run('hadolint', [join(deploy, 'Dockerfile')]));
  await check(
    'promtool check rules',
    ['promtool'],
    () => run('promtool', ['check', 'rules', alertsFile]).match(/\d+ rules/)?.[0],
  );
  await check(
    'promtool test rules',
    ['promtool'],
    () => void run('promtool', ['test', 'rules', join(deploy, 'monitoring', 'alerts.test.yml')]),
  );
  const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
  if (hasCompose) await check('docker compose config', ['docker'], lintCompose);
  else skip('docker compose config', 'docker compose is not installed');
  await check(
    'kubeconform',
    ['kubeconform'],
    () => void run('kubeconform', ['-strict', join(deploy, 'kubernetes', 'onward.yaml')]),
  );
}

async function lintUnits(): Promise<string> {
  const folder = join(scratch, 'units');
  await mkdir(folder);
  for (const name of await readdir(join(deploy, 'systemd'))) {
    // systemd-analyze looks for the program where it is installed, which is this repository here.
    const unit = (await read(join('systemd', name))).replaceAll('/opt/onward', root);
    await writeFile(join(folder, name), unit);
  }
  const units = (await readdir(folder)).map((name) => join(folder, name.replace('@.', '@live.')));
  for (const unit of units) await cp(unit.replace('@live.', '@.'), unit);
  const { all: report } = outputOf('systemd-analyze', ['verify', '--man=no', ...units]);
  if (report.includes(folder)) throw new Error(report);
  const exposure = run('systemd-analyze', [
    'security',
    '--offline=true',
    '--threshold=30',
    join(folder, 'onward@live.service'),
  ]);
  return exposure.match(/exposure level.*?: (\S+)/)?.[0] ?? '';
}

async function lintCompose(): Promise<undefined> {
  const folder = join(scratch, 'compose');
  await cp(join(deploy, 'compose'), folder, { recursive: true });
  await cp(join(folder, 'onward.env.example'), join(folder, 'onward.env'));
  const env = { ...process.env, SITE_ADDRESS: siteName, DATABASE_PASSWORD: 'secret' };
  run('docker', ['compose', '-f', join(folder, 'compose.yaml'), 'config', '--quiet'], { env });
}
