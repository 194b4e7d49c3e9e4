import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer, testCertificate } from '../../../test/mail-server.ts';
import { makeApp, type TestApp } from '../../../test/make-app.ts';
import { inTransaction } from '../database/index.ts';
import type { Platform } from '../platform.ts';
import { deleteOldMails, isMailAddress, queueMail, sendMail } from './index.ts';
import { subjectLine } from './mail.ts';
import { pauseAfter } from './send-mail.ts';
import { smtpOptions } from './smtp.ts';

const live = {
  ONWARD_MODE: 'live',
  ONWARD_SITE_NAME: 'Sarrowby referrals',
  ONWARD_BASE_URL: 'https://referrals.example.org',
  ONWARD_DATA_CONTROLLER: 'Sarrowby Council',
  ONWARD_CLINICAL_SAFETY_CONTACT: 'safety@example.org',
  ONWARD_MAIL_FROM: 'Sarrowby referrals <referrals@example.org>',
};
const mail = { to: 'asha@example.org', subject: 'You are invited', text: 'Hello Asha,\n\nhere is a link.\n' };

let site: TestApp;
beforeAll(async () => {
  site = await makeApp({ env: live });
});
afterAll(() => site.close());

/** The site with this mail server in its settings. */
const at = (smtpUrl: string | undefined): Platform => ({
  ...site.deps,
  settings: { ...site.deps.settings, smtpUrl },
});
const plainly = ({ port }: { port: number }) => at(`smtp://127.0.0.1:${port}`);

async function queue(deps: Platform, given: Partial<typeof mail> = {}): Promise<string> {
  const ids = async () =>
    (await sql<{ id: string }>`select id from mails`.execute(deps.db)).rows.map(({ id }) => id);
  const before = await ids();
  await inTransaction(deps.db, (trx) => queueMail(trx, deps, { ...mail, ...given }));
  return (await ids()).find((id) => !before.includes(id))!;
}

async function rowOf(id: string) {
  type Row = { status: string; sealed: Buffer | null; attempts: number; reason: string | null };
  const { rows } = await sql<Row>`select * from mails where id = ${id}`.execute(site.deps.db);
  return rows[0]!;
}

/** Seconds until the next attempt, if one is planned. */
async function nextAttempt(id: string): Promise<number | undefined> {
  const { rows } = await sql<{ pause: number }>`
    select extract(epoch from run_at - now())::float8 as pause from graphile_worker._private_jobs
    where key = ${`mail ${id}`}`.execute(site.deps.db);
  return rows[0]?.pause;
}

/** Runs with a mail server, which is closed whatever happens. */
async function withServer<T>(
  options: Parameters<typeof startMailServer>[0],
  use: (server: MailServer) => Promise<T>,
): Promise<T> {
  const server = await startMailServer(options);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

function headersOf(raw: string): [string, string][] {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  return head
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]);
}

test('a mail goes to its receiver once, and what was in it is forgotten', () =>
  withServer({}, async (server) => {
    const deps = plainly(server);
    const id = await queue(deps);
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
    expect(await rowOf(id)).toMatchObject({ status: 'sent', sealed: null, reason: null });
  }));

test('what is queued is not readable in the database, and not in the job', async () => {
  const id = await queue(at(undefined), { text: 'the secret of a link' });
  const { rows } = await sql<{ text: string }>`
    select string_agg(t::text, ' ') as text from mails t where id = ${id}
    union all select payload::text from graphile_worker._private_jobs where payload::text like ${`%${id}%`}`.execute(
    site.deps.db,
  );
  expect(rows[1]!.text).toBe(`{"mail_id":"${id}"}`);
  for (const { text } of rows)
    for (const plain of ['asha', 'invited', 'secret of a link']) {
      expect(text).not.toContain(plain);
      expect(text).not.toContain(Buffer.from(plain).toString('hex'));
    }
});

test('a mail whose transaction is rolled back is not sent', async () => {
  const { rows: before } = await sql`select count(*) from mails`.execute(site.deps.db);
  const changes = inTransaction(site.deps.db, async (trx) => {
    await queueMail(trx, site.deps, mail);
    throw new Error('changed my mind');
  });
  await expect(changes).rejects.toThrow('changed my mind');
  expect((await sql`select count(*) from mails`.execute(site.deps.db)).rows).toEqual(before);
});

