import { describe, expect, it } from 'vitest';
import { aReferral } from '../../test/app/builders.ts';
import { storedEntries } from '../../test/audit/stored.ts';
import { recordsFixture } from '../../test/records/fixture.ts';

const { site, post, get, place, browser, referrer, provider, operator, somebody, asSeen, why } =
  await recordsFixture();
const erase = '/operator/patients/several/erase';
const restrict = '/operator/patients/several/restrict';
const addressOf = (path: string, ids: string[]) => `${path}?${ids.map((id) => `id=${id}`).join('&')}`;
const form = { ground: 'objection', reason: 'Asked by letter 12' };

/** Referrals of one person: two that have ended, one that is open, one on legal hold. */
async function aRecord() {
  const { patient, mark } = somebody();
  const make = async (index: number) => {
    const said = aReferral(place.serviceId, { patient });
    const { body } = await post(referrer, '', said, { 'idempotency-key': `${mark}-${index}` });
    return body as { id: string; reference: string };
  };
  const ended = async (index: number) => {
    const made = await make(index);
    const reason = { status_reason: { code: 'other', text: 'No place is left.' } };
    expect((await post(provider, `/${made.id}/reject`, reason, asSeen(1))).status).toBe(200);
    return made;
  };
  const [first, second, held] = [await ended(1), await ended(2), await ended(3)];
  expect((await post(operator, `/${held.id}/legal-hold`, why)).status).toBe(200);
  const open = await make(4);
  return { patient, first, second, held, open, all: [first, second, held, open].map(({ id }) => id) };
}
const isErased = async (id: string) => Boolean((await get(operator, `/${id}`)).body.erased_at);

