import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import {
  type Given,
  type GivenContent,
  openLetter,
  outcome,
  pagesOf,
  renderLetter,
  textOf,
  toPractice,
  toService,
} from '../../../../test/delivery/letters.ts';
import type { FieldChange } from '../../../referrals/index.ts';
import type { LetterFacts } from '../../model/delivery.ts';
import { composeLetter } from '../compose-letter.ts';
import { drawLetter } from '../draw/draw-letter.ts';
import { loadTypesetting } from '../draw/paper.ts';
import type { LetterOptions } from '../letter.ts';

const referred = '871731000000106';
const declined = '871711000000103';
const { content } = exampleReferral();

const facts: LetterFacts = {
  by: {
    at: '2027-02-01T10:00:00Z',
    name: 'Jo Hall',
    organisation: 'Sarrowby Arts Trust',
    jobTitle: null,
    telephone: null,
  },
  serviceTelephone: '01632 960200',
  earlierLetters: [{ at: '2026-11-21T09:30:00Z', purpose: 'referral' }],
  codedOn: '2026-11-21T09:30:00Z',
  isFirstConfirmed: false,
};
const files = [{ name: 'housing.pdf', at: '2026-11-23T09:30:00Z', pages: 2, scanned: false }];
const atTheEnd: LetterOptions = { ...outcome, date: new Date('2027-02-01T10:00:00Z'), facts, files };

const bloodPressure = {
  text: 'Check her blood pressure.',
  by_date: '2027-03-01',
  asked_by: 'Jo Hall, 01632 960200',
  patient_told: true,
  asked_with: 'outcome',
} as const;
const hearing = { text: 'Send the hearing test.', asked_by: 'Asha Patel', asked_with: 'referral' } as const;

const completed = (given: GivenContent = {}) => ({
  status: 'completed' as const,
  outcome: { code: 'goals-partly-met', text: 'She joined the choir.' },
  content: given,
});
const end = (given: GivenContent = {}, options: Partial<LetterOptions> = {}) =>
  textOf({ ...atTheEnd, ...options }, completed(given));

describe('a letter to a practice that replaces another', () => {
  it('still says first that a clinician must read it', async () => {
    const { letter } = composeLetter(exampleReferral({ content: { risk: 'yes' } }), {
      ...toPractice,
      facts,
      replacesLetterOf: new Date('2026-11-21T09:30:00Z'),
    });
    expect(letter.toPractice!.box.heading).toBe('A clinician must read this today');
    expect(letter.toPractice!.box.tasks).toEqual([]);
  });

  it('is for action only where there is something to do', async () => {
    const urgent = [change('urgency', 'routine', 'urgent')];
    const box = async (options: Partial<LetterOptions>, given: Given = {}) =>
      composeLetter(exampleReferral(given), { ...replacing, ...options }).letter.toPractice!.box;
    expect(await box({ changes: urgent })).toMatchObject({
      heading: 'No action needed – for the record',
      tasks: [],
      mustBeRead: false,
    });
    const text = await textOf({ ...replacing, changes: urgent });
    expect(text).toContain('This update asks for nothing. The referral does not say whether');
    expect(text).toContain('When you file this letter, mark that one as superseded.');
    const moved = await box({ changes: [change('patient.telephone', '01632 960001', '01632 960123')] });
    expect(moved.heading).toBe('Action for the GP practice – by when');
    const asked = { content: { gp_actions: [hearing] } };
    expect((await box({}, asked)).tasks.map((each) => each.text)).toEqual([hearing.text]);
  });

  const replacing = { ...toPractice, facts, replacesLetterOf: new Date('2026-11-21T09:30:00Z') };
  const change = (field: string, from: FieldChange['from'], to: FieldChange['to']) => ({ field, from, to });

  it('says first what changed, each detail as it was first and is now', async () => {
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
      'What has changed Telephone number: 01632 960001 → 01632 960123 Urgency: Routine → Urgent Safe contact: It is safe to contact the patient → IT IS NOT SAFE TO CONTACT THE PATIENT: ask who referred them. This replaces our letter of 21 November 2026 at 9:30am.',
    );
    expect(text).not.toMatch(/960002|shown online/);
    expect(text).toContain('1. Check the patient’s telephone number in your record.');
    expect(text.indexOf('What has changed')).toBeLessThan(text.indexOf('Safety and sharing'));
    const toStaff = await textOf({ ...toService, replacesLetterOf: replacing.replacesLetterOf, changes });
    expect(toStaff).toContain('Telephone number 01632 960001 → 01632 960123');
    expect(toStaff.indexOf('What has changed')).toBeLessThan(toStaff.indexOf('Before you contact'));
  });

  it('does not say what an earlier letter did not have', async () => {
    const { carer } = content.patient;
    const changes = [
      change('safety_notes', 'Written for the service.', 'A large dog.'),
      change('patient.carer', { name: 'Written carer' }, { ...carer! }),
      change('patient.email', 'written@example.org', null),
      change('safety_notes_for_practice', false, true),
    ];
    expect(await textOf({ ...replacing, changes })).not.toMatch(/written|A large dog/i);
    const shared = { safety_notes_for_practice: true };
    const patient = { ...content.patient, carer: { ...carer!, share_with_gp: true } };
    const text = await textOf({ ...replacing, changes }, { content: { ...shared, patient } });
    expect(text).toContain('Safety: changed, see below Carer: changed, see below');
    expect(text).not.toMatch(/written/i);
    const agreed = [
      change('urgency', 'routine', 'urgent'),
      change('consent.share_with_gp', 'codes_only', true),
    ];
    const full = await textOf({ ...replacing, changes: agreed });
    expect(full).toContain(
      'What has changed Details: the patient now agrees that you have them This replaces',
    );
    expect(full).not.toContain('Routine');
  });
});

