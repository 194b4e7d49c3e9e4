import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import {
  type Given,
  type GivenContent,
  textOf,
  toPractice,
  toService,
} from '../../../../test/delivery/letters.ts';
import {
  atTheEnd,
  bloodPressure,
  content,
  end,
  facts,
  hearing,
} from '../../../../test/delivery/letters-to-practice.ts';
import type { FieldChange } from '../../../referrals/index.ts';
import type { LetterFacts } from '../../model/delivery.ts';
import { composeLetter } from '../compose-letter.ts';
import type { LetterInput, PracticeLetterInput } from '../letter.ts';

describe('a letter to a practice that replaces another', () => {
  it('still says first that a clinician must read it', async () => {
    const { letter } = composeLetter(exampleReferral({ content: { risk: 'yes' } }), {
      ...toPractice,
      facts,
      replacesLetterOf: new Date('2026-11-21T09:30:00Z'),
    });
    expect(letter.toPractice!.box.heading).toBe(
      'A clinician must read this today. Reception, at once: hide online, contact limits',
    );
    expect(letter.toPractice!.box.weight).toBe('danger');
  });

  it('is for action only where there is something to do', async () => {
    const box = async (options: Partial<PracticeLetterInput>, given: Given = {}) =>
      composeLetter(exampleReferral(given), { ...replacing, ...options }).letter.toPractice!.box;
    const calm = [change('do_not_show_online', true, false)];
    expect(await box({ changes: calm })).toMatchObject({
      heading: 'Reception only, when you file this: mark our earlier letter as superseded',
      warnings: [],
      tasks: [
        {
          text: 'When you file this: mark our letter of 21 November 2026 at 9:30am as superseded.',
        },
      ],
      mustBeRead: false,
    });
    const text = await textOf({ ...replacing, changes: calm });
    expect(text).toContain('Nothing else was asked of you.');
    const moved = await box({ changes: [change('patient.telephone', '01632 960001', '01632 960123')] });
    expect(moved.heading).toBe('Reception only, when you file this: check the telephone number');
    const hidden = await box(
      { changes: [change('patient.telephone', '01632 960001', '01632 960123')] },
      { content: { do_not_show_online: true } },
    );
    expect(hidden.heading).toBe(
      'Reception only, at once: hide this letter from the online record; when you file this: check the telephone number',
    );
    const asked = { content: { gp_actions: [hearing] } };
    expect((await box({}, asked)).tasks.map((each) => each.text)).toEqual([
      'Within 2 working days: give this letter to a clinician.',
      'When you file this: mark our letter of 21 November 2026 at 9:30am as superseded.',
      hearing.text,
    ]);
  });

  const replacing = { ...toPractice, facts, replacesLetterOf: new Date('2026-11-21T09:30:00Z') };
  const change = (field: string, from: FieldChange['from'], to: FieldChange['to']) => ({ field, from, to });

  it('puts new needs on the record without becoming one for action', async () => {
    const now = { interpreter: 'Urdu', format: 'easy read' };
    const changes = [
      change('patient.communication_needs', null, { format: 'easy read', interpreter: 'Urdu' }),
      change('reasonable_adjustments', null, ['wheelchair']),
    ];
    const given = {
      patient: { ...content.patient, communication_needs: now },
      reasonable_adjustments: ['wheelchair' as const],
    };
    const { box } = composeLetter(exampleReferral({ content: given }), { ...replacing, changes }).letter
      .toPractice!;
    expect(box.heading).toBe(
      'Reception only, when you file this: put the communication and access needs on the record',
    );
    expect(box.tasks[0]!.text).toBe(
      'When you file this: put the communication and access needs on the record: interpreter Urdu; information in easy read; wheelchair access.',
    );
    expect(box.mustBeRead).toBe(false);
    expect(await textOf({ ...replacing, changes }, { content: given })).toContain('now Urdu, easy read');
  });

  it('tells the code that goes from the code that stays', () => {
    const withdrawnBefore = { at: '2026-11-21T09:00:00Z', reference: 'PYWNX-EX3KS', birthDate: '1947-03-08' };
    const first = { ...facts, earlierLetters: [], codeSentAt: null, withdrawnBefore };
    const { tasks } = composeLetter(exampleReferral(), { ...toPractice, facts: first }).letter.toPractice!
      .box;
    expect(tasks.map(({ text }) => text)).toEqual([
      'When you file this: remove our letter of 21 November 2026 at 9:00am, reference PYWNX-EX3KS, if it is in the record, and mark the code filed from it as entered in error.',
      'When you file this: keep this letter, reference 7K3QF-XW29D, and the code filed from it.',
    ]);
    expect(tasks[0]!.details).toContain('That letter had the wrong date of birth, 8 March 1947.');
  });

  it('has a new safety note take the place of the old one', () => {
    const content = { safety_notes: 'There are two dogs.', safety_notes_for_practice: true };
    const stepWith = (...changes: FieldChange[]) => {
      const { box } = composeLetter(exampleReferral({ content }), { ...replacing, changes }).letter
        .toPractice!;
      return box.tasks[0]!.text;
    };
    const changed = change('safety_notes', 'There is a dog.', 'There are two dogs.');
    expect(stepWith(changed)).toContain('replace the old safety note on the record with the new one');
    expect(stepWith(changed, change('safety_notes_for_practice', false, true))).toContain(
      'put the safety note',
    );
    expect(stepWith()).toContain('check that the record has the safety note');
  });

  it('gives each corrected value, and whom to ask first', async () => {
    const changes = [
      change('patient.address', null, { lines: ['4 Mill Lane'] }),
      change('patient.telephone', null, '01632 960123'),
    ];
    const corrected =
      'The address was corrected to 4 Mill Lane, Sarrowby, ZT1 2AB. The telephone number was corrected to 01632 960123.';
    expect(await textOf({ ...replacing, changes })).toContain(
      `${corrected} If your record has another one, ask the patient which is right.`,
    );
    expect(await textOf({ ...replacing, changes }, { content: { risk: 'yes' } })).toContain(
      `${corrected} If your record has another one, change nothing yet, and ask as the contact limits say.`,
    );
  });

  it('says first what changed, each detail as it was and is now', async () => {
    const changes = [
      change('patient.telephone', '01632 960001', '01632 960002'),
      change('urgency', 'routine', 'urgent'),
      change('patient.telephone', '01632 960002', '01632 960123'),
      change('do_not_show_online', true, false),
      change('do_not_show_online', false, true),
      change('contact', { safe: 'yes' }, { safe: 'no' }),
    ];
    const text = await textOf({ ...replacing, changes }, { urgency: 'urgent' });
    expect(text).toContain(
      'What has changed Telephone number: 01632 960001 → 01632 960123 Urgency: Routine → Urgent Safe contact: changed, now: IT IS NOT SAFE TO CONTACT THE PATIENT: ask who referred them.',
    );
    expect(text).not.toMatch(/960002|shown online/);
    expect(text).toContain(
      'When you file this: check the patient’s telephone number in your record. The telephone number was corrected to 01632 960123. If your record has another one, ask the patient which is right. 4. When you file this: mark our letter of 21 November 2026',
    );
    expect(text.indexOf('What has changed')).toBeLessThan(text.indexOf('Safety and sharing'));
    const toStaff = await textOf({ ...toService, replacesLetterOf: replacing.replacesLetterOf, changes });
    expect(toStaff).toContain('Telephone number: 01632 960001 → 01632 960123');
    expect(toStaff.indexOf('What has changed')).toBeLessThan(
      toStaff.indexOf('Before you contact the patient Whether it is safe'),
    );
  });

  it('asks a clerk to change how the record says to make contact', async () => {
    const contact = { safe: 'yes', channel: 'text', voicemail: false } as const;
    const changes = [
      change('contact', { safe: 'yes', channel: 'telephone', voicemail: true }, { ...contact }),
    ];
    const text = await textOf({ ...replacing, changes }, { content: { contact } });
    expect(text).toContain(
      'Reception only, at once: change the contact limits on the record No new code to file. Contact limits: text only. Do not ring. No voicemail. Number: 01632 960123. Reception 1. At once: change the contact limits on the record to those above.',
    );
    // The laxer answer is not there to be followed.
    expect(text).toContain('Safe contact: changed, now: Text only. Do not ring. No voicemail.');
    expect(text).not.toContain('You may leave a voicemail');
  });

  it('says that what an update asked to check is still to do', async () => {
    const at = (moment: string) => ({ at: moment, purpose: 'referral' as const, isWithdrawn: false });
    const [first, second] = ['2026-11-20T09:30:00Z', '2026-11-21T09:30:00Z'];
    const still = 'What it asked you to check or change in your record is still to do';
    const third = { ...replacing, series: { number: 3, earlier: [at(first), at(second)] } };
    expect(await textOf(third)).toContain(`our letter 2 (same reference) as superseded. ${still}`);
    const next = { ...replacing, series: { number: 2, earlier: [at(second)] } };
    expect(await textOf(next)).not.toContain(still);
  });

  it('does not say what an earlier letter did not have', async () => {
    const { carer } = content.patient;
    const changes = [
      change('safety_notes', 'Written for the service.', 'A large dog.'),
      change('patient.carer', { name: 'Written carer' }, { ...carer! }),
      change('patient.email', 'written@example.org', null),
      change('safety_notes_for_practice', false, true),
    ];
    expect(await textOf({ ...replacing, changes })).not.toMatch(/written (for|carer)|written@|A large dog/i);
    const shared = { safety_notes_for_practice: true };
    const patient = { ...content.patient, carer: { ...carer!, share_with_gp: true } };
    const text = await textOf({ ...replacing, changes }, { content: { ...shared, patient } });
    expect(text).toContain('Safety note: changed, see the box Carer: changed, see below');
    expect(text).not.toMatch(/written (for|carer)|written@/i);
    const agreed = [
      change('urgency', 'routine', 'urgent'),
      change('consent.share_with_gp', 'codes_only', true),
    ];
    const full = await textOf({ ...replacing, changes: agreed });
    expect(full).toContain(
      'What has changed Details: the patient now agrees that you have them Code from before',
    );
    expect(full).not.toContain('Routine');
  });
});

