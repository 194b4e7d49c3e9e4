import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { freePort, read, requireThat, run, scratch, siteName, start, until } from './checks.ts';
import type { Site } from './site.ts';

export type Certificate = { cert: string; key: string; both: string; ca: Buffer };

export async function makeCertificate(): Promise<Certificate> {
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
export const proxies: Record<string, Proxy> = {
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
    // Only the user of this check may read its files.
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
type RequestOptions = { method?: string; headers?: Record<string, string>; body?: string | Buffer };

/** Sends requests as a browser at 127.0.0.2 that pretends to be at another address. */
function visitor(port: number, { ca }: Certificate) {
  const agent = new Agent({ ca, keepAlive: true, localAddress: '127.0.0.2', servername: siteName });
  return (path: string, { method = 'GET', headers, body }: RequestOptions = {}) =>
    new Promise<Answer>((resolve, reject) => {
      const spoofedHeaders = { 'x-forwarded-for': '203.0.113.9', 'sec-fetch-site': 'same-origin' };
      const options = {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent,
        headers: { host: siteName, ...spoofedHeaders, ...headers },
      };
      const sent = request(options, (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body: text }));
        answer.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

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

/** Signs in, uploads and reads through a proxy, as a browser does. */
export async function tryProxy(name: string, site: Site, certificate: Certificate): Promise<string> {
  const ports = { http: await freePort(), https: await freePort() };
  const [command, args] = await proxies[name]!(ports, site, certificate);
  const proxy = start(command, args);
  try {
    const send = visitor(ports.https, certificate);
    await until(
      () => `${name} passes requests on\n${proxy.output()}`,
      async () => (await send('/readyz')).status === 200,
    );
    const home = await send('/');
    requireThat(
      home.headers['strict-transport-security'] === 'max-age=31536000',
      'the site’s HSTS does not arrive as it is',
    );
    requireThat((await send('/metrics')).status === 404, '/metrics is passed on');
    const plain = await fetch(`http://127.0.0.1:${ports.http}/services`, {
      redirect: 'manual',
      headers: { host: siteName },
    });
    requireThat(
      [301, 308].includes(plain.status),
      `http is answered ${plain.status}, not with a redirect to https`,
    );
    const form = new URLSearchParams({ email: 'operator@example.org', password: site.password });
    const formType = { 'content-type': 'application/x-www-form-urlencoded' };
    const signedIn = await send('/signin', { method: 'POST', headers: formType, body: String(form) });
    requireThat(signedIn.status === 303, `signing in is answered ${signedIn.status}`);
    const cookie = [signedIn.headers['set-cookie'] ?? []]
      .flat()
      .map((each) => each.split(';')[0])
      .join('; ');
    const audit = await send('/operator/audit', { headers: { cookie } });
    requireThat(audit.body.includes('127.0.0.2'), 'the audit does not have the caller’s address');
    requireThat(
      !audit.body.includes('203.0.113.9'),
      'the audit believes an X-Forwarded-For that the caller sent',
    );
    const { body, headers } = libraryUpload();
    const uploaded = await send('/operator/library/files', {
      method: 'POST',
      headers: { cookie, ...headers },
      body,
    });
    requireThat(
      uploaded.status === 303,
      `an upload of ${uploadMegabytes} MB is answered ${uploaded.status}\n${uploaded.body.slice(0, 2000)}`,
    );
    requireThat(!proxy.output().includes('signin'), 'the proxy logs addresses');
    return `sign-in, an upload of ${uploadMegabytes} MB, the caller’s address, /metrics shut`;
  } finally {
    await proxy.stop();
  }
}
