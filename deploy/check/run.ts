import { join } from 'node:path';
import { openEmbeddedDatabase } from '../../src/platform/database/index.ts';
import { check, finish, freePort, isInstalled, requireThat, scratch, skip } from './checks.ts';
import { engine, tryImage } from './image.ts';
import { lint } from './lint.ts';
import { watch } from './prometheus.ts';
import { makeCertificate, proxies, tryProxy } from './proxies.ts';
import { buildFolder, checkBackup, checkHealth, megabytes, type Site, startSite } from './site.ts';

// Checks the files of `deploy` with the tools that the machine has, and runs what they start. `npm run -s deploy:check`

const maxPackageMegabytes = 300;

/** The PostgreSQL of the npm package, which a container can reach as well. */
async function startDatabase() {
  const settings = { listen_addresses: '127.0.0.1', port: String(await freePort()) };
  const database = await openEmbeddedDatabase({
    dataDir: join(scratch, 'postgres'),
    purpose: 'site',
    settings,
  });
  const { user, password, database: name } = database.connection;
  const url = new URL(`postgres://127.0.0.1:${settings.port}/${name}`);
  url.username = user ?? '';
  url.password = String(password ?? '');
  return { url: url.href, stop: () => database.release() };
}

async function checkAll(): Promise<void> {
  await lint();
  let folder: string | undefined;
  await check('the steps of the image that need no engine', ['npm'], async () => {
    const built = await buildFolder();
    const packages = megabytes(join(built, 'node_modules'));
    requireThat(
      packages <= maxPackageMegabytes,
      `the packages have ${packages} MB, more than ${maxPackageMegabytes}`,
    );
    folder = built;
    return `${packages} MB of packages, ${megabytes(built)} MB in all`;
  });
  if (folder === undefined) return;
  const database = await startDatabase();
  try {
    let site: Site | undefined;
    await check('a site starts in that folder', [], async () => {
      site = await startSite(folder!, database.url);
      return `${site.startedMs} ms with an empty database`;
    });
    if (site === undefined) return;
    const running = site;
    await check('the health check of the image', [], () => checkHealth(running));
    await check('deploy/backup', [], () => checkBackup(running));
    const certificate = isInstalled('openssl') ? await makeCertificate() : undefined;
    for (const name of Object.keys(proxies))
      await check(`${name} in front of it`, ['openssl', name], () => tryProxy(name, running, certificate!));
    await check('Prometheus watches it', ['prometheus', 'promtool'], () => watch(running));
    await check('the site ends in good order', [], async () => {
      requireThat((await running.stop()) === 0, running.output());
      return undefined;
    });
    if (engine) await check('the image', [engine], () => tryImage(database.url));
    else skip('the image', 'there is no engine (docker or podman) that answers');
  } finally {
    await database.stop();
  }
}

try {
  await checkAll();
} finally {
  process.exitCode = await finish();
}
