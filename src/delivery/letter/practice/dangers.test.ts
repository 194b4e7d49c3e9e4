import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import { type Given, toPractice } from '../../../../test/delivery/letters.ts';
import {
  atTheEnd,
  bloodPressure,
  completed,
  facts,
  hearing,
} from '../../../../test/delivery/letters-to-practice.ts';
import { composeLetter } from '../compose-letter.ts';
import type { PracticeLetterInput } from '../letter.ts';

const letterOf = (given: Given, options: Partial<PracticeLetterInput> = {}) =>
  composeLetter(exampleReferral(given), { ...toPractice, ...options }).letter;
type GivenContact = NonNullable<Given['content']>['contact'];
const boxOf = (given: Given, options: Partial<PracticeLetterInput> = {}) =>
  letterOf(given, options).toPractice!.box;

describe('danger in a letter to a practice', () => {
  it('comes before what is asked by name', () => {
    const box = boxOf({ content: { risk: 'yes', gp_actions: [hearing] } });
    expect(box.heading).toBe(
      'A clinician must read this today. Then action for GP or nurse – no date given: Send the hearing test. Reception, at once: hide online, contact limits',
    );
    expect(box.tasks.map(({ text }) => text)).toEqual([
      'At once: hide this letter and its code from the online record, also from proxy access, until a clinician has decided.',
      'At once: put the contact limits on the record, hidden online: “Somebody is at risk: contact Asha Patel, before any contact.”',
      'Today: give this letter to a clinician.',
      'Today: contact Asha Patel, first: ask who is at risk, and what has been done.',
      'Today: read this letter, and decide what to do.',
      hearing.text,
    ]);
    const { patient } = letterOf({ content: { risk: 'yes' } }).toPractice!;
    expect(patient.hideOnline, 'at the top of each page, also where it is hidden only for now').toBe(true);
    expect(box.code).toMatch(/, dated 21 November 2026, hidden online\.$/);
    expect(box.tasks[1]).not.toHaveProperty('details');
    expect(box.tasks[2]!.details).toBe(
      'Do this even if you open it days later. If somebody may be in danger now, call 999',
    );
    const note = boxOf({ content: { safety_notes_for_practice: true, gp_actions: [hearing] } });
    expect(note.heading).toBe(
      'A clinician must read this today. Then action for GP or nurse – no date given: Send the hearing test. Reception, at once: safety note',
    );
    expect(note.warnings).toEqual(['Safety note: There is a large dog at the house.']);
  });

  it('has what is due by the end of the next working day in red', () => {
    // A Friday, and the Monday after it.
    const date = new Date('2026-11-27T10:00:00Z');
    const due = (by_date: string) =>
      boxOf(completed({ gp_actions: [{ ...bloodPressure, by_date }] }), { ...atTheEnd, date });
    for (const [day, words] of [
      ['2026-11-28', 'Saturday 28'],
      ['2026-11-30', 'Monday 30'],
    ] as const) {
      expect(due(day)).toMatchObject({
        heading: `Action for GP or nurse – due ${words} November 2026 (urgent): Check her blood pressure`,
        weight: 'danger',
      });
      expect(due(day).tasks[0], 'its one date is in the next step').toEqual({
        role: 'clerk',
        when: 'today',
        text: 'Today: give this letter to a clinician.',
        details: 'Do this even if you open it days later',
        handsOver: true,
      });
    }
    expect(due('2026-12-01')).toMatchObject({
      heading: 'Action for GP or nurse – by Tuesday 1 December 2026: Check her blood pressure',
      weight: 'danger',
    });
    expect(due('2026-12-07').weight).toBe('action');
  });

  it('quotes the words that set it off, but no plain denial', () => {
    const why = (text: string) => boxOf({ content: { risk: 'no', reasons: [{ text }] } }).warnings;
    expect(why('He has said he might be better off dead, and drinks.')).toEqual([
      '“He has said he might be better off dead, and drinks.” – from the reason for referral. It may describe a crisis.',
      'To reach the patient today: 01632\u00A0960123. Whether it is safe to contact the patient was not asked.',
    ]);
    expect(why('Some nights he thinks about ending his life. He has no plan.')).toEqual([
      '“Some nights he thinks about ending his life. He has no plan.” – from the reason for referral. It may describe a crisis.',
      expect.stringMatching(/^To reach the patient today/),
    ]);
    expect(why('She is low. She has no thoughts of harming herself.')).toEqual([]);
    expect(why('She has no thoughts of harming herself, but took an overdose.')).toHaveLength(2);
  });

  it('says how to reach the patient only where that is safe', () => {
    const reasons = [{ text: 'He wants to die.' }];
    const whom = (contact: NonNullable<GivenContact>) =>
      JSON.stringify(boxOf({ content: { reasons, contact } }).warnings);
    expect(whom({ safe: 'yes', channel: 'telephone' })).toMatch(
      /To reach the patient today: 01632.960123\. Telephone only\./,
    );
    // In the contact limits, which a clerk can put on the record.
    const atNoon = { safe: 'only_at', channel: 'telephone', only_at: 'noon' } as const;
    expect(whom(atNoon)).not.toContain('To reach');
    expect(boxOf({ content: { reasons, contact: atNoon } }).limits).toMatch(/noon\. Number: 01632.960123/);
    expect(whom({ safe: 'no' })).not.toContain('To reach');
    const unsafe = letterOf({ content: { reasons, contact: { safe: 'no' } } }).toPractice!;
    expect(unsafe.patient.isUnsafe).toBe(true);
    expect(unsafe.box.limits).toContain('it is not safe to contact the patient in any way');
  });

  it('says whom to ask first, and what to do if nobody answers', () => {
    const contact = {
      safe: 'only_at',
      channel: 'telephone',
      only_at: 'weekdays 10am to 2pm',
      voicemail: false,
      who_must_not_know: 'her partner',
    } as const;
    const reasons = [{ text: 'Her partner hits her. She wants to die.' }];
    const { toPractice: top } = letterOf({ content: { contact, reasons, risk: 'yes' } });
    expect(top!.box.limits).toBe(
      'Contact limits: somebody is at risk: contact Asha Patel, before any contact. If they do not answer: telephone only, weekdays 10am to 2pm. No voicemail. Number: 01632\u00A0960123. Do not tell: her partner.',
    );
    expect(JSON.stringify(top!.box)).not.toContain('To reach the patient');
    expect(top!.patient.address).toContain('01632\u00A0960123 (ask first: see the box)');
  });

  it('quotes the reason of a risk, also without a word of the list', () => {
    const reasons = [{ text: 'Bruises.' }, { text: 'His uncle hurt him.' }];
    const { warnings } = boxOf({ content: { reasons, risk: 'yes', contact: { safe: 'no' } } });
    expect(warnings![0]).toBe('“Bruises. His uncle hurt him.” – from the reason for referral.');
    expect(boxOf({ content: { reasons, risk: 'no' } }).warnings).toEqual([]);
  });

  it('calls 999 about a sign of illness as about a crisis', () => {
    const asked = { ...bloodPressure, text: 'See her about a lump.', by_date: '2027-06-01' };
    expect(boxOf(completed({ gp_actions: [asked] }), atTheEnd).tasks[0]!.details).toContain('call 999');
    expect(boxOf({ urgency: 'urgent' }).tasks[0]).toMatchObject({
      text: 'Today: show this letter to a clinician.',
      details: 'Do this even if you open it days later',
    });
  });

  it('names limits on the record only where the box has them', () => {
    const reported = [{ at: '2026-11-21T09:00:00Z', text: 'He took an overdose.', raisedUrgency: true }];
    const ways: GivenContact[] = [
      { safe: 'yes', channel: 'telephone', voicemail: false },
      { safe: 'yes', channel: 'telephone', voicemail: true },
      { safe: 'no' },
      undefined,
    ];
    const dangers: [Given['content'], Partial<PracticeLetterInput>][] = [
      [{ reasons: [{ text: 'He wants to die.' }] }, {}],
      [{ risk: 'yes' }, {}],
      [{}, { facts: { ...facts, reported } }],
    ];
    for (const [given, options] of dangers)
      for (const contact of ways) {
        const box = boxOf({ content: { ...given, ...(contact && { contact }) } }, options);
        const isNamed = JSON.stringify(box.tasks).includes('limits');
        expect([isNamed, given, contact]).toEqual([box.limits !== undefined, given, contact]);
      }
  });

  it('does not repeat as a danger what the practice is asked to do', () => {
    const see = { ...bloodPressure, text: 'See her: she wants to die.' };
    const box = boxOf(completed({ gp_actions: [see] }), atTheEnd);
    expect(box.warnings).toEqual([
      'What you are asked to do may describe a crisis.',
      expect.stringMatching(/^To reach the patient: /),
    ]);
  });

  it('is red where the practice is asked about a sign of illness', () => {
    const see = {
      ...bloodPressure,
      text: 'See her about the lump in her breast.',
      asked_with: 'referral' as const,
    };
    const box = boxOf({ content: { gp_actions: [see] } });
    expect(box).toMatchObject({
      weight: 'danger',
      heading:
        'Action for GP or nurse – due Monday 1 March 2027 (urgent): See her about the lump in her breast',
    });
    expect(box.tasks.map(({ text }) => text)).toEqual([
      'Today: give this letter to a clinician.',
      'By Monday 1 March 2027: See her about the lump in her breast.',
    ]);
    const { by_date: _, ...undated } = see;
    const soon = boxOf({ content: { gp_actions: [undated] } });
    expect([soon.heading, soon.tasks[1]!.text]).toEqual([
      'Action for GP or nurse – start today: See her about the lump in her breast',
      'Start today: See her about the lump in her breast.',
    ]);
    expect(soon.tasks[1]!.details).not.toContain('No date given');
    const low = boxOf({ content: { gp_actions: [hearing] } });
    expect([low.weight, low.tasks[0]!.text]).toEqual([
      'action',
      'Within 2 working days: give this letter to a clinician.',
    ]);
    // Nobody asked the practice for anything.
    expect(boxOf({ content: { reasons: [{ text: 'She has lost weight.' }], gp_actions: [] } }).weight).toBe(
      'plain',
    );
  });

  it('says why it is urgent in the words of who referred', () => {
    const urgent = (text: string) => boxOf({ urgency: 'urgent', content: { reasons: [{ text }] } });
    expect(urgent('They have food for two days.').warnings).toEqual([
      'The referral is urgent. Asha Patel wrote: “They have food for two days.”',
    ]);
    expect(urgent('They have little. '.repeat(20)).warnings).toEqual([
      `The referral is urgent. Asha Patel wrote: “${'They have little. '.repeat(13).trim()}” It goes on under “Reason for referral”.`,
    ]);
    expect(boxOf({}).warnings).toEqual([]);
    const changes = [{ field: 'urgency', from: 'routine', to: 'urgent' }];
    const became = (options: Partial<PracticeLetterInput>) =>
      boxOf(
        { urgency: 'urgent', content: { reasons: [{ text: 'Recently widowed.' }] } },
        { changes, replacesLetterOf: toPractice.date, ...options },
      ).warnings;
    expect(became({})).toContain('Why it became urgent was not written: contact Asha Patel.');
    expect(became({}), 'it may be old').toContain(
      'On 21 November 2026, Asha Patel wrote: “Recently widowed.”',
    );
    const reported = [{ at: '2026-11-21T09:00:00Z', text: 'He must move out.', raisedUrgency: true }];
    expect(became({ facts: { ...facts, reported } })).toEqual([
      'The referral is now urgent. It was routine.',
    ]);
  });

  it('has the whole safety note once, in the box or below it', () => {
    const text = (safety_notes: string) =>
      JSON.stringify(letterOf({ content: { safety_notes, safety_notes_for_practice: true } }));
    for (const length of [30, 300]) {
      const letter = text('Their dog bites. '.repeat(length / 2).trim());
      expect(letter.match(/bites\. /g)).toHaveLength(length / 2 - 1);
      expect(letter).not.toContain('…');
    }
  });

  it('puts a note for visitors below what is asked by a day', () => {
    const note = { safety_notes: 'The stair carpet is loose.', safety_notes_for_practice: true };
    const box = boxOf(completed({ ...note, gp_actions: [bloodPressure] }), atTheEnd);
    expect(box.warnings).toEqual([]);
    expect(box.words[0]).toBe('Safety note: The stair carpet is loose.');
  });

  it('has the news of a crisis where the safety note is shared too', () => {
    const reported = [
      { at: '2026-11-21T09:00:00Z', text: 'He wants to die.', raisedUrgency: true, by: 'Jo Hall' },
    ];
    const told = (safety_notes_for_practice: boolean) =>
      boxOf({ content: { safety_notes_for_practice } }, { facts: { ...facts, reported } }).warnings!.join(
        ' ',
      );
    expect(told(true)).toContain('What was reported: He wants to die.');
    expect(told(false)).toContain('We are not allowed to write here what was reported.');
  });

  it('says where a measure is worse than at the start', () => {
    const measures = [
      { code: 'ons4-anxiety', stage: 'start', value: 4 },
      { code: 'ons4-anxiety', stage: 'end', value: 7 },
    ] as const;
    const given = completed({ gp_actions: [], gp_actions_answered: ['referral', 'outcome'] });
    const outcome = { ...given.outcome, measures: [...measures] };
    expect(boxOf({ ...given, outcome }, atTheEnd).heading).toContain(
      'Worse than at the start: Anxiety yesterday (ONS4), 4 → 7',
    );
  });

  it('has the same lines in its first step, whatever the danger', () => {
    const lines = 'Do this even if you open it days later. If somebody may be in danger now, call 999';
    const reported = [{ at: '2026-11-21T09:00:00Z', text: 'He took an overdose.', raisedUrgency: true }];
    const dangers: [Given, Partial<PracticeLetterInput>][] = [
      [{ content: { risk: 'yes' } }, {}],
      [{ content: { reasons: [{ text: 'He wants to die.' }] } }, {}],
      [{ content: { safety_notes: 'He took an overdose.' } }, {}],
      [{}, { facts: { ...facts, reported } }],
    ];
    for (const [given, options] of dangers) {
      const { tasks } = boxOf(given, options);
      expect(tasks.find(({ handsOver }) => handsOver)).toMatchObject({ details: lines, role: 'clerk' });
      expect(JSON.stringify(tasks).match(/999/g)).toHaveLength(1);
    }
    // A dog is no emergency.
    expect(JSON.stringify(boxOf({ content: { safety_notes_for_practice: true } }))).not.toContain('999');
  });

  it('says where a quotation goes on', () => {
    const text = `${'He used to go out. '.repeat(12)}He wants to die.`;
    expect(boxOf({ content: { reasons: [{ text }] } }).warnings![0]).toBe(
      '“He wants to die.” – from the reason for referral, which goes on below. It may describe a crisis.',
    );
  });

  it('is for a clinician today if something is due within a week', () => {
    const first = (by_date: string) =>
      boxOf({ content: { gp_actions: [{ ...hearing, by_date }] } }).tasks[0]!.text;
    expect(first('2026-11-28')).toBe('Today: give this letter to a clinician.');
    expect(first('2026-11-29')).toBe('Within 2 working days: give this letter to a clinician.');
  });
});
