import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../../../test/app/until.ts';
import { jackson } from '../../../test/guide/java.ts';
import { hasPython, readSamples } from '../../../test/guide/read-samples.ts';
import { environment, freePort } from '../../../test/process/site-process.ts';
import { webhookFixture } from '../../../test/webhooks/fixture.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const { site, call, referrer, aWebhook, recordEvent, runJob, readWebhook, attempts } = await webhookFixture();

const folders: string[] = [];
const receivers: ChildProcess[] = [];
afterAll(async () => {
  for (const receiver of receivers) receiver.kill();
  for (const folder of folders) await rm(folder, { recursive: true });
});

const languages = [
  {
    language: 'js',
    file: 'receiver.mjs',
    program: process.execPath,
    isReceiver: /standardwebhooks/,
    runs: true,
  },
  {
    language: 'python',
    file: 'receiver.py',
    program: 'python3',
    isReceiver: /http\.server/,
    runs: hasPython,
  },
  {
    language: 'java',
    file: 'Receiver.java',
    program: 'java',
    isReceiver: /HttpServer/,
    // It uses no package, but a machine for Java has Jackson too.
    runs: jackson !== undefined,
  },
];

/** The receiver that the guide prints, as its reader would save it. @returns the folder. */
async function saveSample({ language, file, isReceiver }: (typeof languages)[number]): Promise<string> {
  const samples = await readSamples('events-and-webhooks', language);
  const [sample, ...others] = samples.filter((text) => isReceiver.test(text));
  expect([sample !== undefined, others]).toEqual([true, []]);
  const folder = await mkdtemp(join(tmpdir(), 'onward-sample-receiver-'));
  folders.push(folder);
  await writeFile(join(folder, file), sample!);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

describe.each(languages)('the receiver that the guide prints in $language', (sample) => {
  it.runIf(sample.runs)('refuses forgeries alone, and loses no event', async () => {
    const folder = await saveSample(sample);
    // It compares the signature's time with its own clock.
    site.clock.moveOn(Date.now() - site.clock.now().getTime());
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/told`;
    const webhook = await aWebhook({ url });
    const receiver = spawn(sample.program, [sample.file], {
      cwd: folder,
      env: { ...environment(), SECRET: webhook.secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    receivers.push(receiver);
    let printed = '';
    receiver.stdout.on('data', (text) => {
      printed += text;
    });
    const post = (body: string) => fetch(url, { method: 'POST', body }).then(({ status }) => status);
    await until(() =>
      post('{}').then(
        () => true,
        () => false,
      ),
    );

    expect(await post('{"id":"x","type":"referral.accepted"}'), 'a forgery').toBe(400);

    // It leads to a folder that does not exist, so nobody can write to it.
    const file = join(folder, 'events.jsonl');
    await symlink(join(folder, 'missing', 'folder'), file);
    await recordEvent(`one-${sample.language}`);
    await runJob(webhook);
    expect((await attempts(webhook))[0], 'a full disk').toEqual(['will-retry', 500]);
    await rm(file);

    await call(referrer, 'POST', '/api/simulator/move-on', { by: 'next' });
    await runJob(webhook);
    expect((await attempts(webhook))[0]).toEqual(['delivered', 204]);
    expect((await readWebhook(webhook)).failing_since).toBeNull();

    // Sent once more, it is stored once.
    const stored = () =>
      readFile(file, 'utf8').then((text) =>
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      );
    const [{ id }] = await stored();
    expect((await call(referrer, 'POST', `${webhook.path}/replay`, { event_id: id })).status).toBe(202);
    await runJob(webhook);
    expect((await attempts(webhook))[0]).toEqual(['delivered', 204]);
    expect((await stored()).map(({ resource }) => resource.id)).toEqual([`one-${sample.language}`]);
    await until(async () => printed.includes('service.changed'));
    expect(printed.match(/service\.changed/g)).toHaveLength(1);
  });
});
