import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { scriptedMailServer } from '../../../test/network/scripted-mail-server.ts';
import { makeMailFixture, withMailServer } from '../../../test/people/mail-fixture.ts';
import { findConnectionFailure } from '../connections/index.ts';
import { sendBySmtp, sendMail } from './index.ts';

const site = await makeMailFixture();
afterAll(() => site.close());
const { db } = site.deps;
beforeEach(() => site.forgetConnectionFailures());
const minutes = (count: number) => site.clock.moveOn(count * 60_000);

const at = (port: number) => site.at(`smtp://onward:secret@127.0.0.1:${port}`);

/** The result of sending one mail to a server that answers like this. */
async function posted(answers: Parameters<typeof scriptedMailServer>[0], timeoutMs = 20_000) {
  const server = await scriptedMailServer(answers);
  try {
    const mail = { to: 'asha@example.org', subject: 'Hello', text: 'A text.' };
    const { settings, clock } = at(server.port);
    return await sendBySmtp(settings, mail, { id: 'an-id', at: clock.now(), timeoutMs });
  } finally {
    server.close();
  }
}

describe('an answer of the mail server', () => {
  it.each([
    ['connect', '554 no service here', 'site-refused'],
    ['connect', '421 too busy', 'later'],
    ['AUTH', '535 wrong password', 'site-refused'],
    ['AUTH', '454 not now', 'later'],
    ['MAIL', '550 sender not allowed', 'site-refused'],
    ['MAIL', '530 sign in first', 'site-refused'],
    ['MAIL', '451 not now', 'later'],
    ['RCPT', '550 nobody of that name', 'refused'],
    ['RCPT', '530 sign in first', 'site-refused'],
    ['RCPT', '451 greylisted', 'later'],
    ['DATA', '554 no', 'site-refused'],
    ['end', '554 looks like spam', 'refused'],
    ['end', '451 not now', 'later'],
  ] as const)('at %s, “%s”, refuses the mail, the site or neither', async (step, answer, outcome) => {
    expect((await posted({ [step]: answer })).outcome).toBe(outcome);
  });

  it('refuses the site if both EHLO and HELO are refused', async () => {
    expect((await posted({ EHLO: '502 what', HELO: '550 no' })).outcome).toBe('site-refused');
  });
});

describe('a connection that ends', () => {
  it.each([
    'connect',
    'EHLO',
    'AUTH',
    'MAIL',
    'RCPT',
    'DATA',
  ] as const)('at %s leaves the mail for later', async (step) => {
    expect((await posted({ [step]: null })).outcome).toBe('later');
  });

  it('leaves the mail uncertain after the whole of it was sent', async () => {
    expect((await posted({ end: null })).outcome).toBe('uncertain');
  });
});

describe('a server that answers a byte at a time', () => {
  it.concurrent.each([
    ['connect', 'later'],
    ['MAIL', 'later'],
    ['end', 'uncertain'],
  ] as const)('at %s has a limit for all steps together', async (step, outcome) => {
    expect((await posted({ [step]: 'drip' }, 2000)).outcome).toBe(outcome);
  });
});

describe('a server that refuses this site', () => {
  const noSender = (_address: unknown, _session: unknown, done: (error?: Error) => void) =>
    done(Object.assign(new Error('no'), { responseCode: 550 }));

  it('costs no mail in a week, and is tried with one at a time', async () => {
    const ids = [await site.queue(), await site.queue()];
    // It is tried 42 times; an attempt that counted would have used up a mail’s 38.
    const hoursBetween = 4;
    await withMailServer({ onMailFrom: noSender }, async (server) => {
      const deps = site.atPort(server);
      for (let hour = 0; hour < 7 * 24; hour += hoursBetween) {
        for (const id of ids) await sendMail(deps, { mail_id: id });
        minutes(60 * hoursBetween);
      }
      expect(server.connections()).toBe((7 * 24) / hoursBetween);
      for (const id of ids) {
        expect(await site.rowOf(id)).toMatchObject({ status: 'queued', attempts: 0 });
        expect(await site.nextAttempt(id)).toBeLessThan(301);
      }
      expect(await findConnectionFailure(db, 'mail-server')).toMatchObject({
        kind: 'refuses',
        reason: 'The mail server takes no mail from the sender in ONWARD_MAIL_FROM (550).',
      });
    });
    await withMailServer({}, async (server) => {
      for (const id of ids) await sendMail(site.atPort(server), { mail_id: id });
      expect(server.received).toHaveLength(2);
    });
    expect(await findConnectionFailure(db, 'mail-server')).toBeUndefined();
  });
});
