import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { siteActor } from '../../src/audit/index.ts';
import { registerReturnAddress } from '../../src/tokens/api-login/return-addresses.ts';
import { openBrowser } from '../../test/browser/open-browser.ts';
import { version } from '../src/index.ts';
import { type ClientFixture, makeClientFixture } from './client-fixture.ts';
import { packClient, vendorProject } from './packed.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

let fixture: ClientFixture;
let project: string;
const program = `
import { isProblem, Onward, type Referral, verifyWebhook, type Versioned } from '@onward/client';

const onward = new Onward({ site: process.env.SITE!, auth: { refreshToken: process.env.REFRESH_TOKEN! } });
const { account } = await onward.whoAmI();
const found = await onward.services.find({ search: 'walking', per_page: 1 });
const name: string = found.contents[0]!.name;
async function change(referral: Versioned<Referral>): Promise<string> {
  const accepted = await onward.referrals.accept(referral);
  // @ts-expect-error A reason is missing.
  await onward.referrals.reject(accepted, {});
  // @ts-expect-error There is no such operation.
  await onward.call('getNothing');
  // @ts-expect-error The id is missing.
  await onward.call('getReferral', {});
  const { body } = await onward.call('getReferral', { path: { id: accepted.id } });
  return body.status;
}
for await (const event of onward.events.follow({ types: ['referral.accepted'], signal: AbortSignal.abort() }))
  console.log(event.resource.href);
export const use = [change, isProblem, verifyWebhook];
console.log(account.email, name);
`;
/** Each call as a vendor would write it, with nothing to cast. */
const uses = `
import { type FollowOptions, isProblem, type NewReferral, type Onward, type ProblemCode, receiver, type Service } from '@onward/client';

declare const onward: Onward;
declare const error: unknown;
declare const text: string;
declare const code: ProblemCode;
declare const maybe: string | undefined;
declare const types: FollowOptions;

isProblem(error) || isProblem(error, 'wrong-state', 'possible-duplicate') || isProblem(error, code) || isProblem(error, text);
// @ts-expect-error A code is mistyped.
isProblem(error, 'wrong-state', 'posible-duplicate');

onward.events.follow({ types: ['referral.accepted', 'referral.rejected'], after: null, signal: undefined });
onward.events.follow({ types: text.split(','), savePosition: async (id) => id.length });
onward.events.follow(types);
// @ts-expect-error A type is mistyped: no event would ever come.
onward.events.follow({ types: ['referral.acepted'] });

const whole: Service[] = (await onward.services.find({ search: maybe, full: true })).contents;
const short = (await onward.services.find({ postcode: undefined })).contents;
// @ts-expect-error It is not in a summary.
short[0]?.phones;

onward.referrals.list({ status: 'accepted' });
onward.referrals.list({ status: ['accepted', 'requested'], limit: undefined });
const referral: Omit<NewReferral, 'patient' | 'reasons' | 'consent'> = { service_id: text, urgency: undefined, what_matters: maybe };
receiver({ secrets: text, store: async (event) => event.id.length, onError: undefined });
export const use = [whole, referral];
`;

