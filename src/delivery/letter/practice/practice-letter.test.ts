import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import {
  type Given,
  type GivenContent,
  openLetter,
  pagesOf,
  renderLetter,
  textOf,
  toPractice,
  toService,
} from '../../../../test/delivery/letters.ts';
import {
  atTheEnd,
  bloodPressure,
  completed,
  content,
  end,
  facts,
  files,
  referred,
} from '../../../../test/delivery/letters-to-practice.ts';
import type { LetterFacts } from '../../model/delivery.ts';
import { composeLetter } from '../compose-letter.ts';

describe('a letter to a practice', () => {
  it('says when somebody died, or that nobody knows, and who told', async () => {
    const died = { code: 'died', text: 'Told by: Her daughter. Date of death: not known.' } as const;
    const { contact } = {
      contact: { safe: 'only_at', only_at: 'noon', who_must_not_know: 'her son' } as const,
    };
    // The site writes the reason from the report.
    const death = { reportedAt: '2027-01-31T10:00:00Z', toldBy: 'Her daughter', date: '2027-01-30' };
    const letter = (told: NonNullable<LetterFacts['death']>) =>
      textOf(
        { ...atTheEnd, facts: { ...facts, death: told } },
        { status: 'failed', status_reason: died, endCause: 'death-reported', content: { contact } },
      );
    const text = await letter(death);
    expect(text).toContain(
      'Date of death: 30 January 2027. Told by: Her daughter, on 31 January 2027. Passed on by: Jo Hall, Sarrowby Arts Trust. This letter is not a confirmation of the death.',
    );
    expect(text.match(/Her daughter/g), 'it is said once').toHaveLength(1);
    expect(text).toContain('ended on 1 February 2027: the patient was reported to have died');
    expect(text).toContain('Do not tell: her son.');
    expect(text, 'nobody rings somebody who has died').not.toContain('Contact:');
    expect(await letter({ ...death, toldBy: null, date: null })).toContain(
      'Date of death: not known. Told by: not stated, on 31 January 2027.',
    );
  });

  it('does not say that the service declined what it did not', async () => {
    const reason = {
      code: 'other',
      text: 'This was automatic: the service had not answered 28 days after the referral was sent.',
    } as const;
    const ended = { status: 'rejected', status_reason: reason } as const;
    const closed = await textOf(
      { ...atTheEnd, facts: { ...facts, by: null } },
      { ...ended, endCause: 'nobody-answered' },
    );
    expect(closed).toContain('closed automatically on 1 February 2027: the service did not answer');
    expect(closed).toContain(reason.text);
    expect(closed).not.toContain('declined');
    expect(await textOf(atTheEnd, ended)).toContain('declined by the service on 1 February 2027');
  });

  it('has each goal and its result, needs, and one code an episode', async () => {
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
    expect(text).toContain('To cook: no result was given');
    expect(text).toContain('Wants help with: Bereavement');
    expect(text, 'a letter may be read at home').not.toContain('Abuse');
    expect(await end({ ...said, safety_notes_for_practice: true })).toContain('Abuse of an older person');
    expect(text).toContain('wheelchair access');
    expect(await textOf(toPractice, { content: { episode: 'first' } })).toContain(referred);
    const later = await textOf(toPractice, { content: { episode: 'continuing' } });
    expect(later).not.toContain(referred);
    expect(later).toContain('No new code to file: an earlier referral began this episode of care.');
    const service = await textOf(toService, { content: said });
    expect(service).toContain('What the person needs to use the service');
    expect(service.indexOf('Wheelchair access')).toBeLessThan(service.indexOf('Reasons for the referral'));
  });

  it('says at the end whether the patient says they got help', async () => {
    const says = (gotHelp: boolean) => ({
      facts: { ...facts, personSays: { at: '2027-01-31T10:00:00Z', gotHelp } },
    });
    const helped = await end({}, says(true));
    expect(helped).toContain('Overall, as the service says: partly met.');
    expect(helped).toContain('The patient said on their own page, on 31 January 2027: “I got help.”');
    const notHelped = await end({}, says(false));
    expect(notHelped).toContain('“I did not get help.” The referrer was told.');
    const { consent } = content;
    for (const [given, options] of [
      [{ consent: { ...consent, share_with_gp: 'codes_only' as const } }, says(true)],
      [{}, { facts }],
    ] as const)
      expect(await end(given, options)).not.toContain('their own page');
  });

  it('asks to report an untrue death, and correct a mistaken one', async () => {
    const died = { code: 'died', text: 'Her daughter told us.' } as const;
    const told = await textOf(atTheEnd, { status: 'failed', status_reason: died });
    expect(told).toContain(
      'Reported death – GP or nurse, at once: check whether the patient is alive No new code to file. Reception 1. At once: give this letter to a clinician. GP or nurse 2. First: CHECK WHETHER THE PATIENT IS ALIVE. We were told that they have died: is that so in your own records?',
    );
    expect(told).toContain('This letter is not a confirmation of the death.');
    expect(told).not.toMatch(/have not confirmed|code no death/);
    expect(told).toContain('1 February 2027: the patient was reported to have died');
    expect(told).toContain(
      '4. If the patient is DEAD: record the death as you usually do, and end any open referral to this service in your record. 5. If you CANNOT TELL',
    );
    expect(told).toContain('Summary Jo Hall wrote: Her daughter');
    expect(told, 'what somebody wanted while they lived').not.toContain('What matters');
    expect(told).not.toContain('The person has died');
    expect(told, 'nobody rings somebody who has died').not.toMatch(
      /safe to contact|Interpreter|Access needs/,
    );
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

  it('says when measures were taken, and each goal’s result', async () => {
    const taken = { code: 'ons4-anxiety', by: 'person' } as const;
    const measures = [
      { ...taken, stage: 'start', value: 7, taken_at: '2026-12-01T10:00:00Z' },
      { ...taken, stage: 'end', value: 8, taken_at: '2027-01-29T10:00:00Z' },
    ] as const;
    const goals = [{ text: 'To pay the rent.', result: 'achieved' as const }];
    const text = await textOf(atTheEnd, completed({ measures: [...measures], goals }));
    expect(text).toContain('At the start → at the end, taken on 1 December 2026 and 29 January 2027.');
    expect(text).toContain('Goals To pay the rent: met');
    const kept = { goals: [{ text: 'To pay the rent.' }], referrers_details: { goals: [] } };
    expect(await textOf(atTheEnd, completed(kept))).toContain('The service keeps the result of each goal.');
  });

  it('says who follows up only where nothing is urgent', async () => {
    const due_at = new Date('2026-11-30T17:00:00Z');
    const answered = { gp_actions: [], gp_actions_answered: ['referral' as const], risk: 'no' as const };
    const chase = async (urgency: 'routine' | 'urgent') =>
      (await textOf(toPractice, { due_at, urgency, content: answered })).includes('follows that up');
    expect([await chase('routine'), await chase('urgent')]).toEqual([true, false]);
  });

  it('files no code twice at a practice that had to remove it', async () => {
    const asked = {
      ...facts,
      codeSentAt: null,
      earlierLetters: [],
      removalAskedOn: '2026-11-20T09:30:00Z',
    };
    const [first, request] = ['2026-11-19T09:30:00Z', asked.removalAskedOn];
    const earlier = [
      { at: first, purpose: 'referral' as const, isWithdrawn: true },
      { at: request, purpose: 'removal' as const, isWithdrawn: true },
    ];
    const text = await textOf({ ...toPractice, facts: asked, series: { number: 3, earlier } });
    expect(text).toContain('Correction: Copy of a referral to Sarrowby Community Choir');
    expect(text).toContain(
      '“Referral to social prescribing service”, dated 21 November 2026. File it once: if the record already has it for 21 November 2026, do not add it again.',
    );
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
      'Outcome of a referral to Sarrowby Community Choir – completed on 1 February 2027',
      'Action for GP or nurse – by Monday 1 March 2027: Check her blood pressure No new code to file. Reception 1. Within 2 working days: give this letter to a clinician. GP or nurse 2. By Monday 1 March 2027: Check her blood pressure.',
      'Asked by Jo Hall, 01632 960200 (the service); the patient was told',
      'Questions: ring Sarrowby Community Choir (the service), 01632 960200.',
      'Patient’s details Postcode ZT1 2AB',
      '“Not traced”: not checked against NHS records.',
      'Code from before The record should have the code from our letter of 21 November 2026 at 9:30am, once: 871731000000106',
      'Safety and sharing',
      'Summary Jo Hall wrote: She joined the choir.',
      'Reason for referral Written on: 21 November 2026 1. She is lonely',
      'Goals Overall, as the service says: partly met. What matters to the patient: She used to sing',
      'Measures Life satisfaction (ONS4): 2 → 0, worse',
      'Agreement Agreed on 20 November 2026 that we may write to you. Recorded by Robin Hale.',
      'From Completed by: Jo Hall, staff of the service, Sarrowby Arts Trust, 01632 960200',
      'Referred by: Asha Patel, referrer, Infirmary Lane Surgery (Z99001), for Dr Robin Hale',
      'Documents With the referral, not sent to you: housing.pdf (23 November 2026, 2 pages, not scanned for viruses). Ask 01632 960200 if you need it.',
    ];
    const places = order.map((each) => [each, pages[0]!.indexOf(each)] as const);
    for (const [each, place] of places) expect([each, place]).not.toEqual([each, -1]);
    expect(places.map(([, place]) => place)).toEqual(places.map(([, place]) => place).sort((a, b) => a - b));
  });

  it('says of all goals what the service says, and of each nothing', async () => {
    const text = await end({ goals: [{ text: 'To sing again' }, { text: 'To cook' }] });
    expect(text).toContain('Goals 1. To sing again 2. To cook Overall, as the service says: partly met.');
    expect(text).not.toMatch(/To cook: /);
  });

  it('says since when the referral is as it is', async () => {
    const since = { ...toPractice, facts: { ...facts, statusAt: '2026-12-03T10:00:00Z' } };
    expect(await textOf(since, { status: 'accepted' })).toContain('– accepted on 3 December 2026');
    expect(await textOf(since, { status: 'on-hold' })).toContain(
      '– on the waiting list since 3 December 2026',
    );
    const unreached = { code: 'failed-contact', text: 'We texted twice.' } as const;
    const contact = { safe: 'yes', channel: 'telephone' } as const;
    const closed = await textOf(atTheEnd, {
      status: 'failed',
      status_reason: unreached,
      content: { contact },
    });
    expect(closed).toContain('– closed on 1 February 2027 without being completed');
    expect(closed).toContain('Contact, as recorded in the referral: Telephone only.');
    expect(closed).toContain('How the patient is now is not known here.');
    expect(closed, 'beside what was tried').toContain('We texted twice. Safe contact: telephone only.');
  });

  it('tells a patient’s “no” from a service’s refusal', async () => {
    const rejected = (code: 'client-declined' | 'no-capacity') =>
      textOf(atTheEnd, { status: 'rejected', status_reason: { code, text: 'Full.' } });
    expect(await rejected('client-declined')).toContain('declined by the patient on 1 February 2027');
    expect(await rejected('no-capacity')).toContain('declined by the service on 1 February 2027');
  });

  it('has the job titles and telephone numbers that people entered', async () => {
    const by = { ...facts.by!, jobTitle: 'art therapist', telephone: '01632 960 777' };
    const referrer = { ...content.referrer, job_title: 'link worker', telephone: '01632 960 888' };
    const text = await end({ referrer }, { facts: { ...facts, by } });
    expect(text).toContain('Jo Hall, art therapist, Sarrowby Arts Trust, 01632 960 777');
    expect(text).toContain('Asha Patel, link worker, Infirmary Lane Surgery (Z99001), 01632 960 888');
  });

  it('lists each file with its pages and scan result', async () => {
    const two = [
      ...files,
      { name: 'photo.jpg', at: '2026-11-23T09:30:00Z', pages: 1, scanned: true },
      { name: 'odd.pdf', at: '2026-11-24T09:30:00Z', pages: null, scanned: true },
    ];
    const listed =
      'housing.pdf (23 November 2026, 2 pages, not scanned for viruses); photo.jpg (23 November 2026, 1 page, scanned for viruses); odd.pdf (24 November 2026, scanned for viruses)';
    const toAsk = { ...toPractice, files: two, facts };
    expect(await textOf(toAsk)).toContain(
      `Documents With the referral, not sent to you: ${listed}. Ask 01632 960200 if you need them.`,
    );
    expect(await textOf({ ...toService, files: two })).toContain(listed);
    expect(await textOf(toService)).not.toContain('not enclosed');
  });

  it('has the codes on the first page, however long it is', async () => {
    const reasons = [{ text: 'He finds it hard to leave the house. '.repeat(150) }];
    const pages = await pagesOf(toPractice, { content: { reasons } });
    expect(pages.length).toBeGreaterThan(1);
    expect(pages[0]).toContain(referred);
    expect(pages[0]).toContain('continues on page 2');
    expect(pages.at(-1)).not.toContain('continues on');
  });

  it('has the codes on the first of two pages, however short', async () => {
    const goals = ['To sing', 'To cook', 'To swim', 'To paint', 'To read'].map((text) => ({ text }));
    const what_matters = 'She would like to go out. '.repeat(8);
    const actions = Array.from({ length: 8 }, () => bloodPressure);
    const pages = await pagesOf(atTheEnd, completed({ goals, what_matters, gp_actions: actions }));
    expect(pages).toHaveLength(2);
    expect(pages[0]).toContain('No new code to file.');
    expect(pages[1]).not.toContain('to file');
  });

  it('keeps a reference on one line, to be copied as it is', async () => {
    const surgery = 'Crindlow and Winderscar Surgery and Centre';
    const lines = async (name: string) => {
      const pdf = await renderLetter(exampleReferral(), { ...toPractice, receiver: { name } });
      const { items } = await (await (await openLetter(pdf)).getPage(1)).getTextContent();
      return items.map((item) => ('str' in item ? item.str : ''));
    };
    // One of these would break the line in the middle of the reference.
    for (let length = 10; length <= surgery.length; length += 1) {
      const found = await lines(surgery.slice(0, length));
      expect(found.filter((line) => line.endsWith('7K3QF-'))).toEqual([]);
      expect(found.filter((line) => line.includes('7K3QF-XW29D'))).toHaveLength(2);
    }
  });

  it('says that the patient had agreed, once they declined', async () => {
    const status_reason = { code: 'client-declined', text: 'Not this year.' } as const;
    const text = await textOf(atTheEnd, { status: 'rejected', status_reason });
    expect(text).toContain(
      'The patient agreed on 20 November 2026 to the referral and to letters to you. Later they declined the referral. Recorded by Robin Hale. From',
    );
  });

  it('says when an agreement was given and taken back, and by whom', async () => {
    const consent = { ...content.consent, recorded_at: '2027-02-01T10:00:00Z' };
    const reason = (code: 'client-declined' | 'other', text: string): Given => ({
      status: 'cancelled',
      status_reason: { code, text },
      content: { consent },
    });
    // The same answer about the practice, given again, keeps the day of the first.
    for (const given of [{ consent }, {}]) {
      const text = await textOf(atTheEnd, {
        ...reason('client-declined', 'The person no longer agrees to the referral.'),
        endCause: 'no-longer-agreed',
        content: given,
      });
      expect(text).toContain(
        'Agreement The patient agreed to the referral, made on 21 November 2026. That was taken back on 1 February 2027. That we write to you is still agreed. Recorded by Jo Hall.',
      );
      expect(text).toContain('Summary The patient no longer agrees to the referral. Reason');
    }
    const byParent = await textOf(atTheEnd, {
      ...reason('other', 'Somebody with parental responsibility said so.'),
      endCause: 'no-longer-agreed',
      content: { agreement: { basis: 'parental_responsibility' } },
    });
    expect(byParent).toContain(
      'Agreement Somebody with parental responsibility agreed. The referral was made on 21 November 2026. That was taken back',
    );
    const declined = await textOf(atTheEnd, reason('client-declined', 'Not this year.'));
    expect(declined).toContain(
      'The patient agreed on 21 November 2026 to the referral, and on 1 February 2027 to letters to you. Later they declined the referral.',
    );
    expect(await textOf(atTheEnd, reason('other', 'The hall is closed.'))).toContain(
      'Summary Jo Hall wrote: The hall is closed.',
    );
  });

  it('says plainly what was agreed later, not what nobody asked', async () => {
    const consent = {
      ...content.consent,
      recorded_at: '2026-11-21T09:00:00Z',
      said_by: { basis: 'person' as const },
    };
    expect(await textOf(toPractice, { content: { consent } })).toContain(
      'Agreement The patient agreed to the referral. On 21 November 2026 they agreed that you have its details. Recorded by Robin Hale',
    );
    expect(await textOf(toPractice, { content: { agreement: { basis: 'not_asked' } } })).toContain(
      'Agreement Who agreed for the patient was not asked. Recorded by',
    );
  });

  it('has the news that the patient got no help in its heading', async () => {
    const personSays = { at: '2027-01-31T10:00:00Z', gotHelp: false };
    const options = { ...atTheEnd, facts: { ...facts, personSays } };
    const box = (gp_actions: NonNullable<GivenContent>['gp_actions']) =>
      composeLetter(exampleReferral(completed({ gp_actions: gp_actions! })), options).letter.toPractice!.box;
    expect(box([]).heading).toBe(
      'The patient said that they did not get help. No action asked for – for the record',
    );
    expect(JSON.stringify(box([])).match(/did not get help/g)).toHaveLength(1);
    expect(box([bloodPressure]).heading).toMatch(/^Action for GP or nurse/);
    expect(box([bloodPressure]).words).toContain('The patient said that they did not get help.');
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
    for (const heading of ['Safety and sharing', 'Summary', 'Measures', 'Plan', 'Documents'])
      expect(text).not.toContain(heading);
    expect(text).toContain('NHS number not known');
    expect(text).toContain('Code to file: SNOMED CT');
  });

  it('says what the service does next, and by when', async () => {
    const text = await textOf(toPractice, { due_at: new Date('2026-12-04T17:00:00Z') });
    expect(text).toContain(
      'Plan Sarrowby Arts Trust will accept or decline by Friday 4 December 2026. Asha Patel (who referred) follows that up.',
    );
    expect(await textOf(toPractice, { status: 'accepted', next_date: '2026-12-10' })).toContain(
      'Plan Sarrowby Arts Trust will contact the patient by Thursday 10 December 2026.',
    );
    const due_at = new Date('2026-12-04T17:00:00Z');
    expect(await textOf(toPractice, { due_at, content: { risk: 'yes' } })).not.toContain('follows that up');
    // A letter about a correction may come later.
    const past = {
      due_at: new Date('2026-11-20T17:00:00Z'),
      next_date: '2026-11-20',
      expected_date: '2026-11-20',
    };
    for (const [status, words] of [
      ['requested', 'Plan Sarrowby Arts Trust has still to accept or decline.'],
      ['accepted', 'Plan Sarrowby Arts Trust will contact the patient. No new day is known here.'],
      [
        'on-hold',
        'Plan The patient is on a waiting list. When Sarrowby Arts Trust expects a place is not known',
      ],
    ] as const)
      expect(await textOf(toPractice, { ...past, status })).toContain(words);
    const urgent = { status: 'accepted', next_date: '2026-12-10', urgency: 'urgent' } as const;
    expect(await textOf(toPractice, urgent)).not.toContain('10 December');
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
