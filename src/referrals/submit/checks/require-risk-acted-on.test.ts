import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral } from '../../../../test/app/builders.ts';
import { makeReferralFixture } from '../../../../test/people/referral-fixture.ts';

const { completeAll, place, referrer, site, stored, submit } = await makeReferralFixture();
const told = { who_was_told: 'Anna Smith, duty social worker', when: '2026-11-20T10:00:00Z' };

afterAll(() => site.close());
beforeEach(() => completeAll());

async function send(given: object, serviceId = place.serviceId) {
  const { statusCode: status, body } = await submit({ ...aReferral(serviceId), ...given });
  return { status, body: JSON.parse(body) };
}

describe('the question of risk', () => {
  it('is stored as not asked if a client does not send it', async () => {
    expect((await send({})).body.risk).toBe('not_asked');
    await completeAll();
    expect((await send({ risk: 'could_not_ask' })).body.risk).toBe('could_not_ask');
  });

  it('stops a referral until somebody was told', async () => {
    const before = await stored();
    const { status, body } = await send({ risk: 'yes' });
    expect([status, body.type.split('/').at(-1)]).toEqual([422, 'risk-not-acted-on']);
    expect(body).toMatchObject({ emergency_number: '999', safeguarding_contact: null });
    expect(body.errors).toEqual([{ pointer: '/risk_acted_on', message: expect.any(String) }]);
    expect(await stored()).toBe(before);
    expect(await send({ risk: 'yes', risk_acted_on: told })).toMatchObject({
      status: 201,
      body: { risk: 'yes', risk_acted_on: { ...told, when: '2026-11-20T10:00:00.000Z' } },
    });
  });

  it('is answered before anything else that is wrong', async () => {
    const { body } = await send({ risk: 'yes', service_id: 'nowhere' });
    expect(body.type).toMatch(/risk-not-acted-on$/);
    const misspelled = await send({ risk: 'yes', urgency: 'very', saftey_notes: 'None' });
    expect([misspelled.status, misspelled.body.emergency_number]).toEqual([422, '999']);
  });

  it.each([
    ['empty', {}, ['/risk_acted_on/who_was_told', '/risk_acted_on/when']],
    ['null', null, ['/risk_acted_on']],
    ['a text', 'the police', ['/risk_acted_on']],
    ['a list', [told], ['/risk_acted_on']],
    ['without a time', { who_was_told: 'The police' }, ['/risk_acted_on/when']],
    ['a time that is none', { ...told, when: 'just now' }, ['/risk_acted_on/when']],
    ['a day that is none', { ...told, when: '2026-02-30T10:00:00Z' }, ['/risk_acted_on/when']],
    ['a blank', { ...told, who_was_told: ' ' }, ['/risk_acted_on/who_was_told']],
    ['nobody', { ...told, who_was_told: 'Nobody.' }, ['/risk_acted_on/who_was_told']],
    ['no name', { ...told, who_was_told: 'n/a' }, ['/risk_acted_on/who_was_told']],
    ['misspelled', { ...told, whom: 'The police' }, ['/risk_acted_on/whom']],
    ['still to come', { ...told, when: '2999-01-01T00:00:00Z' }, ['/risk_acted_on/when']],
  ])('says whom to call where risk_acted_on is %s', async (_, risk_acted_on, pointers) => {
    const { status, body } = await send({ risk: 'yes', risk_acted_on, patient: 'nobody' });
    expect([status, body.type.split('/').at(-1)]).toEqual([422, 'risk-not-acted-on']);
    expect(body).toMatchObject({ emergency_number: '999', safeguarding_contact: null });
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
    expect(body.errors.every(({ message }: { message: string }) => message.length > 5)).toBe(true);
  });

  it.each([
    'nobody yet',
    'No-one yet',
    'I haven’t told anyone',
    'will tell them later',
    'TBC',
    'to be done',
    'xx',
    'self',
    'Nobody so far',
    'No one has been told yet',
    'pending',
    'ASAP',
    'someone',
    'will do',
    'Awaiting call back',
    'not yet done',
  ])('does not take “%s” for somebody who was told', async (who_was_told) => {
    const { body } = await send({ risk: 'yes', risk_acted_on: { ...told, who_was_told } });
    expect(body.errors).toMatchObject([
      {
        pointer: '/risk_acted_on/who_was_told',
        message: 'must say who was told. If nobody was, tell somebody first',
      },
    ]);
  });

  it.each([
    'Will Smith, duty social worker',
    'Mei, on-call GP',
    'No. 5 ward sister',
    'A&E',
    'her mother',
    'Someone at adult social care',
    'Ann, tomorrow’s duty nurse',
    '999',
  ])('takes “%s” for somebody who was told', async (who_was_told) => {
    const { body } = await send({ risk: 'yes', risk_acted_on: { ...told, who_was_told }, patient: 'nobody' });
    expect(body.type.split('/').at(-1)).toBe('bad-request');
  });

  it('comes first when somebody is referred to another service', async () => {
    for (const more of [{}, { risk_acted_on: 'the police' }]) {
      const answer = await site.app.inject({
        method: 'POST',
        url: '/api/referrals/0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f/reroute',
        payload: { risk: 'yes', ...more },
        headers: referrer.headers,
      });
      expect([answer.statusCode, answer.json().emergency_number]).toEqual([422, '999']);
    }
  });

  it('is answered first where a draft is sent that lacks more', async () => {
    const draft = (await send({ risk: 'yes', status: 'draft', reasons: undefined, consent: undefined })).body;
    const sent = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${draft.id}/request`,
      payload: {},
      headers: { ...referrer.headers, 'if-match': `"${draft.version}"` },
    });
    expect([sent.statusCode, sent.json().emergency_number]).toEqual([422, '999']);
  });

  it('may wait in a draft, and not when it is sent', async () => {
    const draft = (await send({ risk: 'yes', status: 'draft' })).body;
    const sent = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${draft.id}/request`,
      payload: {},
      headers: { ...referrer.headers, 'if-match': `"${draft.version}"` },
    });
    expect([sent.statusCode, sent.json().type.split('/').at(-1)]).toEqual([422, 'risk-not-acted-on']);
  });

  it('gets the numbers to call even in an unfinished draft', async () => {
    const draft = (await submit({ status: 'draft', risk: 'yes' })).json();
    const sent = await site.app.inject({
      method: 'POST',
      url: `/api/referrals/${draft.id}/request`,
      payload: {},
      headers: { ...referrer.headers, 'if-match': `"${draft.version}"` },
    });
    expect(sent.json()).toMatchObject({
      type: expect.stringMatching(/risk-not-acted-on$/),
      emergency_number: '999',
      safeguarding_contact: null,
    });
  });

  it('is asked again if a referral with a risk is rerouted', async () => {
    const first = (await send({ risk: 'yes', risk_acted_on: told })).body;
    const call = async (path: string, payload: object) => {
      const headers = { ...referrer.headers, 'if-match': '"1"' };
      const answer = await site.app.inject({
        method: 'POST',
        url: `/api/referrals/${first.id}${path}`,
        payload,
        headers,
      });
      return { status: answer.statusCode, body: answer.json() };
    };
    const status_reason = { code: 'client-declined', text: 'She would rather go elsewhere.' };
    expect((await call('/cancel', { status_reason })).status).toBe(200);
    const consent = { referral: true, share_with_gp: false };
    const again = { service_id: place.serviceId, consent };
    const refused = await call('/reroute', again);
    expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/risk' }]]);
    expect((await call('/reroute', { ...again, risk: 'no' })).status).toBe(201);
  });

  it.each([
    ['still to come', '2999-01-01T00:00:00Z'],
    ['over a month ago, about a risk now', '2026-01-01T00:00:00Z'],
  ])('refuses a time that is %s', async (_, when) => {
    const { status, body } = await send({ risk: 'yes', risk_acted_on: { ...told, when } });
    expect([status, body.errors[0].pointer]).toEqual([422, '/risk_acted_on/when']);
  });

  it('takes what was done before the day of a paper referral', async () => {
    const ago = (days: number) => new Date(site.clock.now().getTime() - days * 86_400_000).toISOString();
    const onPaper = { risk: 'yes', made_at: ago(20) };
    const early = await send({ ...onPaper, risk_acted_on: { ...told, when: ago(45) } });
    expect(early.status, JSON.stringify(early.body)).toBe(201);
    await completeAll();
    const meanwhile = await send({ ...onPaper, risk_acted_on: { ...told, when: ago(1) } });
    expect(meanwhile.status).toBe(201);
    const { status, body } = await send({ ...onPaper, risk_acted_on: { ...told, when: ago(52) } });
    expect([status, body.errors[0]]).toMatchObject([
      422,
      { pointer: '/risk_acted_on/when', message: expect.stringContaining('does not answer a risk now') },
    ]);
  });

  it('keeps the time in UTC', async () => {
    const when = '2026-11-20T10:00:00+05:30';
    const { body } = await send({ risk: 'yes', risk_acted_on: { ...told, when } });
    expect(body.risk_acted_on.when).toBe('2026-11-20T04:30:00.000Z');
  });
});