describe('a letter to a practice', () => {
  it('says of a death its date, or that nobody knows it, and who told it', async () => {
    const died = { code: 'died', text: 'Her daughter told us.' } as const;
    const { contact } = {
      contact: { safe: 'only_at', only_at: 'noon', who_must_not_know: 'her son' } as const,
    };
    const death = { reportedAt: '2027-01-31T10:00:00Z', toldBy: 'Her daughter', date: '2027-01-30' };
    const letter = (told: NonNullable<LetterFacts['death']>) =>
      textOf(
        { ...atTheEnd, facts: { ...facts, death: told } },
        { status: 'failed', status_reason: died, content: { contact } },
      );
    const text = await letter(death);
    expect(text).toContain('Date of death: 30 January 2027. Told by: Her daughter, on 31 January 2027.');
    expect(text).toContain('ended on 1 February 2027: the patient was reported to have died');
    expect(text).toContain('Do not tell: her son.');
    expect(text, 'nobody rings somebody who has died').not.toContain('Contact:');
    expect(await letter({ ...death, toldBy: null, date: null })).toContain(
      'Date of death: not known. Told by: not stated, on 31 January 2027.',
    );
  });

  it('says what “not traced” means, and what to compare', async () => {
    expect(await textOf(toPractice)).toContain(
      '“Not traced”: not checked against NHS records. Compare the name and date of birth.',
    );
    const { nhs_number: _, ...patient } = content.patient;
    expect(await textOf(toPractice, { content: { patient } })).toContain(
      'NHS number not known No NHS number. Compare the name and date of birth.',
    );
  });

  it('says which name is the surname where capitals cannot', async () => {
    const { letter } = composeLetter(
      exampleReferral({
        content: {
          patient: { ...content.patient, family_name: 'الحسيني', given_name: 'فاطمة', title: 'Mrs' },
        },
      }),
      toPractice,
    );
    expect(letter.toPractice!.patient.name).toBe('Title: Mrs   Surname: الحسيني   First name: فاطمة');
  });

  it('has each goal with its result, needs, adjustments, and one code an episode', async () => {
    const goals = [
      { text: 'To sing again', result: 'achieved' as const },
      { text: 'To go out alone', result: 'not' as const },
      { text: 'To cook' },
    ];
    const needs = ['bereavement', 'elder-abuse'] as const;
    const said = { goals, needs: [...needs], reasonable_adjustments: ['wheelchair' as const] };
    const text = await end(said);
    expect(text).toContain('To sing again: met');
    expect(text).toContain('To go out alone: not met');
    expect(text).toContain('To cook: not reported');
    expect(text).toContain('Needs: Bereavement');
    expect(text, 'a letter may be read at home').not.toContain('Abuse');
    expect(await end({ ...said, safety_notes_for_practice: true })).toContain('Abuse of an older person');
    expect(text).toContain('wheelchair access');
    expect(await textOf(toPractice, { content: { episode: 'first' } })).toContain(referred);
    const later = await textOf(toPractice, { content: { episode: 'continuing' } });
    expect(later).not.toContain(referred);
    expect(later).toContain('An earlier referral began this episode');
    const service = await textOf(toService, { content: said });
    expect(service).toContain('What the person needs to use the service');
    expect(service.indexOf('Wheelchair access')).toBeLessThan(service.indexOf('NHS number'));
  });

  it('asks to say if a death is untrue, and to correct a mistaken one', async () => {
    const died = { code: 'died', text: 'Her daughter told us.' } as const;
    const told = await textOf(atTheEnd, { status: 'failed', status_reason: died });
    expect(told).toContain('We were told that the patient has died; please tell us if not');
    expect(told).toContain('have not confirmed it: code no death from this letter');
    expect(told).toContain('1 February 2027: the patient was reported to have died');
    expect(told).toContain('2. Close the case of this referral in your record. File no new code.');
    expect(told).toContain('No new code. Keep the code from our letter of');
    const neverTold = { ...atTheEnd, facts: { ...facts, codedOn: null, earlierLetters: [] } };
    expect(await textOf(neverTold, { status: 'failed', status_reason: died })).toContain(
      'Codes to file No new code. Close the case in your record.',
    );
    expect(told).toContain('tell Jo Hall, Sarrowby Arts Trust, 01632 960200 at once');
    expect(told).not.toContain('The person has died');
    expect(told, 'nobody rings somebody who has died').not.toContain('safe to contact');
    const death_mistake = { told_at: '2026-11-21T09:30:00Z', corrected_at: '2026-11-24T09:30:00Z' };
    const corrected = await textOf(toPractice, { status: 'accepted', content: { death_mistake } });
    expect(corrected).toContain(
      'Our letter of 21 November 2026 said that the patient has died. That was a mistake',
    );
    const inCodes = { ...content.consent, share_with_gp: 'codes_only' } as const;
    const codes = await textOf(atTheEnd, {
      status: 'failed',
      status_reason: died,
      content: { consent: inCodes },
    });
    expect(codes).not.toContain('has died');
  });

  it('explains that it replaces a letter about a death, with only what the practice knows', async () => {
    const death_mistake = { told_at: '2026-11-22T09:30:00Z', corrected_at: '2026-11-24T09:30:00Z' };
    const given = { status: 'accepted', content: { death_mistake } } as const;
    const replacing = (options: LetterOptions, replaced: string) => ({
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
    expect(await textOf(ofCopy, given)).toContain(
      'our letter of 21 November 2026 at 9:30am: the patient is alive, and the referral goes on.',
    );
    const notTold = await textOf({ ...ofCopy, facts }, given);
    expect(notTold).toContain('our letter of 21 November 2026 at 9:30am.');
    expect(notTold).not.toMatch(/alive|cannot be listed/);
    const later = replacing({ ...toPractice, facts: wasTold }, '2026-11-24T09:30:00Z');
    expect(await textOf(later, given)).toContain(
      '24 November 2026 at 9:30am: what has changed cannot be listed',
    );
    const toStaff = await textOf(replacing(toService, '2026-11-21T09:30:00Z'), given);
    expect(toStaff).toContain('told by mistake that the person had died. They are alive');
    expect(toStaff).not.toContain('details were corrected');
  });

  it('is kept, and says so, if the practice was asked by mistake to remove it', async () => {
    const asked = { ...facts, removalAskedOn: '2026-11-21T10:30:00Z', earlierLetters: [], codedOn: null };
    const keep =
      'Keep this letter. It replaces our request of 21 November 2026 to remove our letter with the reference';
    for (const consent of [content.consent, { ...content.consent, share_with_gp: 'codes_only' as const }])
      expect(await textOf({ ...toPractice, facts: asked }, { content: { consent } })).toContain(keep);
    // That nobody knows of anything else to do is said as well.
    expect(await textOf({ ...toPractice, facts: asked })).toContain(
      'does not say whether you need to do anything else.',
    );
    // Once it has been said, and where nobody asked, it is not.
    const said = {
      ...asked,
      earlierLetters: [{ at: '2026-11-21T11:00:00Z', purpose: 'referral' as const }],
    };
    for (const known of [said, facts])
      expect(await textOf({ ...toPractice, facts: known })).not.toContain('Keep this letter');
  });

  it('has the patient on every page, with age and tracing status', async () => {
    const pages = await pagesOf(
      atTheEnd,
      completed({ what_matters: 'One of very many words. '.repeat(400) }),
    );
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) {
      expect(page).toContain('ŻÓŁKIEWSKA-LLŶR, Małgorzata Siân');
      expect(page).toContain('Born 9 March 1947 (79 years)');
      expect(page).toContain('NHS number 999 000 0018 (not traced)');
    }
  });

  it('has its parts in this order, and is one page', async () => {
    const measures = [
      { code: 'ons4-life-satisfaction', stage: 'start', value: 2 },
      { code: 'ons4-life-satisfaction', stage: 'end', value: 0 },
      { code: 'ons4-anxiety', stage: 'start', value: 8 },
      { code: 'ons4-anxiety', stage: 'end', value: 3 },
    ] as const;
    const given = completed({ gp_actions: [bloodPressure] });
    const pages = await pagesOf(atTheEnd, {
      ...given,
      outcome: { ...given.outcome, measures: [...measures] },
    });
    expect(pages).toHaveLength(1);
    const order = [
      'ŻÓŁKIEWSKA-LLŶR',
      'Postcode ZT1 2AB',
      'Outcome of a referral to Sarrowby Community Choir, Sarrowby Arts Trust – completed on 1 February 2027',
      'Action for the GP practice – by when 1. By 1 March 2027: Check her blood pressure.',
      'Asked by Jo Hall, 01632 960200; the patient was told',
      'Questions: ring Sarrowby Community Choir (the service), 01632 960200.',
      'Safety and sharing',
      'Summary She joined the choir.',
      'Reason for referral 1. She is lonely',
      'Goals Partly met',
      'Measures Life satisfaction (ONS4): 2 → 0, worse, range 0 to 10 Anxiety yesterday (ONS4): 8 → 3, better',
      'Codes to file No new code. Keep the code from our letter of 21 November 2026 at 9:30am; do not file it twice.',
      'Agreement The patient agreed to the referral and to this letter. Recorded by Robin Hale, 20 November 2026.',
      'From Completed by: Jo Hall, staff of the service, Sarrowby Arts Trust, 01632 960200',
      'Referred by: Asha Patel, referrer, Infirmary Lane Surgery (Z99001), for Dr Robin Hale',
      'Copies Document held by the service, not sent to you: housing.pdf (23 November 2026, 2 pages, not scanned for viruses). Ask 01632 960200 if you need it.',
    ];
    const places = order.map((each) => [each, pages[0]!.indexOf(each)] as const);
    for (const [each, place] of places) expect([each, place]).not.toEqual([each, -1]);
    expect(places.map(([, place]) => place)).toEqual(places.map(([, place]) => place).sort((a, b) => a - b));
  });

  it('says “no action” only if the side that it comes from was asked', async () => {
    const asked = { gp_actions: [], gp_actions_answered: ['referral' as const] };
    const bySite = { code: 'no-capacity', text: 'Full.' } as const;
    expect(await textOf(toPractice, { content: asked })).toContain('No action needed – for the record');
    for (const status of ['completed', 'failed', 'cancelled', 'rejected'] as const) {
      const ended = { ...completed(asked), status, ...(status !== 'completed' && { status_reason: bySite }) };
      const silent = await textOf(atTheEnd, ended);
      expect(silent, status).not.toContain('No action needed');
      expect(silent).toContain(
        'No action was recorded When the referral ended, nobody said whether you need to do anything. If you expected something, ask us. Questions: ring Sarrowby Community Choir (the service), 01632 960200.',
      );
    }
    const answered = { ...asked, gp_actions_answered: ['referral' as const, 'outcome' as const] };
    expect(await end(answered)).toContain('No action needed – for the record');
    const byService = { ...asked, gp_actions_answered: ['outcome' as const] };
    expect(await end(byService)).toContain('No action needed – for the record');
    expect(await textOf(toPractice, { content: byService })).toContain('No action was recorded');
  });

  it('repeats an earlier task, and says that nobody said whether there is more', async () => {
    const text = await end({ gp_actions: [hearing], gp_actions_answered: ['referral'] });
    expect(text).toContain(hearing.text);
    expect(text).toMatch(/Send the hearing test\. .*nobody said whether you need to do anything else\./);
  });

  it('asks for a clinician only where something sounds like danger', async () => {
    const calm = await textOf(toPractice, { content: { risk: 'no' } });
    expect(calm).toContain(
      'No action was recorded The referral does not say whether you need to do anything.',
    );
    expect(calm).not.toContain('clinician');
    const dangers = [
      [{ risk: 'yes' as const }, 'risk of serious harm was answered “yes”; it does not say who was told.'],
      [{ safety_notes_for_practice: true }, 'it has a safety note.'],
      [
        { risk: 'no' as const, reasons: [{ text: 'She says that she wants to die.' }] },
        'its words may speak of a crisis (the reason for referral).',
      ],
      [{ safety_notes: 'He took an overdose.' }, 'words for the service alone may speak of a crisis'],
    ] as const;
    for (const [danger, why] of dangers) {
      const text = await textOf(toPractice, { content: { ...danger } as NonNullable<GivenContent> });
      expect(text).toContain(`A clinician must read this today Why: ${why}`);
      expect(text).not.toContain('overdose');
    }
    const end = { code: 'other', text: 'He took an overdose.' } as const;
    expect(await textOf(atTheEnd, { status: 'failed', status_reason: end })).toContain('A clinician must');
  });

  it('says that somebody was at risk, who was told, and whom to ring', async () => {
    const risk = {
      risk: 'yes',
      risk_acted_on: { who_was_told: 'Ann, the duty social worker', when: '2026-11-20T10:00:00Z' },
      referrer: { ...content.referrer, telephone: '01632 960111' },
    } as const;
    for (const safety_notes_for_practice of [false, true]) {
      const given = { ...risk, safety_notes_for_practice };
      for (const text of [await textOf(toPractice, { content: given }), await end(given)]) {
        expect(text).toContain('When this referral was made, somebody was at risk of serious harm.');
        expect(text).toContain('Ann, the duty social worker was told on 20 November 2026.');
        expect(text).toMatch(/Questions: ring .*01632.960111/);
      }
    }
    expect(await textOf(toPractice, { content: { risk: 'no' } })).not.toContain('at risk of serious harm');
  });

  it('has its tasks soonest first, and marks those that an earlier letter asked for', async () => {
    const asked_by = 'Asha Patel, 01632 960888';
    const earlier = { text: 'Review her tablets.', by_date: '2027-02-18', asked_by } as const;
    const soon = { ...bloodPressure, text: 'Recheck her INR.', by_date: '2027-02-04' };
    const gp_actions = [hearing, { ...earlier, asked_with: 'referral' as const }, bloodPressure, soon];
    const text = await end({ gp_actions });
    const places = [soon, earlier, bloodPressure, hearing].map((each) => text.indexOf(each.text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).toContain('Recheck her INR. New in this letter; asked by Jo Hall');
    expect(text).toContain('Review her tablets. Asked already in our letter of 21 November 2026; asked by');
    expect(text).toContain('Asked already in our letter of 21 November 2026; no date was given; asked by');
    // A letter with a code alone did not ask for it, and neither did a letter to another practice.
    const codesBefore = await end(
      { gp_actions, full_copies_since: 3 },
      { facts: { ...facts, earlierLetters: [{ ...facts.earlierLetters[0]!, version: 1 }] } },
    );
    const notBefore = await end({ gp_actions }, { facts: { ...facts, codedOn: null, earlierLetters: [] } });
    for (const each of [codesBefore, notBefore]) expect(each).not.toMatch(/Asked already|New in this/);
    // An end that was taken back had other tasks.
    const ended = { at: '2026-12-21T09:30:00Z', purpose: 'outcome' as const };
    const again = await end(
      { gp_actions },
      { facts: { ...facts, earlierLetters: [...facts.earlierLetters, ended] } },
    );
    expect(again).toContain('Recheck her INR. Asked by Jo Hall');
  });

  it('repeats what was asked first until somebody confirmed it or did it', async () => {
    const gp_actions = [hearing, bloodPressure];
    const first = await textOf({ ...toPractice, facts: null }, { content: { gp_actions } });
    expect(first).toContain(hearing.text);
    expect(first).toContain('No date was given');
    expect(first).not.toContain(bloodPressure.text);
    const done = { ...hearing, done_by_hand: { at: '2026-11-22T10:00:00Z', by: 'Jo Hall' } };
    const corrected = await textOf({ ...toPractice, facts: null }, { content: { gp_actions: [done] } });
    expect(corrected).not.toContain(hearing.text);
    expect(await end({ gp_actions })).toContain(hearing.text);
    const confirmed = await end({ gp_actions }, { facts: { ...facts, isFirstConfirmed: true } });
    expect(confirmed).not.toContain(hearing.text);
    expect(confirmed).toContain(bloodPressure.text);
    const done_by_hand = { at: '2026-12-01T10:00:00Z', by: 'Asha Patel' };
    expect(await end({ gp_actions: [{ ...hearing, done_by_hand }] })).not.toContain(hearing.text);
  });

  it('tells what the patient declined from what the service refused', async () => {
    const rejected = (code: 'client-declined' | 'no-capacity') =>
      textOf(atTheEnd, { status: 'rejected', status_reason: { code, text: 'Full.' } });
    expect(await rejected('client-declined')).toContain('declined by the patient on 1 February 2027');
    expect(await rejected('no-capacity')).toContain('not taken on by the service on 1 February 2027');
  });

  it('has the job titles and telephone numbers that people entered', async () => {
    const by = { ...facts.by!, jobTitle: 'art therapist', telephone: '01632 960 777' };
    const referrer = { ...content.referrer, job_title: 'link worker', telephone: '01632 960 888' };
    const text = await end({ referrer }, { facts: { ...facts, by } });
    expect(text).toContain('Jo Hall, art therapist, Sarrowby Arts Trust, 01632 960 777');
    expect(text).toContain('Asha Patel, link worker, Infirmary Lane Surgery (Z99001), 01632 960 888');
  });

  it('warns beside the telephone number of what is not safe', async () => {
    const contact = {
      safe: 'only_at',
      only_at: 'weekdays before three',
      who_must_not_know: 'her husband',
    } as const;
    const text = await textOf(toPractice, { content: { contact, do_not_show_online: true } });
    expect(text).toContain(
      'Contact: Do not tell: her husband. Only at these times or places: weekdays before three. Prefers: telephone, in the morning.',
    );
    expect(text).toContain('HIDE FROM ONLINE RECORD: this letter and its code. ŻÓŁKIEWSKA');
    expect(text.indexOf('Contact: Do not')).toBeLessThan(text.indexOf('Copy of a referral'));
  });

  it('is not shown online if somebody must not know of it', async () => {
    const contact = { safe: 'yes', who_must_not_know: 'her husband' } as const;
    expect(await textOf(toPractice, { content: { contact } })).toContain('HIDE FROM ONLINE RECORD');
  });

  it('is not shown online if a child agreed for themselves', async () => {
    const patient = { ...content.patient, birth_date: '2011-06-18' };
    const agreement = {
      basis: 'competent_child',
      judged_by: 'Dr Hale',
      when: '2026-11-20T10:00:00Z',
    } as const;
    expect(await textOf(toPractice, { content: { patient, agreement } })).toContain(
      'HIDE FROM ONLINE RECORD',
    );
    const byParent = { basis: 'parental_responsibility' } as const;
    expect(await textOf(toPractice, { content: { patient, agreement: byParent } })).not.toMatch(/online/i);
  });

  it('has beside the telephone number whether it is safe to contact the patient', async () => {
    const letter = async (contact?: NonNullable<GivenContent>['contact']) =>
      textOf(toPractice, { content: contact ? { contact } : {} });
    const number = '4 Mill Lane, Sarrowby, ZT1 2AB, 01632 960123. Contact: ';
    expect(await letter()).toContain(`${number}Whether it is safe to contact the patient was not asked.`);
    expect(await letter({ safe: 'yes', channel: 'email' })).toContain(
      `${number}It is safe to contact the patient by email only. Other ways were not recorded as safe: ask first.`,
    );
    expect(await letter({ safe: 'yes', channel: 'telephone', voicemail: false })).toContain(
      `${number}NO VOICEMAIL. It is safe to contact the patient by telephone only.`,
    );
    expect((await letter({ safe: 'yes' })).match(/safe to contact/g), 'once').toHaveLength(1);
  });

  it('has a box with whom to ring where no contact is safe', async () => {
    const contact = { safe: 'no', who_must_not_know: 'her husband' } as const;
    const referrer = { ...content.referrer, telephone: '01632 960888' };
    const given = { content: { contact, referrer } };
    const box =
      'Do not contact the patient It is not safe to contact the patient in any way. Ring instead: Asha Patel, Infirmary Lane Surgery, 01632 960888. Do not tell: her husband.';
    for (const options of [toPractice, toService]) expect(await textOf(options, given)).toContain(box);
    expect(await textOf(toPractice, given)).not.toMatch(/Contact:|Prefers/);
    expect(await textOf(toService, given)).not.toContain('Prefers contact by');
    const silent = { content: { contact } };
    expect(await textOf(toPractice, silent)).toContain(
      'Ask instead: Asha Patel, Infirmary Lane Surgery. No telephone number was recorded.',
    );
    const long = { ...given, content: { ...given.content, what_matters: 'Words. '.repeat(1500) } };
    const [, second] = await pagesOf(toPractice, long);
    expect(second).toContain('HIDE FROM ONLINE RECORD   DO NOT CONTACT THE PATIENT'.replaceAll(/ +/g, ' '));
    const inCodes = { ...content.consent, share_with_gp: 'codes_only' as const };
    expect(await textOf(toPractice, { content: { ...given.content, consent: inCodes } })).not.toContain(
      'Do not contact',
    );
  });

  it('first hides an earlier letter once nothing may be shown online', async () => {
    const shown = [{ at: '2026-11-21T09:30:00Z', purpose: 'referral' as const, isHidden: false }];
    const hide =
      '1. Hide our earlier letter, of 21 November 2026 at 9:30am, reference 7K3QF-XW29D, from the patient’s online record, and the code that you filed from it: 871731000000106 “Referral to social prescribing service”. At once. Hide this letter as well.';
    const inCodes = { ...content.consent, share_with_gp: 'codes_only' as const };
    const known = { ...facts, earlierLetters: shown };
    for (const consent of [content.consent, inCodes])
      for (const options of [toPractice, atTheEnd]) {
        const given = { do_not_show_online: true, gp_actions: [hearing], consent };
        const text = await textOf({ ...options, facts: known }, { content: given });
        // A reference may be broken over two lines at its hyphen.
        expect(text.replace('7K3QF- XW29D, from', '7K3QF-XW29D, from')).toContain(
          `Action for the GP practice – by when ${hide}`,
        );
        expect(text).toContain('HIDE FROM ONLINE RECORD: this letter.');
      }
    const hidden = { ...facts, earlierLetters: [{ ...shown[0]!, isHidden: true }] };
    const again = { ...toPractice, facts: hidden };
    expect(await textOf(again, { content: { do_not_show_online: true } })).not.toContain('Hide our earlier');
    expect(await textOf({ ...toPractice, facts: known })).not.toContain('Hide our earlier');
    const later = { do_not_show_online: true, episode: 'continuing' as const };
    expect(await textOf({ ...toPractice, facts: known }, { content: later })).not.toContain('the code that');
  });

  it('says which other letters of the day are about other referrals', async () => {
    const other = { at: '2026-11-21T09:00:00Z', reference: 'AAAAA-BBBBB' };
    const known = { ...facts, earlierLetters: [], codedOn: null, otherLettersOfDay: [other] };
    const text = await textOf({ ...toPractice, facts: known });
    expect(text).toContain(
      'Our letter of 21 November 2026 at 9:00am, reference AAAAA-BBBBB, is about another referral of this patient. Keep both: neither replaces the other.',
    );
    expect(await textOf({ ...toPractice, facts: { ...known, otherLettersOfDay: null } })).not.toContain(
      'another referral',
    );
  });

  it('has the title of the patient beside the name', async () => {
    const patient = { ...content.patient, title: 'Dr' };
    expect(await textOf(toPractice, { content: { patient } })).toContain(
      'ŻÓŁKIEWSKA-LLŶR, Małgorzata Siân (Dr)',
    );
    expect(await textOf(toService, { content: { patient } })).toContain('Dr Małgorzata Siân Żółkiewska-Llŷr');
  });

  it('lists each file with its pages and scan result, like the letter to the service', async () => {
    const two = [
      ...files,
      { name: 'photo.jpg', at: '2026-11-23T09:30:00Z', pages: 1, scanned: true },
      { name: 'odd.pdf', at: '2026-11-24T09:30:00Z', pages: null, scanned: true },
    ];
    const listed =
      'housing.pdf (23 November 2026, 2 pages, not scanned for viruses); photo.jpg (23 November 2026, 1 page, scanned for viruses); odd.pdf (24 November 2026, scanned for viruses)';
    const toAsk = { ...toPractice, files: two, facts };
    expect(await textOf(toAsk)).toContain(
      `Documents held by the service, not sent to you: ${listed}. Ask 01632 960200 if you need them.`,
    );
    expect(await textOf({ ...toService, files: two })).toContain(listed);
    expect(await textOf(toService)).not.toContain('not enclosed');
  });

  it('says who is a child, and that nobody recorded whose telephone it is', async () => {
    const patient = { ...content.patient, birth_date: '2015-06-18' };
    expect(await textOf(toPractice, { content: { patient } })).toMatch(/\(11 years, a child\)/);
    const line =
      '01632 960123. Whose telephone it is was not recorded. Whether a parent knows was not recorded.';
    expect(await textOf(toPractice, { content: { patient } })).toContain(line);
    const agreement = { basis: 'parental_responsibility' } as const;
    expect(await textOf(toPractice, { content: { patient, agreement } })).toContain(
      'A parent or guardian knows of the referral.',
    );
  });

  it('has the codes on the first page, however long it is', async () => {
    const reasons = [{ text: 'He finds it hard to leave the house. '.repeat(150) }];
    const pages = await pagesOf(toPractice, { content: { reasons } });
    expect(pages.length).toBeGreaterThan(1);
    expect(pages[0]).toContain(referred);
  });

  it('leaves out what is not known', async () => {
    const {
      nhs_number: _,
      telephone: __,
      preferred_contact: ___,
      communication_needs: ____,
      ...patient
    } = content.patient;
    const text = await textOf(toPractice, { content: { patient, gp_actions: [] } });
    for (const heading of ['Safety and sharing', 'Summary', 'Measures', 'Plan', 'Copies'])
      expect(text).not.toContain(heading);
    expect(text).toContain('NHS number not known');
    expect(text).toContain('Codes to file');
  });

  it('says what the service does next, and by when', async () => {
    const text = await textOf(toPractice, { due_at: new Date('2026-12-04T17:00:00Z') });
    expect(text).toContain(
      'Plan Sarrowby Arts Trust will accept or decline by 4 December 2026. You need not chase.',
    );
    expect(await textOf(toPractice, { status: 'accepted', next_date: '2026-12-10' })).toContain(
      'Plan Sarrowby Arts Trust will contact the patient by 10 December 2026.',
    );
    expect(await textOf(toPractice, { status: 'on-hold', expected_date: '2027-02-01' })).toContain(
      'Plan The patient is on a waiting list. Sarrowby Arts Trust expects a place on 1 February 2027.',
    );
  });

  it('is read aloud with its tasks as a list', async () => {
    const document = await openLetter(
      await renderLetter(exampleReferral(completed({ gp_actions: [bloodPressure] })), atTheEnd),
    );
    const tree = JSON.stringify(await (await document.getPage(1)).getStructTree());
    for (const role of ['H1', 'H2', 'L', 'LI', 'Lbl', 'LBody', 'P']) expect(tree).toContain(`"${role}"`);
  });
});

describe('the codes of a letter', () => {
  const codesIn = (text: string) => text.match(/\b8717\d{11}\b/g) ?? [];
  const codes_only = { consent: { ...content.consent, share_with_gp: 'codes_only' as const } };
  const ticked = { declines_social_prescribing: true as const };

  it('are the only ones, even if a client system sent others', async () => {
    expect(content.reasons[0]!.code).toBe('105412007');
    expect(await textOf(toPractice)).not.toContain('105412007');
  });

  it('have the referral once an episode', async () => {
    expect(codesIn(await textOf(toPractice))).toEqual([referred]);
    expect(codesIn(await end())).toEqual([]);
    const atLast = await end({}, { facts: { ...facts, codedOn: null } });
    expect(codesIn(atLast)).toEqual([referred]);
    expect(atLast, 'the day of the referral').toContain('service, dated 21 November 2026');
    expect(codesIn(await end(codes_only))).toEqual([]);
  });

  it('are one where the person agreed to codes only', async () => {
    const never = { facts: { ...facts, codedOn: null } };
    expect(codesIn(await textOf(toPractice, { content: codes_only }))).toEqual([referred]);
    expect(codesIn(await end({ ...codes_only, ...ticked }, never))).toEqual([declined]);
    expect(codesIn(await end({ ...codes_only, ...ticked }))).toEqual([declined]);
  });

  it('reveal nothing about actions if the person agreed to codes only', async () => {
    const box = 'For the record – one code to file';
    // With something to do and without, so that the letter does not tell that there is something.
    for (const gp_actions of [[bloodPressure], []]) {
      const text = await end({ ...codes_only, gp_actions });
      expect(text).toContain(box);
      expect(text).not.toContain('No action needed');
    }
    const text = await end({ ...codes_only, gp_actions: [bloodPressure] });
    for (const each of [bloodPressure.text, 'Choir', 'Jo Hall', '4 Mill Lane'])
      expect(text).not.toContain(each);
  });
});

describe('a letter with a code and no details', () => {
  const consent = { ...content.consent, share_with_gp: 'codes_only' as const };
  // Marked wherever somebody can write.
  const written = {
    reasons: [{ text: 'Written reason.' }],
    what_matters: 'Written goal.',
    safety_notes: 'Written safety note.',
    safety_notes_for_practice: true,
    support_offered: 'Written support.',
    contact: { safe: 'only_at', only_at: 'Written times', who_must_not_know: 'Written person' },
    do_not_show_online: true,
    gp_actions: [
      { ...bloodPressure, text: 'Written task.' },
      { ...hearing, text: 'Written wish.' },
    ],
    patient: {
      ...content.patient,
      carer: { name: 'Written carer', share_with_gp: true },
      preferred_contact: 'Written hours',
      communication_needs: { interpreter: 'Written language', format: 'Written format' },
    },
    referrer: { ...content.referrer, on_behalf_of: 'Written colleague' },
    consent,
    death_mistake: { told_at: '2026-11-21T09:30:00Z', corrected_at: '2026-11-24T09:30:00Z' },
  } as const;
  const because = { code: 'no-capacity', text: 'Written cause.' } as const;
  const ending = {
    outcome: { code: 'goals-met', text: 'Written outcome.' },
    status_reason: because,
  } as const;
  const writtenFiles = [{ ...files[0]!, name: 'Written file.pdf' }];
  // Only the referrer’s side withdraws.
  const by = { ...facts.by!, name: 'Asha Patel', organisation: 'Infirmary Lane Surgery' };
  const statuses = ['requested', 'accepted', 'on-hold'] as const;
  const ends = ['completed', 'rejected', 'failed', 'cancelled', 'entered-in-error'] as const;
  const kinds = [
    ...statuses.map((status) => ['referral', status] as const),
    ...ends.map((status) => ['outcome', status] as const),
    ['removal', 'entered-in-error'] as const,
  ];

  it.each(kinds)('has no word that anybody wrote: %s, %s', async (purpose, status) => {
    for (const replacesLetterOf of [null, new Date('2026-11-21T09:30:00Z')]) {
      const known = { ...facts, ...(status === 'entered-in-error' && { by }) };
      const options = { ...atTheEnd, purpose, replacesLetterOf, facts: known, files: writtenFiles };
      const given: Given = { status, ...(purpose === 'referral' ? { status_reason: because } : ending) };
      const text = await textOf(options, {
        ...given,
        content: written as unknown as Partial<typeof content>,
      });
      expect(text).not.toMatch(/Written|measured|Choir|Arts Trust|goals|Jo Hall/i);
      expect(text, 'how it goes, or ended').not.toMatch(/accepted|waiting|completed|taken on|cancelled/i);
      expect(text).toContain('ŻÓŁKIEWSKA-LLŶR');
    }
  });
});

describe('letters that are drawn one after another', () => {
  it('keep every character, also after one with only an accented capital', async () => {
    const typesetting = await loadTypesetting();
    const { patient } = content;
    const named = exampleReferral({ content: { patient: { ...patient, family_name: 'Óg' } } });
    // Nothing else in bold has an O without an accent.
    await drawLetter(typesetting, composeLetter({ ...named, reference: 'X' }, toPractice));
    const pdf = await drawLetter(
      typesetting,
      composeLetter(exampleReferral({ status: 'entered-in-error' }), outcome),
    );
    const page = await (await openLetter(pdf)).getPage(1);
    const text = (await page.getTextContent()).items.map((item) => ('str' in item ? item.str : '')).join(' ');
    expect(text).toContain('REMOVE FROM RECORD');
  });
});

describe('a letter about a referral that was made in error', () => {
  const withdrawn: Given = {
    status: 'entered-in-error',
    status_reason: { code: 'wrong-person', text: 'Another person was meant.' },
    content: { gp_actions: [hearing] },
  };

  it('says which mistake it was', async () => {
    expect(await textOf(atTheEnd, withdrawn)).toContain('another person was meant. What our earlier letter');
    const other = { code: 'wrong-service', text: '' } as const;
    expect(await textOf(atTheEnd, { ...withdrawn, status_reason: other })).toContain(
      ': another service was meant.',
    );
    expect(await textOf(atTheEnd, { ...withdrawn, status_reason: null })).toContain(
      'may not be about this patient',
    );
  });

  it('asks to remove the earlier letter, and to confirm that', async () => {
    const text = await textOf(atTheEnd, withdrawn);
    expect(text).toContain('REMOVE FROM RECORD');
    expect(text).toContain(
      '1. Remove from this patient’s record our letter headed “Copy of …”, of 21 November 2026 at 9:30am, reference 7K3QF-XW29D. If you filed from it the code 871731000000106 “Referral to social prescribing service”, take that out too.',
    );
    expect(text).toContain(
      'Stop what that letter asked for. If it is done already, ring Jo Hall, Sarrowby Arts Trust, 01632 960200.',
    );
    expect(text).toContain('Keep this notice. If it is not meant for you');
    expect(text).not.toContain('destroy');
    expect(text).toContain('3. Confirm to Jo Hall, Sarrowby Arts Trust, 01632 960200 that this is done.');
  });

  it('says by which telephone number the practice reaches the referrer', async () => {
    const by = { ...facts.by!, name: 'Asha Patel', organisation: 'Infirmary Lane Surgery' };
    const known = { ...facts, by, serviceTelephone: null, referrerTelephone: '01632 960 888' };
    const asked = 'asked by Asha Patel, Infirmary Lane Surgery, 01632 960 888.';
    const inCodes = { ...content.consent, share_with_gp: 'codes_only' as const };
    for (const purpose of ['outcome', 'removal'] as const)
      for (const consent of [content.consent, inCodes]) {
        const given = { ...withdrawn, content: { ...withdrawn.content, consent } };
        const text = await textOf({ ...atTheEnd, purpose, facts: known }, given);
        expect(text).toContain(asked);
        expect(text).toContain('Confirm to Asha Patel, Infirmary Lane Surgery, 01632 960 888 that');
        expect(text).toMatch(
          /Referred by: Asha Patel, referrer, Infirmary Lane Surgery \(Z99001\), 01632 960 888/,
        );
      }
    const mailed = { ...known, referrerTelephone: null, by: { ...by, email: 'asha.patel@example.org' } };
    expect(await textOf({ ...atTheEnd, facts: mailed }, withdrawn)).toContain(
      'asked by Asha Patel, Infirmary Lane Surgery, asha.patel@example.org.',
    );
    const byColleague = { ...known, by: { ...by, name: 'Una Moor' } };
    expect(await textOf({ ...atTheEnd, facts: byColleague }, withdrawn)).toContain(
      'asked by Una Moor, Infirmary Lane Surgery, or Asha Patel, 01632 960 888',
    );
    const own = { ...byColleague, by: { ...byColleague.by, telephone: '01632 960 999' } };
    expect(await textOf({ ...atTheEnd, facts: own }, withdrawn)).toContain(
      'asked by Una Moor, Infirmary Lane Surgery, 01632 960 999.',
    );
  });

  it('asks a wrong practice first whether the patient is registered there', async () => {
    const wrong = { ...atTheEnd, purpose: 'removal' as const };
    const text = await textOf(wrong, { status: 'entered-in-error', status_reason: null });
    expect(text).toContain(
      '1. Is the patient registered with you? If yes: remove nothing, and ring Jo Hall, Sarrowby Arts Trust, 01632 960200 now. If no: do what follows. 2. Remove from this patient’s record',
    );
    expect(text).toContain(
      'the code 871731000000106 “Referral to social prescribing service”, take that out',
    );
    expect(await textOf(atTheEnd, withdrawn)).not.toContain('registered with you');
  });

  it('carries no code to file, and nothing that the earlier one asked for', async () => {
    const text = await textOf({ ...atTheEnd, facts: { ...facts, codedOn: null } }, withdrawn);
    for (const each of [referred, declined, hearing.text, 'lonely']) expect(text).not.toContain(each);
    expect(text).not.toContain('Codes to file');
  });

  it('is not called urgent, as the referral was', async () => {
    expect(await textOf(atTheEnd, { ...withdrawn, urgency: 'urgent' })).not.toMatch(/urgency/i);
  });
});
