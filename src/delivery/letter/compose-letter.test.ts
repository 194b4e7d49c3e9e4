import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../test/delivery/example-referral.ts';
import {
  type Given,
  type GivenContent,
  outcome,
  textOf,
  toPractice,
  toService,
} from '../../../test/delivery/letters.ts';
import { composeLetter } from './compose-letter.ts';

const patient = ['ŻÓŁKIEWSKA-LLŶR, Małgorzata Siân', '9 March 1947 (79 years)', '999 000 0018'];
const carer = 'Jan Żółkiewski, son';
const contact = ['4 Mill Lane', 'ZT1 2AB', '01632 960123', 'margaret@example.org', carer, 'Polish'];
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
  it('at the end, the service learns only which referral it was', async () => {
    const given: Given = {
      status: 'cancelled',
      status_reason: { code: 'other', text: 'She has moved away.' },
    };
    const text = await textOf({ ...toService, purpose: 'outcome' }, given);
    for (const each of [...head, ...patient, ...from, 'Do nothing more', 'Cancelled', 'She has moved away'])
      expect(text).toContain(each);
    for (const each of [...contact, ...words, safety]) expect(text).not.toContain(each);
  });

  it('the service gets everything', async () => {
    const text = await textOf(toService, { urgency: 'urgent' });
    const service = [
      'Urgent referral to Sarrowby Community Choir',
      'Sarrowby Arts Trust',
      'Mill Lane Surgery (Z99002)',
    ];
    const all = [...head, ...patient, ...contact, ...needs, ...words, ...from, ...service, safety];
    for (const each of [...all, 'Dr Robin Hale', '105412007', 'Recorded by: Robin Hale', '20 November 2026'])
      expect(text).toContain(each);
    // A service files no code.
    for (const code of [referred, declined]) expect(text).not.toContain(code);
  });

  it('the service reads why somebody said to have died is referred', async () => {
    const death_override = { reason: 'That was her sister.' };
    const text = (await textOf(toService, { content: { death_override } })).replaceAll(/\s+/g, ' ');
    expect(text).toContain('We were told that this person had died. The referrer says That was her sister.');
  });

  it('the service reads first who was told of a risk', async () => {
    const risk_acted_on = { who_was_told: 'the police', when: '2026-11-20T10:00:00.000Z' };
    const told =
      'Told on 20 November 2026: the police (says Asha Patel, who referred). What they did is not known here, unless the text says it.';
    const letter = (risk: 'yes' | 'no') => textOf(toService, { content: { risk, risk_acted_on } });
    expect(await letter('yes')).toContain(
      `or that a child or adult is being hurt. Read the reasons to see who it is, or ask. ${told}`,
    );
    const contradiction = await letter('no');
    expect(contradiction).toMatch(/was answered with “no”, and yet somebody was told of a risk: ask/);
    expect(contradiction.indexOf(told)).toBeLessThan(contradiction.indexOf('4 Mill Lane'));
  });

  it('the service reads first that nobody could ask about risk', async () => {
    const letter = (risk?: 'not_asked' | 'could_not_ask') =>
      textOf(toService, { content: risk === undefined ? {} : { risk } });
    const first = (text: string, words: string) => {
      expect(text).toContain(words);
      expect(text.indexOf(words)).toBeLessThan(text.indexOf('4 Mill Lane'));
    };
    first(await letter(), 'Whether anybody is at risk of serious harm was not asked.');
    first(await letter('not_asked'), 'Whether anybody is at risk of serious harm was not asked.');
    first(await letter('could_not_ask'), 'Whether anybody is at risk of serious harm could not be asked.');
  });

  it('the service reads first what contradicts a “no” about risk', async () => {
    const letter = (given: GivenContent, site = toService.site) =>
      textOf({ ...toService, site }, { content: { risk: 'no', ...given } });
    expect(await letter({})).toContain(
      'Nobody is said to be at risk of serious harm, but there is a safety note: read it.',
    );
    const reasons = [{ text: 'She says she wants to die.' }];
    expect(await letter({ reasons })).toContain(
      'The answer was “no”, but the reason for referral may say otherwise: read it.',
    );
    const river = [{ text: 'He walks by the river at night.' }];
    const own = { ...toService.site, crisisPhrases: ['the river'] };
    expect(await letter({ reasons: river }, own)).toContain('the reason for referral may say otherwise');
    const calm = { ...exampleReferral().content, risk: 'no' as const };
    const { safety_notes: _, ...nothing } = calm;
    const plain = { ...exampleReferral(), content: nothing };
    expect(composeLetter(plain, toService).letter.sections[0]!.heading).toBe(
      'Before you contact the patient',
    );
  });

  it('the service reads first that nobody asked about safe contact', async () => {
    expect(await textOf(toService)).toContain(
      'Before you contact the patient Whether it is safe to contact the person was not asked.',
    );
  });

  it('says that somebody agreed only where they did', async () => {
    const person = 'The person named above has agreed to be referred to you.';
    expect(await textOf(toService)).toContain(person);
    expect(await textOf(toService, { content: { agreement: { basis: 'person' } } })).toContain(person);
    for (const [basis, words] of [
      ['parental_responsibility', 'Somebody with parental responsibility has agreed'],
      ['competent_child', 'The young person named above has agreed to be referred to you, and was judged'],
      ['best_interests', 'It was decided in the best interests of the person named above'],
      ['attorney_or_deputy', 'An attorney or deputy of the person named above has agreed'],
      ['safeguarding', 'They may not have agreed, and may not know.'],
      ['not_asked', 'It was not asked who agreed'],
    ] as const) {
      const text = await textOf(toService, { content: { agreement: { basis } } });
      expect(text, basis).toContain(words);
      expect(text, basis).not.toContain(person);
    }
  });

  it('says at what age a young child was judged able to agree', async () => {
    const { patient } = exampleReferral().content;
    const agreement = {
      basis: 'competent_child',
      judged_by: 'Dr Hale',
      when: '2026-11-20T10:00:00.000Z',
    } as const;
    const text = (birth_date: string) =>
      textOf(toService, { content: { agreement, patient: { ...patient, birth_date } } });
    expect(await text('2015-11-20')).toContain('was judged competent at age 11 by Dr Hale.');
    expect(await text('2013-11-20')).not.toContain('judged competent at age');
  });

  it('a referral that was taken on paper has the day of that', async () => {
    const text = await textOf(toService, { content: { made_at: '2026-11-18T10:00:00.000Z' } });
    expect(text).toContain('Taken on paper on');
    expect(text).toContain('18 November 2026');
  });

  it('the practice gets everything but safety notes and carer', async () => {
    const text = await textOf(toPractice);
    for (const each of [
      ...head,
      ...patient,
      ...contact.slice(0, 3),
      'Polish',
      ...needs,
      ...words,
      ...from,
      referred,
      'Mill Lane Surgery',
    ])
      expect(text).toContain(each);
    for (const each of [safety, 'Jan Żółkiewski']) expect(text).not.toContain(each);
  });

  it('the practice gets the safety notes if somebody ticked that', async () => {
    expect(await textOf(toPractice, { content: { safety_notes_for_practice: true } })).toContain(safety);
  });

  it('safe contact comes first; a carer only if ticked', async () => {
    const { content } = exampleReferral();
    const husband = { name: 'Jan Example', relationship: 'husband' };
    const safeContact = {
      safe: 'only_at',
      only_at: 'the surgery',
      who_must_not_know: 'her husband',
    } as const;
    const about = (share_with_gp: boolean): Given => ({
      content: {
        ...content,
        patient: { ...content.patient, carer: { ...husband, share_with_gp } },
        contact: safeContact,
        do_not_show_online: true,
      },
    });
    const copy = await textOf(toPractice, about(false));
    expect(copy).toContain('HIDE FROM ONLINE RECORD. Do not tell: her husband. Copy of a referral');
    expect(copy).toContain(
      'Contact limits: only at these times or places: the surgery. Number: 01632 960123. Do not tell: her husband.',
    );
    expect(copy.indexOf('Do not tell')).toBeLessThan(copy.indexOf('Reason for referral'));
    expect(copy).toContain('HIDE FROM ONLINE RECORD');
    expect(copy).not.toContain('Jan Example');
    const { contact: _, ...nobodyMustNotKnow } = about(true).content!;
    expect(await textOf(toPractice, about(true)), 'it may be the carer').not.toContain('Jan Example');
    expect(await textOf(toPractice, { content: nobodyMustNotKnow })).toContain('Jan Example, husband');
    expect(await textOf(toService, about(false))).toContain('Jan Example, husband');
  });

  it('the practice gets the outcome in words', async () => {
    const measures = [
      { code: 'ons4-worthwhile', stage: 'start', value: 3 },
      { code: 'ons4-worthwhile', stage: 'end', value: 7 },
    ] as const;
    const completed = { code: 'goals-met', text: 'She joined the choir.', measures: [...measures] };
    const text = await textOf(outcome, { status: 'completed', outcome: completed });
    for (const each of [
      ...head,
      ...patient,
      'completed on 21 November 2026',
      'Goals Overall, as the service says: met.',
      'She joined the choir.',
      '3 → 7, better (0 to 10, higher is better)',
      'Sarrowby Community Choir, Sarrowby Arts Trust',
      referred,
      'Page 1 of 1',
    ])
      expect(text).toContain(each);
    expect(text).not.toContain(declined);
  });

  it('have the code for declined only if everything is declined', async () => {
    const status_reason = { code: 'client-declined', text: 'Not this year.' } as const;
    const rejected = (content: GivenContent = {}) =>
      textOf(outcome, { status: 'rejected', status_reason, content });
    expect(await rejected({ declines_social_prescribing: true })).toContain(declined);
    expect(await rejected()).not.toContain(declined);
    expect(await rejected()).toContain('Not this year.');
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
    content: { ...content, declines_social_prescribing: true as const },
    status: 'rejected' as const,
    status_reason: { code: 'client-declined' as const, text: 'She would rather not.' },
    outcome: { code: 'felt-better', text: 'She felt better.' },
  };

  it('a copy has who, one code and the referrer, and no words', async () => {
    const text = await textOf(toPractice, { content, urgency: 'urgent' });
    expect(text).not.toMatch(/urgent/i);
    for (const each of [...head, ...patient, ...from]) expect(text).toContain(each);
    expect(codesIn(text)).toEqual([referred]);
    const free = ['lonely', 'Sad', 'words in the place', 'Robin Hale', 'Choir', 'Arts Trust'];
    for (const each of [...contact, ...needs, ...words, safety, ...free]) expect(text).not.toContain(each);
  });

  const codesIn = (text: string) => text.match(/\b\d{6,18}\b/g);

  it.each([
    ['completed', null, referred],
    ['rejected', 'no-capacity', referred],
    ['rejected', 'client-declined', referred],
    ['failed', 'failed-contact', referred],
    ['cancelled', 'other', referred],
  ] as const)('the end of one that is %s (%s) has one code', async (status, code, expected) => {
    const status_reason = code && { code, text: 'A text.' };
    // An outcome may be the service's own code. The person did not agree to share that.
    const given = { content, status, status_reason, outcome: { code: '105412007', text: 'A text.' } };
    expect(codesIn(await textOf(outcome, given))).toEqual([expected]);
  });

  it('an outcome has who, its code and the referrer, and no words', async () => {
    const text = await textOf(outcome, ended);
    for (const each of patient) expect(text).toContain(each);
    expect(codesIn(text)).toEqual([declined]);
    for (const each of ['rather not', 'better', 'Choir', ...contact, ...words, safety])
      expect(text).not.toContain(each);
  });
});
