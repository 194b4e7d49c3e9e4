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
import type { PracticeLetterOptions } from '../letter.ts';
import { isForAction, kindOfBox } from './action-box.ts';
import { isUrgentWithoutTask, measuresWorse, whenClinicianSees } from './who-sees.ts';

const lookAt = (given: Given, options: Partial<PracticeLetterOptions> = {}) => {
  const referral = exampleReferral(given);
  const all = { ...toPractice, ...options };
  const { heading, weight, tasks, mustBeRead, words } = composeLetter(referral, all).letter.toPractice!.box;
  const kind = kindOfBox(referral, all);
  expect(mustBeRead, 'as the message around the letter says').toBe(isForAction(kind));
  return {
    kind,
    heading,
    weight,
    words,
    tasks: tasks.map(({ text }) => text),
    roles: tasks.map(({ role }) => role),
    seen: whenClinicianSees(referral, all),
    isUrgentWithoutTask: isUrgentWithoutTask(referral, all),
    worse: measuresWorse(referral, all).length,
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

  it('is one with a worse measure, when it is filed', () => {
    expect(lookAt(measured(4, 7), atTheEnd)).toMatchObject({
      kind: 'clinician-sees-when-filed',
      heading: 'For a clinician to see',
      weight: 'action',
      tasks: ['Clerk, when you file this: show this letter to a clinician.'],
      roles: ['clerk'],
      seen: 'when-filed',
      worse: 1,
    });
    expect(lookAt(measured(7, 4), atTheEnd)).toMatchObject({
      kind: 'answered-nothing',
      weight: 'plain',
      tasks: [],
      worse: 0,
    });
    // A letter with a code alone has no measures to see.
    expect(lookAt(measured(4, 7, inCodes), atTheEnd).tasks.join()).not.toContain('clinician');
  });

  it('is not given twice to one who has a task in it', () => {
    const { heading, tasks } = lookAt(measured(4, 7, { gp_actions: [bloodPressure] }), atTheEnd);
    expect(heading).toBe('Action for the GP practice – by Monday 1 March 2027');
    expect(tasks).toEqual([
      'Clerk, when you file this: give this letter to a clinician.',
      'GP or nurse, by Monday 1 March 2027: Check her blood pressure.',
    ]);
  });

  it('is the first that is urgent, today, whether or not somebody was asked', () => {
    for (const given of [nothingAsked, {}])
      expect(lookAt({ urgency: 'urgent', content: given })).toMatchObject({
        kind: 'clinician-sees-today',
        heading: 'For a clinician to see today',
        weight: 'action',
        tasks: ['Clerk, today: show this letter to a clinician.'],
        isUrgentWithoutTask: true,
      });
    const later = { facts, replacesLetterOf: new Date('2026-11-20T09:30:00Z') };
    expect(lookAt({ urgency: 'urgent' }, later).isUrgentWithoutTask).toBe(false);
    const changes = [{ field: 'urgency', from: 'routine', to: 'urgent' }];
    const became = lookAt({ urgency: 'urgent' }, { ...later, changes });
    expect([became.heading, became.tasks[0]]).toEqual([
      'For a clinician to see today',
      'Clerk, today: show this letter to a clinician.',
    ]);
    const asked = lookAt({ urgency: 'urgent', content: { gp_actions: [hearing] } });
    expect([asked.kind, asked.isUrgentWithoutTask]).toEqual(['tasks', false]);
    expect(lookAt({ urgency: 'urgent', content: inCodes }).tasks.join()).not.toContain('clinician');
  });

  it('is one about somebody whom nobody reached, also beside a task', () => {
    const unreached: Given = {
      status: 'failed',
      status_reason: { code: 'failed-contact', text: 'I rang three times.' },
    };
    const first =
      'Clerk, today: give this letter to a clinician, who decides whether to contact the patient.';
    expect(lookAt(unreached, atTheEnd)).toMatchObject({
      kind: 'clinician-sees-today',
      heading: 'For a clinician to see today',
      tasks: [first],
      seen: 'today',
    });
    expect(lookAt({ ...unreached, content: { gp_actions: [hearing] } }, atTheEnd)).toMatchObject({
      kind: 'tasks',
      heading: 'Action for the GP practice – the first today',
      tasks: [first, `GP or nurse: ${hearing.text}`],
      roles: ['clerk', 'clinician'],
    });
  });

  it('has who was at risk, and a safety note, seen at the end', () => {
    for (const given of [{ risk: 'yes' as const }, { safety_notes_for_practice: true }])
      expect(lookAt(completed({ ...nothingAsked, ...given }), atTheEnd)).toMatchObject({
        kind: 'clinician-sees-when-filed',
        heading: 'For a clinician to see',
        weight: 'action',
        tasks: ['Clerk, when you file this: show this letter to a clinician.'],
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
    'GP or nurse, if you contact the patient: 01632\u00A0960123. Telephone only, before 2pm. No voicemail. Do not tell: her husband.';
  const contacting = (given: NonNullable<Given['content']>, options: Partial<PracticeLetterOptions> = {}) =>
    lookAt({ content: given }, options).tasks.filter((text) => / contact the patient/.test(text));

  it('comes after how it is safe to contact them', () => {
    const { tasks } = lookAt({ content: { contact, gp_actions: [hearing] } });
    expect(tasks.slice(0, 3)).toEqual([
      'Clerk, when you file this: give this letter to a clinician.',
      limits,
      `GP or nurse: ${hearing.text}`,
    ]);
    expect(contacting({ contact, risk: 'yes' })).toEqual([limits]);
  });

  it('names no number that is not to be used', () => {
    expect(contacting({ contact: { safe: 'no' }, gp_actions: [hearing] })).toEqual([
      'GP or nurse: do not contact the patient. Instead, contact Asha Patel.',
    ]);
    const byLetter = { ...contact, channel: 'letter' as const, only_at: 'to her sister' };
    expect(contacting({ contact: byLetter, gp_actions: [hearing] }).join()).not.toContain('960123');
  });

  it('has none where nobody has to ring, or in any way', () => {
    expect(contacting({ contact })).toEqual([]);
    expect(contacting({ contact: { safe: 'yes' }, gp_actions: [hearing] })).toEqual([]);
  });

  it('is beside a danger already, also with whom not to tell', () => {
    const given = { contact, reasons: [{ text: 'She wants to die.' }] };
    expect(contacting(given)).toEqual([]);
    const boxWith = (content: NonNullable<Given['content']>, options: Partial<PracticeLetterOptions> = {}) =>
      JSON.stringify(
        composeLetter(exampleReferral({ content }), { ...toPractice, ...options }).letter.toPractice!.box,
      );
    const how = 'Telephone only, before 2pm. No voicemail. Do not tell: her husband.';
    expect(boxWith(given)).toContain(`To reach the patient today: 01632\u00A0960123. ${how}`);
    const reported = [{ at: '2026-11-21T09:00:00Z', text: 'She wants to die.', raisedUrgency: true }];
    expect(boxWith({ contact }, { facts: { ...facts, reported } })).toContain(
      `contact the patient: 01632\u00A0960123. ${how}`,
    );
  });
});
