import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { headersOf, makeMailStage, withMailServer } from '../../../test/mail-stage.ts';
import { jobHandlers } from '../../worker.ts';
import { inTransaction } from '../database/index.ts';
import { deleteOldMails, queueMail, sendMail } from './index.ts';
import { pauseAfter } from './send-mail.ts';

let site: Awaited<ReturnType<typeof makeMailStage>>;
beforeAll(async () => {
  site = await makeMailStage();
});
afterAll(() => site.close());

test('a mail goes to its receiver once, and what was in it is forgotten', () =>
  withMailServer({}, async (server) => {
    const deps = site.atPort(server);
    const id = await site.queue();
    await sendMail(deps, { mail_id: id });
    await sendMail(deps, { mail_id: id });
    expect(server.received).toHaveLength(1);
    const [received] = server.received;
    expect(received).toMatchObject({ from: 'referrals@example.org', to: ['asha@example.org'] });
    expect(Object.fromEntries(headersOf(received!.raw))).toMatchObject({
      from: 'Sarrowby referrals <referrals@example.org>',
      to: 'asha@example.org',
      subject: 'You are invited',
      'message-id': `<${id}@referrals.example.org>`,
      'auto-submitted': 'auto-generated',
      'content-type': 'text/plain; charset=utf-8',
    });
    expect(received!.raw).toContain('here is a link.');
    expect(await site.rowOf(id)).toMatchObject({ status: 'sent', sealed: null, reason: null });
  }));

test('a mail whose job was lost gets another, one that has a job does not', async () => {
  const [lost, waiting] = [await site.queue(), await site.queue()];
  const jobsOf = async (id: string) =>
    (
      await sql`select 1 from graphile_worker._private_jobs where payload->>'mail_id' = ${id}`.execute(
        site.deps.db,
      )
    ).rows.length;
  await sql`delete from graphile_worker._private_jobs where payload->>'mail_id' = ${lost}`.execute(
    site.deps.db,
  );
  site.clock.moveOn(2 * 60_000);
  const sweep = jobHandlers(site.deps).sweep as () => Promise<void>;
  await sweep();
  await sweep();
  expect([await jobsOf(lost), await jobsOf(waiting)]).toEqual([1, 1]);
  expect(site.logLines.join()).toContain(lost);
});

test('a mail whose transaction is rolled back is not sent', async () => {
  const { rows: before } = await sql`select count(*) from mails`.execute(site.deps.db);
  const changes = inTransaction(site.deps.db, async (trx) => {
    await queueMail(trx, site.deps, { to: 'asha@example.org', subject: 'Never', text: '' });
    throw new Error('changed my mind');
  });
  await expect(changes).rejects.toThrow('changed my mind');
  expect((await sql`select count(*) from mails`.execute(site.deps.db)).rows).toEqual(before);
});

test('without a mail server a live site gives up at once, and says why', async () => {
  const deps = site.at(undefined);
  const id = await site.queue();
  await sendMail(deps, { mail_id: id });
  expect(await site.rowOf(id)).toMatchObject({
    status: 'failed',
    sealed: null,
    reason: 'This site has no mail server: ONWARD_SMTP_URL is not set.',
  });
  expect(site.logLines.join()).toContain(id);
});

test('a mail server that asks to come back is come back to', () => {
  let refusals = 0;
  const onRcptTo = (_address: unknown, _session: unknown, done: (error?: Error) => void) => {
    refusals += 1;
    done(
      refusals === 1 ? Object.assign(new Error('greylisted, come back'), { responseCode: 451 }) : undefined,
    );
  };
  return withMailServer({ onRcptTo }, async (server) => {
    const deps = site.atPort(server);
    const id = await site.queue();
    await sendMail(deps, { mail_id: id });
    expect(await site.rowOf(id)).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await site.nextAttempt(id)).toBeGreaterThan(55);
    await sendMail(deps, { mail_id: id });
    expect(await site.rowOf(id)).toMatchObject({ status: 'sent', attempts: 2 });
    expect(server.received).toHaveLength(1);
  });
});

