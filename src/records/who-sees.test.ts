import { describe, expect, it } from 'vitest';
import { aReferral } from '../../test/app/builders.ts';
import { recordsFixture } from '../../test/records/fixture.ts';

const {
  place,
  referrer,
  provider,
  operator,
  stranger,
  browser,
  call,
  get,
  post,
  asSeen,
  why,
  uuid,
  somebody,
  aCompletedReferral,
  expectNothingOf,
} = await recordsFixture();

describe('an operator who opens a referral', () => {
  it('sees the status, but not the person or their needs', async () => {
    const { id, values, mark, patient, attachment, captured } = await aCompletedReferral();
    const inside = ['messages', 'attachments', `attachments/${attachment}`, 'letter.pdf'].map(
      (part) => `/${id}/${part}`,
    );
    const around = ['?limit=200', `/${id}`, `/${id}/history`, `/${id}/openings`, `/${id}/deliveries`];
    for (const path of [...around, ...inside]) {
      const answer = await get(operator, path);
      expect(answer.status, path).toBe(inside.includes(path) ? 403 : 200);
      expectNothingOf(values, answer.text, path);
    }
    expect((await get(provider, `/${id}`)).text).toContain(mark);
    expect((await get(provider, `/${id}/history`)).text).toContain(`hold ${mark}`);
    const found = await post(operator, '/search', { nhs_number: patient.nhs_number, ...why });
    expect(found.body.items.map((each: { id: string }) => each.id)).toEqual([id]);
    expectNothingOf(values, found.text, 'the search');
    for (const url of ['/api/events?limit=500', '/api/deliveries?limit=200'])
      expectNothingOf(values, (await call(operator, 'GET', url)).text, url);

    for (const path of [
      '/referrals',
      `/referrals/${id}`,
      '/operator/deliveries',
      '/outbox',
      `/outbox/${captured}`,
    ]) {
      const { status, page } = await browser.open(path);
      expect(status, path).toBe(200);
      expectNothingOf(values, page.toString(), path);
    }
    const looked = await browser.send('/referrals/search', { nhs_number: patient.nhs_number, ...why });
    expectNothingOf(values, looked.page.querySelector('table')!.toString(), 'the search page');
  });

  it('does not learn from a delivery what the person agreed to', async () => {
    const said = aReferral(place.serviceId, { patient: somebody().patient });
    const consent = { referral: true, share_with_gp: false };
    const { id } = (await post(referrer, '', { ...said, consent })).body;
    const detail = async (who: typeof stranger) =>
      (await get(who, `/${id}/deliveries`)).body.items.find(
        (each: { leg: string }) => each.leg === 'gp_practice',
      ).detail;
    expect(await detail(operator)).toBeNull();
    const told = (await get(operator, `/${id}/deliveries`)).body.items.map((each: { id: string }) => each.id);
    for (const path of ['', `/${told[0]}`, `/${told[1]}`])
      expect((await call(operator, 'GET', `/api/deliveries${path}`)).text).not.toContain('did not agree');
    expect(await detail(referrer)).toContain('did not agree');
    await post(operator, `/${id}/open`, why);
    expect(await detail(operator)).toContain('did not agree');
  });
});

describe('somebody of another organisation', () => {
  it('cannot tell another’s referral from a missing one', async () => {
    const { id, attachment } = await aCompletedReferral();
    const paths = [
      '',
      '/history',
      '/messages',
      '/attachments',
      `/attachments/${attachment}`,
      '/openings',
      '/deliveries',
      '/letter.pdf',
    ];
    const plain = ({ body: { request_id: _, ...rest }, status }: Awaited<ReturnType<typeof get>>) => [
      status,
      rest,
    ];
    for (const path of paths) {
      const answer = plain(await get(stranger, `/${id}${path}`));
      expect(answer, path).toEqual([404, expect.objectContaining({ detail: expect.any(String) })]);
      expect(answer, path).toEqual(plain(await get(stranger, `/${uuid}${path}`)));
    }
    const reason = { status_reason: { code: 'other', text: 'x' } };
    const asks: [string, object][] = [
      ['accept', {}],
      ['cancel', reason],
      ['messages', { text: 'Hello.' }],
      ['reroute', { service_id: place.serviceId, consent: { referral: true, share_with_gp: false } }],
    ];
    for (const [action, body] of asks) {
      const theirs = plain(await post(stranger, `/${id}/${action}`, body, asSeen(1)));
      expect(theirs[0], action).toBe(404);
      expect(theirs, action).toEqual(plain(await post(stranger, `/${uuid}/${action}`, body, asSeen(1))));
    }
    for (const action of ['restrict', 'unrestrict', 'erase', 'open']) {
      for (const who of [stranger, referrer, provider])
        expect((await post(who, `/${id}/${action}`, why)).status, action).toBe(403);
      expect((await post(operator, `/${uuid}/${action}`, why)).status, action).toBe(404);
    }
  });
});
