import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aReferral } from '../../../test/app/builders.ts';
import { makeReferralFixture } from '../../../test/people/referral-fixture.ts';
import { siteActor } from '../../audit/index.ts';
import { importServices } from '../../exchange/index.ts';
import { exampleOfRefusal } from './refusals.ts';

let fixture: Awaited<ReturnType<typeof makeReferralFixture>>;
beforeAll(async () => {
  fixture = await makeReferralFixture();
});
afterAll(() => fixture.site.close());

async function hold(id: string) {
  await fixture.act(id, 'accept', {});
  const status_reason = { code: 'missing-information', text: 'We need her doctor’s word.' };
  return fixture.act(id, 'hold', { status_reason, expected_date: '2020-01-01' }, 2);
}

const namesOf = (answer: object) => Object.keys(answer).sort();
const wordsOf = ({ title, detail, errors }: Record<string, unknown>) => ({ title, detail, errors });

describe('the example of a refusal', () => {
  it('equals the real answer of a refused call', async () => {
    const { submit, act, site, provider, referrer, place } = fixture;
    const made = (await submit(aReferral(place.serviceId))).json();
    const patient = { ...aReferral(place.serviceId).patient, birth_date: '31 December 1950' };
    const changeWithoutVersion = {
      method: 'POST',
      url: `/api/referrals/${made.id}/accept`,
      payload: {},
    } as const;
    const answers = [
      await submit(aReferral(place.serviceId, { patient })),
      await submit(aReferral(place.serviceId), {}, provider),
      await submit({ notes: 'x'.repeat(1_100_000) }),
      await site.app.inject({
        method: 'POST',
        url: '/api/referrals',
        payload: 'text',
        headers: { ...referrer.headers, 'content-type': 'text/plain' },
      }),
      await act(made.id, 'accept', {}, 9),
      await site.app.inject({ ...changeWithoutVersion, headers: provider.headers }),
      await hold(made.id),
    ].map((answer) => answer.json());
    expect(answers.map(({ code }) => code)).toEqual([
      'bad-request',
      'forbidden',
      'too-large',
      'unsupported-media-type',
      'version-stale',
      'version-missing',
      'unprocessable',
    ]);
    for (const answer of answers)
      expect(wordsOf(answer), answer.code).toEqual(wordsOf({ ...exampleOfRefusal(answer.code) }));
  });

  it('has the members of a refusal for the person’s safety', async () => {
    const { submit, act, site, referrer, place } = fixture;
    const adults = { id: 'adults', name: 'Adults’ choir', status: 'active', minimum_age: 18 };
    await importServices(site.deps, siteActor, Readable.from([Buffer.from(`${JSON.stringify(adults)}\n`)]));
    const { patient } = aReferral(place.serviceId);
    const known = (await submit(aReferral(place.serviceId, { allow_duplicate: true }))).json();
    const other = { ...patient, given_name: 'Other', family_name: 'Somebody' };
    const child = { ...other, nhs_number: undefined, birth_date: '2015-03-09' };
    const answers = [
      await submit(aReferral(place.serviceId, { risk: 'yes' })),
      await submit(aReferral(place.serviceId, { patient: other })),
      await submit(aReferral('adults', { patient: child })),
      await submit(aReferral(place.serviceId)),
    ];
    await act(known.id, 'died', { told_by: 'Her daughter' }, 1, referrer);
    answers.push(await submit(aReferral(place.serviceId, { allow_duplicate: true })));
    const bodies = answers.map((answer) => answer.json());
    expect(bodies.map(({ code }) => code)).toEqual([
      'risk-not-acted-on',
      'person-mismatch',
      'does-not-fit',
      'possible-duplicate',
      'death-reported',
    ]);
    for (const body of bodies) {
      const example = exampleOfRefusal(body.code);
      expect(wordsOf(body), body.code).toEqual(wordsOf({ ...example }));
      expect(namesOf(example), body.code).toEqual(namesOf(body));
    }
  });
});
