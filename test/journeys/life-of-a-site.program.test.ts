import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { storedPasswordHashes } from '../accounts/stored.ts';
import { inDatabaseOf } from '../database/site-database.ts';
import { apiClient, sampleKeys } from '../people/api-client.ts';
import { liveEnv } from '../process/live-env.ts';
import { readySite } from '../process/ready-site.ts';
import { runProgram } from '../process/run-program.ts';
import { environment, freePort, type SiteProcess, startSiteProcess } from '../process/site-process.ts';

/** What does not depend on where PostgreSQL is, is tried with the site’s own alone. */
const ownDatabase = process.env.TEST_DATABASE_URL === undefined;
let site: SiteProcess | undefined;
afterEach(async () => {
  await site?.remove();
  site = undefined;
});

/** A start that is expected to be refused. */
const refusedStart = (env: Record<string, string>) =>
  runProgram(['src/main.ts'], { ...environment(), ...env });

describe('the life of a site', () => {
  it('keeps everything when stopped, killed and started again', async () => {
    site = await startSiteProcess();
    // The first line says that the site is ready. The accounts come last, in one piece, with what to do if they get lost.
    expect(site.output().stdout).toMatch(
      /^Onward is ready on \S+\n\n─+\nSample accounts[^─]*operator@[^─]*account reset-password[^─]*─+\n$/,
    );
    expect(site.output().stdout).toContain(
      `| ONWARD_DATA_DIR=${site.dataDir} ONWARD_PORT=${new URL(site.baseUrl).port} npm run -s onward -- account`,
    );
    const { access } = await sampleKeys(site, 'referrer');

    // Tests of the code itself make do with less of it.
    const hashes = await inDatabaseOf(site, ({ db }) => storedPasswordHashes(db));
    expect(hashes).not.toEqual([]);
    for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);

    expect(await site.stop()).toBe(0);
    site = await site.restart();
    expect((await apiClient(site.baseUrl, access).get('/api/token/status')).status).toBe(200);
    expect(site.output().stdout).not.toContain('Sample accounts');

    await site.kill();
    site = await site.restart();
    expect((await apiClient(site.baseUrl, access).get('/api/token/status')).status).toBe(200);
  });

  it.runIf(ownDatabase)('says what is wrong with settings, port or folder, and stops', async () => {
    const misspelt = await refusedStart({ ONWARD_PROT: '8080' });
    expect(misspelt).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean ONWARD_PORT?') });

    site = await readySite();
    const port = new URL(site.baseUrl).port;
    const fresh = {
      ...environmentOf(site),
      ONWARD_DATA_DIR: join(site.dataDir, 'another'),
      ONWARD_PORT: port,
    };
    const taken = await refusedStart(fresh);
    expect(taken).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ONWARD_PORT: 127\.0\.0\.1:\d+ is taken/),
    });
    expect((await fetch(`${site.baseUrl}/readyz`)).status).toBe(200);
  });

  it.runIf(ownDatabase)('does not start live without its settings, and leaves nothing', async () => {
    const refused = [
      ['ONWARD_BASE_URL', 'http://localhost:8080', 'must start with https://'],
      ['ONWARD_SITE_NAME', '', 'must be set on a live site'],
      ['ONWARD_DATA_CONTROLLER', '', 'must be set on a live site'],
      ['ONWARD_CLINICAL_SAFETY_CONTACT', '', 'must be set on a live site'],
      ['ONWARD_CALDICOTT_GUARDIAN', '', 'must be set on a live site'],
      ['ONWARD_DATA_PROTECTION_OFFICER', '', 'must be set on a live site'],
      ['ONWARD_SAFEGUARDING_CONTACT', '', 'must be set on a live site'],
      ['ONWARD_SAMPLE', 'true', 'cannot be true on a live site'],
      ['ONWARD_SMTP_URL', 'smtps://mail.example.org', 'ONWARD_MAIL_FROM must be set too'],
    ] as const;
    const dataDir = join(tmpdir(), `onward-refused-${process.pid}`);
    const starts = refused.map(async ([variable, value, why]) => {
      const start = await refusedStart({ ...liveEnv, ONWARD_DATA_DIR: dataDir, [variable]: value });
      const words = why.startsWith('ONWARD_') ? why : `${variable} ${why}`;
      expect(start).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
    });
    await Promise.all(starts);
    expect(existsSync(dataDir)).toBe(false);
  });

  it.runIf(ownDatabase)('refuses a second site on the same data directory', async () => {
    site = await readySite();
    const second = await refusedStart({ ...environmentOf(site), ONWARD_PORT: String(await freePort()) });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(site.dataDir);
    expect(second.stderr).toContain('ONWARD_DATA_DIR');
    expect((await fetch(`${site.baseUrl}/readyz`)).status).toBe(200);
  });

  it.runIf(ownDatabase)('names a data directory that cannot be used', async () => {
    const file = join(tmpdir(), `onward-file-${process.pid}`);
    await writeFile(file, 'in the way');
    const refused = await refusedStart({ ONWARD_DATA_DIR: file, ONWARD_PORT: '0' });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('ONWARD_DATA_DIR');
    await rm(file);
  });

  it('answers every request that was sent before it had to stop', async () => {
    site = await readySite();
    const { baseUrl, process: running } = site;
    // These take their time, for the password is checked slowly on purpose.
    const slow = Array.from({ length: 3 }, (_, index) => signIn(baseUrl, `nobody-${index}@example.org`));
    await Promise.all(slow.map(({ written }) => written));
    // As if the site were too busy to read any of these before it is told to stop.
    running.kill('SIGSTOP');
    const unseen = Array.from({ length: 40 }, () => send(`${baseUrl}/signin`));
    const answered = Promise.allSettled([...slow, ...unseen].map(({ status }) => status));
    await Promise.all(unseen.map(({ written }) => written));
    const stopped = site.stop();
    running.kill('SIGCONT');
    expect(await stopped).toBe(0);
    expect(existsSync(join(site.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    const statuses = [...slow.map(() => 422), ...unseen.map(() => 200)];
    expect(await answered).toEqual(statuses.map((value) => ({ status: 'fulfilled', value })));
  });

  it.runIf(ownDatabase)('ends with npm start when that is told to end', async () => {
    site = await readySite({}, () => ['npm', ['start']]);
    await fetch(`${site.baseUrl}/healthz`);
    await site.stop();
    await expect(fetch(`${site.baseUrl}/healthz`)).rejects.toThrow('fetch failed');
    expect(existsSync(join(site.dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });
});

function signIn(baseUrl: string, email: string) {
  const headers = { origin: baseUrl, 'content-type': 'application/x-www-form-urlencoded' };
  return send(`${baseUrl}/signin`, { method: 'POST', headers }, `email=${email}&password=not+a+password`);
}

/** A request on a connection of its own: when it has been written, and how it is answered. */
function send(url: string, options: RequestOptions = {}, body = '') {
  const sent = request(url, { ...options, agent: false });
  const status = once(sent, 'response').then(([answer]) => answer.resume().statusCode);
  const written = new Promise<void>((done) => sent.end(body, done));
  return { written, status };
}

function environmentOf({ env }: SiteProcess): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('ONWARD_'))) as Record<
    string,
    string
  >;
}
