import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countJobs, takeJobs } from '../../../test/app/jobs.ts';
import { countRows } from '../../../test/database/stored.ts';
import { headersOf, makeMailFixture, withMailServer } from '../../../test/people/mail-fixture.ts';
import { describeFailure, listConnectionFailures, recordConnectionFailure } from '../connections/index.ts';
import { inTransaction } from '../database/index.ts';
import {
  deleteOldMails,
  isMailStuck,
  noteWhetherMailServerIsSet,
  queueMails,
  restoreMailJobs,
  sendMail,
} from './index.ts';
import { pauseSecondsAfter } from './send-mail.ts';

let site: Awaited<ReturnType<typeof makeMailFixture>>;
beforeAll(async () => {
  site = await makeMailFixture();
});
afterAll(() => site.close());

describe('a queued mail', () => {
  it('goes to its receiver once, and its content is deleted', () =>
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

  it('gets a new job if its own is lost', async () => {
    const [lost, waiting] = [await site.queue(), await site.queue()];
    const jobsOf = (id: string) => countJobs(site.deps.pool, { about: id });
    await takeJobs(site.deps.pool, { about: lost });
    site.clock.moveOn(2 * 60_000);
    await restoreMailJobs(site.deps);
    await restoreMailJobs(site.deps);
    expect([await jobsOf(lost), await jobsOf(waiting)]).toEqual([1, 1]);
    expect(site.logLines.join()).toContain(lost);
  });

  it('is not sent if its transaction is rolled back', async () => {
    const before = await countRows(site.deps.db, 'mails');
    const changes = inTransaction(site.deps.db, async (trx) => {
      await queueMails(trx, site.deps, 'site', [{ to: 'asha@example.org', subject: 'Never', text: '' }]);
      throw new Error('changed my mind');
    });
    await expect(changes).rejects.toThrow('changed my mind');
    expect(await countRows(site.deps.db, 'mails')).toBe(before);
  });

  it('counts an attempt that was killed', async () => {
    const deps = site.atPort({ port: 1 });
    const id = await site.queue();
    await site.setAttempts(id, 38);
    await sendMail(deps, { mail_id: id });
    expect((await site.rowOf(id)).status).toBe('failed');
  });

  it('is given up if it is under another site key', async () => {
    const deps = site.atPort({ port: 1 });
    const id = await site.queue();
    await site.damage(id);
    await sendMail(deps, { mail_id: id });
    expect((await site.rowOf(id)).reason).toContain('another site key');
  });

  it('is deleted thirty days after its end, and not before', async () => {
    const deps = site.atPort({ port: 1 });
    const waiting = await site.queue();
    const id = await site.queue({ to: 'nobody' });
    await sendMail(deps, { mail_id: id });
    const days = (count: number) => new Date(deps.clock.now().getTime() + count * 24 * 60 * 60_000);
    await deleteOldMails(deps.db, days(30));
    expect(await site.rowOf(id)).toBeDefined();
    await deleteOldMails(deps.db, days(31));
    expect(await site.rowOf(id)).toBeUndefined();
    expect(await site.rowOf(waiting)).toBeDefined();
  });
});

describe('a live site that starts without ONWARD_SMTP_URL', () => {
  const failures = async () =>
    (await listConnectionFailures(site.deps.db, site.clock.now())).map(describeFailure);

  it('keeps its mails, says so, and sends them once it has one', async () => {
    const without = site.at(undefined);
    await noteWhetherMailServerIsSet(without);
    expect(await failures()).toMatchObject([{ heading: 'This site has no mail server' }]);
    expect(await isMailStuck(without)).toBe(true);
    const ids = [await site.queue(), await site.queue()];
    for (const id of ids) await sendMail(without, { mail_id: id });
    for (const id of ids) {
      expect(await site.rowOf(id)).toMatchObject({ status: 'queued', attempts: 0 });
      expect(await site.nextAttempt(id)).toBeLessThan(301);
    }
    expect(await failures()).toMatchObject([{ heading: 'This site has no mail server' }]);
    await withMailServer({}, async (server) => {
      const deps = site.atPort(server);
      await noteWhetherMailServerIsSet(deps);
      expect([await failures(), await isMailStuck(deps)]).toEqual([[], false]);
      for (const id of ids) await sendMail(deps, { mail_id: id });
      expect(server.received).toHaveLength(2);
    });
  });

  it('gives each up after five days, and says why', async () => {
    const without = site.at(undefined);
    const id = await site.queue();
    site.clock.moveOn((5 * 24 - 1) * 3_600_000);
    await sendMail(without, { mail_id: id });
    expect((await site.rowOf(id)).status).toBe('queued');
    site.clock.moveOn(2 * 3_600_000);
    await sendMail(without, { mail_id: id });
    expect(await site.rowOf(id)).toMatchObject({
      status: 'failed',
      sealed: null,
      reason: 'This site has no mail server: ONWARD_SMTP_URL is not set.',
    });
    expect(site.logLines.join()).toContain(id);
    await site.forgetConnectionFailures();
  });

  it('does not forget that a server refused it', async () => {
    await inTransaction(site.deps.db, (trx) =>
      recordConnectionFailure(
        trx,
        { connection: 'mail-server', kind: 'refuses', reason: 'A wrong password.' },
        site.clock.now(),
      ),
    );
    await noteWhetherMailServerIsSet(site.atPort({ port: 1 }));
    expect(await failures()).toMatchObject([{ reason: 'A wrong password.' }]);
    await site.forgetConnectionFailures();
  });
});

describe('a mail server', () => {
  it('is tried again if it asks for that', () => {
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

  it('rejects an unknown recipient permanently', () => {
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

  it('gets the same Message-ID after a broken connection', async () => {
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

  it('is tried for about five days while it is unreachable', async () => {
    const deps = site.atPort({ port: 1 });
    const id = await site.queue();
    let seconds = 0;
    let attempts = 0;
    while ((await site.rowOf(id)).status === 'queued') {
      await sendMail(deps, { mail_id: id });
      attempts += 1;
      if ((await site.rowOf(id)).status === 'queued') seconds += pauseSecondsAfter(attempts);
    }
    expect(attempts).toBe(38);
    expect(seconds / 3600).toBeGreaterThan(5 * 24 - 6);
    expect(seconds / 3600).toBeLessThan(5 * 24 + 6);
    expect(await site.rowOf(id)).toMatchObject({ status: 'failed', sealed: null });
    expect((await site.rowOf(id)).reason).toMatch(/could not be made, or broke. It was tried 38 times\./);
  });
});
