import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { aReferral, aService } from '../../../../test/app/builders.ts';
import { setChannels } from '../../../../test/library/stored.ts';
import { makeReferralFixture } from '../../../../test/people/referral-fixture.ts';

const { completeAll, place, referrer, site, stored, submit } = await makeReferralFixture();
afterAll(() => site.close());
beforeEach(() => completeAll());

const patient = aReferral('').patient;

describe('POST /api/referrals', () => {
  it.each([
    ['/service_id', { service_id: undefined }],
    ['/service_id', { service_id: 7 }],
    ['/service_id', { service_id: '' }],
    ['/service_id', { service_id: 'no\u0000pe' }],
    ['/urgency', { urgency: 'at once' }],
    ['/patient', { patient: undefined }],
    ['/patient', { patient: 'Margaret' }],
    ['/reasons', { reasons: undefined }],
    ['/reasons', { reasons: [] }],
    ['/reasons/0/text', { reasons: [{ text: '' }] }],
    ['/reasons/0/text', { reasons: [{}] }],
    ['/reasons/0/text', { reasons: [{ text: 'x'.repeat(10_001) }] }],
    ['/consent', { consent: undefined }],
    ['/consent/share_with_gp', { consent: { referral: true } }],
    ['/consent/share_with_gp', { consent: { referral: true, share_with_gp: 'perhaps' } }],
    ['/gp_practice/ods_code', { gp_practice: {} }],
    ['/gp_practice/name', { gp_practice: { ods_code: 'Z99001', name: 'x' } }],
    ['/referrer/name', { referrer: { name: 'Somebody Else' } }],
    ['/status', { status: 'accepted' }],
    ['/what_matters', { what_matters: '' }],
  ])('refuses a body that is wrong at %s, and names it (%#)', async (pointer, wrong) => {
    const before = await stored();
    const { statusCode, body } = await submit({ ...aReferral(place.serviceId), ...wrong });
    expect(statusCode).toBe(400);
    expect(JSON.parse(body).errors.map((each: { pointer: string }) => each.pointer)).toContain(pointer);
    expect(await stored()).toBe(before);
  });

  it.each([
    ['/serviceId', { serviceId: 'x' }, 'is not a known field; did you mean service_id?'],
    ['/reason', { reason: [] }, 'is not a known field; did you mean reasons?'],
    ['/nickname', { nickname: 'Peg' }, 'is not a known field; leave it out'],
    // A name that every object in JavaScript has.
    ['/valueOf', { valueOf: 'x' }, 'is not a known field; leave it out'],
    [
      '/patient/nhsNumber',
      { patient: { ...patient, nhsNumber: 'x' } },
      'is not a known field; did you mean nhs_number?',
    ],
    [
      '/patient/address/postCode',
      { patient: { ...patient, address: { ...patient.address, postCode: 'x' } } },
      'is not a known field; did you mean postcode?',
    ],
    ['/reasons/0/txt', { reasons: [{ txt: 'x' }] }, 'is not a known field; did you mean text?'],
    ['/safety_notes', { safety_notes: null }, 'must be a text, and not null: leave an optional field out'],
    [
      '/patient/nhs_number',
      { patient: { ...patient, nhs_number: null } },
      'must be a text, and not null: leave an optional field out',
    ],
  ])('says what was probably meant at %s (%#)', async (pointer, wrong, message) => {
    const { errors } = (await submit({ ...aReferral(place.serviceId), ...wrong })).json();
    expect(errors).toContainEqual({ pointer, message });
  });

  it.each([
    ['/safety_notes', { safety_notes: '' }, 'must not be empty'],
    [
      '/consent/share_with_gp',
      { consent: { referral: true, share_with_gp: 'yes' } },
      'must be true or false, or "codes_only"',
    ],
    [
      '/gp_actions/0/by_date',
      { gp_actions: [{ text: 'Ring her.', by_date: 'soon' }] },
      'must be a date such as 2026-12-31',
    ],
    [
      '/gp_practice/ods_code',
      { gp_practice: { ods_code: 'Mill Lane' } },
      expect.stringContaining('such as Z99001'),
    ],
    [
      '/patient/telephone',
      { patient: { ...patient, telephone: 'n/a' } },
      expect.stringContaining('such as 01632 960123'),
    ],
    [
      '/patient/address/postcode',
      { patient: { ...patient, address: { ...patient.address, postcode: 'nowhere' } } },
      'must be a full UK postcode such as ZT1 3GH',
    ],
    [
      '/agreement/basis',
      { patient: { ...patient, birth_date: '2019-01-01' }, agreement: { basis: 'person' } },
      expect.stringMatching(/under 16: parental_responsibility, .* or safeguarding$/),
    ],
  ])('says once, with an example, what must be at %s', async (pointer, wrong, message) => {
    const { errors } = (await submit({ ...aReferral(place.serviceId), ...wrong })).json();
    expect(errors.filter((each: { pointer: string }) => each.pointer === pointer)).toEqual([
      { pointer, message },
    ]);
  });

  it.each([
    ['/patient/given_name', { given_name: undefined }],
    ['/patient/family_name', { family_name: '' }],
    ['/patient/birth_date', { birth_date: '31/12/1950' }],
    ['/patient/birth_date', { birth_date: '1950-02-30' }],
    ['/patient/nhs_number', { nhs_number: '999-000-0018' }],
    ['/patient/address', { address: undefined }],
    ['/patient/address/postcode', { address: { lines: ['1 High Street'], postcode: 'nowhere' } }],
    ['/patient/address/lines', { address: { lines: [], postcode: 'ZT1 1AA' } }],
    ['/patient/email', { email: 'nobody' }],
    ['/patient/telephone', { telephone: 'ask me' }],
    ['/patient/gender', { gender: 'x' }],
    ['/patient/communication_needs/language', { communication_needs: { language: 'Polish' } }],
  ])('refuses a patient that is wrong at %s, and names it (%#)', async (pointer, wrong) => {
    const { statusCode, body } = await submit({
      ...aReferral(place.serviceId),
      patient: { ...patient, ...wrong },
    });
    expect(statusCode).toBe(400);
    expect(JSON.parse(body).errors.map((each: { pointer: string }) => each.pointer)).toContain(pointer);
  });

  it('keeps names on one line, also in corrections', async () => {
    const carer = { name: 'Jo\nSmith', relationship: 'Daughter' };
    const { nhs_number: _, ...person } = patient;
    const names = { title: 'Mrs\t', given_name: 'Mary\t Ann', family_name: 'Van\r\nBuren' };
    const made = await submit({
      ...aReferral(place.serviceId),
      patient: { ...person, ...names, carer },
      referrer: { on_behalf_of: 'Dr\u2028Hale' },
    });
    expect(made.statusCode, made.body).toBe(201);
    const stored = { title: 'Mrs', given_name: 'Mary Ann', family_name: 'Van Buren' };
    expect(made.json().patient).toMatchObject({ ...stored, carer: { name: 'Jo Smith' } });
    expect(made.json().referrer.on_behalf_of).toBe('Dr Hale');
    const corrected = await site.app.inject({
      method: 'PATCH',
      url: `/api/referrals/${made.json().id}`,
      headers: { ...referrer.headers, 'if-match': '"1"' },
      payload: { patient: { carer: { ...carer, name: 'Jo\tJones' } } },
    });
    expect(corrected.json().patient.carer.name).toBe('Jo Jones');
  });

  it('takes an NHS number as printed, and keeps it without spaces', async () => {
    const search = (nhs_number: string) =>
      site.app.inject({
        method: 'POST',
        url: '/api/referrals/search',
        payload: { nhs_number },
        headers: referrer.headers,
      });
    const printed = { ...patient, given_name: 'Printed', nhs_number: '999 000 0026' };
    const made = await submit({ ...aReferral(place.serviceId), patient: printed });
    expect(made.statusCode, made.body).toBe(201);
    expect(made.json().patient.nhs_number).toBe('9990000026');
    for (const number of ['9990000026', '999 000 0026'])
      expect((await search(number)).json().items.map(({ id }: { id: string }) => id)).toEqual([
        made.json().id,
      ]);
    const message = 'must be 10 digits, such as 999 000 0018';
    expect((await search('999 000')).json().errors).toEqual([{ pointer: '/nhs_number', message }]);
  });

  it('answers 422 with every error, and repeats nothing sent', async () => {
    const { statusCode, body } = await submit({
      ...aReferral('not-in-the-library'),
      patient: { ...patient, nhs_number: '9434765919', birth_date: '2099-01-01' },
      gp_practice: { ods_code: 'X12345' },
      consent: { referral: false, share_with_gp: true },
    });
    expect(statusCode).toBe(422);
    const { type, errors } = JSON.parse(body);
    expect(type).toContain('/problems/cannot-refer');
    const pointers = [
      '/service_id',
      '/gp_practice/ods_code',
      '/patient/nhs_number',
      '/patient/birth_date',
      '/consent/referral',
    ];
    expect(errors.map((each: { pointer: string }) => each.pointer)).toEqual(pointers);
    for (const sent of ['not-in-the-library', '9434765919', '2099', 'X12345'])
      expect(body).not.toContain(sent);
  });

  it('refuses a birth date of somebody who would be older than 120', async () => {
    const year = site.clock.now().getUTCFullYear();
    const bornIn = (years: number) =>
      submit({ ...aReferral(place.serviceId), patient: { ...patient, birth_date: `${year - years}-01-01` } });
    expect((await bornIn(121)).json().errors).toMatchObject([
      { pointer: '/patient/birth_date', message: 'must not be more than 120 years ago' },
    ]);
    expect((await bornIn(119)).statusCode).toBe(201);
  });

  it('refuses a service that cannot take referrals, and says why', async () => {
    const closed = await aService(site.deps, { status: 'temporarily closed' });
    expect((await submit(aReferral(closed.serviceId))).json().errors[0].message).toContain('not active');
    const other = await aService(site.deps);
    await setChannels(site.deps.db, other.serviceId, { accepts: false, channels: ['inbox'] });
    expect((await submit(aReferral(other.serviceId))).json().errors[0].message).toContain(
      'does not take referrals',
    );
    await setChannels(site.deps.db, other.serviceId, { channels: [] });
    expect((await submit(aReferral(other.serviceId))).json().errors[0].message).toContain(
      'no way to receive',
    );
  });

  it.each([
    [
      '/consent/recorded_at',
      (when: string) => ({ consent: { referral: true, share_with_gp: true, recorded_at: when } }),
    ],
    [
      '/risk_acted_on/when',
      (when: string) => ({ risk: 'yes', risk_acted_on: { who_was_told: 'Police', when } }),
    ],
    [
      '/agreement/when',
      (when: string) => ({ agreement: { basis: 'competent_child', judged_by: 'Dr Hale', when } }),
    ],
    ['/made_at', (when: string) => ({ made_at: when })],
  ])('refuses a moment at %s before the birth or in an absurd year', async (pointer, given) => {
    // Born today, by the clock in London, which is that of Greenwich in November.
    const born = { ...patient, birth_date: site.clock.now().toISOString().slice(0, 10) };
    const yesterday = new Date(site.clock.now().getTime() - 86_400_000).toISOString();
    const told = async (when: string) => {
      const answer = await submit({ ...aReferral(place.serviceId), patient: born, ...given(when) });
      return [
        answer.statusCode,
        answer.json().errors?.find((each: { pointer: string }) => each.pointer === pointer)?.message,
      ];
    };
    expect(await told(yesterday)).toEqual([422, 'must not be before the date of birth']);
    const tooLongAgo = expect.stringMatching(/^must be at most (.* ago$|31 days before)/);
    expect(await told('0000-01-01T10:00:00Z')).toEqual([422, tooLongAgo]);
    expect(await told('9999-12-31T23:59:59Z')).toEqual([422, 'must not be in the future']);
    expect(await told('2026-02-30T10:00:00Z')).toEqual([
      // Whom to call comes before all else that is wrong.
      pointer === '/risk_acted_on/when' ? 422 : 400,
      'must be a date and time such as 2026-11-21T09:30:00Z',
    ]);
  });

  it('refuses a day in an absurd year with its place', async () => {
    for (const [by_date, message] of [
      ['9999-12-31', 'must be within 100 years'],
      ['0000-01-01', 'must not be in the past'],
    ]) {
      const answer = await submit({
        ...aReferral(place.serviceId),
        gp_actions: [{ text: 'Review.' }, { text: 'Review again.', by_date }],
      });
      expect([answer.statusCode, answer.json().errors]).toEqual([
        422,
        [{ pointer: '/gp_actions/1/by_date', message }],
      ]);
    }
  });

  it('refuses text that cannot be stored and invalid times', async () => {
    const cases: [string, object][] = [
      ['/reasons/0/text', { reasons: [{ text: 'half a \ud800 pair' }] }],
      ['/what_matters', { what_matters: 'nothing\u0000' }],
      ['/patient/family_name', { patient: { ...patient, family_name: '   ' } }],
      [
        '/consent/recorded_at',
        { consent: { referral: true, share_with_gp: true, recorded_at: '2016-12-31T23:59:60Z' } },
      ],
    ];
    for (const [pointer, wrong] of cases) {
      const answer = await submit({ ...aReferral(place.serviceId), ...wrong });
      expect(answer.statusCode, pointer).toBe(400);
      expect(answer.json().errors.map((each: { pointer: string }) => each.pointer)).toEqual([pointer]);
    }
    const queries = [
      'service_id=%00',
      'status=%00',
      'status=nonsense',
      'limit=1.5',
      'updated_after=2016-12-31T23:59:60Z',
      'updated_after=soon',
    ];
    for (const query of queries) {
      const answer = await site.app.inject({ url: `/api/referrals?${query}`, headers: referrer.headers });
      expect(answer.statusCode, query).toBe(400);
      expect(answer.json().errors[0].pointer.replace('/0', ''), query).toBe(`/query/${query.split('=')[0]}`);
    }
    const status = await site.app.inject({ url: '/api/referrals?status=foo', headers: referrer.headers });
    expect(status.json().errors[0].message).toMatch(
      /^must be one of draft, requested, accepted, .*entered-in-error/,
    );
    expect(status.body).not.toContain('foo');
    for (const after of [
      '2026-11-21',
      '2026-11-21T09:30',
      '2026-11-21T09:30Z',
      '2026-11-21T09:30:00%2B01:00',
    ]) {
      const url = `/api/referrals?updated_after=${after}`;
      expect((await site.app.inject({ url, headers: referrer.headers })).statusCode, after).toBe(200);
    }
    const misspelt = await site.app.inject({
      url: '/api/token/status?colour=red',
      headers: referrer.headers,
    });
    expect(misspelt.json().errors).toEqual([
      { pointer: '/query/colour', message: 'is not a known query parameter; leave it out' },
    ]);
  });
});
