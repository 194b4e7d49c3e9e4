import { exec } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands/index.ts';
import { apiClient, copyKeys } from '../people/api-client.ts';
import { pageVisitor } from '../people/page-visitor.ts';
import { readySite } from '../process/ready-site.ts';
import { runAtTerminal, runCommand, runProgram } from '../process/run-program.ts';
import type { SiteProcess } from '../process/site-process.ts';

// An operator's afternoon at the command line, beside a running site and without one. Each kind of command runs once as a
// process of its own. Its other tests share one process.

const password = 'correct horse battery staple';
const weirHouse = 'The Weir House Trust';

let site: SiteProcess;
beforeAll(async () => {
  site = await readySite();
});
afterAll(() => site.remove());

const onward = (words: string[], input = '', more: Record<string, string> = {}) =>
  runProgram(['src/cli/main.ts', ...words], { ...site.env, ...more }, input);

const again: typeof onward = (words, input = '', more = {}) =>
  runCommand(words, { ...site.env, ...more }, input);

const create = (email: string, role: string, organisation: string, ...more: string[]) => {
  const who = ['--email', email, '--name', 'New Person', '--role', role, '--organisation', organisation];
  return ['account', 'create', ...who, '--password-stdin', ...more];
};

describe('the command line', () => {
  it('asks twice for a password at a terminal, without showing it', async () => {
    const words = create('typed@example.org', 'provider', weirHouse);
    const type = (...lines: string[]) => runAtTerminal(words, site.env, lines);
    const refused = await type(password, 'another one, mistyped');
    expect(refused).toContain('The two passwords are not the same');
    const made = await type(password, password);
    expect(made).toContain('typed@example.org');
    expect(refused + made).not.toContain(password);
    await pageVisitor(site.baseUrl).signIn({ email: 'typed@example.org', password });
  });

  it('prints its version without opening a site, as npm start does', async () => {
    const env = { ...site.env, ONWARD_DATA_DIR: '/nowhere/at/all' };
    for (const program of ['src/main.ts', 'src/cli/main.ts'])
      expect(await runProgram([program, '--version'], env)).toEqual({
        code: 0,
        stdout: 'Onward 0.1.0\n',
        stderr: '',
      });
  });

  it('prints no error when its reader stops early', async () => {
    const command = `${process.execPath} src/cli/main.ts library export - | head -c 1`;
    const { stdout, stderr } = await promisify(exec)(command, { env: site.env });
    expect([stdout, stderr]).toEqual(['{', '']);
  });

  it('makes an account beside the running site that works at once', async () => {
    const words = create('New.Provider@example.org', 'provider', weirHouse, '--api-access', '--json');
    const made = await onward(words, `${password}\n`);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(made.stdout)).toMatchObject({
      email: 'new.provider@example.org',
      role: 'provider',
      organisation: weirHouse,
    });
    const person = pageVisitor(site.baseUrl);
    await person.signIn({ email: 'new.provider@example.org', password });
    const api = apiClient(site.baseUrl, (await copyKeys(person)).access);
    expect((await api.get('/api/token/status')).body.account.organisation.name).toBe(weirHouse);

    expect(
      await onward(['account', 'api-access', 'off', '--email', 'new.provider@example.org']),
    ).toMatchObject({ code: 0 });
    await expect.poll(async () => (await api.get('/api/token/status')).status).toBe(401);
    expect((await person.visit('/apikeys')).text).toContain('API access is not enabled');

    expect((await onward(['account', 'disable', '--email', 'new.provider@example.org'])).code).toBe(0);
    expect((await person.visit('/referrals')).text).toContain('Sign in');
    const moved = [
      'account',
      'change-email',
      '--email',
      'new.provider@example.org',
      '--to',
      'Moved@example.org',
    ];
    expect(await onward(moved)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('moved@example.org'),
    });
  });

  it('removes a lost second factor', async () => {
    const person = pageVisitor(site.baseUrl);
    await person.signIn(site.logins.referrer);
    const shown = await person.submit(await person.visit('/account'), '/account/authenticator', {});
    const secret = shown.page.querySelector('#authenticator-key')!.text.replaceAll(' ', '');
    const code = new TOTP({ secret }).generate();
    await person.submit(shown, '/account/authenticator/confirm', { code });
    expect((await person.signIn(site.logins.referrer)).url).toBe('/signin/code');
    const words = ['account', 'remove-second-factors', '--email'];
    const reason = ['--reason', 'Lost the telephone'];
    expect(await onward([...words, 'Referrer@example.org', ...reason])).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect((await person.visit('/account')).text).toContain('Sign in');
    expect((await person.signIn(site.logins.referrer)).url).toBe('/');
    expect((await again([...words, 'nobody@example.org'])).code).toBe(1);
  });

  it('gives several roles, and lists an account as invited', async () => {
    const words = [
      'account',
      'invite',
      '--email',
      'both@example.org',
      '--name',
      'B',
      '--organisation',
      weirHouse,
    ];
    const invited = await onward([...words, '--role', 'provider', '--role', 'operator', '--json']);
    expect(invited).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(invited.stdout)).toMatchObject({ role: 'operator,provider' });
    const made = await again(
      create('three@example.org', 'referrer, provider', weirHouse, '--json'),
      password,
    );
    expect(JSON.parse(made.stdout)).toMatchObject({ role: 'referrer,provider' });
    const listed = JSON.parse((await again(['account', 'list', '--json'])).stdout);
    const stateOf = (email: string) => listed.find((each: { email: string }) => each.email === email).state;
    expect(stateOf('both@example.org')).toBe('invited');
    expect(stateOf('three@example.org')).toBe('active');
    expect(stateOf('moved@example.org')).toBe('disabled');
  });

  it('makes no site by mistake, nor a site key for a missing one', async () => {
    const elsewhere = join(site.dataDir, 'elsewhere');
    const refused = await Promise.all([
      again(['account', 'list'], '', { ONWARD_DATA_DIR: elsewhere }),
      again(['account', 'list'], '', { ONWARD_SITE_KEY_FILE: join(elsewhere, 'lost.key') }),
    ]);
    for (const each of refused)
      expect(each).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^There is no site in|^The site key .* is missing/),
      });
    const used = { ONWARD_DATA_DIR: elsewhere };
    const wrongly = await again(
      ['account', 'create', '--email', 'x@example.org', '--password-stdin'],
      password,
      used,
    );
    expect(wrongly).toMatchObject({ code: 2, stderr: expect.stringMatching(/--name is missing\nUsage: /) });
    for (const words of [['library', 'import'], ['restore']])
      expect((await again([...words, '/no/such/file'], '', used)).code, words.join(' ')).toBe(1);
    expect(existsSync(elsewhere)).toBe(false);
    const loaded = await Promise.all(
      commands.map(async ({ name, load }) => ({ name, openAs: Object(await load()).openAs })),
    );
    expect(loaded.filter(({ openAs }) => openAs === 'new-or-existing').map(({ name }) => name)).toEqual([
      'account create',
      'library import',
      'practices import',
      'postcodes import',
      'migrate',
    ]);
  });

  it('ends with status 1 for a refusal, and 2 for wrong usage', async () => {
    const taken = await again(create('referrer@example.org', 'referrer', 'Somewhere'), password);
    expect(taken).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('already') });
    const unknown = await again(create('x@example.org', 'provider', 'No Such Organisation'), password);
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('--organisation') });
    const short = await again(create('x@example.org', 'referrer', 'X'), 'short');
    expect(short).toMatchObject({ code: 1, stderr: expect.stringContaining('15') });
    expect(short.stderr).not.toContain('short\n');
    const nonsense = await again(create('nonsense', 'referrer', 'X'), password);
    expect(nonsense.stderr).toMatch(/^ {2}Enter an email address in the right format/m);
    expect((await again(['account', 'disable', '--email', 'nobody@example.org'])).code).toBe(1);

    expect((await onward([])).code).toBe(2);
    for (const words of [
      ['acount'],
      ['account', 'create'],
      ['account', 'list', '--colour'],
      ['library', 'import'],
      ['account', 'api-access', 'maybe', '--email', 'x'],
    ]) {
      expect((await again(words)).code, words.join(' ')).toBe(2);
    }
    const helped = { code: 0, stderr: '', stdout: expect.stringMatching(/Usage.*--json/s) };
    expect(await again(['--help'])).toMatchObject(helped);
    for (const words of ['account create', 'library import'])
      expect(await again([...words.split(' '), '--help']), words).toMatchObject(helped);
  });

  it('imports a library without its broken line, and only once', async () => {
    const service = (id: string, more: object = {}) => ({
      id,
      name: `Service ${id}`,
      status: 'active',
      ...more,
    });
    const lines = [
      JSON.stringify(service('one')),
      '{"id": "two", "name": ',
      JSON.stringify(service('three', { name: 7 })),
      JSON.stringify(service('four')),
    ];
    const file = join(site.dataDir, 'services.ndjson.gz');
    await writeFile(file, gzipSync(lines.join('\n')));
    const first = await onward(['library', 'import', file, '--json']);
    expect(first.code).toBe(1);
    expect(first.stderr).toMatch(/^line 2: /m);
    expect(first.stderr).toMatch(/^line 3: three: \/name/m);
    expect(JSON.parse(first.stdout)).toMatchObject({
      read: 4,
      created: 2,
      updated: 0,
      unchanged: 0,
      inactive: 0,
      rejected: 2,
    });
    const second = await again(['library', 'import', file, '--json']);
    expect(JSON.parse(second.stdout)).toMatchObject({ read: 4, created: 0, unchanged: 2, rejected: 2 });
    const operator = pageVisitor(site.baseUrl);
    await operator.signIn(site.logins.operator);
    expect((await operator.visit('/operator/library')).text).toMatch(/Import of [\s\S]*by command line/);
    const piped = await onward(
      ['library', 'import', '-', '--source', 'pipe', '--json'],
      JSON.stringify(service('piped')),
    );
    expect(JSON.parse(piped.stdout)).toMatchObject({ read: 1, created: 1, rejected: 0 });
    expect(await again(['library', 'import', '/no/such/file'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no such file'),
    });
  });

  it('works without a running site', async () => {
    await site.stop();
    const listed = await onward(['account', 'list', '--json']);
    expect(listed.code).toBe(0);
    expect(JSON.parse(listed.stdout).map((account: { email: string }) => account.email)).toContain(
      'operator@example.org',
    );
    expect(listed.stdout).not.toContain('argon2');
    expect((await onward(['migrate'])).code).toBe(0);
    site = await site.restart();
  });

  it('restores a site from a backup, with its key or without', async () => {
    const person = pageVisitor(site.baseUrl);
    await person.signIn(site.logins.referrer);
    const { access, refresh } = await copyKeys(person);
    const file = join(site.dataDir, '..', `${basename(site.dataDir)}.backup`);
    expect(await onward(['backup', file])).toMatchObject({ code: 0, stderr: '' });
    expect(await again(['backup', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already'),
    });
    expect((await again(['restore', file])).stderr).toContain('A site already exists here');
    await site.stop();
    await site.loseDatabase();
    const restored = await onward(['restore', file, '--json']);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(restored.stdout).rows).toBeGreaterThan(100);
    // A test site on which nothing waited has nothing to send twice.
    expect(JSON.parse(restored.stdout)).toMatchObject({ check_first: false });
    site = await site.restart();
    // What was ended after the backup must not work again, so everybody signs in again.
    expect((await apiClient(site.baseUrl, access).get('/api/token/status')).status).toBe(401);
    expect((await person.visit('/referrals')).url).toContain('/signin');
    await person.signIn(site.logins.referrer);
    expect((await copyKeys(person)).refresh).toBe(refresh);
    const check = JSON.parse((await onward(['site', 'check', '--json'])).stdout).checks;
    expect(check.find(({ name }: { name: string }) => name === 'audit').ok).toBe(true);

    // The next time the site key is lost as well: everything comes back but what it had sealed.
    await site.stop();
    await site.loseDatabase();
    const key = join(site.dataDir, 'site.key');
    await rm(key);
    expect((await again(['restore', file])).stderr).toContain('site key make');
    expect((await again(['site', 'key', 'make', key])).code).toBe(0);
    expect((await again(['restore', file])).stderr).toContain('--old-key-is-lost');
    expect(await again(['restore', file, '--old-key-is-lost'])).toMatchObject({ code: 0, stderr: '' });
    site = await site.restart();
    expect((await apiClient(site.baseUrl, access).get('/api/token/status')).status).toBe(401);
    const back = pageVisitor(site.baseUrl);
    await back.signIn(site.logins.referrer);
    expect((await back.visit('/referrals')).status).toBe(200);
    await rm(file);
  });
});
