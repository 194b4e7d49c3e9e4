import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { until } from '../../../test/app/until.ts';
import { webhookFixture } from '../../../test/webhooks/fixture.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const { site, call, referrer, aWebhook, happens, work, stand, attempts } = await webhookFixture();
const folder = await mkdtemp(join(tmpdir(), 'onward-sample-receiver-'));
let receiver: ChildProcess | undefined;
afterAll(async () => {
  receiver?.kill();
  await rm(folder, { recursive: true });
});

/** The receiver that the guide prints, as its reader would save it. */
async function saveSample(): Promise<void> {
  const guide = await readFile(join(root, 'docs', 'connecting-a-system.md'), 'utf8');
  const samples = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text!);
  const [sample, ...others] = samples.filter((text) => text.includes('standardwebhooks'));
  expect([sample !== undefined, others]).toEqual([true, []]);
  await writeFile(join(folder, 'receiver.mjs'), sample!);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('the receiver that the guide prints', () => {
  it('loses no event: it refuses forgeries alone, and asks again for what it could not store', async () => {
    await saveSample();
    // It compares the signature's time with its own clock.
    site.clock.moveOn(Date.now() - site.clock.now().getTime());
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/told`;
    const webhook = await aWebhook({ url });
    receiver = spawn(process.execPath, ['receiver.mjs'], {
      cwd: folder,
      env: { SECRET: webhook.secret, PORT: String(port), PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    receiver.stdout!.on('data', (text) => {
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
    await happens('one');
    await work(webhook);
    expect((await attempts(webhook))[0], 'a full disk').toEqual(['will-retry', 500]);
    await rm(file);

    await call(referrer, 'POST', '/api/simulator/move-on', { by: 'next' });
    await work(webhook);
    expect((await attempts(webhook))[0]).toEqual(['delivered', 204]);
    expect((await stand(webhook)).failing_since).toBeNull();

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
    await work(webhook);
    expect((await attempts(webhook))[0]).toEqual(['delivered', 204]);
    expect((await stored()).map(({ resource }) => resource.id)).toEqual(['one']);
    await until(async () => printed.includes('service.changed'));
    expect(printed.match(/service\.changed/g)).toHaveLength(1);
  });
});