test('a receiver that the mail server does not know is final; the reason names nobody', () => {
  const onRcptTo = (_address: unknown, _session: unknown, done: (error?: Error) => void) =>
    done(Object.assign(new Error('no asha@example.org here'), { responseCode: 550 }));
  return withMailServer({ onRcptTo }, async (server) => {
    const deps = site.atPort(server);
    const id = await site.queue();
    await sendMail(deps, { mail_id: id });
    expect(await site.rowOf(id)).toMatchObject({
      status: 'failed',
      sealed: null,
      reason: 'The mail server refused it (550).',
    });
    expect(await site.nextAttempt(id)).toBeUndefined();
    expect(site.logLines.join()).not.toContain('asha');
  });
});

test('a connection that breaks in the middle is tried again, with the same Message-ID', async () => {
  const sockets: Socket[] = [];
  const half = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined).write('220 mail\r\n');
    socket.on('data', (data) => {
      const line = data.toString();
      if (/^EHLO/.test(line)) socket.write('250 mail\r\n');
      else if (/^DATA/.test(line)) socket.write('354 go on\r\n');
      else if (/^(MAIL|RCPT)/.test(line)) socket.write('250 ok\r\n');
      else socket.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(half, 'listening');
  const id = await site.queue();
  await sendMail(site.atPort(half.address() as never), { mail_id: id });
  half.close();
  expect(sockets).toHaveLength(1);
  expect(await site.rowOf(id)).toMatchObject({ status: 'queued', attempts: 1 });
  await withMailServer({}, async (server) => {
    await sendMail(site.atPort(server), { mail_id: id });
    expect(server.received[0]!.raw).toContain(`<${id}@referrals.example.org>`);
  });
});

test('a mail server that is away is tried for about a day; then the mail is given up', async () => {
  const deps = site.atPort({ port: 1 });
  const id = await site.queue();
  let seconds = 0;
  let attempts = 0;
  while ((await site.rowOf(id)).status === 'queued') {
    await sendMail(deps, { mail_id: id });
    attempts += 1;
    if ((await site.rowOf(id)).status === 'queued') seconds += pauseAfter(attempts);
  }
  expect(attempts).toBe(14);
  expect(seconds / 3600).toBeGreaterThan(20);
  expect(seconds / 3600).toBeLessThan(30);
  expect(await site.rowOf(id)).toMatchObject({ status: 'failed', sealed: null });
  expect((await site.rowOf(id)).reason).toMatch(/could not be made, or broke. It was tried 14 times\./);
});

test('an attempt that never came to its end is counted', async () => {
  const deps = site.atPort({ port: 1 });
  const id = await site.queue();
  await sql`update mails set attempts = 14 where id = ${id}`.execute(deps.db);
  await sendMail(deps, { mail_id: id });
  expect((await site.rowOf(id)).status).toBe('failed');
});

test('a mail under another site key is given up', async () => {
  const deps = site.atPort({ port: 1 });
  const id = await site.queue();
  await sql`update mails set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where id = ${id}`.execute(
    deps.db,
  );
  await sendMail(deps, { mail_id: id });
  expect((await site.rowOf(id)).reason).toContain('another site key');
});

test('mails are forgotten thirty days after their end; those that wait are not', async () => {
  const deps = site.at(undefined);
  const waiting = await site.queue();
  const id = await site.queue();
  await sendMail(deps, { mail_id: id });
  const days = (count: number) => new Date(deps.clock.now().getTime() + count * 24 * 60 * 60_000);
  await deleteOldMails(deps.db, days(30));
  expect(await site.rowOf(id)).toBeDefined();
  await deleteOldMails(deps.db, days(31));
  expect(await site.rowOf(id)).toBeUndefined();
  expect(await site.rowOf(waiting)).toBeDefined();
});
