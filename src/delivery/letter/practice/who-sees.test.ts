import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import { type Given, toPractice } from '../../../../test/delivery/letters.ts';
import {
  atTheEnd,
  bloodPressure,
  completed,
  content,
  facts,
  hearing,
} from '../../../../test/delivery/letters-to-practice.ts';
import { composeLetter } from '../compose-letter.ts';
import type { PracticeLetterInput } from '../letter.ts';
import { boxKind, isForAction } from './box/box-kind.ts';
import { prepareLetter } from './prepare-letter.ts';
import { isUrgentWithoutTask, whenClinicianSees, worseMeasures } from './who-sees.ts';

const lookAt = (given: Given, options: Partial<PracticeLetterInput> = {}) => {
  const referral = exampleReferral(given);
  const all = { ...toPractice, ...options };
  const { heading, weight, tasks, mustBeRead, words } = composeLetter(referral, all).letter.toPractice!.box;
  const letter = prepareLetter(referral, all);
  const kind = boxKind(letter);
  expect(mustBeRead, 'as the message around the letter says').toBe(isForAction(kind));
  return {
    kind,
    heading,
    weight,
    words,
    tasks: tasks.map(({ text }) => text),
    roles: tasks.map(({ role }) => role),
    seen: whenClinicianSees(letter),
    isUrgentWithoutTask: isUrgentWithoutTask(letter),
    worse: worseMeasures(letter).length,
  };
};
const nothingAsked: NonNullable<Given['content']> = {
  gp_actions: [],
  gp_actions_answered: ['referral', 'outcome'],
};
const inCodes = { consent: { ...content.consent, share_with_gp: 'codes_only' as const } };

describe('a letter that asks for nothing, and that a clinician sees', () => {
  const anxiety = (start: number, end: number) => [
    { code: 'ons4-anxiety' as const, stage: 'start' as const, value: start },
    { code: 'ons4-anxiety' as const, stage: 'end' as const, value: end },
  ];
  const measured = (
    start: number,
    end: number,
    given: NonNullable<Given['content']> = nothingAsked,
  ): Given => {
    const { outcome, ...rest } = completed(given);
    return { ...rest, outcome: { ...outcome, measures: anxiety(start, end) } };
  };

  it('is the first about somebody kept safe without agreement', () => {
    const safeguarding = { ...nothingAsked, agreement: { basis: 'safeguarding' as const } };
    expect(lookAt({ content: safeguarding }, toPractice).seen).toBe('when-filed');
    const { box } = composeLetter(exampleReferral({ content: safeguarding }), toPractice).letter.toPractice!;
    expect(box.warnings).toEqual([
      'This referral was made to keep the patient or somebody else safe.',
      '“She is lonely since her husband died. Low mood.” – from the reason for referral.',
    ]);
    expect(lookAt({ content: safeguarding }, { ...toPractice, facts }).seen).toBeUndefined();
  });

  it('is one with a worse measure, when it is filed', () => {
    expect(lookAt(measured(4, 7), atTheEnd)).toMatchObject({
      kind: 'clinician-sees-when-filed',
      heading:
        'For a clinician to see within 2 working days – Worse than at the start: Anxiety yesterday (ONS4), 4 → 7',
      weight: 'action',
      tasks: [
        'Within 2 working days: show this letter to a clinician.',
        'Within 2 working days: read this letter, and decide whether to act.',
      ],
      roles: ['clerk', 'clinician'],
      seen: 'when-filed',
      worse: 1,
    });
    expect(lookAt(measured(7, 4), atTheEnd)).toMatchObject({
      kind: 'said-nothing-to-do',
      weight: 'plain',
      tasks: [],
      worse: 0,
    });
    // A letter with a code alone has no measures to see.
    expect(lookAt(measured(4, 7, inCodes), atTheEnd).tasks.join()).not.toContain('clinician');
  });

  it('is not given twice to one who has a task in it', () => {
    const { heading, tasks } = lookAt(measured(4, 7, { gp_actions: [bloodPressure] }), atTheEnd);
    expect(heading).toBe('Action for GP or nurse – by Monday 1 March 2027: Check her blood pressure');
    expect(tasks).toEqual([
      'Within 2 working days: give this letter to a clinician.',
      'By Monday 1 March 2027: Check her blood pressure.',
    ]);
  });

  it('is the first urgent one, today, whether asked or not', () => {
    for (const given of [nothingAsked, {}])
      expect(lookAt({ urgency: 'urgent', content: given })).toMatchObject({
        kind: 'clinician-sees-today',
        heading: 'For a clinician to see today: read this and decide whether to act',
        weight: 'action',
        tasks: [
          'Today: show this letter to a clinician.',
          'Today: read this letter, and decide whether to act.',
        ],
        isUrgentWithoutTask: true,
      });
    const later = { facts, replacesLetterOf: new Date('2026-11-20T09:30:00Z') };
    expect(lookAt({ urgency: 'urgent' }, later).isUrgentWithoutTask).toBe(false);
    const changes = [{ field: 'urgency', from: 'routine', to: 'urgent' }];
    const became = lookAt({ urgency: 'urgent' }, { ...later, changes });
    expect([became.heading, became.tasks[0]]).toEqual([
      'For a clinician to see today: read this and decide whether to act',
      'Today: show this letter to a clinician.',
    ]);
    const asked = lookAt({ urgency: 'urgent', content: { gp_actions: [hearing] } });
    expect([asked.kind, asked.isUrgentWithoutTask]).toEqual(['tasks', false]);
    expect(lookAt({ urgency: 'urgent', content: inCodes }).tasks.join()).not.toContain('clinician');
  });

  it('is one about somebody not reached, also beside a task', () => {
    const unreached: Given = {
      status: 'failed',
      status_reason: { code: 'failed-contact', text: 'I rang three times.' },
    };
    const first = 'Today: give this letter to a clinician.';
    const decide = 'Today: decide whether to contact the patient.';
    expect(lookAt(unreached, atTheEnd)).toMatchObject({
      kind: 'clinician-sees-today',
      heading: 'Nobody reached the patient – a clinician decides today whether to contact them',
      tasks: [first, decide],
      seen: 'today',
    });
    expect(lookAt({ ...unreached, content: { gp_actions: [hearing] } }, atTheEnd)).toMatchObject({
      kind: 'tasks',
      heading: 'Nobody reached the patient – a clinician decides today whether to contact them',
      tasks: [first, decide, hearing.text],
      roles: ['clerk', 'clinician', 'clinician'],
    });
  });

  it('has who was at risk, and a safety note, seen at the end', () => {
    for (const given of [{ risk: 'yes' as const }, { safety_notes_for_practice: true }])
      expect(lookAt(completed({ ...nothingAsked, ...given }), atTheEnd)).toMatchObject({
        kind: 'clinician-sees-when-filed',
        heading: 'For a clinician to see within 2 working days',
        weight: 'action',
        tasks: [
          'Within 2 working days: show this letter to a clinician.',
          'Within 2 working days: read this letter, and decide whether to act.',
        ],
      });
  });
});