beforeAll(async () => {
  fixture = await makeClientFixture();
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compiler = { ...strict, skipLibCheck: true, noEmit: true, target: 'ES2022', module: 'NodeNext' };
  const dom = { ...compiler, skipLibCheck: false, module: 'ESNext', moduleResolution: 'Bundler', types: [] };
  project = await vendorProject({
    'use.ts': program,
    'uses.ts': uses,
    'use.js': program.replaceAll(/: (string|Versioned<Referral>|Promise<string>)|, type \w+|!/g, ''),
    'process.d.ts': 'declare const process: { env: Record<string, string | undefined> };\n',
    'for-node.json': JSON.stringify({
      compilerOptions: {
        ...compiler,
        lib: ['ES2022'],
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      },
      files: ['use.ts', 'uses.ts'],
    }),
    'for-browsers.json': JSON.stringify({
      compilerOptions: { ...dom, lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'] },
      files: ['use.ts', 'uses.ts', 'process.d.ts'],
    }),
  });
});
afterAll(async () => {
  await rm(project, { recursive: true });
  await fixture.close();
});

describe('the package', () => {
  it('holds what a vendor needs, and nothing else', async () => {
    const { stdout } = await run('tar', ['-tzf', await packClient()]);
    const files = stdout
      .trim()
      .split('\n')
      .map((name) => name.replace('package/', ''));
    const papers = files.filter((name) => !name.startsWith('dist/'));
    expect(papers.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
    const modules = files.filter((name) => name.endsWith('.js'));
    expect(files.filter((name) => name.startsWith('dist/')).sort()).toEqual(
      modules.flatMap((name) => [name, name.replace(/js$/, 'd.ts')]).sort(),
    );
    expect(modules).toContain('dist/command-line/main.js');
    expect(files.join()).not.toContain('test');
  });

  it('needs no other, and says its version', () => {
    const {
      dependencies,
      peerDependencies,
      version: packed,
    } = JSON.parse(readFileSync(join(project, 'node_modules/@onward/client/package.json'), 'utf8'));
    expect([dependencies, peerDependencies, packed]).toEqual([undefined, undefined, version]);
  });

  it.each(['for-node', 'for-browsers'])('has types that compile without a cast: %s', async (settings) => {
    const { stdout } = await run(
      'node',
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', `${settings}.json`],
      {
        cwd: project,
      },
    ).catch((error) => error);
    expect(stdout).toBe('');
  });

  it('is small', async () => {
    const size = gzipSync(await bundle()).length;
    expect(size).toBeLessThan(15 * 1024);
  });
});

/** As text, because the test's own compiler would change a function. */
const inPage = `async ({ site, accessToken, referral }) => {
  const { Onward, isProblem } = await import('/client.js');
  const onward = new Onward({ site, auth: { accessToken } });
  const made = await onward.referrals.create(referral);
  const corrected = await onward.referrals.correct(made, { urgency: 'urgent' });
  const stale = await onward.referrals.withdrawAsError(made).catch((error) => error);
  try {
    new Onward({ site, auth: { refreshToken: 'onr_1' } });
  } catch (error) {
    return [corrected.urgency, corrected.version, isProblem(stale, 'version-stale'), error.message];
  }
}`;

/** Everything that the package exports, as a page would load it. */
async function bundle(): Promise<string> {
  const input = join(project, 'node_modules/@onward/client/dist/index.js');
  const built = await rolldown({ input, platform: 'browser' });
  const { output } = await built.generate({ minify: true });
  expect(output).toHaveLength(1);
  return output[0].code;
}

/** Node as this run has it, and the one that the machine has beside it. */
function nodes(): string[] {
  const own = process.execPath;
  const others = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path) && path !== own);
  return [own, ...others.slice(0, 1)];
}

describe('the packed client', () => {
  it.each(nodes())('runs on %s', async (node) => {
    const { stdout: nodeVersion } = await run(node, ['--version']);
    if (Number(/\d+/.exec(nodeVersion)![0]) < 20) return;
    const env = { SITE: fixture.line.url, REFRESH_TOKEN: fixture.refreshTokens.referrer };
    const { stdout } = await run(node, ['use.js'], { cwd: project, env });
    expect(stdout).toBe(`${fixture.accounts.referrer.email} Tuesday walking group\n`);
  });

  it('runs in a page, with the token of a user', async () => {
    const script = await bundle();
    const page = createServer((request, response) => {
      const isScript = request.url === '/client.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(
        isScript ? script : '<!doctype html><title>A client</title><link rel="icon" href="data:,">',
      );
    });
    await once(page.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(page.address() as AddressInfo).port}/`;
    await registerReturnAddress(fixture.site.deps, siteActor, 'http://127.0.0.1/');
    const browser = await openBrowser();
    try {
      const window = await browser.newPage();
      await window.goto(address);
      const given = {
        site: fixture.siteUrl,
        accessToken: fixture.accounts.referrer.token,
        referral: fixture.newReferral(),
      };
      const result = await window.evaluate(`(${inPage})(${JSON.stringify(given)})`);
      expect(result).toEqual([
        'urgent',
        2,
        true,
        'A refresh token belongs on a server. Give `accessToken` here.',
      ]);
    } finally {
      await browser.close();
      page.close();
    }
  });
});
