import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../test/app/until.ts';
import { sampleKeys } from '../../test/people/api-client.ts';
import { pythons } from '../../test/process/pythons.ts';
import { readySite } from '../../test/process/ready-site.ts';
import { environment, freePort, type SiteProcess } from '../../test/process/site-process.ts';
import { signWebhook } from '../src/index.ts';

// The Python client on a real test site: its own tests, and what its README says.

const folder = join(import.meta.dirname, '..', 'python');
const run = promisify(execFile);
const programs = [...readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/```python\n(.*?)```/gs)];
const tests = readFileSync(join(folder, 'test_onward.py'), 'utf8').match(/^ {4}def test_\w+/gm)!;

const pyright = fileURLToPath(import.meta.resolve('pyright/index.js'));
const [python = 'python3'] = pythons;
const reason = pythons.length > 0 ? '' : ' (skipped: this machine has no Python 3.9 or newer as python3)';

let site: SiteProcess;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  if (pythons.length === 0) return;
  site = await readySite();
  const { refresh } = await sampleKeys(site, 'referrer');
  env = { ...environment(), SITE: site.baseUrl, REFRESH_TOKEN: refresh, PYTHONDONTWRITEBYTECODE: '1' };
});
afterAll(() => site?.remove());

describe.skipIf(reason !== '')(`the Python client${reason}`, () => {
  it('passes its own tests, with no warning and none skipped', async () => {
    const words = ['-W', 'error', '-m', 'unittest', 'test_onward'];
    const said = await run(python, words, { cwd: folder, env }).then(
      ({ stderr }) => stderr,
      ({ stderr }) => stderr,
    );
    expect(said).toMatch(new RegExp(`^\\.+\\n-+\\nRan ${tests.length} tests in .+\\n\\nOK\\n$`));
  });

  it.each(pythons)('makes a first referral by its README, and follows it: %s', async (each) => {
    const project = await mkdtemp(join(tmpdir(), 'onward-python-'));
    try {
      copyFileSync(join(folder, 'onward.py'), join(project, 'onward.py'));
      await writeFile(join(project, 'refer.py'), programs[0]![1]!);
      const { stdout } = await run(each, ['refer.py'], { cwd: project, env });
      expect(stdout).toMatch(
        /^The best match is .+\.\n((\S+) is requested\.\n\2 was accepted\.|He was referred there already: \S+\.)\n$/,
      );
    } finally {
      await rm(project, { recursive: true });
    }
  });

  it('takes by its README’s webhook only what the site signed', async () => {
    const project = await mkdtemp(join(tmpdir(), 'onward-python-'));
    copyFileSync(join(folder, 'onward.py'), join(project, 'onward.py'));
    const [, server] = programs.find(([text]) => text.includes('serve_forever'))!;
    await writeFile(join(project, 'told.py'), server!);
    const port = String(await freePort());
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const more = { PORT: port, WEBHOOK_SECRET: secret };
    const told = spawn(python, ['told.py'], { cwd: project, env: { ...env, ...more }, stdio: 'ignore' });
    const body = JSON.stringify({ id: '1', type: 'referral.accepted' });
    const send = async (signedBody: string) => {
      const headers = await signWebhook(signedBody, { id: '1', secret });
      return (await fetch(`http://127.0.0.1:${port}/told`, { method: 'POST', body, headers })).status;
    };
    try {
      await until(() => send(`${body} `).then(Boolean, () => false));
      expect([await send(`${body} `), await send(body)]).toEqual([400, 204]);
      const stored = readFileSync(join(project, 'events.jsonl'), 'utf8');
      expect(JSON.parse(stored)).toEqual(JSON.parse(body));
    } finally {
      told.kill();
      await once(told, 'exit');
      await rm(project, { recursive: true });
    }
  });

  it('has samples that can be read as Python', async () => {
    for (const [, text] of programs) {
      const check = 'import ast, sys; ast.parse(sys.stdin.read(), feature_version=(3, 9))';
      const reading = run(python, ['-c', check]);
      reading.child.stdin!.end(text);
      await reading;
    }
    expect(programs.length).toBeGreaterThan(3);
  });

  it('has types that a checker agrees with', async () => {
    const project = await mkdtemp(join(tmpdir(), 'onward-python-'));
    try {
      for (const file of ['onward.py', 'test_onward.py'])
        copyFileSync(join(folder, file), join(project, file));
      await writeFile(join(project, 'refer.py'), programs[0]![1]!);
      const found = await run(process.execPath, [pyright], { cwd: project }).then(
        ({ stdout }) => stdout,
        ({ stdout, stderr }) => stdout + stderr,
      );
      expect(found).toMatch(/^0 errors, 0 warnings/m);
    } finally {
      await rm(project, { recursive: true });
    }
  });

  it('leaves no token in the site’s log', () => {
    const { stdout, stderr } = site.output();
    expect(stdout + stderr).not.toMatch(/on[ar]_[A-Za-z0-9]{6}_/);
  });
});
