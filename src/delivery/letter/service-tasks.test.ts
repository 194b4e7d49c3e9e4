import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../test/delivery/example-referral.ts';
import { type Given, pagesOf, textOf, toService } from '../../../test/delivery/letters.ts';
import { composeLetter } from './compose-letter.ts';
import type { ServiceLetterInput } from './letter.ts';

const boxOf = (given: Given, options: Partial<ServiceLetterInput> = {}) =>
  composeLetter(exampleReferral(given), { ...toService, ...options }).letter.toService!.box;
const page = 'https://referrals.example.org/referrals/0192f5c2-7d5e-7cc3-98c4-dc0c0c07398f';
const safe = { risk: 'no', contact: { safe: 'yes' } } as const;

describe('the box of a letter to a service', () => {
  it('says what to do, by when, where, and whom to ring', () => {
    const referrer = { ...exampleReferral().content.referrer, telephone: '01632 960140' };
    const given = { due_at: new Date('2026-11-30T17:00:00Z'), content: { ...safe, referrer } };
    expect(boxOf(given)).toMatchObject({
      heading: 'For you to answer by Monday 30 November 2026',
      tasks: [
        {
          text: 'Accept it (you can then put the person on your waiting list), or decline it and say why.',
          details: `Answer here: ${page}`,
        },
      ],
      questions: 'ring Asha Patel, Infirmary Lane Surgery (who referred), 01632\u00A0960140',
      weight: 'action',
    });
    expect(boxOf({ ...given, urgency: 'urgent' }).heading).toMatch(/^URGENT – For you to answer/);
  });

  it('has the referrer’s account number if there is no other', () => {
    const { questions } = boxOf({ content: safe }, { referrerTelephone: '01632 960494' });
    expect(questions).toBe('ring Asha Patel, Infirmary Lane Surgery (who referred), 01632\u00A0960494');
  });

  it.each([
    ['accepted', 'Contact the person for the first time'],
    ['on-hold', 'Ask the person whether they can still wait safely'],
    ['in-progress', 'Say how it goes, or complete the referral'],
  ] as const)('says what comes next in one that is %s', (status, next) => {
    const box = boxOf({ status, next_date: '2026-12-08', content: safe });
    expect(box.heading).toBe('For you to do by Tuesday 8 December 2026');
    expect(box.tasks.map(({ text }) => text)).toEqual([
      'Each time you contact the person: it is safe to contact the person.',
      expect.stringContaining(next),
    ]);
  });

  it('warns first of what may be dangerous, and names where it is', async () => {
    const risk_acted_on = { who_was_told: 'the police', when: '2026-11-20T10:00:00.000Z' };
    const content = { risk: 'yes', risk_acted_on, contact: { safe: 'no' } } as const;
    const text = await textOf(toService, { content });
    expect(text).toMatch(
      /Risk of serious harm – read and ring today Read first: “Risk of serious harm”. Do not contact the person. Ask Asha Patel/,
    );
    expect(text).toContain('Told on 20 November 2026: the police (says Asha Patel, who referred).');
    expect(text).toContain('Patient’s telephone: 01632 960123 (do not use it)');
    expect(text).toMatch(/Jan Żółkiewski, son. Carer’s own telephone: 01632.960124 \(not known to be safe/);
  });

  it('puts news before every date, and the papers last', () => {
    const referrer = { ...exampleReferral().content.referrer, telephone: '01632 960140' };
    const news = [{ at: '2026-11-22T09:30:00Z', by: 'Asha Patel', text: 'She has not eaten.' }];
    const replacesLetterOf = new Date('2026-11-20T09:30:00Z');
    const given: Given = { status: 'accepted', next_date: '2026-12-08', content: { ...safe, referrer } };
    const box = boxOf(given, { news, replacesLetterOf });
    expect([box.heading, box.weight]).toEqual(['News to read today', 'danger']);
    expect(box.tasks.map(({ text }) => text)).toEqual([
      'Today: read “News since the referral was sent”.',
      'If it may mean danger, or you are not sure: ring Asha Patel, 01632\u00A0960140, today.',
      'Each time you contact the person: it is safe to contact the person.',
      'By Tuesday 8 December 2026: contact the person for the first time, and record it. You have accepted this referral.',
      'When you file this: mark our letter of 20 November 2026 at 9:30am as superseded.',
    ]);
  });

  it('names a crisis in the news, and gives no day to wait for', () => {
    const referrer = { ...exampleReferral().content.referrer, telephone: '01632 960140' };
    const news = [{ at: '2026-11-22T09:30:00Z', by: 'Asha Patel', text: 'He wants to die.' }];
    const box = boxOf(
      { status: 'accepted', next_date: '2026-12-08', content: { ...safe, referrer } },
      { news },
    );
    expect([box.heading, box.weight]).toEqual(['CRISIS – act now', 'danger']);
    expect(box.warnings).toEqual([
      'The news since the referral was sent may describe a crisis. We do not know that anybody has acted.',
      'Book an interpreter before you contact the person: Polish.',
    ]);
    expect(box.tasks.slice(0, 2)).toEqual([
      { text: 'Now: read “News since the referral was sent”, below.' },
      {
        text: 'Now: ring Asha Patel, 01632\u00A0960140. Ask what has been done, and who does what.',
        details: 'If somebody may be in danger now, or if nobody answers and you are not sure, call 999',
      },
    ]);
    expect(box.tasks.at(-1)!.text).toMatch(/^Only then: contact the person/);
    expect(JSON.stringify(box)).not.toContain('8 December');
  });

  it('is calm about messages, unless one tells of a crisis', async () => {
    const message = {
      at: '2026-11-22T09:30:00Z',
      by: 'Asha Patel',
      text: 'He uses a stick.',
      isMessage: true,
    };
    const given: Given = { status: 'accepted', next_date: '2026-12-08', content: safe };
    const box = boxOf(given, { news: [message] });
    expect([box.heading, box.weight]).toEqual(['For you to do by Tuesday 8 December 2026', 'action']);
    expect(box.tasks[0]).toEqual({ text: 'Read “Messages since the referral was sent”.' });
    expect(await textOf({ ...toService, news: [message] }, given)).toContain(
      'Messages since the referral was sent 22 November 2026 at 9:30am, Asha Patel: He uses a stick.',
    );
    const crisis = boxOf(given, { news: [{ ...message, text: 'He wants to die.' }] });
    expect([crisis.heading, crisis.weight]).toEqual(['CRISIS – act now', 'danger']);
  });

  it('asks to delete the copies of a file that was removed', () => {
    const from = 'A file of 2 December 2026';
    const changes = [{ field: 'attachments', from, to: 'Removed: attached by mistake' }];
    expect(boxOf({ content: safe }, { changes }).tasks).toContainEqual({
      text: 'Today: delete every copy that you have of a file of 2 December 2026, on computers and on paper.',
      details: 'It was attached by mistake. Do not use what it says',
    });
  });

  it('has a risk in its heading, and the day in its step', () => {
    const given = { due_at: new Date('2026-11-30T17:00:00Z'), content: { ...safe, risk: 'yes' } } as const;
    const box = boxOf(given);
    expect(box.heading).toBe('Risk of serious harm – read today');
    expect(box.tasks[0]!.text).toMatch(/^By Monday 30 November 2026: accept it \(you can then/);
  });

  it('says first to book an interpreter, and to leave no voicemail', () => {
    const contact = { safe: 'yes', channel: 'telephone', voicemail: false } as const;
    const box = boxOf({ content: { ...safe, contact } });
    expect([box.warnings, box.weight]).toEqual([
      ['Book an interpreter before you contact the person: Polish. No voicemail.'],
      'action',
    ]);
  });

  it('has the number to ring if safe contact or the number changed', () => {
    const contact = { safe: 'only_at', channel: 'telephone', only_at: 'Mornings before eleven' } as const;
    const steps = (field: string) =>
      boxOf(
        { status: 'accepted', next_date: '2026-12-08', content: { ...safe, contact } },
        { changes: [{ field, from: null, to: 'x' }] },
      ).tasks.map(({ text }) => text);
    expect(steps('patient.telephone')[0]).toBe(
      'Each time you contact the person: telephone only, mornings before eleven. Their number: 01632\u00A0960123.',
    );
    expect(steps('needs')[0]).not.toContain('960123');
  });

  it('names what is booked, before anybody cancels it', () => {
    const booked = {
      id: 'a',
      at: '2026-12-03T10:00:00Z',
      kind: 'home-visit' as const,
      by: 'Jo Hall',
      cancelled: false,
    };
    const appointments = [booked, { ...booked, at: '2026-12-04T10:00:00Z', cancelled: true }];
    const given: Given = { status: 'cancelled', content: { ...safe, appointments } };
    expect(boxOf(given, { purpose: 'outcome' }).tasks.map(({ text }) => text)).toEqual([
      'Do not contact the person about it. Do nothing more.',
      'Appointment on Thursday 3 December 2026 at 10:00am: ask Asha Patel on the page of the referral, before you cancel it. The person may not know that the referral has ended.',
    ]);
    const open = boxOf({ ...given, status: 'accepted', next_date: '2027-03-05' });
    expect(open.words).toEqual(['Booked: appointment on Thursday 3 December 2026 at 10:00am.']);
  });

  it('says at its top and on each page what nobody may do', async () => {
    const contact = { safe: 'no', who_must_not_know: 'her son' } as const;
    const pages = await pagesOf(toService, {
      content: { contact, safety_notes: 'Many words. '.repeat(900) },
    });
    expect(pages[0]).toContain('Do not tell: her son. Show this letter only to staff who need it.');
    expect(pages[1]).toContain('DO NOT CONTACT THE PATIENT DO NOT TELL: SEE PAGE 1');
    expect(pages.join(' ').match(/Show this letter only/g)).toHaveLength(1);
  });

  it('says where nobody may contact the GP practice', () => {
    const { consent } = exampleReferral().content;
    const withheld = { ...consent, share_with_gp: false as const };
    const words = 'Do not contact the GP practice about this person.';
    const interpreter = 'Book an interpreter before you contact the person: Polish.';
    expect(boxOf({ content: { ...safe, consent: withheld } }).warnings).toEqual([interpreter, words]);
    expect(boxOf({ content: safe }).warnings).toEqual([interpreter]);
  });

  it('has no task at the end, and says what holds about contact', async () => {
    const ended = { ...toService, purpose: 'outcome' } as const;
    const contact = { safe: 'only_at', only_at: 'noon', who_must_not_know: 'her son' } as const;
    const text = await textOf(ended, { status: 'cancelled', content: { contact } });
    expect(text).toContain(
      'The referral has ended 1. Do not contact the person about it. Do nothing more. 2. If you have arranged something with them: ask Asha Patel on the page of the referral, before you cancel it. They may not know that the referral has ended.',
    );
    expect(text).toContain(
      'Before you contact the patient Do not tell: her son. Only at these times or places: noon.',
    );
    const plain = { safe: 'yes', channel: 'telephone', voicemail: true } as const;
    for (const [first_contact_at, times] of [
      [null, 0],
      [new Date('2026-11-20T09:30:00Z'), 1],
    ] as const) {
      const calm = await textOf(ended, {
        status: 'cancelled',
        first_contact_at,
        content: { contact: plain },
      });
      expect(calm.match(/You may leave a voicemail/g) ?? []).toHaveLength(times);
    }
    const mistake = await textOf(ended, { status: 'entered-in-error', content: { contact } });
    expect(mistake, 'it may be the answer of another person').not.toContain('her son');
    expect(mistake, 'nobody reads once more about the wrong person').not.toContain('The referral is here');
    expect(mistake).toMatch(/Sent by mistake: the referral to .*Do not contact the person about it\./);
  });

  it('has who the patient is on every page', async () => {
    const pages = await pagesOf(toService, { content: { safety_notes: 'Many words. '.repeat(900) } });
    expect(pages.length).toBeGreaterThan(1);
    for (const each of pages) {
      expect(each).toContain('ŻÓŁKIEWSKA-LLŶR, Małgorzata Siân');
      expect(each).toContain('Born 9 March 1947 (79 years) NHS number 999 000 0018 (not traced)');
      expect(each).toContain('Reference 7K3QF-XW29D');
    }
  });
});
