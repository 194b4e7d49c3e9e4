import { afterAll, describe, expect, it } from 'vitest';
import { findOrMakeAnswerLink } from '../../src/delivery/channels/answer-link.ts';
import { aReferral } from '../app/builders.ts';
import { answerFixture, linkHolder, pathIn } from '../delivery/answer-fixture.ts';
import { setServiceAddress } from '../delivery/receivers.ts';
import { fakeNotify } from '../network/fake-notify.ts';
import { sendQueuedMails } from '../people/mail-fixture.ts';
import { signedInBrowser } from '../people/signed-in-browser.ts';
import { liveEnv } from '../process/live-env.ts';

// A live site whose texts go through GOV.UK Notify, or a server that answers as Notify does.

const notify = await fakeNotify();
const { site, place, refer, charity } = await answerFixture({ env: { ...liveEnv, ...notify.env } });
afterAll(async () => {
  notify.close();
  await site.close();
});

const mobile = '07700 900123';
const serviceId = place.serviceId;
await setServiceAddress(site.deps.db, { serviceId, channel: 'code_telephone', address: mobile });
const textsTo = async (number: string) => {
  await sendQueuedMails(site.deps);
  return notify.taken.filter(({ to }) => to === number).map(({ text }) => text);
};
const codeIn = (text: string | undefined) => /\d{6}$/.exec(text ?? '')![0];
const rosa = { name: 'Rosa Reed', role: 'Duty manager' };

async function aDeskWithLink() {
  const { id } = await refer();
  const path = pathIn((await findOrMakeAnswerLink(site.deps, { id }, charity))!)!;
  return { path, desk: linkHolder(site) };
}

describe('texts of a live site', () => {
  it('let a charity answer with a code sent to its mobile', async () => {
    const { path, desk } = await aDeskWithLink();
    await desk.send(path, { step: 'send-code' });
    const [text] = await textsTo(mobile);
    expect(text).toMatch(/^Sarrowby referrals: nobody from this site will ever ask you for this code\./);
    await desk.send(`${path}?do=code`, { ...rosa, code: codeIn(text) });
    expect((await desk.open(path)).text).toContain('Example');
    await desk.send(path, { ...rosa, answer: 'accept' });
    const taken = await desk.send(`${path}?do=contact`, { ...rosa, contact_kind: 'text', reached: 'yes' });
    expect(taken.status, taken.text).toBe(303);
  });

  it('let a person open their page', async () => {
    const number = '07700 900456';
    const patient = { ...aReferral(serviceId).patient, telephone: number, email: 'not-this@example.org' };
    const contact = { safe: 'yes', channel: 'text' };
    await refer({ patient, contact, person_page: { send: true }, allow_duplicate: true });
    const path = /\/my\/\S+/.exec((await textsTo(number))[0]!)![0];
    const phone = linkHolder(site);
    expect((await phone.open(path)).text).toContain('the mobile number that you gave');
    await phone.send(path, { step: 'code' });
    await phone.send(path, { step: 'open', code: codeIn((await textsTo(number))[1]) });
    expect((await phone.open(path)).text).toContain('They have not answered yet');
  });

  it('are shown to an operator with Notify’s reason, no number', async () => {
    const { path, desk } = await aDeskWithLink();
    notify.fault = { status: 400, error: 'BadRequestError', message: 'phone_number Not enough digits' };
    const before = notify.calls;
    await desk.send(path, { step: 'send-code' });
    await sendQueuedMails(site.deps);
    await sendQueuedMails(site.deps);
    expect(notify.calls).toBe(before + 1);
    const operator = await signedInBrowser(site, { role: 'operator' });
    const { text } = await operator.open('/operator/emails');
    expect(text).toContain('GOV.UK Notify cannot send to this number (400).');
    expect(text).not.toContain('900123');
    expect(site.logLines.join('')).not.toContain('900123');
  });
});
