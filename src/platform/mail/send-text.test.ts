import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { textOfTable } from '../../../test/database/stored.ts';
import { fakeNotify } from '../../../test/network/fake-notify.ts';
import { makeMailFixture } from '../../../test/people/mail-fixture.ts';
import { inTransaction } from '../database/index.ts';
import type { Platform } from '../platform.ts';
import { findNotifyFault } from '../texts/index.ts';
import { queueText, sendMail } from './index.ts';

const site = await makeMailFixture();
const notify = await fakeNotify();
afterAll(async () => {
  notify.close();
  await site.close();
});
const { clock } = site;
const { db } = site.deps;
const live: Platform = { ...site.deps, settings: { ...site.deps.settings, ...notify.settings } };
const number = '07700 900123';

afterEach(() => {
  notify.taken.length = 0;
  notify.calls = 0;
  Object.assign(notify, {
    fault: undefined,
    oddAnswer: undefined,
    losesAnswers: false,
    templateBody: '((message))',
  });
});

const queue = (given: { to?: string; until?: Date } = {}) =>
  site.queueBy((trx) =>
    queueText(trx, live, 'person', { to: number, text: 'Use it once: 123456', ...given }),
  );
const send = (id: string, deps = live) => sendMail(deps, { mail_id: id });
const minutes = (count: number) => new Date(clock.now().getTime() + count * 60_000);