test('a test site never opens a connection, whatever its settings say', () =>
  withServer({}, async (server) => {
    const { settings } = site.deps;
    const smtpUrl = `smtp://127.0.0.1:${server.port}`;
    const deps: Platform = { ...site.deps, settings: { ...settings, mode: 'test', smtpUrl } };
    const id = await queue(deps);
    await sendMail(deps, { mail_id: id });
    expect(await rowOf(id)).toMatchObject({ status: 'captured', attempts: 0 });
    // Nor does the site once it is live.
    await sendMail(plainly(server), { mail_id: id });
    expect(server.connections()).toBe(0);
  }));

test('without a mail server a live site gives up at once, and says why', async () => {
  const deps = at(undefined);
  const id = await queue(deps);
  await sendMail(deps, { mail_id: id });
  expect(await rowOf(id)).toMatchObject({
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
  return withServer({ onRcptTo }, async (server) => {
    const deps = plainly(server);
    const id = await queue(deps);
    await sendMail(deps, { mail_id: id });
    expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await nextAttempt(id)).toBeGreaterThan(55);
    await sendMail(deps, { mail_id: id });
    expect(await rowOf(id)).toMatchObject({ status: 'sent', attempts: 2 });
    expect(server.received).toHaveLength(1);
  });
});

test('a receiver that the mail server does not know is final; the reason names nobody', () => {
  const onRcptTo = (_address: unknown, _session: unknown, done: (error?: Error) => void) =>
    done(Object.assign(new Error('no asha@example.org here'), { responseCode: 550 }));
  return withServer({ onRcptTo }, async (server) => {
    const deps = plainly(server);
    const id = await queue(deps);
    await sendMail(deps, { mail_id: id });
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      sealed: null,
      reason: 'The mail server refused it (550).',
    });
    expect(await nextAttempt(id)).toBeUndefined();
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
  const id = await queue(plainly(half.address() as never));
  await sendMail(plainly(half.address() as never), { mail_id: id });
  half.close();
  expect(sockets).toHaveLength(1);
  expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 1 });
  await withServer({}, async (server) => {
    await sendMail(plainly(server), { mail_id: id });
    expect(server.received[0]!.raw).toContain(`<${id}@referrals.example.org>`);
  });
});

test('a mail server that is away is tried for about a day; then the mail is given up', async () => {
  const deps = plainly({ port: 1 });
  const id = await queue(deps);
  let seconds = 0;
  let attempts = 0;
  while ((await rowOf(id)).status === 'queued') {
    await sendMail(deps, { mail_id: id });
    attempts += 1;
    if ((await rowOf(id)).status === 'queued') seconds += pauseAfter(attempts);
  }
  expect(attempts).toBe(14);
  expect(seconds / 3600).toBeGreaterThan(20);
  expect(seconds / 3600).toBeLessThan(30);
  expect(await rowOf(id)).toMatchObject({ status: 'failed', sealed: null });
  expect((await rowOf(id)).reason).toMatch(/could not be made, or broke. It was tried 14 times\./);
});

test('an attempt that never came to its end is counted', async () => {
  const deps = plainly({ port: 1 });
  const id = await queue(deps);
  await sql`update mails set attempts = 14 where id = ${id}`.execute(deps.db);
  await sendMail(deps, { mail_id: id });
  expect((await rowOf(id)).status).toBe('failed');
});

test('a mail under another site key is given up', async () => {
  const deps = plainly({ port: 1 });
  const id = await queue(deps);
  await sql`update mails set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where id = ${id}`.execute(
    deps.db,
  );
  await sendMail(deps, { mail_id: id });
  expect((await rowOf(id)).reason).toContain('another site key');
});

test('TLS from the start, with a name and a password', async () => {
  const usual = getCACertificates();
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, done) =>
    username === 'onward' && password === 'p@ss/word'
      ? done(null, { user: username })
      : done(new Error('wrong password'));
  await withServer({ secure: true, authOptional: false, onAuth }, async (server) => {
    const deps = at(`smtps://onward:${encodeURIComponent('p@ss/word')}@localhost:${server.port}`);
    const id = await queue(deps);
    await sendMail(deps, { mail_id: id });
    // Nobody has signed this server's certificate: it may be anybody.
    expect(await rowOf(id)).toMatchObject({ status: 'queued' });
    expect(server.received).toEqual([]);
    setDefaultCACertificates([...usual, testCertificate.cert]);
    try {
      const wrong = at(`smtps://onward:wrong@localhost:${server.port}`);
      await sendMail(wrong, { mail_id: id });
      expect(await rowOf(id)).toMatchObject({ status: 'queued' });
      expect(site.logLines.at(-1)).toContain('did not accept the name and password');
      await sendMail(deps, { mail_id: id });
    } finally {
      setDefaultCACertificates(usual);
    }
    expect(server.received).toMatchObject([{ secure: true, user: 'onward' }]);
  });
});

