import { beforeEach, describe, expect, it } from 'vitest';
import { takeJobs } from '../../../../test/app/jobs.ts';
import { until } from '../../../../test/app/until.ts';
import { waitingForLocks } from '../../../../test/database/locks.ts';
import { deliveriesFixture } from '../../../../test/delivery/deliveries-fixture.ts';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import { deleteAddresses, setServiceAddress } from '../../../../test/delivery/receivers.ts';
import {
  changeDelivery,
  changeUndeliveredRow,
  deleteDeliveries,
  restartDeliveries,
  storedDeliveries,
  storedUndeliveredRow,
} from '../../../../test/delivery/stored.ts';
import { storeReferral, tellOfChange } from '../../../../test/delivery/test-site.ts';
import { refuseByEmail } from '../../../../test/delivery/worklist.ts';
import { markSensitive, setChannels } from '../../../../test/library/stored.ts';
import { linkIn, mailsTo } from '../../../../test/network/mailbox.ts';
import { rowInWords } from '../../../../test/people/row-in-words.ts';
import { signedInBrowser } from '../../../../test/people/signed-in-browser.ts';
import { auditedActions, storeDanger } from '../../../../test/referrals/stored.ts';
import { lockReceiver } from '../../../library/index.ts';
import { inTransaction } from '../../../platform/database/index.ts';
import { type Referral, updatePrompts } from '../../../referrals/index.ts';
import { releaseHeld } from '../../held/release-held.ts';
import { deliver } from '../../send/deliver.ts';

const { site, deliveriesByReceiver } = await deliveriesFixture();
const { db } = site.deps;
const olive = await signedInBrowser(site, { role: 'operator', name: 'Olive' });
const noSuchAddress = 'There is no such address, says the mail server (550).';
const list = '/operator/deliveries';

const consent = { ...exampleReferral().content.consent, share_with_gp: false };

beforeEach(() => deleteDeliveries(db));

/** Referrals to one service whose mailbox does not exist. */
async function refusedReferrals(
  count: number,
  serviceId: string,
  given: Parameters<typeof storeReferral>[1] = {},
): Promise<Referral[]> {
  await setServiceAddress(db, { serviceId, channel: 'email', address: 'wrong@cuppa.example.org' });
  await setChannels(db, serviceId, { channels: ['email'] });
  const referrals: Referral[] = [];
  for (let each = 0; each < count; each += 1) {
    const referral = await storeReferral(site.database.pool, {
      service_id: serviceId,
      content: { consent },
      ...given,
    });
    await tellOfChange(site.deps, referral, null);
    await refuseByEmail(site.deps, (await deliveriesByReceiver(referral)).service!.id, noSuchAddress);
    referrals.push(referral);
  }
  return referrals;
}

const rowsOf = async (url: string) => {
  const { page } = await olive.open(url);
  return page.querySelectorAll('tbody tr').map(rowInWords);
};
const firstLink = async () => (await olive.open(list)).page.querySelector('tbody a')!.getAttribute('href')!;
const toService = async () => (await storedDeliveries(db)).filter(({ leg }) => leg === 'service');
const statuses = async () => (await toService()).map(({ status }) => status);

/** Runs what is due about deliveries. */
async function sendAll(): Promise<void> {
  for (const { payload } of await takeJobs(site.database.pool, { name: 'deliver' }))
    await deliver(site.deps, payload);
}

