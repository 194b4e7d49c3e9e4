import { describe, expect, it } from 'vitest';
import { referralLifeFixture } from '../../../test/referrals/life-fixture.ts';

const {
  site,
  referrer,
  provider,
  operator,
  stranger,
  call,
  get,
  post,
  later,
  aPerson,
  makeReferral,
  reason,
} = await referralLifeFixture();

/** Reads a referral as a client that has kept this ETag. */
const readAgain = (who: typeof referrer, id: string, etag: string, more = {}) =>
  call(who, 'GET', `/${id}`, { headers: { 'if-none-match': etag, ...more } });
const etagOf = async (who: typeof referrer, id: string) =>
  String((await get(who, `/${id}`)).answer.headers.etag);
const why = { reason: 'The person asked for it in writing.', ground: 'objection' };

describe('a referral that a client has already', () => {
  it('is not sent again while it would look the same', async () => {
    const { id } = await makeReferral();
    const etag = await etagOf(referrer, id);
    expect(etag).toMatch(/^"1-[\w-]{22}"$/);
    for (const known of [etag, `W/${etag}`, `"7", ${etag}`, '*']) {
      const { status, body, answer } = await readAgain(referrer, id, known);
      expect([status, body, answer.headers.etag], known).toEqual([304, '', etag]);
    }
    expect((await readAgain(referrer, id, '"1"')).body.id, 'the version alone says too little').toBe(id);
  });

  it('is sent again after a restriction, its end, hold or erasure', async () => {
    const made = await makeReferral();
    await post(provider, `/${made.id}/reject`, reason, 1);
    let kept = {
      etag: await etagOf(referrer, made.id),
      at: (await get(referrer, `/${made.id}`)).body.updated_at,
    };
    for (const act of ['restrict', 'unrestrict', 'legal-hold', 'lift-legal-hold', 'erase']) {
      await later(60_000);
      const { reason: text, ground } = why;
      const done = await post(operator, `/${made.id}/${act}`, {
        reason: text,
        ...(act === 'erase' && { ground }),
      });
      expect(done.status, act).toBe(200);
      const { status, body, answer } = await readAgain(referrer, made.id, kept.etag);
      expect([status, body.version], act).toEqual([200, 2]);
      expect('patient' in body, act).toBe(!['restrict', 'erase'].includes(act));
      const found = (await get(referrer, `?updated_after=${kept.at}`)).body.items;
      expect(
        found.map(({ id }: { id: string }) => id),
        act,
      ).toEqual([made.id]);
      kept = { etag: String(answer.headers.etag), at: body.updated_at };
    }
    expect((await readAgain(referrer, made.id, kept.etag)).status).toBe(304);
  });

  it('is sent again when the date alone makes it look different', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/accept`, {}, 1);
    const etag = await etagOf(referrer, id);
    await later(60 * 24 * 60 * 60 * 1000);
    expect((await readAgain(referrer, id, etag)).body.overdue).toBe(true);
  });

  it('is sent again when another referral of the person follows it', async () => {
    const person = aPerson();
    const { id } = (await post(referrer, '', person)).body;
    await post(provider, `/${id}/reject`, reason, 1);
    const etag = await etagOf(referrer, id);
    await later(60_000);
    await post(referrer, '', person);
    expect((await readAgain(referrer, id, etag)).body.referred_again).toBe(true);
  });

  it('is acted on by its ETag, or by its version alone', async () => {
    const { id } = await makeReferral();
    const etag = await etagOf(provider, id);
    // Who has seen it, and what became of its deliveries, makes nobody decide again.
    await call(provider, 'GET', `/${id}`, { headers: { 'onward-shown-to': 'person' } });
    expect(await etagOf(provider, id)).not.toBe(etag);
    const act = (name: string, tag: string) =>
      call(provider, 'POST', `/${id}/${name}`, { body: {}, headers: { 'if-match': tag } });
    const accepted = await act('accept', etag);
    expect([accepted.status, accepted.answer.headers.etag]).toEqual([200, await etagOf(provider, id)]);
    expect((await act('start', etag)).status).toBe(412);
    for (const wrong of ['"2-"', '"2-a b"', '"-2"', '"02abc"'])
      expect((await act('start', wrong)).status, wrong).toBe(412);
    expect((await act('start', '"2"')).status).toBe(200);
  });

  it('is shown to nobody by an answer without content', async () => {
    const { id } = await makeReferral();
    const toPerson = { 'onward-shown-to': 'person' };
    const url = `/api/referrals/${id}`;
    const head = await site.app.inject({
      method: 'HEAD',
      url,
      headers: { ...provider.headers, ...toPerson },
    });
    expect(head.statusCode).toBe(200);
    const etag = await etagOf(provider, id);
    expect((await readAgain(provider, id, etag, toPerson)).status).toBe(304);
    expect((await call(provider, 'GET', `/${id}`, { headers: { 'onward-shown-to': 'nobody' } })).status).toBe(
      400,
    );
    expect((await get(referrer, `/${id}`)).body.seen).toBeNull();
    const shown = await call(provider, 'GET', `/${id}`, { headers: toPerson });
    expect(shown.answer.headers.etag, 'of the answer, which says who has seen it').toBe(
      await etagOf(provider, id),
    );
    expect((await get(referrer, `/${id}`)).body.seen.by.name).toBe('Test Person');
  });
});

describe('a list of what was updated', () => {
  it('has those with a new message or file, and those resolved', async () => {
    const { id } = await makeReferral();
    await post(provider, `/${id}/reject`, reason, 1);
    const pdf =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7 a\r\n--x--\r\n';
    const steps = [
      () => post(provider, `/${id}/messages`, { text: 'We hope for spring.' }),
      () => post(referrer, `/${id}/messages`, { text: 'Thank you.' }),
      () =>
        site.app.inject({
          method: 'POST',
          url: `/api/referrals/${id}/attachments`,
          headers: { ...provider.headers, 'content-type': 'multipart/form-data; boundary=x' },
          payload: pdf,
        }),
      () => post(referrer, `/${id}/seen-to`),
    ];
    for (const step of steps) {
      const { updated_at } = (await get(referrer, `/${id}`)).body;
      await later(60_000);
      await step();
      const found = (await get(referrer, `?updated_after=${updated_at}`)).body.items;
      expect(found.map((each: { id: string }) => each.id)).toEqual([id]);
      expect(found[0].version).toBe(2);
    }
  });
});

describe('a referral that is read', () => {
  it('has pages of its parts, and each part at its Location', async () => {
    const recorded_at = '2026-11-20T10:00:00+01:00';
    const { id, consent } = await makeReferral({
      consent: { referral: true, share_with_gp: true, recorded_at },
    });
    expect(consent.recorded_at).toBe('2026-11-20T09:00:00.000Z');
    await post(provider, `/${id}/accept`, {}, 1);
    await post(provider, `/${id}/messages`, { text: 'First.' });
    const { answer, body } = await post(referrer, `/${id}/messages`, { text: 'Second.' });
    const [, path] = String(answer.headers.location).split('/api/referrals');
    expect((await get(provider, path!)).body).toEqual(body);
    expect([(await get(stranger, path!)).status, (await get(operator, path!)).status]).toEqual([404, 403]);
    for (const list of ['history', 'deliveries', 'messages']) {
      const whole = (await get(referrer, `/${id}/${list}`)).body;
      const first = (await get(referrer, `/${id}/${list}?limit=1`)).body;
      const next = (await get(referrer, `/${id}/${list}?limit=1&cursor=${first.next_cursor}`)).body;
      expect([...first.items, ...next.items]).toEqual(whole.items);
      expect([whole.items.length, next.next_cursor]).toEqual([2, null]);
      expect((await get(referrer, `/${id}/${list}?cursor=x`)).status).toBe(400);
    }
    expect((await get(stranger, `/${id}`)).body.detail).toContain('not yours');
  });

  it('is answered to others like one that does not exist', async () => {
    const { id } = await makeReferral();
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
    const { id } = await makeReferral();
    await post(
      provider,
      `/${id}/reject`,
      { status_reason: { code: 'other', text: 'Margaret moved away.' } },
      1,
    );
    for (const rest of [`/${id}`, `/${id}/history`, '']) {
      const answer = await site.app.inject({ url: `/api/referrals${rest}`, headers: operator.headers });
      expect(answer.statusCode).toBe(200);
      expect(answer.body).toContain('rejected');
      for (const personal of ['Margaret', 'Example', '9990000018', 'Mill Lane', 'lonely'])
        expect(answer.body).not.toContain(personal);
    }
  });
});
