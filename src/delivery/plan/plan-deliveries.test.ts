import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../test/delivery/example-referral.ts';
import { isAnswer, planAfterContentChange, planDeliveries } from './plan-deliveries.ts';

function consenting(share_with_gp: boolean | 'codes_only', given = {}) {
  const { consent } = exampleReferral().content;
  return exampleReferral({ ...given, content: { consent: { ...consent, share_with_gp } } });
}

function planned(...change: Parameters<typeof planDeliveries>) {
  return planDeliveries(...change).map(
    ({ leg, purpose, suppressedBecause }) => `${leg} ${purpose}: ${suppressedBecause ?? 'sent'}`,
  );
}

describe('a new referral', () => {
  it('is told to the service and to the practice', () => {
    expect(planDeliveries({ referral: exampleReferral(), from: null, by: 'referrer' })).toEqual([
      {
        leg: 'service',
        purpose: 'referral',
        receiverName: 'Sarrowby Community Choir',
        receiverCode: 'arts-trust',
        suppressedBecause: null,
      },
      {
        leg: 'gp_practice',
        purpose: 'referral',
        receiverName: 'Mill Lane Surgery',
        receiverCode: 'Z99002',
        suppressedBecause: null,
      },
    ]);
  });

  it('is told in the same way if it was a draft', () => {
    expect(planDeliveries({ referral: exampleReferral(), from: 'draft', by: 'referrer' })).toHaveLength(2);
  });

  it.each([
    ['codes_only', 'sent'],
    [false, 'The patient did not agree that their GP practice is told.'],
  ] as const)('is planned as the person agreed: %s', (share, practice) => {
    expect(planned({ referral: consenting(share), from: null, by: 'referrer' })).toEqual([
      'service referral: sent',
      `gp_practice referral: ${practice}`,
    ]);
  });

  it('says that no practice was named, if it has none', () => {
    expect(planned({ referral: exampleReferral({ gp_practice: null }), from: null, by: 'referrer' })[1]).toBe(
      'gp_practice referral: No GP practice was named.',
    );
  });
});

describe('a correction', () => {
  const { patient } = exampleReferral().content;
  const letters = { hasFirstLetter: true, hasOutcome: false };
  const planned = (content: Parameters<typeof exampleReferral>[0]) =>
    planAfterContentChange(
      { before: exampleReferral(), referral: exampleReferral(content), kind: 'correction', by: 'provider' },
      letters,
    ).map(({ leg }) => leg);

  it.each([
    ['a need', { needs: ['bereavement' as const] }],
    ['a goal', { goals: [{ text: 'To sing again' }] }],
    ['an adjustment', { reasonable_adjustments: ['wheelchair' as const] }],
    ['that it is hidden online', { do_not_show_online: true }],
    ['the telephone number', { patient: { ...patient, telephone: '01632 960987' } }],
    [
      'a carer for the practice',
      { patient: { ...patient, carer: { ...patient.carer!, share_with_gp: true } } },
    ],
  ])('is told to the practice if its letter shows it: %s', (_, content) => {
    expect(planned({ content })).toEqual(['gp_practice']);
  });

  it.each([
    ['a need that tells of abuse', { needs: ['elder-abuse' as const] }],
    ['the email address', { patient: { ...patient, email: 'new@example.org' } }],
    ['the ethnic category', { patient: { ...patient, ethnic_category: 'A' as const } }],
  ])('is not told to it otherwise: %s', (_, content) => {
    expect(planned({ content })).toEqual([]);
  });
});

describe('a referral that goes on after a death was taken back', () => {
  it('is told to both, though neither side may have taken it back', () => {
    const referral = exampleReferral();
    const change = { referral, before: referral, kind: 'reopened', by: null } as const;
    const letters = planAfterContentChange(change, { hasFirstLetter: false, hasOutcome: true });
    expect(letters.map(({ leg, purpose }) => `${leg} ${purpose}`)).toEqual([
      'service referral',
      'gp_practice referral',
    ]);
  });
});

describe('a change of status', () => {
  it.each([
    'completed',
    'rejected',
    'failed',
    'cancelled',
  ] as const)('the practice is told of an end as %s, if the person agreed', (status) => {
    const from = 'accepted';
    const by = 'provider';
    expect(planned({ referral: consenting(true, { status }), from, by })).toEqual([
      'gp_practice outcome: sent',
    ]);
    expect(planned({ referral: consenting(false, { status }), from, by })).toEqual([
      'gp_practice outcome: The patient did not agree that their GP practice is told.',
    ]);
  });

  it('asks the practice to remove a letter sent by mistake', () => {
    for (const share of [true, 'codes_only', false] as const) {
      const referral = consenting(share, { status: 'entered-in-error' });
      expect(planned({ referral, from: 'accepted', by: 'provider' })).toEqual(['gp_practice outcome: sent']);
    }
  });

  it.each([
    ['cancelled', 'referrer'],
    ['entered-in-error', 'referrer'],
    ['rejected', 'site'],
  ] as const)('the service is told that it is %s by the %s', (status, by) => {
    const told = planDeliveries({ referral: exampleReferral({ status }), from: 'requested', by });
    expect(told.map(({ leg, purpose }) => `${leg} ${purpose}`)).toEqual([
      'service outcome',
      'gp_practice outcome',
    ]);
    expect(told[0]).toMatchObject({ receiverCode: 'arts-trust', suppressedBecause: null });
  });

  it.each(['accepted', 'in-progress', 'on-hold'] as const)('%s makes no delivery necessary', (status) => {
    expect(
      planDeliveries({ referral: exampleReferral({ status }), from: 'requested', by: 'provider' }),
    ).toEqual([]);
  });

  it('is an answer only if the service accepts or rejects', () => {
    const answered = (status: 'accepted' | 'rejected' | 'cancelled', by: 'provider' | 'site' = 'provider') =>
      isAnswer({ referral: exampleReferral({ status }), from: 'requested', by });
    expect([answered('accepted'), answered('rejected'), answered('cancelled')]).toEqual([true, true, false]);
    expect(answered('rejected', 'site')).toBe(false);
  });
});
