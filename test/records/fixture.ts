import { afterAll, expect } from 'vitest';
import { deliver } from '../../src/delivery/index.ts';
import { storeNewAccessToken } from '../../src/tokens/index.ts';
import { aPractice, aReferral, aService, aTestNhsNumber, aTokenHolder } from '../app/builders.ts';
import { makeApp } from '../app/make-app.ts';
import { signedInBrowser } from '../people/signed-in-browser.ts';

type Holder = Awaited<ReturnType<typeof aTokenHolder>>;
type Call = { body?: object | undefined; headers?: Record<string, string> };

/** For tests of what a person has a right to: both sides of their referrals, an operator, a stranger, and long stories. */
export async function recordsFixture(env: Record<string, string> = {}) {
  const site = await makeApp({ env: { ONWARD_REJECT_AFTER_DAYS: '28', ...env } });
  afterAll(() => site.close());
  const place = await aService(site.deps);
  await aPractice(site.deps);
  const organisation = { name: 'Infirmary Lane Surgery', odsCode: 'Z99001' };
  const ofService = { name: place.organizationName, libraryOrganizationId: place.organizationId };
  const referrer = await aTokenHolder(site.deps, { organisation });
  const provider = await aTokenHolder(site.deps, { role: 'provider', organisation: ofService });
  const operator = await aTokenHolder(site.deps, { role: 'operator', name: 'Olga Operator' });
  const stranger = await aTokenHolder(site.deps);
  const browser = await signedInBrowser(site, { role: 'operator', name: 'Olive Operator' });
  const referrerBrowser = await signedInBrowser(site, { organisation });

  async function call(who: Holder, method: 'GET' | 'POST', url: string, { body, headers }: Call = {}) {
    const all = { ...who.headers, ...headers };
    const answer = await site.app.inject({ method, url, headers: all, ...(body && { payload: body }) });
    const isJson = answer.body.startsWith('{');
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body, text: answer.body };
  }
  const get = (who: Holder, path: string) => call(who, 'GET', `/api/referrals${path}`);
  const post = (who: Holder, path: string, body: object = {}, headers = {}) =>
    call(who, 'POST', `/api/referrals${path}`, { body, headers });
  const asSeen = (version: number) => ({ 'if-match': `"${version}"` });
  const why = { reason: 'Asked for by letter; ticket 311.' };
  const uuid = '0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f';

  /** Moves the clock on, and signs everybody in again. */
  async function later(ms: number): Promise<void> {
    site.clock.moveOn(ms);
    for (const who of [referrer, provider, operator, stranger]) {
      const { text } = await storeNewAccessToken(site.deps, who.id, 'apikeys');
      who.headers = { authorization: `Bearer ${text}` };
    }
    await browser.signIn();
    await referrerBrowser.signIn();
  }

  let people = 0;
  /** Somebody whose every value is found nowhere else. */
  function somebody() {
    people += 1;
    // Ids begin with their moment, and so have the order in which they were made.
    site.clock.moveOn(1);
    const mark = `mark${String(people).padStart(3, '0')}`;
    const patient = {
      nhs_number: aTestNhsNumber(people),
      given_name: `Given${mark}`,
      family_name: `Family${mark}`,
      birth_date: `19${40 + people}-03-09`,
      ethnicity: `ethnicity ${mark}`,
      address: { lines: [`${mark} Wisteria Nook`], postcode: 'ZT1 3GH' },
      telephone: `01632 9607${String(people).padStart(2, '0')}`,
      email: `${mark}@example.org`,
      carer: { name: `Carer ${mark}` },
    };
    const { nhs_number, email, telephone } = patient;
    return { mark, patient, values: [mark, nhs_number, email, telephone] };
  }

  async function deliverAll(id: string): Promise<void> {
    for (const { id: delivery_id } of (await get(referrer, `/${id}/deliveries`)).body.items)
      await deliver(site.deps, { delivery_id });
  }

  const pdf = (mark: string) => Buffer.from(`%PDF-1.7 ${mark}`);

  /** A referral with something in every place that can say something about the person, and ended. */
  async function aCompletedReferral() {
    const person = somebody();
    const { mark, patient } = person;
    const said = {
      ...aReferral(place.serviceId, { patient }),
      reasons: [{ text: `reason ${mark}`, code: '105412007' }],
      what_matters: `matters ${mark}`,
      safety_notes: `safety ${mark}`,
      support_offered: `support ${mark}`,
      referrer: { on_behalf_of: `Dr ${mark}` },
      gp_practice: { ods_code: 'Z99001' },
    };
    const { body: made } = await post(referrer, '', said, { 'idempotency-key': mark });
    const { id } = made;
    await post(referrer, `/${id}/messages`, { text: `message ${mark}` });
    const payload = Buffer.concat([
      Buffer.from(`--x\r\ncontent-disposition: form-data; name="file"; filename="${mark}.pdf"\r\n\r\n`),
      pdf(mark),
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const attached = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${id}/attachments`,
      headers: { ...referrer.headers, 'content-type': 'multipart/form-data; boundary=x' },
      payload,
    });
    await deliverAll(id);
    await post(provider, `/${id}/accept`, {}, asSeen(1));
    const status_reason = { code: 'other', text: `hold ${mark}` };
    await post(provider, `/${id}/hold`, { status_reason }, asSeen(2));
    const outcome = { code: 'other', text: `outcome ${mark}` };
    const ended = await post(provider, `/${id}/complete`, { outcome }, asSeen(3));
    expect([attached.statusCode, ended.body.status]).toEqual([201, 'completed']);
    await deliverAll(id);
    const captured = await site.deps.db
      .selectFrom('captured_messages')
      .select('id')
      .where('referral_id', '=', id)
      .executeTakeFirstOrThrow();
    return { ...person, id, said, attachment: attached.json().id, captured: captured.id };
  }

  /** A new referral that nobody has answered. */
  async function makeReferral(person = somebody()) {
    const said = aReferral(place.serviceId, { patient: person.patient });
    const { body } = await post(referrer, '', said, { 'idempotency-key': person.mark });
    return { ...person, id: body.id as string, reference: body.reference as string, said };
  }

  /** Packs the record of a person by the API. @returns the copy. */
  async function packedCopy(person: object, reason = why) {
    const { status, body } = await call(operator, 'POST', '/api/patients/export', {
      body: { ...person, ...reason },
    });
    expect([status, body.status], JSON.stringify(body)).toEqual([201, 'to_review']);
    return body;
  }

  /** Finishes the review of a copy on its page, as the other operator. */
  async function review(id: string) {
    const path = `/operator/patients/copies/${id}`;
    const { page } = await browser.open(path);
    const seen = page.querySelector('input[name=seen]')!.getAttribute('value')!;
    const files = page.querySelector('input[name=has_files]') && { has_files: 'yes', files_read: 'yes' };
    const finished = await browser.send(`${path}/reviewed`, { note: 'I read all of it.', seen, ...files });
    expect([finished.status, finished.location]).toEqual([303, `${path}?done=reviewed`]);
  }

  /** The record of a person, packed, reviewed and handed out. */
  async function handedOut(person: object, reason = why): Promise<any> {
    const { id } = await packedCopy(person, reason);
    await review(id);
    const { status, body } = await call(operator, 'GET', `/api/patients/copies/${id}/record`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  }

  function expectNothingOf(values: readonly string[], text: string, where: string): void {
    for (const value of values) expect(text.includes(value), `${where} says ${value}`).toBe(false);
  }

  return {
    site,
    place,
    referrer,
    provider,
    operator,
    stranger,
    browser,
    referrerBrowser,
    call,
    get,
    post,
    asSeen,
    why,
    uuid,
    later,
    somebody,
    deliverAll,
    pdf,
    aCompletedReferral,
    makeReferral,
    packedCopy,
    review,
    handedOut,
    expectNothingOf,
  };
}