describe('a letter about the end that replaces another', () => {
  const ended = '2027-02-01T10:00:00Z';
  const known: LetterFacts = {
    ...facts,
    statusAt: ended,
    earlierLetters: [
      { at: '2026-11-21T09:30:00Z', purpose: 'referral' },
      { at: ended, purpose: 'outcome' },
    ],
    personSays: { at: '2027-02-03T12:00:00Z', gotHelp: true },
    atReplaced: { gotHelp: null },
  };
  const again = { replacesLetterOf: new Date(ended), facts: known };

  it('says first what the patient has said since', async () => {
    const text = await end({}, again);
    expect(text).toContain('What has changed What the patient says: now “I got help.”');
    expect(text).toContain('The patient said on their own page, on 3 February 2027: “I got help.”');
    expect(text).toContain('mark our letter of 1 February 2027 at 10:00am as superseded');
    const before = { ...known, atReplaced: { ...known.atReplaced!, gotHelp: false } };
    expect(await end({}, { ...again, facts: before })).toContain('“I did not get help.” → “I got help.”');
    const same = { ...known, atReplaced: { ...known.atReplaced!, gotHelp: true } };
    expect(await end({}, { ...again, facts: same })).not.toContain('What the patient says');
  });

  it('says that a measure was added', async () => {
    const measure = (stage: 'start' | 'end', value: number, day: string) =>
      ({ code: 'ons4-happiness', stage, value, taken_at: `${day}T10:00:00Z`, by: 'person' }) as const;
    // It was taken on paper before the letter that this one replaces, and typed in after it.
    const measures = [measure('start', 4, '2026-11-22'), measure('end', 7, '2027-01-29')];
    const since = { ...known, atReplaced: { gotHelp: null, measuredSince: true } };
    expect(await end({ measures }, { ...again, facts: since })).toContain('Measures: added, see below');
    expect(await end({ measures }, again)).not.toContain('added, see below');
    const review = [...measures, { ...measures[0]!, stage: 'review' as const }];
    expect(await end({ measures: review }, { ...again, facts: since })).not.toContain('added, see below');
  });

  it('asks nothing at the end as if it were new', async () => {
    const asked = { gp_actions: [bloodPressure] };
    const already = 'Asked already in our earlier letter';
    expect(await end(asked, again)).toContain(already);
    const ofEarlierEnd = { ...known, statusAt: '2027-02-02T10:00:00Z' };
    expect(await end(asked, { ...again, facts: ofEarlierEnd })).not.toContain(already);
  });
});

