import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { openEmbeddedDatabase } from '../src/platform/database/index.ts';

// Checks the files of this folder with the tools that the machine has, and runs what they start. `npm run -s deploy:check`

const deploy = import.meta.dirname;
const root = dirname(deploy);
const scratch = await mkdtemp(join(tmpdir(), 'onward-deploy-'));
const siteName = 'referrals.example.org';
const maxImageMegabytes = 400;
const maxPackageMegabytes = 300;

const skipped: string[] = [];
const failed: string[] = [];
const children: ChildProcess[] = [];

const write = (line: string) => process.stdout.write(`${line}\n`);
const read = (file: string) => readFile(join(deploy, file), 'utf8');

/** One check. It fails by throwing, and may return what it found. */
async function check(
  title: string,
  tools: string[],
  run: () => Promise<string | undefined> | string | undefined,
) {
  const missing = tools.filter((tool) => !isInstalled(tool));
  if (missing.length > 0) return skip(title, `${missing.join(', ')} is not installed`);
  try {
    const found = await run();
    write(`ok       ${title}${found ? `: ${found}` : ''}`);
  } catch (error) {
    failed.push(title);
    write(`FAILED   ${title}\n${(error as Error).message.replace(/^/gm, '         ')}`);
  }
}

function skip(title: string, reason: string): void {
  skipped.push(title);
  write(`skipped  ${title}: ${reason}`);
}

const isInstalled = (tool: string) => spawnSync('sh', ['-c', 'command -v "$0"', tool]).status === 0;

/** Runs a program to its end. @returns all that it said. @throws Error with that, if it failed. */
function output(command: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const ended = spawnSync(command, args, { ...options, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const { status, stdout, stderr, error } = ended;
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ')}\n${error?.message ?? ''}${stdout}${stderr}`.slice(-4000));
  return { stdout, all: stdout + stderr };
}

const run = (...call: Parameters<typeof output>): string => output(...call).stdout;

async function until(
  what: string,
  isTrue: () => Promise<boolean> | boolean,
  timeoutMs = 60_000,
): Promise<void> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(100))
    if (await Promise.resolve(isTrue()).catch(() => false)) return;
  throw new Error(`not within ${timeoutMs / 1000} seconds: ${what}`);
}