test('beyond this machine nothing is said without TLS, also where the server offers none', () =>
  withServer({ hideSTARTTLS: true }, async (server) => {
    // Another name for this machine, which the site does not take for it.
    const deps = at(`smtp://0.0.0.0:${server.port}`);
    const id = await queue(deps);
    await sendMail(deps, { mail_id: id });
    expect(await rowOf(id)).toMatchObject({ status: 'queued' });
    expect(server.connections()).toBe(1);
    expect(server.received).toEqual([]);
    const to = (smtpUrl: string) => smtpOptions({ ...site.deps.settings, smtpUrl });
    expect(to('smtp://mail.example.org')).toMatchObject({ port: 587, secure: false, requireTLS: true });
    expect(to('smtps://mail.example.org')).toMatchObject({ port: 465, secure: true });
    expect(to('smtp://localhost.example.org')).toMatchObject({ requireTLS: true });
    expect(to('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525, ignoreTLS: true });
  }));

test('whatever stands in the subject, it is one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expect(subjectLine(`a${text}`)).not.toMatch(/[\r\n\u2028\u2029\0]/);
    }),
  );
});

test('whatever is put into a mail, it has one receiver and the headers of every other', () =>
  withServer({}, async (server) => {
    const deps = plainly(server);
    const plain = await queue(deps);
    await sendMail(deps, { mail_id: plain });
    const names = headersOf(server.received[0]!.raw).map(([name]) => name);
    const evil = [
      'x\r\nBcc: eve@example.org',
      'x\n\nnew body',
      'x\r\n.\r\nMAIL FROM:<eve@example.org>',
      '\u2028Bcc: e@x.org',
    ];
    for (const text of evil) {
      const id = await queue(deps, { subject: text, text });
      await sendMail(deps, { mail_id: id });
      const { raw, to } = server.received.at(-1)!;
      expect(raw).toContain(id);
      expect(to).toEqual(['asha@example.org']);
      expect(headersOf(raw).map(([name]) => name)).toEqual(names);
    }
    const sent = server.received.length;
    for (const to of [
      'a@x.org\r\nBcc: eve@example.org',
      'a@x.org, eve@example.org',
      'a@x.org>,<eve@x.org',
      '"a b"@x.org',
      'nobody',
    ]) {
      const id = await queue(deps, { to });
      await sendMail(deps, { mail_id: id });
      expect(await rowOf(id)).toMatchObject({ status: 'failed', sealed: null });
    }
    expect(server.received).toHaveLength(sent);
  }));

test('an address has nothing in it that means something in a header', () => {
  const unit = fc.constantFrom(...'abc.@,;:<>()[]"\\ \r\n\t\0é%=?_');
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit, maxLength: 30 }), fc.emailAddress()), (text) => {
      if (isMailAddress(text)) expect(text).toMatch(/^[^\s,;:<>()[\]"\\@\0]+@[a-z0-9.-]+$/i);
    }),
  );
  for (const good of ['a@x.org', "o'brien+test@sub.example.co.uk", 'A.B@EXAMPLE.ORG'])
    expect(isMailAddress(good)).toBe(true);
});

test('mails are forgotten thirty days after their end; those that wait are not', async () => {
  const deps = at(undefined);
  const waiting = await queue(deps);
  const id = await queue(deps);
  await sendMail(deps, { mail_id: id });
  const days = (count: number) => new Date(deps.clock.now().getTime() + count * 24 * 60 * 60_000);
  await deleteOldMails(deps.db, days(30));
  expect(await rowOf(id)).toBeDefined();
  await deleteOldMails(deps.db, days(31));
  expect(await rowOf(id)).toBeUndefined();
  expect(await rowOf(waiting)).toBeDefined();
});
