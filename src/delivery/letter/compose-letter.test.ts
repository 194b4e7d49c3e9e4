import { describe, expect, test } from 'vitest';
import { exampleReferral } from '../../../test/delivery/example-referral.ts';
import { type Given, outcome, textOf, toPractice, toService } from '../../../test/delivery/letters.ts';

const identity = ['Małgorzata Siân Żółkiewska-Llŷr', '9 March 1947', '999 000 0018'];
const contact = [
  '4 Mill Lane',
  'ZT1 2AB',
  '01632 960123',
  'margaret@example.org',
  'Jan Żółkiewski, son',
  'Polish',
];
const needs = ['telephone, in the morning', 'large print'];
const words = [
  'lonely since her husband died',
  'Low mood',
  'sing in a choir',
  'home before dark',
  'bereavement leaflet',
];
const safety = 'a large dog';
const from = ['Asha Patel', 'Infirmary Lane Surgery (Z99001)'];
const head = ['Sarrowby referrals', '21 November 2026', '7K3QF-XW29D'];
const referred = '871731000000106';
const declined = '871711000000103';

describe('what the letters say', () => {
  test('at the end, the service learns only which referral it was', async () => {
    const given: Given = {
      status: 'cancelled',
      status_reason: { code: 'other', text: 'She has moved away.' },
    };
    const text = await textOf({ ...toService, purpose: 'outcome' }, given);
    for (const each of [...head, ...identity, ...from, 'do nothing more', 'Cancelled', 'She has moved away'])
      expect(text).toContain(each);
    for (const each of [...contact, ...words, safety]) expect(text).not.toContain(each);
  });

  test('the service gets everything', async () => {
    const text = await textOf(toService, { urgency: 'urgent' });
    const service = [
      'Referral to Sarrowby Community Choir',
      'Sarrowby Arts Trust',
      'Mill Lane Surgery (Z99002)',
    ];
    const all = [...head, ...identity, ...contact, ...needs, ...words, ...from, ...service, safety, referred];
    for (const each of [
      ...all,
      'Dr Robin Hale',
      'Urgent',
      '105412007',
      'Recorded by Robin Hale',
      '20 November 2026',
    ])
      expect(text).toContain(each);
    expect(text).not.toContain(declined);
  });

  test('the practice gets everything but the safety notes', async () => {
    const text = await textOf(toPractice);
    for (const each of [
      ...head,
      ...identity,
      ...contact,
      ...needs,
      ...words,
      ...from,
      referred,
      'Mill Lane Surgery',
    ])
      expect(text).toContain(each);
    expect(text).not.toContain(safety);
  });

  test('the practice gets the outcome in words', async () => {
    const measures = [
      { code: 'ons4-worthwhile', stage: 'start', value: 3 },
      { code: 'ons4-worthwhile', stage: 'end', value: 7 },
    ] as const;
    const completed = { code: 'goals-met', text: 'She joined the choir.', measures: [...measures] };
    const text = await textOf(outcome, { status: 'completed', outcome: completed });
    for (const each of [
      ...head,
      ...identity,
      'Completed',
      'The person’s goals were met',
      'She joined the choir.',
      '3 at the start, 7 at the end',
      'Sarrowby Community Choir, Sarrowby Arts Trust',
      referred,
      'Page 1 of 1',
    ])
      expect(text).toContain(each);
    expect(text).not.toContain(declined);
  });

  test('only a referral that the person declined is coded as declined', async () => {
    const rejected = (code: 'client-declined' | 'no-capacity') =>
      textOf(outcome, { status: 'rejected', status_reason: { code, text: 'Not this year.' } });
    expect(await rejected('client-declined')).toContain(declined);
    expect(await rejected('no-capacity')).not.toContain(declined);
    expect(await rejected('no-capacity')).toContain('Not this year.');
  });
});

describe('codes only', () => {
  const { consent } = exampleReferral().content;
  const reasons = [
    { text: 'She is lonely.', code: '105412007' },
    { text: 'Sad.', code: 'words in the place of a code' },
  ];
  const content = { consent: { ...consent, share_with_gp: 'codes_only' as const }, reasons };
  const ended = {
    status: 'rejected' as const,
    status_reason: { code: 'client-declined' as const, text: 'She would rather not.' },
    outcome: { code: 'felt-better', text: 'She felt better.' },
  };

  test('a copy has who, one code and the referrer, and nothing in words', async () => {
    const text = await textOf(toPractice, { content });
    for (const each of [...head, ...identity, ...from]) expect(text).toContain(each);
    expect(codesIn(text)).toEqual([referred]);
    const free = ['lonely', 'Sad', 'words in the place', 'Robin Hale', 'Choir', 'Arts Trust'];
    for (const each of [...contact, ...needs, ...words, safety, ...free]) expect(text).not.toContain(each);
  });

  const codesIn = (text: string) => text.match(/\b\d{6,18}\b/g);

  test.each([
    ['completed', null, referred],
    ['rejected', 'no-capacity', referred],
    ['rejected', 'client-declined', declined],
    ['failed', 'failed-contact', referred],
    ['failed', 'client-declined', declined],
    ['cancelled', 'client-declined', declined],
    ['cancelled', 'other', referred],
    ['entered-in-error', 'other', referred],
  ] as const)('the end of one that is %s (%s) has one code', async (status, code, expected) => {
    const status_reason = code && { code, text: 'A text.' };
    // An outcome may be the service's own code. The person did not agree to share that.
    const given = { content, status, status_reason, outcome: { code: '105412007', text: 'A text.' } };
    expect(codesIn(await textOf(outcome, given))).toEqual([expected]);
  });

  test('an outcome has who, its code and the referrer, and nothing in words', async () => {
    const text = await textOf(outcome, { content, ...ended });
    for (const each of identity) expect(text).toContain(each);
    expect(codesIn(text)).toEqual([declined]);
    for (const each of ['rather not', 'better', 'Choir', ...contact, ...words, safety])
      expect(text).not.toContain(each);
  });
});
