import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import fc from 'fast-check';
import type { SMTPServerOptions } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPayloads } from '../../../test/app/jobs.ts';
import { textOfTable } from '../../../test/database/stored.ts';
import { testCertificate } from '../../../test/network/mail-server.ts';
import { headersOf, makeMailFixture, withMailServer } from '../../../test/people/mail-fixture.ts';
import type { Platform } from '../platform.ts';
import { isMailAddress, sendMail } from './index.ts';
import { subjectLine } from './mail.ts';
import { smtpOptions } from './smtp.ts';

// Nobody can read an email on its way, or add anything to it.

let site: Awaited<ReturnType<typeof makeMailFixture>>;
beforeAll(async () => {
  site = await makeMailFixture();
});
afterAll(() => site.close());
beforeEach(() => site.forgetConnectionFailures());

describe('a queued mail', () => {
  it('is readable neither in the database nor in its job', async () => {
    const id = await site.queue({ text: 'the secret of a link' });
    const payloads = await readPayloads(site.deps.pool, { about: id });
    expect(payloads).toEqual([{ mail_id: id, receiver: 'the mail server' }]);
    const stored = await textOfTable(site.deps.db, 'mails');
    for (const plain of ['asha', 'invited', 'secret of a link']) expect(stored).not.toContain(plain);
  });
});

describe('a test site', () => {
  it('never opens a connection, whatever its settings say', () =>
    withMailServer({}, async (server) => {
      const { settings } = site.deps;
      const smtpUrl = `smtp://127.0.0.1:${server.port}`;
      const deps: Platform = { ...site.deps, settings: { ...settings, mode: 'test', smtpUrl } };
      const id = await site.queue();
      await sendMail(deps, { mail_id: id });
      expect(await site.rowOf(id)).toMatchObject({ status: 'captured', attempts: 0 });
      // Nor does the site once it is live.
      await sendMail(site.atPort(server), { mail_id: id });
      expect(server.connections()).toBe(0);
    }));
});

describe('the connection to the mail server', () => {
  it('has TLS from the start, with a name and a password', async () => {
    const usual = getCACertificates();
    const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, _session, done) =>
      username === 'onward' && password === 'p@ss/word'
        ? done(null, { user: username })
        : done(new Error('wrong password'));
    await withMailServer({ secure: true, authOptional: false, onAuth }, async (server) => {
      const deps = site.at(`smtps://onward:${encodeURIComponent('p@ss/word')}@localhost:${server.port}`);
      const id = await site.queue();
      await sendMail(deps, { mail_id: id });
      // Nobody has signed this server's certificate: it may be anybody.
      expect(await site.rowOf(id)).toMatchObject({ status: 'queued' });
      expect(server.received).toEqual([]);
      setDefaultCACertificates([...usual, testCertificate.cert]);
      try {
        const wrong = site.at(`smtps://onward:wrong@localhost:${server.port}`);
        await sendMail(wrong, { mail_id: id });
        expect(await site.rowOf(id)).toMatchObject({ status: 'queued' });
        expect(site.logLines.at(-1)).toContain('did not accept the name and password');
        site.clock.moveOn(6 * 60_000);
        await sendMail(deps, { mail_id: id });
      } finally {
        setDefaultCACertificates(usual);
      }
      expect(server.received).toMatchObject([{ secure: true, user: 'onward' }]);
    });
  });

  it('uses TLS except on this machine', () =>
    withMailServer({ hideSTARTTLS: true }, async (server) => {
      // Another name for this machine, which the site does not take for it.
      const deps = site.at(`smtp://0.0.0.0:${server.port}`);
      const id = await site.queue();
      await sendMail(deps, { mail_id: id });
      expect(await site.rowOf(id)).toMatchObject({ status: 'queued' });
      expect(server.connections()).toBe(1);
      expect(server.received).toEqual([]);
      const to = (smtpUrl: string) => smtpOptions({ ...site.deps.settings, smtpUrl });
      expect(to('smtp://mail.example.org')).toMatchObject({ port: 587, secure: false, requireTLS: true });
      expect(to('smtps://mail.example.org')).toMatchObject({ port: 465, secure: true });
      expect(to('smtp://localhost.example.org')).toMatchObject({ requireTLS: true });
      expect(to('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525, ignoreTLS: true });
    }));
});

describe('a mail', () => {
  it('has a subject of one line, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(subjectLine(`a${text}`)).not.toMatch(/[\r\n\u2028\u2029\0]/);
      }),
    );
  });

  it('has one receiver and the usual headers, whatever is in it', () =>
    withMailServer({}, async (server) => {
      const deps = site.atPort(server);
      const plain = await site.queue();
      await sendMail(deps, { mail_id: plain });
      const names = headersOf(server.received[0]!.raw).map(([name]) => name);
      const evil = [
        'x\r\nBcc: eve@example.org',
        'x\n\nnew body',
        'x\r\n.\r\nMAIL FROM:<eve@example.org>',
        '\u2028Bcc: e@x.org',
      ];
      for (const text of evil) {
        const id = await site.queue({ subject: text, text });
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
        const id = await site.queue({ to });
        await sendMail(deps, { mail_id: id });
        expect(await site.rowOf(id)).toMatchObject({ status: 'failed', sealed: null, attempts: 0 });
      }
      expect(server.received).toHaveLength(sent);
    }));

  it('cannot inject a header through its address', () => {
    const unit = fc.constantFrom(...'abc.@,;:<>()[]"\\ \r\n\t\0é%=?_');
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit, maxLength: 30 }), fc.emailAddress()), (text) => {
        if (isMailAddress(text)) expect(text).toMatch(/^[^\s,;:<>()[\]"\\@\0]+@[a-z0-9.-]+$/i);
      }),
    );
    for (const good of ['a@x.org', "o'brien+test@sub.example.co.uk", 'A.B@EXAMPLE.ORG'])
      expect(isMailAddress(good)).toBe(true);
  });
});
