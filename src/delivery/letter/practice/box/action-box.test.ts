import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../../test/delivery/example-referral.ts';
import { type Given, type GivenContent, textOf, toPractice } from '../../../../../test/delivery/letters.ts';
import {
  atTheEnd,
  bloodPressure,
  completed,
  content,
  end,
  facts,
  hearing,
} from '../../../../../test/delivery/letters-to-practice.ts';
import { composeLetter } from '../../compose-letter.ts';
import type { PracticeLetterInput } from '../../letter.ts';
import { prepareLetter } from '../prepare-letter.ts';
import { boxKind } from './box-kind.ts';

describe('what a letter asks the practice to do', () => {
  it('says “no action” only if its side was asked', async () => {
    const asked = { gp_actions: [], gp_actions_answered: ['referral' as const] };
    const bySite = { code: 'no-capacity', text: 'Full.' } as const;
    const known = { ...toPractice, facts };
    expect(await textOf(known, { content: asked })).toMatch(
      /No action asked for – for the record No new code to file\. Asha Patel, who referred, asked for nothing\./,
    );
    const silent = await end(asked);
    expect(silent).not.toContain('asked for nothing');
    const noAction = 'No action asked for – for the record No new code to file.';
    expect(silent).toContain(
      `${noAction} Nothing was asked of you. Questions: ring Sarrowby Community Choir (the service), 01632 960200.`,
    );
    for (const status of ['failed', 'cancelled', 'rejected'] as const) {
      const other = { status, status_reason: bySite };
      // Only a person who completes a referral is asked.
      const decides = 'Nothing is asked of you. Asha Patel (who referred) decides what happens next.';
      const unasked = await textOf(atTheEnd, other);
      expect(unasked, status).toContain(`${noAction} ${decides} Questions`);
      expect(await textOf(atTheEnd, { ...other, content: asked })).toContain(`${noAction} ${decides}`);
      expect(await textOf(atTheEnd, { ...other, content: { gp_actions: [hearing] } })).toContain(
        'Nothing else is asked of you.',
      );
    }
    const answered = { ...asked, gp_actions_answered: ['referral' as const, 'outcome' as const] };
    const byService = { ...asked, gp_actions_answered: ['outcome' as const] };
    for (const each of [answered, byService])
      expect(await end(each)).toContain(
        'No action asked for – for the record No new code to file. The service asked for nothing.',
      );
    expect(await textOf(known, { content: byService })).toContain(
      `${noAction} Nothing was asked of you. Questions`,
    );
  });

  it('has the code to file under its heading, before any step', async () => {
    const none = { gp_actions: [], gp_actions_answered: ['referral' as const, 'outcome' as const] };
    const uncoded = { ...atTheEnd, facts: { ...facts, codeSentAt: null } };
    const file =
      'Code to file: SNOMED CT 871731000000106 “Referral to social prescribing service”, dated 21 November 2026.';
    const full = { status: 'rejected', status_reason: { code: 'no-capacity', text: 'Full.' } } as const;
    for (const [text, heading] of [
      [await textOf(toPractice, { content: none }), 'No action asked for – for the record'],
      [await textOf(toPractice), 'No action asked for – for the record'],
      [await textOf(uncoded, completed(none)), 'No action asked for – for the record'],
      [await textOf(uncoded, full), 'No action asked for – for the record'],
      [await textOf(toPractice, { content: { gp_actions: [hearing] } }), 'Send the hearing test'],
    ] as const) {
      expect(text).toContain(`${heading} ${file}`);
      expect(text.match(/871731000000106/g), 'once').toHaveLength(1);
    }
  });

  it('is never “none” of somebody at risk, and says who was told', async () => {
    const content = {
      gp_actions: [],
      gp_actions_answered: ['referral' as const, 'outcome' as const],
      risk: 'yes' as const,
      risk_acted_on: { who_was_told: 'the crisis team', when: '2026-11-20T10:00:00Z' },
    };
    const told =
      'Asha Patel says that somebody is at risk of serious harm, or that a child or adult is being hurt. Told on 20 November 2026: the crisis team. What they did is not known here, unless the text says it.';
    const copy = await textOf({ ...toPractice, facts }, { content });
    expect(copy).toContain(
      `A clinician must read this today. Reception, at once: hide online, contact limits No new code to file. Contact limits: somebody is at risk: ring 01632 960200, before any contact. “She is lonely since her husband died. Low mood.” – from the reason for referral. ${told} Reception 1. At once: hide this letter, our earlier letter and its code from the online record, also from proxy access, until a clinician has decided. 2. At once: check that the record has the contact limits, hidden online: “Somebody is at risk: ring 01632 960200, before any contact.” 3. Today: give this letter to a clinician. Do this even if you open it days later. If somebody may be in danger now, call 999. GP or nurse 4. Today: ring 01632 960200, first: ask who is at risk, and what has been done. 5. Today: read this letter, and decide what to do. Asha Patel, who referred, asked you for nothing.`,
    );
    const ended = await end(content);
    expect(ended).toContain(
      `For a clinician to see within 2 working days No new code to file. ${told} Reception 1. Within 2 working days: show this letter to a clinician. GP or nurse 2. Within 2 working days: read this letter, and decide whether to act. The service asked for nothing.`,
    );
    const asked = await end({ ...content, gp_actions: [bloodPressure] });
    expect(asked).toMatch(/Action for GP or nurse .*somebody is at risk of serious harm/);
    for (const text of [copy, asked]) expect(text).not.toContain('No action');
  });

  it('is red for danger only, amber for work, plain for papers', () => {
    const weight = (given: Given, options: Partial<PracticeLetterInput> = {}) =>
      composeLetter(exampleReferral(given), { ...toPractice, ...options }).letter.toPractice!.box.weight;
    expect(weight({ content: { risk: 'yes' } })).toBe('danger');
    expect(weight({ content: { risk: 'yes', gp_actions: [hearing] } })).toBe('danger');
    const reported = [{ at: '2026-11-21T09:00:00Z', text: 'He took an overdose.', raisedUrgency: true }];
    expect(weight({}, { facts: { ...facts, reported } })).toBe('danger');
    expect(weight({ content: { gp_actions: [hearing] } })).toBe('action');
    const unreached = { code: 'failed-contact', text: 'We texted.' } as const;
    expect(weight({ status: 'failed', status_reason: unreached }, atTheEnd)).toBe('action');
    const changes = [{ field: 'patient.telephone', from: '01632 960001', to: '01632 960123' }];
    expect(weight({}, { facts, changes, replacesLetterOf: toPractice.date })).toBe('plain');
    expect(weight({})).toBe('plain');
  });

  it('says beside any step that nothing else is asked', async () => {
    const moved = { code: 'moved-away', text: 'He is in Leeds.' } as const;
    const text = await textOf(atTheEnd, { status: 'failed', status_reason: moved });
    expect(text).toContain('check the patient’s address and registration');
    expect(text).toContain('Nothing else is asked of you.');
    const limited = { contact: { safe: 'yes', channel: 'telephone', voicemail: false } } as const;
    expect(await textOf(toPractice, { content: limited })).toContain('Nothing else was asked of you.');
  });

  it('leaves nothing to the referrer if no help is needed any more', async () => {
    const ended = (code: 'needs-met-otherwise' | 'no-capacity', given: Given = {}) =>
      textOf(atTheEnd, { status: 'cancelled', status_reason: { code, text: 'So it is.' }, ...given });
    const decides = 'Asha Patel (who referred) decides what happens next.';
    expect(await ended('no-capacity')).toContain(decides);
    for (const text of [
      await ended('needs-met-otherwise'),
      await ended('no-capacity', { endCause: 'no-longer-agreed' }),
      await ended('no-capacity', { content: { declines_social_prescribing: true } }),
    ]) {
      expect(text).not.toContain(decides);
      expect(text).toContain('Nothing is asked of you. The referral is closed.');
    }
  });

  it('has in the heading of several only what is to be done', async () => {
    const gp_actions = [
      { ...bloodPressure, text: 'Review her painkillers: they make her drowsy.' },
      { ...bloodPressure, text: 'Refer her to the falls clinic.', patient_told: false },
    ];
    const heading = (given: typeof gp_actions) =>
      composeLetter(exampleReferral(completed({ gp_actions: given })), atTheEnd).letter.toPractice!.box
        .heading;
    expect(heading(gp_actions)).toBe(
      '2 actions for GP or nurse – the first by Monday 1 March 2027: Review her painkillers; first tell the patient, then: refer her to the falls clinic',
    );
    expect(heading(gp_actions.slice(0, 1))).toContain(': Review her painkillers: they make her drowsy');
    expect(heading([{ ...bloodPressure, text: 'Dr Hale to see her.', patient_told: false }])).toContain(
      'then: Dr Hale to see her',
    );
  });

  it('stands out where the patient has not been told of it', async () => {
    const box = (patient_told: boolean) =>
      composeLetter(
        exampleReferral(completed({ gp_actions: [{ ...bloodPressure, patient_told }] })),
        atTheEnd,
      ).letter.toPractice!.box;
    // Before the task: a reader who meets it after the task has done that by then.
    const first = 'first tell the patient, who has not been told of this; then: check her blood pressure.';
    expect(box(false).tasks[1]!.text).toBe(`By Monday 1 March 2027: ${first}`);
    expect(box(false).heading).toContain('first tell the patient, then: check her blood pressure');
    expect(box(true).tasks[1]!.text).not.toContain('Tell the patient');
    const unsafe = {
      contact: { safe: 'no' as const },
      gp_actions: [{ ...bloodPressure, patient_told: false }],
    };
    expect(await end(unsafe)).not.toMatch(/tell the patient/i);
  });

  it('says nothing of “no action” after later news, nor repeats it', async () => {
    const asked = { gp_actions: [], gp_actions_answered: ['referral' as const] };
    const replacing = { ...toPractice, replacesLetterOf: new Date('2026-11-20T09:30:00Z') };
    const newsOf = (text: string) => {
      const reported = [
        { at: '2026-11-21T09:00:00Z', text, raisedUrgency: true, by: 'Jo Hall', side: 'provider' as const },
      ];
      return { ...replacing, facts: { ...facts, reported } };
    };
    for (const content of [asked, {}]) {
      const crisis = await textOf(newsOf('He took an overdose.'), { content });
      expect(crisis).toContain(
        'CRISIS – a clinician must read this now. Reception, at once: hide online, contact limits No new code to file. Contact limits: ring Jo Hall (the service), 01632 960200, first. If they do not answer: contact the patient without leaving a voicemail. Number: 01632 960123. CRISIS reported on 21 November 2026 by Jo Hall (the service). We do not know that anybody has acted. We are not allowed to write here what was reported. Reception 1. Now: give this letter to a clinician. Do this even if you open it days later. If somebody may be in danger now, call 999. 2. At once: hide this letter, our earlier letter and its code from the online record, also from proxy access, until a clinician has decided. 3. At once: put on the record the contact limits above, hidden online. 4. When you file this: mark our letter of 20 November 2026 at 9:30am as superseded. GP or nurse 5. Now: ring Jo Hall (the service), 01632 960200, and ask what has happened. If nobody answers, contact the patient as the contact limits say. If you reach nobody, act as for a patient in a crisis. 6. Today: decide what else to do.',
      );
      expect(crisis).toContain('Danger: a crisis was reported on 21 November 2026');
      const coded = newsOf('He took an overdose.');
      const withCode = { ...coded, facts: { ...coded.facts, codeSentAt: '2026-11-20T09:00:00Z' } };
      expect(await textOf(withCode, { content }), 'hidden as the letter is').toContain(
        'once, hidden online: ',
      );
      expect(crisis).not.toContain('Before this');
      const calm = await textOf(newsOf('Her daughter moved away.'), { content });
      expect(calm).toContain(
        'Contact limits: ring Jo Hall (the service), 01632 960200, before any contact. Reception 1. At once: hide this letter, our earlier letter and its code from the online record, also from proxy access, until a clinician has decided. 2. At once: put on the record the contact limits above, hidden online. 3. Within 2 working days: give this letter to a clinician. 4. When you file this: mark our letter of 20 November 2026 at 9:30am as superseded. GP or nurse 5. By Tuesday 1 December 2026: ring Jo Hall (the service), 01632 960200, and ask what has changed, before your practice next contacts the patient. We are not allowed to write it here. Nobody said whether you need to do anything about it. If they do not answer, decide whether to contact the patient.',
      );
      for (const text of [crisis, calm]) {
        for (const wrong of ['asks for nothing', 'need not chase', 'overdose', 'daughter'])
          expect(text).not.toContain(wrong);
      }
    }
    const consent = { ...content.consent, share_with_gp: 'codes_only' as const };
    const code = await textOf(newsOf('He took an overdose.'), { content: { consent } });
    expect(code).toContain('The patient agreed to a code and no details.');
    expect(code).not.toMatch(/crisis|changed/);
  });

  it('is for action today where the referral became urgent', () => {
    const reported = [
      { at: '2026-11-21T09:00:00Z', text: 'He must move out.', raisedUrgency: true, by: 'Asha Patel' },
    ].map((each) => ({ ...each, side: 'referrer' as const }));
    const options: PracticeLetterInput = {
      ...toPractice,
      replacesLetterOf: new Date('2026-11-20T09:30:00Z'),
      facts: { ...facts, reported, referrerTelephone: '01632 960410' },
    };
    const urgent = exampleReferral({ urgency: 'urgent' });
    const { box } = composeLetter(urgent, options).letter.toPractice!;
    expect(boxKind(prepareLetter(urgent, options))).toBe('tasks');
    expect([box.heading, box.weight]).toEqual([
      'Something has changed – GP or nurse, today: ring Asha Patel and ask. Reception, at once: hide online, contact limits',
      'danger',
    ]);
    expect(box.limits).toBe(
      'Contact limits: ring Asha Patel (who referred), 01632\u00A0960410, before any contact.',
    );
    expect(box.warnings, 'not why it was referred at first').toEqual([]);
    expect(box.tasks.at(-1)!.details).toContain(
      'If they do not answer, ring Sarrowby Community Choir (the service), 01632\u00A0960200. If nobody answers, decide whether to contact the patient',
    );
    expect(box.tasks.map(({ text }) => text)).toEqual([
      'At once: hide this letter, our earlier letter and its code from the online record, also from proxy access, until a clinician has decided.',
      'At once: put on the record the contact limits above, hidden online.',
      'Today: give this letter to a clinician.',
      'When you file this: mark our letter of 20 November 2026 at 9:30am as superseded.',
      'Today: ring Asha Patel (who referred), 01632\u00A0960410, and ask what has changed for the patient.',
    ]);
    expect(boxKind(prepareLetter(exampleReferral(), options))).toBe('clinician-sees-when-filed');
  });

  it('names in its heading whom to ask what has changed', () => {
    const reported = [
      { at: '2026-11-21T09:00:00Z', text: 'Her son moved in.', raisedUrgency: false, by: 'Jo Hall' },
    ];
    const options: PracticeLetterInput = {
      ...toPractice,
      replacesLetterOf: new Date('2026-11-20T09:30:00Z'),
      changes: [{ field: 'patient.telephone', from: '01632 960001', to: '01632 960123' }],
      facts: { ...facts, reported: reported.map((each) => ({ ...each, side: 'provider' as const })) },
    };
    const headingOf = (given: NonNullable<GivenContent>) =>
      composeLetter(exampleReferral({ content: given }), options).letter.toPractice!.box.heading;
    const ring = 'Something has changed – GP or nurse, by Tuesday 1 December 2026: ring Jo Hall and ask';
    const reception = 'Reception, at once: hide online, contact limits';
    expect(headingOf({})).toBe(`${ring}. ${reception}`);
    expect(headingOf({ gp_actions: [hearing] })).toBe(
      `${ring}. Then action for GP or nurse – no date given: Send the hearing test. ${reception}`,
    );
  });

  it('shows a clinician that the service never reached the patient', () => {
    const status_reason = { code: 'failed-contact', text: 'I rang three times.' } as const;
    const { letter } = composeLetter(exampleReferral({ status: 'failed', status_reason }), atTheEnd);
    expect(letter.toPractice!.box).toMatchObject({
      heading: 'Nobody reached the patient – a clinician decides today whether to contact them',
      tasks: [
        { text: 'Today: give this letter to a clinician.' },
        { text: 'Today: decide whether to contact the patient.' },
      ],
      mustBeRead: true,
      warnings: [
        'How the patient is now is not known here.',
        'To reach the patient today: 01632\u00A0960123. Whether it is safe to contact the patient was not asked.',
      ],
    });
    const summary = letter.sections.find(({ heading }) => heading === 'Summary')!;
    expect(summary.paragraphs).toContain('Jo Hall wrote: I rang three times.');
    const inCodes = { ...content.consent, share_with_gp: 'codes_only' as const };
    const code = composeLetter(
      exampleReferral({ status: 'failed', status_reason, content: { consent: inCodes } }),
      atTheEnd,
    );
    expect(JSON.stringify(code)).not.toMatch(/clinician|reached/);
  });

  it('has a clinician read that a risk could not be asked about', async () => {
    const could = { risk: 'could_not_ask' as const };
    const words = 'Risk: whether anybody is at risk of serious harm could not be asked';
    const calm = await textOf(toPractice, { content: could });
    expect(calm).toContain(words);
    expect(calm).toContain('Nobody could ask about risk of serious harm. Nothing was asked of you.');
    expect(calm).not.toContain('A clinician must read this today');
    const contact = { safe: 'yes', who_must_not_know: 'her father' } as const;
    const text = await textOf(toPractice, { content: { ...could, contact } });
    expect(text).toContain(words);
    expect(text).toContain(
      'Number: 01632 960123. Do not tell: her father. Whether anybody is at risk of serious harm could not be asked, and somebody must not know of the referral.',
    );
  });

  it('repeats an earlier task; nobody said if there is more', async () => {
    const text = await end({ gp_actions: [hearing], gp_actions_answered: ['referral'] });
    expect(text).toContain(hearing.text);
    expect(text).toMatch(/Send the hearing test\. .*Nothing else was asked of you\. Questions/);
  });

  it('shows a safety note to a clinician if nothing else is asked', async () => {
    const note = { gp_actions: [], safety_notes_for_practice: true };
    const text = await end({ ...note, gp_actions_answered: ['referral', 'outcome'] });
    expect(text).toContain(
      'For a clinician to see within 2 working days No new code to file. Safety note: There is a large dog at the house. Reception 1. Within 2 working days: show this letter to a clinician.',
    );
    expect(await end({ ...note, gp_actions: [bloodPressure] })).not.toContain('show this letter');
  });

  it('asks for a clinician only where something sounds like danger', async () => {
    const calm = await textOf(toPractice, { content: { risk: 'no' } });
    expect(calm).toContain('dated 21 November 2026. Nothing was asked of you.');
    expect(calm).not.toContain('to a clinician');
    const dangers = [
      [
        { risk: 'yes' as const },
        'Asha Patel says that somebody is at risk of serious harm, or that a child or adult is being hurt. Who was told is not known.',
      ],
      [{ safety_notes_for_practice: true }, 'Safety note: There is a large dog at the house.'],
      [
        { risk: 'no' as const, reasons: [{ text: 'She says that she wants to die.' }] },
        '“She says that she wants to die.” – from the reason for referral. It may describe a crisis. To reach the patient today: 01632 960123.',
      ],
      [
        { safety_notes: 'He took an overdose.' },
        'A part that was written for the service alone has words of a crisis. We are not allowed to repeat them here.',
      ],
    ] as const;
    for (const [danger, why] of dangers) {
      const text = await textOf(toPractice, { content: { ...danger } as NonNullable<GivenContent> });
      expect(text).toMatch(
        /A clinician must read this today(?:\. Reception, at once: [^.]*)? Code to file: SNOMED CT \d+ “[^”]*”, dated 21 November 2026(?:, hidden online)?\. /,
      );
      expect(text).toContain(why);
      expect(text).not.toContain('overdose');
    }
    const end = { code: 'other', text: 'He took an overdose.' } as const;
    expect(await textOf(atTheEnd, { status: 'failed', status_reason: end })).toContain('A clinician must');
  });

  it('says that somebody was at risk, who was told, whom to ring', async () => {
    const risk = {
      risk: 'yes',
      risk_acted_on: { who_was_told: 'Ann, the duty social worker', when: '2026-11-20T10:00:00Z' },
      referrer: { ...content.referrer, telephone: '01632 960111' },
    } as const;
    for (const safety_notes_for_practice of [false, true]) {
      const given = { ...risk, safety_notes_for_practice };
      for (const text of [await textOf(toPractice, { content: given }), await end(given)]) {
        expect(text).toContain('Asha Patel says that somebody is at risk of serious harm');
        expect(text).toContain(
          'Told on 20 November 2026: Ann, the duty social worker. What they did is not known here, unless the text says it.',
        );
        expect(text).toMatch(/Questions: ring .*01632.960111/);
      }
    }
    expect(await textOf(toPractice, { content: { risk: 'no' } })).not.toContain('serious harm');
  });

  it('has its tasks soonest first, and marks those asked before', async () => {
    const asked_by = 'Asha Patel, 01632 960888';
    const earlier = { text: 'Review her tablets.', by_date: '2027-02-18', asked_by } as const;
    const soon = { ...bloodPressure, text: 'Recheck her INR.', by_date: '2027-02-04' };
    const gp_actions = [hearing, { ...earlier, asked_with: 'referral' as const }, bloodPressure, soon];
    const text = await end({ gp_actions });
    const places = [soon, earlier, bloodPressure, hearing].map((each) => text.indexOf(each.text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).toContain('Recheck her INR. New in this letter; asked by Jo Hall');
    expect(text).toContain('Review her tablets. Asked already in our earlier letter; asked by');
    expect(text).toContain('Asked already in our earlier letter; no date given; asked by');
    // A letter with a code alone did not ask for it, and neither did a letter to another practice.
    const codesBefore = await end(
      { gp_actions, full_copies_since: 3 },
      { facts: { ...facts, earlierLetters: [{ ...facts.earlierLetters[0]!, version: 1 }] } },
    );
    const notBefore = await end(
      { gp_actions },
      { facts: { ...facts, codeSentAt: null, earlierLetters: [] } },
    );
    for (const each of [codesBefore, notBefore]) expect(each).not.toMatch(/Asked already|New in this/);
    // An end that was taken back had other tasks.
    const ended = { at: '2026-12-21T09:30:00Z', purpose: 'outcome' as const };
    const again = await end(
      { gp_actions },
      { facts: { ...facts, earlierLetters: [...facts.earlierLetters, ended] } },
    );
    expect(again).toContain('Recheck her INR. Asked by Jo Hall');
  });

  it('says on whose side somebody is who asks', () => {
    const details = (asked_by: string, asked_with: 'referral' | 'outcome') =>
      composeLetter(
        exampleReferral(completed({ gp_actions: [{ ...bloodPressure, asked_by, asked_with }] })),
        {
          ...atTheEnd,
        },
      ).letter.toPractice!.box.tasks.at(-1)!.details;
    expect(details('Asha Patel, 01632 960888', 'referral')).toContain('960888 (who referred); the patient');
    expect(details('Una Moor, 01632 960999', 'referral')).toContain('960999 (for the referrer); the patient');
    expect(details('Jo Hall, 01632 960200', 'outcome')).toContain('960200 (the service); the patient');
  });

  it('repeats what was asked until somebody confirmed or did it', async () => {
    const gp_actions = [hearing, bloodPressure];
    const first = await textOf({ ...toPractice, facts: null }, { content: { gp_actions } });
    expect(first).toContain(hearing.text);
    expect(first).toContain('No date given');
    expect(first).not.toContain(bloodPressure.text);
    const done = { ...hearing, done_by_hand: { at: '2026-11-22T10:00:00Z', by: 'Jo Hall' } };
    const corrected = await textOf({ ...toPractice, facts: null }, { content: { gp_actions: [done] } });
    expect(corrected).not.toContain(hearing.text);
    expect(await end({ gp_actions })).toContain(hearing.text);
    const confirmed = await end({ gp_actions }, { facts: { ...facts, wasEarlierConfirmed: true } });
    expect(confirmed).not.toContain(hearing.text);
    expect(confirmed).toContain(bloodPressure.text);
    const done_by_hand = { at: '2026-12-01T10:00:00Z', by: 'Asha Patel' };
    expect(await end({ gp_actions: [{ ...hearing, done_by_hand }] })).not.toContain(hearing.text);
  });
});