describe('a letter to a practice that has others', () => {
  it('replaces a letter about a death with only what is known', async () => {
    const death_mistake = { told_at: '2026-11-22T09:30:00Z', corrected_at: '2026-11-24T09:30:00Z' };
    const given = { status: 'accepted', content: { death_mistake } } as const;
    const replacing = <Options extends LetterInput>(options: Options, replaced: string): Options => ({
      ...options,
      replacesLetterOf: new Date(replaced),
    });
    const wasTold = {
      ...facts,
      earlierLetters: [
        { at: '2026-11-21T09:30:00Z', purpose: 'referral' as const },
        { at: '2026-11-22T09:30:00Z', purpose: 'outcome' as const },
      ],
    };
    const ofCopy = replacing({ ...toPractice, facts: wasTold }, '2026-11-21T09:30:00Z');
    expect(await textOf(ofCopy, given)).toContain('What has changed The referral goes on.');
    const notTold = await textOf({ ...ofCopy, facts }, given);
    expect(notTold).toContain('our letter of 21 November 2026 at 9:30am as superseded');
    expect(notTold).not.toMatch(/alive|Not listed/);
    const later = replacing({ ...toPractice, facts: wasTold }, '2026-11-24T09:30:00Z');
    expect(await textOf(later, given)).toContain(
      'What has changed Not listed here. Read this letter as a whole.',
    );
    const toStaff = await textOf(replacing(toService, '2026-11-21T09:30:00Z'), given);
    expect(toStaff).toContain('told by mistake that the person had died. They are alive');
    expect(toStaff).not.toContain('Details were corrected');
  });

  it('is kept, and says so, if it was to be removed by mistake', async () => {
    const asked = { ...facts, removalAskedOn: '2026-11-21T10:30:00Z', earlierLetters: [], codeSentAt: null };
    const keep =
      'keep this letter, and ignore our letter of 21 November 2026 at 10:30am, headed “CHECK, THEN REMOVE FROM RECORD: letter sent to the wrong practice”: your practice was the right one.';
    for (const consent of [content.consent, { ...content.consent, share_with_gp: 'codes_only' as const }])
      expect(await textOf({ ...toPractice, facts: asked }, { content: { consent } })).toContain(keep);
    expect(await textOf({ ...toPractice, facts: asked })).toContain(
      'mark our earlier letter as superseded, if it is still in the record.',
    );
    // That nobody knows of anything else to do is said as well.
    expect(await textOf({ ...toPractice, facts: asked })).toContain(
      'Nothing else was asked of you. Questions: ring',
    );
    // Once it has been said, and where nobody asked, it is not.
    const said = {
      ...asked,
      earlierLetters: [{ at: '2026-11-21T11:00:00Z', purpose: 'referral' as const }],
    };
    for (const known of [said, facts])
      expect(await textOf({ ...toPractice, facts: known })).not.toContain('keep this letter');
  });

  it('first hides an earlier letter once online access must end', async () => {
    const shown = [{ at: '2026-11-21T09:30:00Z', purpose: 'referral' as const, isHidden: false }];
    const hide =
      '1. At once: hide this letter, our earlier letter and its code from the online record, also from proxy access.';
    const inCodes = { ...content.consent, share_with_gp: 'codes_only' as const };
    const known = { ...facts, earlierLetters: shown };
    for (const consent of [content.consent, inCodes])
      for (const options of [toPractice, atTheEnd]) {
        const given = { do_not_show_online: true, gp_actions: [hearing], consent };
        const text = await textOf({ ...options, facts: known }, { content: given });
        expect(text).toContain(hide);
        expect(text.match(/from the online record/g), 'in one step').toHaveLength(1);
        expect(text).toContain('HIDE FROM ONLINE RECORD.');
      }
    const hidden = { ...facts, earlierLetters: [{ ...shown[0]!, isHidden: true }] };
    const again = { ...toPractice, facts: hidden };
    expect(await textOf(again, { content: { do_not_show_online: true } })).not.toContain(
      'hide our letters online',
    );
    expect(await textOf({ ...toPractice, facts: known })).not.toContain('hide our letters online');
  });

  it('says if note and hiding of a code-only letter are over', async () => {
    const inCodes = { ...facts, earlierLetters: [{ ...facts.earlierLetters[0]!, version: 1 }] };
    const replacingCode = { ...toPractice, replacesLetterOf: new Date('2026-11-21T09:30:00Z') };
    const told = (given: GivenContent, known = inCodes) =>
      textOf({ ...replacingCode, facts: known }, { content: { full_copies_since: 2, ...given } });
    const over =
      'When you file this: delete the note “ring before any contact”, which our earlier letter asked for: this letter says how to contact the patient.';
    expect(await told({})).toContain(`${over} You may show that letter and its code online again.`);
    expect(await told({ do_not_show_online: true })).toContain(
      `${over} Keep that letter and its code hidden online.`,
    );
    const withDetails = { ...facts, earlierLetters: [{ ...facts.earlierLetters[0]!, version: 2 }] };
    expect(await told({}, withDetails)).not.toContain('take the note');
  });

  it('says which letters of the day are about other referrals', async () => {
    const other = { at: '2026-11-21T09:00:00Z', reference: 'AAAAA-BBBBB' };
    const known = { ...facts, earlierLetters: [], codeSentAt: null, otherLettersOfDay: [other] };
    const text = await textOf({ ...toPractice, facts: known });
    expect(text).toContain(
      'file this beside our letter of 21 November 2026 at 9:00am, reference AAAAA-BBBBB: it is about another referral. Neither replaces the other.',
    );
    expect(text).toContain(
      'dated 21 November 2026. File it once: if the record already has it for 21 November 2026, do not add it again.',
    );
    expect(await textOf({ ...toPractice, facts: { ...known, otherLettersOfDay: null } })).not.toContain(
      'another referral',
    );
  });
});
