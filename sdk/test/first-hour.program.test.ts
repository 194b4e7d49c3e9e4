import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../test/app/until.ts';
import { sampleKeys } from '../../test/people/api-client.ts';
import { readySite } from '../../test/process/ready-site.ts';
import { freePort, type SiteProcess } from '../../test/process/site-process.ts';
import { signWebhook, verifyWebhook, version } from '../src/index.ts';
import { vendorProject } from './packed.ts';

// A vendor's first hour, by the README: a real test site, the package as it is published, and nothing else.

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'sdk', 'README.md'), 'utf8');
const samples = [...readme.matchAll(/```(?:js\n|ts\n(?=import ))(.*?)```/gs)].map(([, text]) => text!);
const run = promisify(execFile);

let site: SiteProcess;
let keys: { access: string; refresh: string };
let project: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  [site, project] = await Promise.all([readySite(), vendorProject({ 'refer.mjs': samples[0]! })]);
  keys = await sampleKeys(site, 'referrer');
  env = { PATH: process.env.PATH, HOME: process.env.HOME, SITE: site.baseUrl, REFRESH_TOKEN: keys.refresh };
});
afterAll(async () => {
  await site.remove();
  await rm(project, { recursive: true });
});

type Result = { code: number; stdout: string; stderr: string };
const runWith = (program: string, words: string[], more: NodeJS.ProcessEnv = {}): Promise<Result> =>
  run(program, words, { cwd: project, env: { ...env, ...more } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
const npx = (words: string[]) => runWith('npx', ['@onward/client', ...words]);
/** The program that npx finds, without the time that npx takes to find it. */
const client = (words: string[], more?: NodeJS.ProcessEnv) => runWith(clientPath(), words, more);
const clientPath = () => join(project, 'node_modules', '.bin', 'onward-client');

describe('the samples of the README', () => {
  it('make a first referral, and follow it', async () => {
    const { stdout } = await run('node', ['refer.mjs'], { cwd: project, env });
    expect(stdout).toMatch(/^The best match is .+\.\n(\S+) is requested\.\n\1 was accepted\.\n$/);
    const again = await run('node', ['refer.mjs'], { cwd: project, env });
    expect(again.stdout).toContain('She was referred there already: ');
  });

  it('compile as TypeScript, by the settings that the README says', async () => {
    const folder = join(project, 'typescript');
    await mkdir(folder);
    // What `npm install --save-dev @types/node` brings.
    await symlink(join(root, 'node_modules/@types'), join(project, 'node_modules/@types'), 'dir');
    const given = `
      import type { Event, Onward as Client, Referral } from '@onward/client';
      declare global {
        const onward: Client; const id: string; const site: string; const request: Request; const secret: string;
        const storeSecret: (secret: string) => Promise<void>;
        const db: { insertOnce(table: string, id: string, row: object): Promise<number> };
        const loadPosition: () => Promise<string | null>; const storePosition: (id: string) => Promise<number>;
        const work: (event: Event) => Promise<void>; const takeOver: (referral: Referral) => Promise<void>;
      }`;
    await writeFile(join(folder, 'given.d.ts'), given);
    for (const [index, text] of samples.entries())
      await writeFile(join(folder, `sample-${index}.ts`), `${text}\nexport {};\n`);
    // What npx finds today; package.program.test.ts compiles with the version before.
    const compile = (words: readonly string[]) =>
      run('node', [join(root, 'node_modules/typescript-7/bin/tsc'), ...words], { cwd: folder }).then(
        () => '',
        ({ stdout }) => stdout,
      );
    const [, settings] = /npx tsc (--init .*)/.exec(readme)!;
    expect(await compile(settings!.split(' '))).toBe('');
    expect(await compile(['--noEmit'])).toBe('');
    // What the settings of some versions leave out.
    const strictest = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
    expect(await compile(['--noEmit', ...strictest])).toBe('');
    expect(samples.length).toBeGreaterThan(10);
  });
});

describe('the webhook of the README', () => {
  it('takes what the site signed, and nothing else', async () => {
    await writeFile(join(project, 'told.mjs'), samples.find((text) => text.includes('createServer'))!);
    const port = String(await freePort());
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const unset = await runWith('node', ['told.mjs'], { PORT: port });
    expect(unset.stderr).toContain('Error: Set WEBHOOK_SECRET.');
    const told = spawn('node', ['told.mjs'], {
      cwd: project,
      env: { ...env, PORT: port, WEBHOOK_SECRET: secret },
    });
    let shown = '';
    for (const stream of [told.stdout, told.stderr]) stream.on('data', (text) => (shown += text));
    const body = JSON.stringify({
      id: '1',
      type: 'referral.accepted',
      resource: { referral_id: '7' },
    });
    const send = async (signedBody: string) => {
      const headers = await signWebhook(signedBody, { id: '1', secret });
      return (await fetch(`http://localhost:${port}/told`, { method: 'POST', body, headers })).status;
    };
    await until(() => send(body).then(Boolean, () => false));
    expect([await send(body), await send(`${body} `)]).toEqual([204, 400]);
    expect(shown).toContain('referral.accepted 7\n');
    await until(() => shown.includes('BadSignature: No signature is right.'));
    told.kill();
    await once(told, 'exit');
  });
});

describe('the command line', () => {
  it('says whose keys these are, and what is wrong with them', async () => {
    const good = await npx(['keys', 'check']);
    expect(good.stdout).toMatch(/^Site .*, a test site, http:.*\nAccount .*\(referrer@example\.org\), .*\n/);
    expect(good.stdout).toMatch(/Access token +works until \d{4}-.*, and can be renewed\n$/);
    const given = await client(['keys', 'check'], { REFRESH_TOKEN: '', ACCESS_TOKEN: keys.access });
    expect(given.stdout).toMatch(/works until [^,]+\n$/);
    const wrong = await client(['keys', 'check'], { REFRESH_TOKEN: `${keys.refresh}x` });
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringMatching(/^refreshToken: 401 invalid-refresh-token: /),
    ]);
    const none = await client(['keys', 'check'], { REFRESH_TOKEN: '' });
    expect([none.code, none.stderr]).toEqual([
      2,
      'Set REFRESH_TOKEN or ACCESS_TOKEN: both are shown at /apikeys of the site.\n',
    ]);
    const nowhere = await client(['keys', 'check'], { SITE: '' });
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringMatching(/^Set SITE /)]);
    for (const SITE of ['localhost', 'http://onward.example.org', `${site.baseUrl}/api`]) {
      const bad = await client(['keys', 'check'], { SITE });
      expect([bad.code, bad.stderr]).toEqual([2, expect.stringMatching(/^SITE (is|must) [^\n]+\n$/)]);
    }
    const torn = await client(['keys', 'check'], { REFRESH_TOKEN: 'onr_… ' });
    expect([torn.code, torn.stderr]).toEqual([2, 'REFRESH_TOKEN is missing or not whole.\n']);
  });

  it('says its version', async () => {
    const result = await client(['--version'], { SITE: '', REFRESH_TOKEN: '' });
    expect(result).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('ends quietly when nobody reads on', async () => {
    const calling = spawn(clientPath(), ['call', 'exportServices'], { cwd: project, env });
    let complaints = '';
    calling.stderr.on('data', (text) => (complaints += text));
    calling.stdout.destroy();
    expect([await once(calling, 'close'), complaints]).toEqual([[0, null], '200\n']);
  });

  it('calls any operation', async () => {
    const listed = await client([
      'call',
      'listReferrals',
      'direction=made',
      'status=draft',
      'status=requested',
      'limit=5',
    ]);
    expect(JSON.parse(listed.stdout)).toHaveProperty('items');
    const sample = `@${join(root, 'sample', 'first-referral.json')}`;
    const made = await client(['call', 'createReferral', '--body', sample, '--idempotency-key', 'paper-12']);
    const referral = JSON.parse(made.stdout);
    expect([referral.status, made.stderr]).toEqual([
      'requested',
      expect.stringMatching(/^201, ETag "1-[\w-]+"\n$/),
    ]);
    const again = await client(['call', 'createReferral', '--body', sample, '--idempotency-key', 'paper-12']);
    expect(JSON.parse(again.stdout).id).toBe(referral.id);
    const change = ['call', 'cancelReferral', `id=${referral.id}`, '--if-match'];
    const body = ['--body', '{"status_reason": {"code": "other", "text": "Only a try."}}'];
    const wrong = await client([...change, '"1"', '--body', '{"status_reason": {"code": "other"}}']);
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringMatching(/^cancelReferral: 4\d\d [^\n]+ \(\/status_reason\/text: [^\n]+\)\n$/),
    ]);
    const noVersion = await client(['call', 'cancelReferral', `id=${referral.id}`, ...body]);
    expect(noVersion.stderr).toMatch(/^cancelReferral: 428 .* Here: --if-match '"1"'/);
    const twice = await client(['call', 'createReferral', '--body', sample]);
    expect(twice.stderr).toContain(` It is ${referral.reference}: call getReferral id=${referral.id}\n`);
    expect((await client([...change, '"7"', ...body])).stderr).toMatch(/^cancelReferral: 412 version-stale/);
    expect(JSON.parse((await client([...change, '"1"', ...body])).stdout).status).toBe('cancelled');
    await writeFile(join(project, 'letter.pdf'), '%PDF-1.4\n%%EOF\n');
    await writeFile(join(project, 'letter.txt'), 'Dear all');
    const attach = (file: string) => client(['call', 'attachFile', `id=${referral.id}`, '--file', file]);
    expect(JSON.parse((await attach('letter.pdf')).stdout)).toMatchObject({ name: 'letter.pdf' });
    expect((await attach('letter.txt')).stderr).toMatch(/^attachFile: 4\d\d .*PDF, PNG or JPEG/);
    const letter = await client(['call', 'getReferralLetter', `id=${referral.id}`]);
    expect(letter.stdout.slice(0, 5)).toBe('%PDF-');
    const lines = await client(['call', 'exportServices', 'search=befriending']);
    expect(
      lines.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
    ).toContain('Good Company befriending');
  });

  it.each([
    [['call', 'correctReferral'], 2, 'id=… is missing.\n'],
    [
      ['call', 'getNothing'],
      1,
      'There is no operation getNothing. Their names are in the reference, at /api/docs',
    ],
    [['call', 'listReferals'], 2, 'There is no operation listReferals. Names like it: listReferrals'],
    [['call', 'attachFile', 'id=1', '--file', 'nofile.pdf'], 2, 'There is no file nofile.pdf.\n'],
    [['call', 'listReferrals', 'made'], 2, 'Give values as NAME=VALUE, such as: limit=5'],
    [['call', 'createReferral', '--body', '{'], 2, '--body is not JSON.'],
    [['call', 'createReferral', '--body', '@nofile.json'], 2, 'There is no file nofile.json.\n'],
    [['call', 'createReferral', '--body', '@.'], 2, 'The file . cannot be read (EISDIR).\n'],
    [['call', '--if-macht', 'x'], 1, "Unknown option '--if-macht'"],
    [['listen'], 2, 'Say where to: listen --forward http://localhost:3000/told'],
    [['listen', '--forward', 'localhost'], 2, '--forward must begin with http:// or https://'],
    [['listen', '--forward', 'localhost:3000'], 2, '--forward must begin with http:// or https://'],
    [
      ['listen', '--forward', 'http://localhost:1', '--secret', 'whsec_'],
      2,
      'The secret of the webhook is not',
    ],
    [['trigger'], 2, 'Name a story, such as: trigger Completed'],
    [['keys'], 2, 'There is no command keys.\nUsage: npx @onward/client COMMAND'],
    [['refer'], 2, 'There is no command refer.\nUsage: npx @onward/client COMMAND'],
  ])('says what is wrong with %j', async (words, code, message) => {
    const result = await client(words);
    expect([result.code, result.stderr.slice(0, message.length), result.stdout]).toEqual([code, message, '']);
  });

  it('plays a story until a webhook has all of its events', async () => {
    const told: { type: string; resource: { id: string } }[] = [];
    let calls = 0;
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const webhook = createServer(async (request, response) => {
      calls += 1;
      if (calls === 1) return void response.writeHead(500).end();
      const body = Buffer.concat(await request.toArray());
      told.push(await verifyWebhook(body, request.headers, secret));
      response.writeHead(204).end();
    });
    await once(webhook.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/told`;
    const words = ['listen', '--forward', url, '--types', 'referral.requested,referral.completed'];
    const given = ['--secret', secret];
    const listening = spawn(clientPath(), [...words, ...given], { cwd: project, env });
    let shown = '';
    for (const stream of [listening.stdout, listening.stderr]) stream.on('data', (text) => (shown += text));
    await until(() => shown.includes('signed with'));
    expect(shown).toContain(` go to ${url}, signed with the secret that you gave.\n`);

    const played = await client(['trigger', 'Completed']);
    const [, id] = /^\S+ {2}([0-9a-f-]{36})\n/.exec(played.stdout)!;
    expect(played.stdout).toMatch(/\nThe referral is completed\.\n$/);
    expect(played.stdout.split('\n').length).toBeGreaterThan(4);
    const types = () => told.filter(({ resource }) => resource.id === id).map(({ type }) => type);
    await until(() => types().includes('referral.completed'));
    expect(types()).toEqual(['referral.requested', 'referral.completed']);
    // A gap does not end it.
    await client(['call', 'addTrouble', '--body', '{"kind": "event-gap", "operation_id": "listEvents"}']);
    await until(() => shown.includes('A gap in the events'));
    const before = told.length;
    await client(['trigger', 'Accepted']);
    await until(() => told.length > before);
    expect(shown).toMatch(/referral\.requested .* 500\n.*referral\.requested .* 204\n/);
    listening.kill('SIGINT');
    expect(await once(listening, 'exit')).toEqual([0, null]);
    webhook.close();

    const unknown = await client(['trigger', 'Nobody']);
    expect(unknown).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^There is no story Nobody\. There are: Accepted, Completed, [^\n]+\n$/),
    });
    const later = await client(['trigger', 'Slow-Answer']);
    expect(later.stderr).toMatch(/^Next, at .*call moveTimeOn id=[0-9a-f-]{36} --body/m);
    for (const { stdout, stderr } of [played, unknown, later])
      expect(stdout + stderr + shown).not.toMatch(/on[ar]_\w+/);
  });

  it.each([
    [{}, /signed with a new secret\. Start your server with it:\nWEBHOOK_SECRET=whsec_[\w+/]{43}=\n$/],
    [
      { WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      /signed with the secret that you gave\.\n$/,
    ],
  ])('says with which secret it signs: %j', async (more, words) => {
    const forward = ['listen', '--forward', 'http://127.0.0.1:1/told'];
    const listening = spawn(clientPath(), forward, { cwd: project, env: { ...env, ...more } });
    let shown = '';
    listening.stderr.on('data', (text) => (shown += text));
    await until(() => words.test(shown));
    listening.kill('SIGINT');
    expect(await once(listening, 'exit')).toEqual([0, null]);
  });
});