describe('a queued text', () => {
  it('goes to its number once, and its content is deleted', async () => {
    const id = await queue();
    expect(await textOfTable(db, 'mails')).not.toContain('123456');
    await send(id);
    await send(id);
    expect(notify.taken).toEqual([{ to: number, text: 'Use it once: 123456', reference: id }]);
    expect(await site.rowOf(id)).toMatchObject({ status: 'sent', sealed: null, reason: null });
  });

  it('is not sent if its transaction is rolled back', async () => {
    const changes = inTransaction(db, async (trx) => {
      await queueText(trx, live, 'person', { to: number, text: 'Never' });
      throw new Error('changed my mind');
    });
    await expect(changes).rejects.toThrow('changed my mind');
    expect(await textOfTable(db, 'mails')).not.toContain('queued');
  });

  it('is not sent a second time when only the answer was lost', async () => {
    const id = await queue();
    notify.losesAnswers = true;
    await send(id);
    expect(await site.rowOf(id)).toMatchObject({ status: 'queued', attempts: 1 });
    notify.losesAnswers = false;
    await send(id);
    expect(notify.taken).toHaveLength(1);
    expect(await site.rowOf(id)).toMatchObject({ status: 'sent' });
  });

  it.each([
    ['asks to try later', 429, 'RateLimitError'],
    ['has a fault of its own', 503, 'Exception'],
  ])('is tried again when Notify %s', async (_, status, error) => {
    const id = await queue();
    notify.fault = { status, error, message: '' };
    await send(id);
    expect(await site.rowOf(id)).toMatchObject({ status: 'queued', attempts: 1 });
    expect(await site.nextAttempt(id)).toBeLessThan(11);
    notify.fault = undefined;
    await send(id);
    expect(notify.taken).toHaveLength(1);
  });

  it('is tried again when Notify cannot be reached', async () => {
    const id = await queue();
    const away = { ...live, settings: { ...live.settings, smsNotifyUrl: 'http://127.0.0.1:2' } };
    await send(id, away);
    expect(await site.rowOf(id)).toMatchObject({ status: 'queued' });
    expect(site.logLines.at(-1)).toContain('Nothing listens at its address');
  });

  it.each([
    [400, 'phone_number Not enough digits', 'cannot send to this number'],
    [400, 'Can’t send to this recipient when service is in trial mode', 'trial mode'],
    [400, 'Template not found', 'ONWARD_SMS_NOTIFY_TEMPLATE'],
    [403, 'Invalid token: API key not found', 'ONWARD_SMS_NOTIFY_KEY_FILE'],
    [413, 'too long', 'refused it'],
  ])('is given up when Notify refuses it: %s %s', async (status, message, reason) => {
    const id = await queue();
    notify.fault = { status, error: 'BadRequestError', message };
    await send(id);
    const row = await site.rowOf(id);
    expect(row).toMatchObject({ status: 'failed', sealed: null, attempts: 1 });
    expect(row.reason).toContain(reason);
    expect(site.logLines.join('')).not.toMatch(/123456|900123/);
  });

  it.each([
    [400, { errors: null }],
    [403, { errors: 'no' }],
    [400, { errors: [null] }],
    [400, { errors: {} }],
  ])('is given up when Notify refuses it in another shape: %s %j', async (status, body) => {
    const id = await queue();
    notify.oddAnswer = { status, body };
    await send(id);
    expect(await site.rowOf(id)).toMatchObject({ status: 'failed', sealed: null });
    expect(await findNotifyFault(live.settings, clock.now())).toContain('GOV.UK Notify');
  });

  it('is not sent again after a restore that forgot its attempts', async () => {
    const id = await queue();
    notify.losesAnswers = true;
    await send(id);
    notify.losesAnswers = false;
    await site.setAttempts(id, 0);
    clock.moveOn(2 * 60_000);
    await send(id);
    expect(notify.taken).toHaveLength(1);
    expect(await site.rowOf(id)).toMatchObject({ status: 'sent' });
  });

  it('is not sent again while nobody says whether it arrived', async () => {
    const id = await queue();
    notify.losesAnswers = true;
    await send(id);
    notify.losesAnswers = false;
    notify.oddAnswer = { status: 200, body: {} };
    await send(id);
    notify.oddAnswer = undefined;
    await send(id);
    expect(notify.taken).toHaveLength(1);
    expect(await site.rowOf(id)).toMatchObject({ status: 'sent' });
  });

  it('is not sent once its code has expired', async () => {
    const id = await queue({ until: minutes(10) });
    clock.moveOn(10 * 60_000);
    await send(id);
    expect(notify.calls).toBe(0);
    expect((await site.rowOf(id)).reason).toBe('Its code expired before it could be sent.');
    const soon = await queue({ until: minutes(0.1) });
    notify.fault = { status: 503, error: 'Exception', message: '' };
    await send(soon);
    expect((await site.rowOf(soon)).status).toBe('failed');
  });

  it('is never sent to anything but a mobile number', async () => {
    const id = await queue({ to: '01632 960123' });
    await send(id);
    expect([notify.calls, (await site.rowOf(id)).status]).toEqual([0, 'failed']);
  });

  it('is given up on a site that has no Notify any more', async () => {
    const id = await queue();
    await send(id, site.deps);
    expect((await site.rowOf(id)).reason).toContain('ONWARD_SMS_NOTIFY_KEY_FILE is not set');
  });

  it('stays on a test site, whatever its settings say', async () => {
    const id = await queue();
    await send(id, { ...live, settings: { ...live.settings, mode: 'test' } });
    expect(await site.rowOf(id)).toMatchObject({ status: 'captured' });
    expect(notify.calls).toBe(0);
  });
});

describe('what keeps Notify from sending', () => {
  const fault = (settings: object = {}) => findNotifyFault({ ...live.settings, ...settings }, clock.now());

  it('is found without sending a text', async () => {
    expect(await fault()).toBeUndefined();
    expect(await fault({ smsNotifyKeyFile: '/nowhere/notify.key' })).toContain('cannot be read');
    expect(await fault({ smsNotifyTemplate: '00000000-0000-4000-8000-000000000000' })).toContain(
      'ONWARD_SMS_NOTIFY_TEMPLATE',
    );
    notify.templateBody = 'Hello';
    expect(await fault()).toContain('((message))');
    expect(notify.taken).toEqual([]);
  });
});