describe('several referrals of one person', () => {
  it('are ticked, or taken together, where the person was found', async () => {
    const { patient, all } = await aRecord();
    const { page } = await browser.send('/operator/patients', { nhs_number: patient.nhs_number, ...why });
    const ticks = page.querySelectorAll('main input[type=checkbox][name=id]');
    expect(ticks.map((each) => each.getAttribute('value')).sort()).toEqual([...all].sort());
    const links = page.querySelectorAll('main a').map((each) => each.getAttribute('href')!);
    const whole = links.find((href) => href.startsWith(`${erase}?`))!;
    expect(new URLSearchParams(whole.split('?')[1]).getAll('id').sort()).toEqual([...all].sort());
  });

  it('are erased after a page that names each and the others', async () => {
    const { first, second, held, open, all } = await aRecord();
    const address = addressOf(erase, all);
    const { page, text } = await browser.open(address);
    expect(page.querySelector('h1')!.text).toBe('Erase 2 referrals');
    expect(text).toContain('It is on legal hold');
    expect(text).toContain('It is open');
    const told = {
      told_who: 'Anna Smith, duty manager',
      told_at: site.clock.now().toISOString().slice(0, 16),
    };
    const needsTold = page.querySelector('#told_who') ? told : {};
    const asked = await browser.send(address, { ...form, ...needsTold, ask_first: 'yes' });
    expect(asked.page.querySelector('h1')!.text).toBe('Erase 2 referrals for good?');
    for (const { reference } of [first, second]) expect(asked.text).toContain(reference);
    expect(await isErased(first.id)).toBe(false);
    const confirm = asked.page.querySelector('main form')!;
    const fields = confirm
      .querySelectorAll('input')
      .map((each) => [each.getAttribute('name')!, each.getAttribute('value')!]);
    const done = await browser.send(confirm.getAttribute('action')!, Object.fromEntries(fields));
    expect(done.page.querySelector('h1')!.text).toBe('2 referrals were erased');
    expect(done.text).toContain('2 referrals were not erased');
    for (const { reference } of [held, open]) expect(done.text).toContain(reference);
    expect(await Promise.all(all.map(isErased))).toEqual([true, true, false, false]);
    for (const { id } of [first, second])
      expect(await storedEntries(site.deps.db, { subjectId: id, action: 'referral.erased' })).toHaveLength(1);
  });

  it('are not erased if something has come since the page asked', async () => {
    const { first, second, open } = await aRecord();
    const address = addressOf(erase, [first.id, second.id, open.id]);
    const asked = await browser.send(address, { ...form, ask_first: 'yes' });
    const shown = asked.page.querySelector('input[name=shown]')!.getAttribute('value')!;
    const reason = { status_reason: { code: 'other', text: 'No place is left.' } };
    expect((await post(provider, `/${open.id}/reject`, reason, asSeen(1))).status).toBe(200);
    const { status, text } = await browser.send(address, { ...form, shown });
    expect([status, text]).toEqual([422, expect.stringContaining('Something has changed since')]);
    expect(await Promise.all([first, second, open].map(({ id }) => isErased(id)))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('are of one person, or none is changed', async () => {
    const [one, other] = [await aRecord(), await aRecord()];
    const address = addressOf(erase, [one.first.id, other.first.id]);
    const { page, text } = await browser.open(address);
    expect(text).toContain('may be of different people');
    expect(page.querySelector('main form')).toBeNull();
    await browser.send(address, { ...form, shown: '' });
    expect([await isErased(one.first.id), await isErased(other.first.id)]).toEqual([false, false]);
  });

  it('are restricted together, for one reason', async () => {
    const { all } = await aRecord();
    const done = await browser.send(addressOf(restrict, all), form);
    expect(done.page.querySelector('h1')!.text).toBe('4 referrals were restricted');
    const again = await browser.open(addressOf(restrict, all));
    expect(again.page.querySelector('h1')!.text).toBe('Restrict several referrals');
    expect(again.text).toContain('It is restricted already');
    expect(again.page.querySelector('main form')).toBeNull();
  });

  it('stay as they are while the form is wrong', async () => {
    const { first, second, patient } = await aRecord();
    const address = addressOf(erase, [first.id, second.id]);
    for (const [wrong, words] of [
      [{ reason: form.reason }, 'Select why it may be erased'],
      [{ ...form, reason: '' }, 'Enter a reason'],
      [{ ...form, reason: `${patient.family_name} asked for it by letter` }, 'name'],
    ] as const) {
      const asked = await browser.send(address, { ...wrong, ask_first: 'yes' });
      const shown = asked.page.querySelector('input[name=shown]')?.getAttribute('value') ?? '';
      const { status, page } = await browser.send(address, { ...wrong, shown });
      expect(status).toBe(422);
      expect(page.querySelector('.nhsuk-error-summary')!.text).toContain(words);
    }
    expect([await isErased(first.id), await isErased(second.id)]).toEqual([false, false]);
    const none = await browser.open(erase);
    expect(none.text).toContain('You ticked no referral');
  });

  it('are changed without an unknown id, once the page named it', async () => {
    const { first, second } = await aRecord();
    const unknown = '01a227ff-0000-7d5e-801f-5a4ab9ec4b5a';
    const address = addressOf(restrict, [first.id, unknown, 'half-an-id', second.id]);
    const { page, text } = await browser.open(address);
    expect(page.querySelector('h1')!.text).toBe('Restrict 2 referrals');
    for (const id of [unknown, 'half-an-id']) expect(text).toContain(id);
    expect((await browser.send(address, form)).status).toBe(422);
    const left_out = page.querySelector('input[name=left_out]')!.getAttribute('value')!;
    const done = await browser.send(address, { ...form, left_out });
    expect(done.page.querySelector('h1')!.text).toBe('2 referrals were restricted');
    expect(done.text).toContain(unknown);
  });

  it('are fifty at most, and the page says that there are more', async () => {
    const { first } = await aRecord();
    const unknown = Array.from({ length: 50 }, (_, index) => `unknown-${index}`);
    const { text } = await browser.open(addressOf(restrict, [...unknown, first.id]));
    expect(text).toContain('These are the first 50. One more is not on this page');
  });
});
