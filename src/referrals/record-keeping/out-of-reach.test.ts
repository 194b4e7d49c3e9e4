import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aReferral,
  aService,
  aTestNhsNumber,
  aTokenHolder,
  type ServiceOfOrganisation,
} from '../../../test/app/builders.ts';
import { makeApp, type TestApp } from '../../../test/app/make-app.ts';
import { waitingForLocks } from '../../../test/database/locks.ts';
import { signedInBrowser } from '../../../test/people/signed-in-browser.ts';
import { countReferralParts } from '../../../test/referrals/stored.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { lockReferral } from '../model/referrals-store.ts';
import { eraseContent } from './erasure/erasure-store.ts';

// Nobody reaches a restricted or erased referral by any road, not even its referrer, and not even while it happens.

type Holder = Awaited<ReturnType<typeof aTokenHolder>>;

const organisation = { name: 'Infirmary Lane Surgery' };
const mark = 'Quillfeather';
const why = { reason: 'Asked for by letter; ticket 311.' };

let site: TestApp;
let place: ServiceOfOrganisation;
let referrer: Holder;
let operator: Holder;
let browser: Awaited<ReturnType<typeof signedInBrowser>>;
beforeAll(async () => {
  site = await makeApp();
  place = await aService(site.deps);
  referrer = await aTokenHolder(site.deps, { organisation });
  operator = await aTokenHolder(site.deps, { role: 'operator' });
  browser = await signedInBrowser(site, { organisation });
});
afterAll(() => site.close());

async function post(who: Holder, path: string, payload: object, headers = {}) {
  const url = `/api/referrals${path}`;
  const answer = await site.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...who.headers, ...headers },
  });
  return { status: answer.statusCode, body: answer.json() };
}

let people = 0;
const newReferral = () => {
  people += 1;
  const { patient } = aReferral(place.serviceId);
  const nhs_number = aTestNhsNumber(people);
  return aReferral(place.serviceId, {
    patient: { ...patient, nhs_number, given_name: `No${people}`, family_name: mark },
  });
};

async function aDraft(): Promise<string> {
  return (await post(referrer, '', { ...newReferral(), status: 'draft' })).body.id;
}

async function aCancelled(): Promise<string> {
  const { id } = (await post(referrer, '', newReferral())).body;
  const status_reason = { code: 'client-declined', text: 'Changed their mind.' };
  await post(referrer, `/${id}/cancel`, { status_reason }, { 'if-match': '"1"' });
  return id;
}

describe.each(['restrict', 'erase'])('%s', (act) => {
  it('leaves nothing in the form of a draft', async () => {
    const id = await aDraft();
    expect((await browser.open(`/referrals/${id}/edit`)).page.toString()).toContain(mark);
    await post(operator, `/${id}/${act}`, act === 'erase' ? { ...why, ground: 'not-needed' } : why);
    const there = { status: 303, location: `/referrals/${id}` };
    expect(await browser.open(`/referrals/${id}/edit`)).toMatchObject(there);
    expect(await browser.send(`/referrals/${id}/edit`, { version: '1', save_draft: 'yes' })).toMatchObject(
      there,
    );
    expect((await browser.open(`/referrals/${id}`)).page.toString()).not.toContain(mark);
  });

  it('lets nothing replace the referral, or fill in a form from it', async () => {
    const id = await aCancelled();
    const form = `/referrals/new?service=${place.serviceId}&reroutes=${id}`;
    expect((await browser.open(form)).page.toString()).toContain(mark);
    const told = { who_was_told: 'The duty manager', when: site.clock.now().toISOString() };
    await post(operator, `/${id}/${act}`, act === 'erase' ? { ...why, ground: 'not-needed', told } : why);
    const refused = await browser.open(form);
    expect(refused.status).toBe(409);
    expect(refused.page.toString()).not.toContain(mark);
    const { status, body } = await post(referrer, '', { ...newReferral(), reroutes: id });
    expect([status, body.errors]).toEqual([
      422,
      [{ pointer: '/reroutes', message: act === 'erase' ? 'was erased' : 'is restricted' }],
    ]);
  });
});

describe('an erasure', () => {
  it('keeps out what is added at the same time', async () => {
    const file =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\r\n--x--\r\n';
    const formType = { 'content-type': 'multipart/form-data; boundary=x' };
    const adding = [
      ['referral_messages', referrer, 'messages', JSON.stringify({ text: mark }), {}],
      ['referral_attachments', referrer, 'attachments', file, formType],
      ['referral_openings', operator, 'open', JSON.stringify({ reason: `Because of ${mark}` }), {}],
    ] as const;
    for (const [table, who, path, payload, type] of adding) {
      const id = await aCancelled();
      let answered = false;
      const added = await inTransaction(site.deps.db, async (trx) => {
        await lockReferral(trx, id);
        await eraseContent(trx, site.deps, id, { isUnlawful: false, at: site.clock.now() });
        const headers = { ...who.headers, 'content-type': 'application/json', ...type };
        const answer = site.app.inject({
          method: 'POST',
          url: `/api/referrals/${id}/${path}`,
          payload,
          headers,
        });
        void answer.then(() => {
          answered = true;
        });
        await expect.poll(async () => answered || (await waitingForLocks(site.deps.db)) > 0).toBe(true);
        return { answer };
      });
      expect([path, (await added.answer).json().type]).toEqual([
        path,
        expect.stringContaining('referral-erased'),
      ]);
      expect([path, await countReferralParts(site.deps.db, table, id)]).toEqual([path, 0]);
    }
  });

  it('is refused by the database during a legal hold', async () => {
    const id = await aCancelled();
    expect((await post(operator, `/${id}/legal-hold`, why)).status).toBe(200);
    const erasing = inTransaction(site.deps.db, (trx) =>
      eraseContent(trx, site.deps, id, { isUnlawful: false, at: site.clock.now() }),
    );
    await expect(erasing).rejects.toThrow('referrals_held_not_erased');
    expect((await post(referrer, `/${id}/messages`, { text: mark })).status).toBe(201);
  });
});
