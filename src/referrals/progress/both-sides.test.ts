import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral, aTokenHolder } from '../../../test/app/builders.ts';
import { makeReferralFixture } from '../../../test/people/referral-fixture.ts';

const { completeAll, act, place, referrer, site, submit } = await makeReferralFixture();
afterAll(() => site.close());
beforeEach(() => completeAll());

describe('the two sides of a referral', () => {
  it('get one winner and one 412 if they answer at once', async () => {
    const { id } = (await submit(aReferral(place.serviceId))).json();
    const status_reason = { code: 'no-capacity', text: 'The group is full.' };
    const answers = await Promise.all([act(id, 'accept', {}), act(id, 'reject', { status_reason })]);
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 412]);
  });

  it('take only their own actions, from the right statuses', async () => {
    const { id } = (await submit(aReferral(place.serviceId))).json();
    const outcome = { code: 'goals-met', text: 'Well done.' };
    expect((await act(id, 'complete', { outcome })).json().type).toContain('wrong-state');
    expect((await act(id, 'accept', {}, 1, referrer)).statusCode).toBe(403);
    const stranger = await aTokenHolder(site.deps, { role: 'provider' });
    expect((await act(id, 'accept', {}, 1, stranger)).statusCode).toBe(404);
    expect((await act(id, 'reject', {})).json().errors[0].pointer).toBe('/status_reason');
    expect((await act(id, 'accept', {})).statusCode).toBe(200);
    expect(
      (await act(id, 'reject', { status_reason: { code: 'other', text: 'No.' } }, 2)).json().type,
    ).toContain('wrong-state');
    expect((await act(id, 'complete', { outcome }, 2)).json().status).toBe('completed');
  });
});

describe('a referral', () => {
  it('is answered to others like one that does not exist', async () => {
    const { id } = (await submit(aReferral(place.serviceId))).json();
    const stranger = await aTokenHolder(site.deps);
    const read = async (url: string) => {
      const answer = await site.app.inject({ url, headers: stranger.headers });
      const { request_id: _, ...body } = answer.json();
      // How many calls are left changes from call to call.
      const {
        date: _d,
        'content-length': _l,
        ratelimit: _r,
        'x-request-id': _id,
        ...headers
      } = answer.headers;
      return { code: answer.statusCode, body, headers };
    };
    const missing = '01a1fc5f-2dc9-7657-95a8-dd6dd2dbc1d6';
    for (const rest of ['', '/history', '/deliveries']) {
      expect(await read(`/api/referrals/${id}${rest}`)).toEqual(
        await read(`/api/referrals/${missing}${rest}`),
      );
      expect(await read(`/api/referrals/not-an-id${rest}`)).toEqual(
        await read(`/api/referrals/${missing}${rest}`),
      );
    }
  });

  it('shows an operator its status, and nothing of the person', async () => {
    const { id } = (await submit(aReferral(place.serviceId))).json();
    await act(id, 'reject', { status_reason: { code: 'other', text: 'Margaret moved away.' } });
    const operator = await aTokenHolder(site.deps, { role: 'operator' });
    for (const rest of [`/${id}`, `/${id}/history`, '']) {
      const answer = await site.app.inject({ url: `/api/referrals${rest}`, headers: operator.headers });
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toContain('rejected');
      for (const personal of ['Margaret', 'Example', '9990000018', 'Mill Lane', 'lonely'])
        expect(answer.body).not.toContain(personal);
    }
  });
});

describe('the list of referrals', () => {
  it('is newest first, in pages, and names a wrong parameter', async () => {
    site.clock.moveOn(1);
    const { id } = (await submit(aReferral(place.serviceId))).json();
    const list = async (query: string) =>
      site.app.inject({ url: `/api/referrals?${query}`, headers: referrer.headers });
    const first = (await list('limit=1')).json();
    expect(first.items[0].id).toBe(id);
    const second = (await list(`limit=1&cursor=${first.next_cursor}`)).json();
    expect(second.items[0].id < id).toBe(true);
    for (const [query, pointer] of [
      ['cursor=nonsense', '/query/cursor'],
      ['limit=0', '/query/limit'],
      ['colour=red', '/query/colour'],
    ]) {
      const answer = await list(query!);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors[0].pointer).toBe(pointer);
    }
  });
});