function start(command: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  child.on('error', (error) => (output += error.message));
  return {
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      return child.exitCode;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

// ── What can be looked at without running it ──

async function lint(): Promise<void> {
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
  const composes = spawnSync('docker', ['compose', 'version']).status === 0;
  if (composes) await check('docker compose config', ['docker'], lintCompose);
  else skip('docker compose config', 'docker compose is not installed');
  if (isInstalled('kubeconform'))
    await check(
      'kubeconform',
      [],
      () => void run('kubeconform', ['-strict', join(deploy, 'kubernetes', 'onward.yaml')]),
    );
  else skip('the Kubernetes manifest against its schema', 'kubeconform is not installed');
}

const alertsFile = join(deploy, 'monitoring', 'alerts.yml');

async function lintUnits(): Promise<string> {
  const folder = join(scratch, 'units');
  await mkdir(folder);
  for (const name of await readdir(join(deploy, 'systemd'))) {
    // The program is looked for where it is installed, which here is this folder.
    const unit = (await read(join('systemd', name))).replaceAll('/opt/onward', root);
    await writeFile(join(folder, name), unit);
  }
  const units = (await readdir(folder)).map((name) => join(folder, name.replace('@.', '@live.')));
  for (const unit of units) await cp(unit.replace('@live.', '@.'), unit);
  const { all: said } = output('systemd-analyze', ['verify', '--man=no', ...units]);
  if (said.includes(folder)) throw new Error(said);
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

// ── The image without an engine: what its Dockerfile copies and runs, in a folder ──

type Step = { instruction: string; words: string };

async function stepsOfImage(): Promise<Step[]> {
  const text = (await read('Dockerfile')).replace(/^#.*\n/gm, '').replace(/\\\n/g, ' ');
  return text.split('\n').flatMap((line) => {
    const [, instruction, words] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return instruction === undefined ? [] : [{ instruction, words: words! }];
  });
}

async function buildFolder(): Promise<string> {
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

const megabytes = (folder: string) => Math.ceil(Number(run('du', ['-sk', folder]).split('\t')[0]) / 1024);

const node = process.execPath;

type Site = Awaited<ReturnType<typeof startSite>>;

/** A test site with the sample library, behind a proxy that ends https. */
async function startSite(folder: string, databaseUrl: string) {
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
  const began = Date.now();
  const site = start(node, ['src/main.ts'], { cwd: folder, env });
  await until(`the site is ready\n${site.output()}`, () => {
    if (site.hasEnded()) throw new Error(site.output());
    return site.output().includes('Onward is ready');
  });
  const [, password] = /operator@example\.org\s+(\S+)/.exec(site.output()) ?? [];
  if (password === undefined) throw new Error('the site showed no password of operator@example.org');
  return { ...site, port, env, folder, password, startedMs: Date.now() - began };
}

/** Runs the health check as the image does. */
async function checkHealth({ folder, env }: Site): Promise<undefined> {
  const steps = await stepsOfImage();
  const { words } = steps.find(({ instruction }) => instruction === 'HEALTHCHECK')!;
  const [command, ...args]: string[] = JSON.parse(words.slice(words.indexOf('[')));
  if (command !== 'node') throw new Error(`the health check runs ${command}, which the image may not have`);
  await until(
    'the health check says 0',
    () => spawnSync(node, args, { cwd: folder, env }).status === 0,
    40_000,
  );
  const nobody = { ...env, ONWARD_PORT: String(await freePort()) };
  if (spawnSync(node, args, { cwd: folder, env: nobody }).status !== 1)
    throw new Error('it does not say 1 where nothing answers');
}

/** The script of the nightly backup, with an old backup in the folder. */
async function checkBackup({ folder, env }: Site): Promise<string> {
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

// ── Proxies, with TLS, in front of that site ──

type Certificate = { cert: string; key: string; both: string; ca: Buffer };

async function makeCertificate(): Promise<Certificate> {
  const [cert, key, both] = ['cert.pem', 'key.pem', 'both.pem'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  const subject = ['-subj', `/CN=${siteName}`, '-addext', `subjectAltName=DNS:${siteName}`];
  run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    ...subject,
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  await writeFile(both, (await readFile(cert, 'utf8')) + (await readFile(key, 'utf8')));
  return { cert, key, both, ca: await readFile(cert) };
}

type Proxy = (
  ports: { http: number; https: number },
  site: Site,
  certificate: Certificate,
) => Promise<[string, string[]]>;

/** How each is started here: its file as it is, but with other ports, another certificate, and no user of its own. */
const proxies: Record<string, Proxy> = {
  async nginx({ http, https }, site, { cert, key }) {
    const folder = join(scratch, 'nginx');
    await mkdir(folder);
    const server = (await read('proxies/nginx.conf'))
      .replace(/^\s*listen \[::\].*\n/gm, '')
      .replace('listen 80;', `listen ${http};`)
      .replace('listen 443 ', `listen ${https} `)
      .replace('127.0.0.1:8080', `127.0.0.1:${site.port}`)
      .replace(/ssl_certificate \S+;/, `ssl_certificate ${cert};`)
      .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
      .replace('/var/log/nginx', folder);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (each) => `${each}_temp_path ${folder}/${each};`,
    );
    const file = join(folder, 'nginx.conf');
    // The files of this check are for its own user alone.
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    await writeFile(
      file,
      `${user} pid ${folder}/pid; events {}\nhttp {\n${paths.join('\n')}\n${server}\n}\n`,
    );
    const args = ['-p', folder, '-e', join(folder, 'error.log'), '-c', file];
    run('nginx', [...args, '-t', '-q']);
    return ['nginx', [...args, '-g', 'daemon off;']];
  },

  async caddy({ http, https }, site, { cert, key }) {
    const file = join(scratch, 'Caddyfile');
    const text = (await read('proxies/Caddyfile'))
      .replace(/^\{\n/m, `{\n\thttp_port ${http}\n\thttps_port ${https}\n\tadmin off\n\tskip_install_trust\n`)
      .replace(/^(\{\$SITE_ADDRESS.*\{)\n/m, `$1\n\ttls ${cert} ${key}\n`)
      .replace('127.0.0.1:8080', `127.0.0.1:${site.port}`);
    await writeFile(file, text);
    run('caddy', ['validate', '--adapter', 'caddyfile', '--config', file]);
    return ['caddy', ['run', '--adapter', 'caddyfile', '--config', file]];
  },

  async haproxy({ http, https }, site, { both }) {
    const file = join(scratch, 'haproxy.cfg');
    const text = (await read('proxies/haproxy.cfg'))
      .replace(/^ *(user|group|chroot|log \/dev\/log) ?.*\n/gm, '')
      .replace(':::80 ', `:::${http} `)
      .replace(':::443 ', `:::${https} `)
      .replace('/etc/haproxy/referrals.example.org.pem', both)
      .replace('127.0.0.1:8080', `127.0.0.1:${site.port}`);
    await writeFile(file, text);
    run('haproxy', ['-c', '-q', '-f', file]);
    return ['haproxy', ['-db', '-f', file]];
  },
};

type Answer = { status: number; headers: NodeJS.Dict<string | string[]>; body: string };
type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer };

/** Asks as a browser at 127.0.0.2 would, one that pretends to be somebody else. */
function visitor(port: number, { ca }: Certificate) {
  const agent = new Agent({ ca, keepAlive: true, localAddress: '127.0.0.2', servername: siteName });
  return (path: string, { method = 'GET', headers, body }: Sent = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const lies = { 'x-forwarded-for': '203.0.113.9', 'sec-fetch-site': 'same-origin' };
      const options = {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent,
        headers: { host: siteName, ...lies, ...headers },
      };
      const asked = request(options, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body: text }));
        answer.on('error', reject);
      });
      asked.on('error', reject);
      asked.end(body);
    });
}

const expect = (isTrue: boolean, otherwise: string) => {
  if (!isTrue) throw new Error(otherwise);
};

const uploadMegabytes = 20;

/** A library of one service and many spaces. */
function libraryUpload() {
  const service = {
    id: crypto.randomUUID(),
    name: 'Walking group',
    status: 'active',
    organization: { id: crypto.randomUUID(), name: 'Walkers' },
  };
  const library = `[${JSON.stringify(service)}${' '.repeat(uploadMegabytes * 2 ** 20)}]`;
  const boundary = 'onward-deploy-check';
  const part = (header: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n\r\n${value}\r\n`;
  const body = `${part('name="source"', 'check')}${part('name="file"; filename="library.json"\r\nContent-Type: application/json', library)}--${boundary}--\r\n`;
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

async function tryProxy(name: string, site: Site, certificate: Certificate): Promise<string> {
  const ports = { http: await freePort(), https: await freePort() };
  const [command, args] = await proxies[name]!(ports, site, certificate);
  const proxy = start(command, args);
  try {
    const ask = visitor(ports.https, certificate);
    await until(`${name} passes on\n${proxy.output()}`, async () => (await ask('/readyz')).status === 200);
    const home = await ask('/');
    expect(
      home.headers['strict-transport-security'] === 'max-age=31536000',
      'the site’s HSTS does not arrive as it is',
    );
    expect((await ask('/metrics')).status === 404, '/metrics is passed on');
    const plain = await fetch(`http://127.0.0.1:${ports.http}/services`, {
      redirect: 'manual',
      headers: { host: siteName },
    });
    expect(
      [301, 308].includes(plain.status),
      `http is answered ${plain.status}, not with a redirect to https`,
    );
    const form = new URLSearchParams({ email: 'operator@example.org', password: site.password });
    const formType = { 'content-type': 'application/x-www-form-urlencoded' };
    const signedIn = await ask('/signin', { method: 'POST', headers: formType, body: String(form) });
    expect(signedIn.status === 303, `signing in is answered ${signedIn.status}`);
    const cookie = [signedIn.headers['set-cookie'] ?? []]
      .flat()
      .map((each) => each.split(';')[0])
      .join('; ');
    const audit = await ask('/operator/audit', { headers: { cookie } });
    expect(audit.body.includes('127.0.0.2'), 'the audit does not have the caller’s address');
    expect(!audit.body.includes('203.0.113.9'), 'the audit believes an X-Forwarded-For that the caller sent');
    const { body, headers } = libraryUpload();
    const uploaded = await ask('/operator/library/files', {
      method: 'POST',
      headers: { cookie, ...headers },
      body,
    });
    expect(
      uploaded.status === 303,
      `an upload of ${uploadMegabytes} MB is answered ${uploaded.status}\n${uploaded.body.slice(0, 2000)}`,
    );
    expect(!proxy.output().includes('signin'), 'the proxy logs addresses');
    return `sign-in, an upload of ${uploadMegabytes} MB, the caller’s address, /metrics shut`;
  } finally {
    await proxy.stop();
  }
}

// ── A real Prometheus ──

type Rule = { alert: string; expr: string };

async function queriesOf(): Promise<{ alerts: Rule[]; panels: { title: string; expr: string }[] }> {
  const [rules] = parseAllDocuments(await readFile(alertsFile, 'utf8')).map((each) => each.toJS());
  const dashboard = JSON.parse(await read('monitoring/dashboard.json'));
  const panels = dashboard.panels.flatMap(
    ({ title, targets }: { title: string; targets: { expr: string }[] }) =>
      targets.map(({ expr }) => ({
        title,
        expr: expr.replaceAll('$__rate_interval', '30s').replaceAll('$site', '.*'),
      })),
  );
  return { alerts: rules.groups.flatMap(({ rules }: { rules: Rule[] }) => rules), panels };
}

/** What a healthy site that has just begun has nothing of. */
const mayBeEmpty = [
  'Failing requests',
  'Referrals made by API',
  'Messages by state',
  'Messages on hold, by reason',
  'Jobs waiting',
];

async function watch(site: Site): Promise<string> {
  const folder = join(scratch, 'prometheus');
  await mkdir(folder);
  const token = join(folder, 'token');
  // On the site's own machine none is needed; Prometheus wants the file all the same.
  await writeFile(token, 'no-token-is-needed-here');
  const config = (await read('monitoring/prometheus.yml'))
    .replaceAll('interval: 30s', 'interval: 1s')
    .replace('/etc/prometheus/onward.token', token)
    .replace('127.0.0.1:8080', `127.0.0.1:${site.port}`);
  await writeFile(join(folder, 'prometheus.yml'), config);
  await cp(alertsFile, join(folder, 'alerts.yml'));
  run('promtool', ['check', 'config', join(folder, 'prometheus.yml')]);
  const port = await freePort();
  const listen = `--web.listen-address=127.0.0.1:${port}`;
  const prometheus = start('prometheus', [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    listen,
  ]);
  const ask = async (expr: string): Promise<unknown[]> => {
    const answer = await fetch(
      `http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query: expr })}`,
    );
    const { status, error, data } = (await answer.json()) as {
      status: string;
      error?: string;
      data: { result: unknown[] };
    };
    if (status !== 'success') throw new Error(`${error} in ${expr}`);
    return data.result;
  };
  try {
    await until(
      `Prometheus reads the site\n${prometheus.output()}`,
      async () => (await ask('up{job="onward"} == 1')).length > 0,
    );
    await until(
      'Prometheus has read it often',
      async () => (await ask('count_over_time(up{job="onward"}[1m]) > 5')).length > 0,
    );
    const { alerts, panels } = await queriesOf();
    for (const { alert, expr } of alerts)
      expect((await ask(expr)).length === 0, `${alert} holds for a site that is well`);
    for (const { title, expr } of panels)
      expect((await ask(expr)).length > 0 || mayBeEmpty.includes(title), `“${title}” shows nothing: ${expr}`);
    await site.stop();
    const down = alerts.find(({ alert }) => alert === 'OnwardDown')!;
    await until('OnwardDown holds once the site has stopped', async () => (await ask(down.expr)).length > 0);
    return `${alerts.length} alerts, ${panels.length} queries of the dashboard`;
  } finally {
    await prometheus.stop();
  }
}

// ── An engine for containers ──

const engine = ['docker', 'podman'].find(
  (name) => isInstalled(name) && spawnSync(name, ['info']).status === 0,
);

async function tryImage(databaseUrl: string): Promise<string> {
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
  expect(size <= maxImageMegabytes, `the image has ${size} MB, and may have ${maxImageMegabytes}`);
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
  const safe = [
    '--read-only',
    '--tmpfs',
    '/tmp',
    '--cap-drop=ALL',
    '--security-opt=no-new-privileges',
    '--network=host',
  ];
  const words = [
    'run',
    '--detach',
    '--init',
    '--volume',
    `${key}:/keys/site.key:ro`,
    ...safe,
    ...names,
    image,
  ];
  const id = run(engine!, words, { env: { ...process.env, ...settings } }).trim();
  try {
    const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200;
    await until('the container is ready', ready).catch((error) => {
      throw new Error(`${error.message}\n${output(engine!, ['logs', id]).all}`);
    });
    run(engine!, ['exec', id, 'node', 'src/cli/main.ts', '--version']);
    run(engine!, ['stop', '--time', '15', id]);
    const status = run(engine!, ['inspect', '--format', '{{.State.ExitCode}}', id]).trim();
    expect(status === '0', `the container ended with status ${status}`);
    return `${size} MB, ready with a read-only root, ended with 0 (${engine})`;
  } finally {
    run(engine!, ['rm', '--force', id]);
  }
}

// ── All of it ──

/** A PostgreSQL of the packages, which a container reaches as well. */
async function startDatabase() {
  const settings = { listen_addresses: '127.0.0.1', port: String(await freePort()) };
  const database = await openEmbeddedDatabase({ dataDir: join(scratch, 'postgres'), use: 'site', settings });
  const { user, password, database: name } = database.connection;
  const url = new URL(`postgres://127.0.0.1:${settings.port}/${name}`);
  url.username = user ?? '';
  url.password = String(password ?? '');
  return { url: url.href, stop: () => database.release() };
}

async function tryAll(): Promise<void> {
  await lint();
  let folder: string | undefined;
  await check('the steps of the image that need no engine', ['npm'], async () => {
    const built = await buildFolder();
    const packages = megabytes(join(built, 'node_modules'));
    expect(
      packages <= maxPackageMegabytes,
      `the packages have ${packages} MB, and may have ${maxPackageMegabytes}`,
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
    await check(
      'the site ends in good order',
      [],
      async () => expect((await running.stop()) === 0, running.output()) ?? undefined,
    );
    if (engine) await check('the image', [engine], () => tryImage(database.url));
    else skip('the image', 'there is no engine (docker or podman) that answers');
  } finally {
    await database.stop();
  }
}

try {
  await tryAll();
} finally {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await rm(scratch, { recursive: true, force: true });
}
write(
  `\n${failed.length} failed, ${skipped.length} skipped${skipped.length > 0 ? ' for want of a tool' : ''}.`,
);
process.exitCode = failed.length > 0 ? 1 : 0;