describe('a task for which somebody may ring the patient', () => {
  const contact = {
    safe: 'only_at',
    channel: 'telephone',
    only_at: 'before 2pm',
    voicemail: false,
    who_must_not_know: 'her husband',
  } as const;
  const limits =
    'Contact limits: telephone only, before 2pm. No voicemail. Number: 01632\u00A0960123. Do not tell: her husband.';
  const boxWith = (given: NonNullable<Given['content']>, options: Partial<PracticeLetterInput> = {}) =>
    composeLetter(exampleReferral({ content: given }), { ...toPractice, ...options }).letter.toPractice!.box;
  const onRecord = 'At once: put on the record the contact limits above, hidden online.';

  it('has the contact limits above it, put on the record first', () => {
    const box = boxWith({ contact, gp_actions: [hearing] });
    expect(box.limits).toBe(limits);
    expect(box.tasks.map(({ text }) => text)).toEqual([
      'At once: hide this letter and its code from the online record, also from proxy access.',
      onRecord,
      'Within 2 working days: give this letter to a clinician.',
      hearing.text,
    ]);
    // What the post brings may be opened by her husband.
    expect(box.tasks.at(-1)!.warning).toBe(
      'Do not send it to the patient. Ring, as the contact limits say, and ask how they want to get it.',
    );
    expect(box.heading).toBe(
      'Action for GP or nurse – no date given: Send the hearing test (see limits). Reception, at once: hide online, contact limits',
    );
    expect(boxWith({ contact }).limits).toBe(limits);
    expect(boxWith({ contact, risk: 'yes' }).limits).toMatch(
      /somebody is at risk: .*, before any contact\. Then: telephone only/,
    );
    const later = boxWith({ contact, gp_actions: [hearing] }, { facts });
    expect(JSON.stringify(later.tasks)).toContain('check that the record has the contact limits above');
  });

  it('has no limit before it if there is none, or it is for others', () => {
    const ask = (text: string, contact: NonNullable<Given['content']>['contact']) =>
      boxWith({ ...(contact && { contact }), gp_actions: [{ ...hearing, text }] });
    const unlimited = { safe: 'yes', channel: 'telephone', voicemail: true } as const;
    for (const text of ['Send her fit note to the job centre.', 'Write a letter of evidence.']) {
      const box = ask(text, unlimited);
      expect(box.heading).toBe(`Action for GP or nurse – no date given: ${text.replace(/\.$/, '')}`);
      expect(box.tasks.at(-1)!.text).toBe(text);
      expect(box.tasks.at(-1)).not.toHaveProperty('warning');
    }
    for (const text of ['Send an invitation to her husband.', 'Send her notes to the job centre.'])
      expect(ask(text, contact).tasks.at(-1)).not.toHaveProperty('warning');
    const byText = { safe: 'yes', channel: 'text' } as const;
    expect(ask('Ring her.', byText).tasks.at(-1)!.text).toBe('Text only: ring her.');
    expect(ask('Ring her sister.', byText).tasks.at(-1)!.text).toBe('Ring her sister.');
  });

  it('names whom to ask first before what was asked', () => {
    const contactElsewhere = [
      { id: null, reference: null, contact: null, stricter: true, ring_first: 'Asha Patel' },
    ] as unknown as PracticeLetterInput['contactElsewhere'];
    const ring = { ...hearing, text: 'Ring her about the smear test.' };
    const box = boxWith({ gp_actions: [ring] }, { contactElsewhere });
    const words = 'first contact Asha Patel; then, as they say: ring her about the smear test';
    expect(box.heading).toContain(words);
    expect(box.tasks.at(-1)!.text.toLowerCase()).toContain(words.toLowerCase());
  });

  it('leaves a word of abuse to a clinician, not to the heading', () => {
    const code = { ...hearing, text: 'Code the domestic abuse risk.' };
    const box = boxWith({ contact: { safe: 'no' }, gp_actions: [code] });
    expect(box.heading).toMatch(/^Clinician only/);
    expect(box.heading).not.toMatch(/abuse/);
    expect(box.tasks.map(({ text }) => text)).toContain('Today: give this letter to a clinician.');
    expect(box.tasks.at(-1)!.text).toContain('Hide any code for this online too.');
  });

  it('shows a clinician today that no contact is safe', () => {
    const box = boxWith({ ...nothingAsked, contact: { safe: 'no' } });
    expect(box.heading).toContain('Then a clinician sees this today');
    expect(box.tasks.at(-1)!.text).toBe('Today: read this letter, and decide whether to act.');
  });

  it('has a safety note put on the record for home visits', () => {
    const box = boxWith({ ...nothingAsked, safety_notes_for_practice: true });
    expect(box.tasks[0]!.text).toBe(
      'At once: put the safety note on the record, hidden online, for home visits.',
    );
  });

  it('names no number that is not to be used', () => {
    expect(boxWith({ contact: { safe: 'no' }, gp_actions: [hearing] }).limits).toContain(
      'Contact limits: it is not safe to contact the patient in any way. Ask instead: Asha Patel',
    );
    const byLetter = { ...contact, channel: 'letter' as const, only_at: 'to her sister' };
    expect(boxWith({ contact: byLetter, gp_actions: [hearing] }).limits).not.toContain('960123');
  });

  it('has whom to ask where only a text is safe, without a number', () => {
    const { telephone: _, ...patient } = content.patient;
    expect(boxWith({ patient, contact: { safe: 'yes', channel: 'text' } }).limits).toBe(
      'Contact limits: text only. Do not ring. For the number, contact Asha Patel.',
    );
  });

  it('has none where any way is safe', () => {
    const box = boxWith({ contact: { safe: 'yes' }, gp_actions: [hearing] });
    expect(box).not.toHaveProperty('limits');
    expect(JSON.stringify(box.tasks)).not.toContain('contact limits');
  });

  it('is beside a danger already, also with whom not to tell', () => {
    const given = { contact, reasons: [{ text: 'She wants to die.' }] };
    expect(boxWith(given).limits).toBe(limits);
    expect(JSON.stringify(boxWith(given).tasks)).toContain(onRecord);
    expect(JSON.stringify(boxWith(given)), 'the limits have the number').not.toContain('To reach');
    const reported = [{ at: '2026-11-21T09:00:00Z', text: 'She wants to die.', raisedUrgency: true }];
    const crisis = boxWith({ contact }, { facts: { ...facts, reported } });
    const usual = limits.replace('Contact limits: ', '');
    expect(crisis.limits).toBe(
      `Contact limits: ring 01632\u00A0960200, first. If they do not answer: ${usual}`,
    );
    expect(JSON.stringify(crisis)).toContain('contact the patient as the contact limits say.');
  });
});