describe('undelivered messages by cause', () => {
  it('are on the home page, with “Retry” only if it sends again', async () => {
    await refusedReferrals(2, 'cuppa');
    const { page } = await olive.open('/');
    const link = page.querySelector('main a[href^="/operator/deliveries/causes/"]:is(.nhsuk-button)')!;
    expect(link.text).toContain('Check and retry');
    const cause = await olive.open(link.getAttribute('href')!);
    expect(cause.page.querySelector('form[action$="/retry"] button')!.text.trim()).toBe('Retry all 2');
  });

  it('stand together for one receiver and one channel', async () => {
    await refusedReferrals(3, 'cuppa');
    await refusedReferrals(1, 'choir');
    expect(await rowsOf(list)).toEqual([
      expect.stringMatching(/no such address, says the mail server.*How many 3 messages/),
      expect.stringMatching(/no such address, says the mail server.*How many 1 message/),
    ]);
    // On a phone a date alone says nothing.
    const since = (await olive.open(list)).page.querySelectorAll('td[data-heading=Since]');
    expect(since.every((each) => each.classList.contains('onward-named'))).toBe(true);
    expect(await rowsOf(await firstLink())).toHaveLength(3);
  });

  it('stand apart where one receiver refuses for several reasons', async () => {
    const [first] = await refusedReferrals(3, 'cuppa');
    const { id } = (await deliveriesByReceiver(first!)).service!;
    const reason = 'The mailbox is full.';
    await changeUndeliveredRow(db, { reason }, id);
    expect(await rowsOf(list)).toEqual([
      expect.stringMatching(/There is no such address.*2 messages/),
      expect.stringMatching(/The mailbox is full\..*1 message/),
    ]);
    const home = (await olive.open('/')).page.querySelectorAll('main tbody tr').map((row) => row.text);
    expect(home).toHaveLength(2);
    for (const each of [reason, 'no such address']) expect(home.join()).toContain(each);
    await olive.send(`${await firstLink()}/retry`, {});
    expect((await statuses()).toSorted()).toEqual(['failed', 'queued', 'queued']);
  });

  it('name each reason of attempts that may yet succeed', async () => {
    const [first] = await refusedReferrals(3, 'cuppa');
    const { id } = (await deliveriesByReceiver(first!)).service!;
    await changeUndeliveredRow(db, { reason: 'Their system answered 503. It was tried 25 times.' });
    const other = 'Their system: no answer. It was tried 25 times.';
    await changeUndeliveredRow(db, { reason: other }, id);
    const [row] = await rowsOf(list);
    expect(row).toMatch(/2 of 3: Their system answered 503.*1 of 3: Their system: no answer\..*3 messages/);
    expect((await olive.open(await firstLink())).text).toContain(`1 of 3: ${other}`);
  });

  it('are not sent together if the person is refused', async () => {
    const [first] = await refusedReferrals(3, 'cuppa');
    const { id } = (await deliveriesByReceiver(first!)).service!;
    await changeDelivery(db, id, { refusal_cause: 'not-their-patient' });
    const { page } = await olive.open(list);
    const buttons = page.querySelectorAll('td form[action$="/retry"] button').map(({ text }) => text);
    expect(buttons).toEqual([expect.stringContaining('Retry 2')]);
    const cause = `${list}/causes/${id}`;
    expect(page.querySelector(`td a[href="${cause}"]`)).not.toBeNull();
    const ofPerson = await olive.open(cause);
    expect(ofPerson.text).toContain('will most likely be refused again');
    expect(ofPerson.page.querySelectorAll('main form')).toEqual([]);
    for (const form of ['retry', 'another-way', 'address'])
      expect(
        (await olive.send(`${cause}/${form}`, { channel: 'document', address: 'a@b.example' })).status,
      ).toBe(form === 'address' ? 404 : 409);
    expect(await statuses()).toEqual(['failed', 'failed', 'failed']);
  });

  it('have their address put right first, and Retry second', async () => {
    await refusedReferrals(2, 'cuppa');
    const primary = async () => {
      const { page } = await olive.open(await firstLink());
      const buttons = page.querySelectorAll('main .nhsuk-button:not(.nhsuk-button--secondary)');
      return buttons.map(({ text }) => text.trim());
    };
    expect(await primary()).toEqual(['Replace the address and send all 2']);
    await restartDeliveries(db);
    expect(await primary()).toEqual([expect.stringContaining('Set how messages reach')]);
  });

  it('have those with an urgent referral or a danger first', async () => {
    const [dangerous] = await refusedReferrals(2, 'cuppa');
    await refusedReferrals(1, 'choir', { urgency: 'urgent' });
    const [first, second] = await rowsOf(list);
    expect(first).toMatch(/1 urgent or at risk.*How many 1 message/);
    expect(second).not.toContain('at risk');
    const marked = async () =>
      (await rowsOf(`${list}?show=all`)).map((row) => row.includes('Urgent or at risk'));
    expect(await marked()).toEqual([true, false, false]);
    await storeDanger(db, dangerous!.id);
    expect(await marked()).toEqual([true, true, false]);
    const { page } = await olive.open('/');
    const tile = page.querySelectorAll('main a').find((each) => each.text.includes('urgent or at risk'))!;
    expect(tile.getAttribute('href')).toBe(`${list}?show=pressing`);
    expect(page.querySelector('main')!.structuredText).toMatch(/2 Undelivered, urgent or at risk/);
    expect(await rowsOf(`${list}?show=pressing`)).toHaveLength(2);
    const rows = page
      .querySelectorAll('main tbody tr')
      .map((row) => row.structuredText.replaceAll(/\s+/g, ' '));
    expect(rows).toEqual([
      expect.stringMatching(/undelivered.*Urgent or at risk.*no such address.*21 Nov.*Retry/i),
      expect.stringMatching(/undelivered.*Urgent or at risk.*no such address.*21 Nov.*Retry/i),
    ]);
    const [action] = page.querySelectorAll('main tbody a');
    expect((await olive.open(action!.getAttribute('href')!)).text).toContain('Send');
  });

  it('are all tried again by one button', async () => {
    const referrals = await refusedReferrals(3, 'cuppa');
    const cause = await firstLink();
    expect((await olive.send(`${cause}/retry`, {})).location).toBe(`${list}?done=retried`);
    expect(await statuses()).toEqual(['queued', 'queued', 'queued']);
    for (const { id } of referrals) expect(await auditedActions(db, id)).toContain('delivery.retried');
    expect((await olive.open(list)).text).toContain('Every message has arrived');
    expect((await olive.send(`${cause}/retry`, {})).location).toBe(`${list}?done=gone`);
  });

  it('are retried from the list, where nothing can arrive twice', async () => {
    await refusedReferrals(2, 'cuppa');
    const { page } = await olive.open(list);
    const form = page.querySelector('td form[action$="/retry"]')!;
    expect(form.querySelector('button')!.text).toContain('Retry 2');
    const address = form.getAttribute('action')!;
    expect((await olive.send(address, {})).location).toBe(`${list}?done=retried`);
    expect(await statuses()).toEqual(['queued', 'queued']);

    await deleteDeliveries(db);
    const referral = await storeReferral(site.database.pool, { service_id: 'cuppa', content: { consent } });
    await tellOfChange(site.deps, referral, null);
    await refuseByEmail(site.deps, (await deliveriesByReceiver(referral)).service!.id, noSuchAddress);
    await changeUndeliveredRow(db, { kind: 'uncertain' });
    const uncertain = await olive.open(list);
    expect(uncertain.page.querySelector('td form')).toBeNull();
    const next = uncertain.page.querySelectorAll('td a').find(({ text }) => text.includes('See what to do'))!;
    const cause = await olive.open(next.getAttribute('href')!);
    expect(cause.text).toMatch(/Ring .+ first: it may have arrived/);
  });

  it('are all sent by another channel, if the operator chooses one', async () => {
    await refusedReferrals(2, 'cuppa');
    const cause = await firstLink();
    expect((await olive.send(`${cause}/another-way`, { channel: '' })).status).toBe(422);
    expect((await olive.send(`${cause}/another-way`, { channel: 'document' })).status).toBe(303);
    await sendAll();
    expect(await statuses()).toEqual(['sent', 'sent']);
  });

  it('all go to a new address once somebody has confirmed it', async () => {
    const [first] = await refusedReferrals(3, 'cuppa');
    const cause = await firstLink();
    const refused = await olive.send(`${cause}/address`, { address: 'wrong@cuppa.example.org' });
    expect([refused.status, refused.text.includes('another address than the one')]).toEqual([422, true]);
    const answer = await olive.send(`${cause}/address`, { address: 'right@cuppa.example.org' });
    expect(answer.location).toBe(`${list}?done=mended`);
    await sendAll();
    const [held] = await storedDeliveries(db, first!.id);
    expect(held).toMatchObject({ status: 'queued', held_by: 'address service cuppa' });
    expect(await rowsOf(list)).toEqual([expect.stringMatching(/Held.*not confirmed.*How many 3 message/)]);

    const [mail] = await mailsTo(site, 'right@cuppa.example.org');
    const headers = { 'sec-fetch-site': 'same-origin' };
    await site.app.inject({ method: 'POST', url: linkIn(mail), headers });
    await releaseHeld(site.deps);
    await sendAll();
    expect(await statuses()).toEqual(['sent', 'sent', 'sent']);
    expect(await storedUndeliveredRow(db, held!.id)).toMatchObject({ closed_as: 'resolved' });
  });

  it('go to the address of the first operator; the second is told', async () => {
    await refusedReferrals(2, 'cuppa');
    const otto = await signedInBrowser(site, { role: 'operator', name: 'Otto' });
    const url = `${await firstLink()}/address`;
    const letGo = Promise.withResolvers<void>();
    const holding = inTransaction(db, async (trx) => {
      await lockReceiver(trx, { serviceId: 'cuppa' });
      await letGo.promise;
    });
    const first = olive.send(url, { address: 'first@cuppa.example.org' });
    await until(async () => (await waitingForLocks(db)) === 1);
    const second = otto.send(url, { address: 'second@cuppa.example.org' });
    await until(async () => (await waitingForLocks(db)) === 2);
    letGo.resolve();
    await holding;
    expect((await first).location).toBe(`${list}?done=mended`);
    expect((await second).location).toBe(`${list}?done=too-late`);
    expect((await otto.open(`${list}?done=too-late`)).text).toContain('Your address was not saved');
    expect(await mailsTo(site, 'second@cuppa.example.org')).toEqual([]);
  });

  it('are sent to no mailbox that gets the codes', async () => {
    await refusedReferrals(1, 'cuppa');
    const codes = { serviceId: 'cuppa', channel: 'code_email', address: 'codes@cuppa.example.org' };
    await setServiceAddress(db, codes);
    const url = `${await firstLink()}/address`;
    for (const address of ['codes@cuppa.example.org', 'Codes+letters@cuppa.example.org']) {
      const { status, text } = await olive.send(url, { address });
      expect([status, text]).toEqual([422, expect.stringContaining('Enter another mailbox than the one')]);
    }
    expect((await olive.send(url, { address: 'other@cuppa.example.org' })).status).toBe(303);
    await deleteAddresses(db, 'code_email');
  });

  it('have their address replaced in the list, by one form', async () => {
    await refusedReferrals(2, 'cuppa');
    const open = async () => (await olive.open(list)).page;
    const form = (await open()).querySelector('td form[action$="/address"]')!;
    expect(form.querySelector('button')!.text).toContain('Save and send all 2 again');
    const url = form.getAttribute('action')!;
    const refused = await olive.send(url, { address: 'nobody' });
    expect([refused.status, refused.page.querySelector('#address')?.getAttribute('value')]).toEqual([
      422,
      'nobody',
    ]);
    site.clock.moveOn(16 * 60_000);
    // The sign-in would lose what was typed.
    expect((await open()).querySelector('td form[action$="/address"]')).toBeNull();
    expect((await open()).querySelector(`td a[href="${url}"]`)).not.toBeNull();
    await olive.signIn();
    const sent = await olive.send(url, { address: 'right2@cuppa.example.org' });
    expect(sent.location).toBe(`${list}?done=mended`);
  });

  it('are not put together or named for a sensitive service', async () => {
    await refusedReferrals(2, 'refuge');
    await markSensitive(db, 'refuge');
    const rows = await rowsOf(list);
    expect(rows).toEqual([
      expect.stringMatching(/A restricted service.*How many 1 message/),
      expect.stringMatching(/A restricted service.*How many 1 message/),
    ]);
    expect(rows.join()).not.toContain('mail server');
    const [delivery] = await toService();
    expect((await olive.open(`${list}/causes/${delivery!.id}/address`)).status).toBe(404);
  });

  it('are resolved with a reason where nobody named a practice', async () => {
    const agreed = { ...exampleReferral().content.consent, share_with_gp: true } as const;
    const referral = await storeReferral(site.database.pool, {
      service_id: 'choir',
      gp_practice: null,
      content: { consent: agreed },
    });
    await tellOfChange(site.deps, referral, null);
    const cause = await firstLink();
    const { page } = await olive.open(cause);
    const actions = page.querySelectorAll('main form').map((form) => form.getAttribute('action'));
    expect(actions).toEqual([`${cause}/ask`, `${cause}/done`]);
    expect(page.querySelector(`main a[href="/referrals/${referral.id}"]`)).not.toBeNull();
    expect((await olive.send(`${cause}/retry`, {})).status).toBe(409);
    expect((await olive.send(`${cause}/done`, { words: ' ' })).status).toBe(422);
    const words = 'The person has no practice.';
    expect((await olive.send(`${cause}/done`, { words })).location).toBe(`${list}?done=resolved`);
    const { id } = (await deliveriesByReceiver(referral)).gp_practice!;
    expect(await storedUndeliveredRow(db, id)).toMatchObject({ closed_as: 'by-hand', closing_words: words });
    expect(await auditedActions(db, referral.id)).toContain('delivery.done_by_hand');
  });

  it('have the referrers asked for the practices by one press', async () => {
    const rita = await signedInBrowser(site, { role: 'referrer', name: 'Rita' });
    const unnamed = { gp_practice: null, referrerAccountId: rita.id };
    const referral = await storeReferral(site.database.pool, unnamed);
    await tellOfChange(site.deps, referral, null);
    const { page } = await olive.open(list);
    const ask = page.querySelector('td form[action$="/ask"]')!;
    expect(ask.text).toContain('Ask the referrer for the practice');
    const address = ask.getAttribute('action')!;
    const asked = await olive.send(address, {});
    expect(asked.location).toBe(`${list}?done=asked`);
    await updatePrompts(site.deps);
    expect(await auditedActions(db, referral.id)).toContain('delivery.practice_asked');
    const [mail] = await mailsTo(site, rita.email);
    expect(mail!.text).toContain(`The GP practice is not named:\n${referral.reference}`);
    // Nobody is asked twice before they have dealt with it.
    expect((await olive.send(address, {})).status).toBe(409);
    expect(await rowsOf(address.replace(/\/ask$/, ''))).toEqual([expect.not.stringContaining('Not yet')]);
    const prompt = (await rita.open(`/referrals/${referral.id}`)).page.querySelector(
      'form[action*="/prompts/"]',
    )!;
    await rita.send(prompt.getAttribute('action')!, {});
    expect(await rowsOf(address.replace(/\/ask$/, ''))).toEqual([
      expect.stringMatching(/Rita dealt with it on .* and named none/),
    ]);
    expect((await olive.send(address, {})).status).toBe(303);
  });
});
