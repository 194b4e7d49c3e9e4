import { describe, expect, it } from 'vitest';
import { aReferral } from '../../test/app/builders.ts';
import { storedEntries } from '../../test/audit/stored.ts';
import { mailsTo } from '../../test/network/mailbox.ts';
import { recordsFixture } from '../../test/records/fixture.ts';
import { sendNotifications } from '../referrals/index.ts';

const { site, place, referrer, provider, operator, browser, referrerBrowser, get, post, why, somebody } =
  await recordsFixture();

const form = (id: string) => `/operator/patients/referrals/${id}`;

async function anUrgentRisk() {
  const person = somebody();
  const when = site.clock.now().toISOString();
  const said = {
    ...aReferral(place.serviceId, { patient: person.patient }),
    urgency: 'urgent',
    risk: 'yes',
    risk_acted_on: { who_was_told: 'The duty social worker', when },
  };
  const { body } = await post(referrer, '', said, { 'idempotency-key': person.mark });
  return { ...person, id: body.id as string, reference: body.reference as string };
}

/** As the browser’s field has it: in November, when London has UTC. */
const localTime = (at: Date) => at.toISOString().slice(0, 16);

async function mailsAbout(email: string, reference: string, subject: RegExp) {
  await sendNotifications(site.deps);
  const mails = await mailsTo(site, email);
  return mails.filter((mail) => subject.test(mail.subject) && mail.text.includes(reference));
}

describe('restricting a referral of somebody in danger', () => {
  it('is refused on its page until the service was told', async () => {
    const { id } = await anUrgentRisk();
    const shown = (await browser.open(form(id))).text;
    expect(shown).toContain('It is urgent. It says that somebody is at risk of serious harm.');
    const refused = await browser.send(`${form(id)}/restrict`, why);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('Tell a person at the service first, and enter who it was');
    const untimed = await browser.send(`${form(id)}/restrict`, { ...why, told_who: 'Anna Smith' });
    expect([untimed.status, untimed.text]).toEqual([422, expect.stringContaining('Enter the day and time')]);
    expect((await get(referrer, `/${id}`)).body.restricted).toBe(false);
    const told = { told_who: 'Anna Smith', told_at: localTime(site.clock.now()) };
    expect((await browser.send(`${form(id)}/restrict`, { ...why, ...told })).status).toBe(303);
    const entries = await storedEntries(site.deps.db, { action: 'referral.restricted' });
    expect(entries.at(-1)!.details).toMatchObject({ ...why, service_told: { who: 'Anna Smith' } });
  });

  it.each([
    'nobody yet',
    'x',
    'will ring them tomorrow',
  ])('is refused where “%s” was told', async (nobody) => {
    const { id } = await anUrgentRisk();
    const told = { told_who: nobody, told_at: localTime(site.clock.now()) };
    const refused = await browser.send(`${form(id)}/restrict`, { ...why, ...told });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('must say who was told. If nobody was, tell somebody first');
    const service_told = { who_was_told: nobody, when: site.clock.now().toISOString() };
    const { status, body } = await post(operator, `/${id}/restrict`, { ...why, service_told });
    expect([status, body.errors]).toEqual([
      422,
      [expect.objectContaining({ pointer: '/service_told/who_was_told' })],
    ]);
    expect((await get(referrer, `/${id}`)).body.restricted).toBe(false);
  });

  it('needs no such answer where nobody is in danger', async () => {
    const { body } = await post(referrer, '', aReferral(place.serviceId, { patient: somebody().patient }));
    expect((await browser.open(form(body.id))).text).not.toContain('Tell the service first');
    expect((await browser.send(`${form(body.id)}/restrict`, why)).status).toBe(303);
  });

  it('is told to both sides without person or service', async () => {
    const { id, reference, values } = await anUrgentRisk();
    const told = { told_who: 'Anna Smith', told_at: localTime(site.clock.now()) };
    await browser.send(`${form(id)}/restrict`, { ...why, ...told });
    for (const who of [provider, referrer]) {
      const [mail, ...more] = await mailsAbout(who.email, reference, /(is|are) restricted/);
      expect(more).toEqual([]);
      for (const value of [...values, place.serviceName, place.organizationName, 'Anna Smith'])
        expect(mail!.subject + mail!.text).not.toContain(value);
      const page = await browserOf(who).open(`/referrals/${id}`);
      expect(page.text).toContain('Restricted: nobody may work with it for now');
      expect(page.text).toContain('The operators of this site');
    }
    await browser.send(`${form(id)}/unrestrict`, why);
    for (const who of [provider, referrer])
      expect(await mailsAbout(who.email, reference, /no longer restricted/)).toHaveLength(1);
  });

  it('keeps the mark of risk in the list, and promises no time', async () => {
    const { id, reference } = await anUrgentRisk();
    const told = { told_who: 'Anna Smith', told_at: localTime(site.clock.now()) };
    await browser.send(`${form(id)}/restrict`, { ...why, ...told });
    const list = await referrerBrowser.open('/referrals');
    const row = list.page.querySelectorAll('tr').find((each) => each.text.includes(reference));
    expect(row!.text).toMatch(/Risk/);
    expect((await referrerBrowser.open(`/referrals/${id}`)).text).not.toContain('for hours or days');
  });
});

function browserOf({ email }: { email: string }) {
  return email === referrer.email ? referrerBrowser : browser;
}
