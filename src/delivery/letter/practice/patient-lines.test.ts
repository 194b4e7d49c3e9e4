import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import {
  type GivenContent,
  pagesOf,
  textOf,
  toPractice,
  toService,
} from '../../../../test/delivery/letters.ts';
import { atTheEnd, completed, content, end } from '../../../../test/delivery/letters-to-practice.ts';
import { composeLetter } from '../compose-letter.ts';
import type { LetterInput } from '../letter.ts';

describe('the patient in a letter to the practice', () => {
  it('says what “not traced” means, and what to compare', async () => {
    expect(await textOf(toPractice)).toContain(
      '“Not traced”: not checked against NHS records. Compare the name and date of birth.',
    );
    const { nhs_number: _, ...patient } = content.patient;
    expect(await textOf(toPractice, { content: { patient } })).toContain(
      'No NHS number. Compare the name and date of birth.',
    );
  });

  it('warns that another referral asks for more care, not why', async () => {
    const contact = { safe: 'yes', channel: 'telephone' } as const;
    const strict = { safe: 'no', who_must_not_know: 'the man upstairs' } as const;
    const warned = (contactElsewhere: LetterInput['contactElsewhere'], given: GivenContent = {}) =>
      textOf({ ...toPractice, contactElsewhere }, { content: { contact, ...given } });
    const own = { id: 'r2', reference: 'OTHER-2', contact: strict, stricter: true };
    const unnamed = { id: null, reference: null, contact: null, stricter: true, ring_first: 'Asha Patel' };
    for (const each of [own, unnamed]) {
      const text = await warned([each]);
      expect(text).toMatch(
        /Contact limits: .*, before you contact the patient\. We were told different things about safe contact\. .*At once: hide this letter and its code from the online record, also from proxy access, until you have rung and it is safe\. .*At once: put on the record the contact limits above, hidden online/,
      );
      // The laxer answer of this referral is nowhere beside it.
      expect(text).toContain('Contact: only as the box says.');
      expect(text).not.toContain('Telephone only');
      expect(text).toMatch(/01632 960123 \(ask first: see the box\)/);
      expect(text).not.toMatch(/OTHER-2|man upstairs|another referral|two referrals/i);
    }
    const asked = { gp_actions: [{ text: 'Ring her.', asked_by: 'Asha Patel', asked_with: 'referral' }] };
    expect(await warned([own], asked as GivenContent)).toMatch(/Contact limits: .* as they say: ring her\./);
    const crisis = await warned([own], { reasons: [{ text: 'She wants to die.' }] });
    expect(crisis).toMatch(
      /Contact limits: .*, before you contact the patient\. .* If they do not answer: contact the patient without leaving a voicemail\. Number: 01632 960123\./,
    );
    const closed = { id: null, reference: null, contact: null, stricter: true };
    const site = { ...toPractice.site, clinicalSafetyContact: 'safety@example.org' };
    expect(
      await textOf({ ...toPractice, site, contactElsewhere: [closed] }, { content: { contact } }),
    ).toContain('Contact limits: ask safety@example.org, before');
    const lax = { ...own, contact: { safe: 'yes' as const }, stricter: false };
    const inCodes = { consent: { ...content.consent, share_with_gp: 'codes_only' as const } };
    for (const text of [await warned([lax]), await warned([]), await warned([own], inCodes)])
      expect(text).not.toMatch(/different things|more care/i);
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
    expect(letter.toPractice!.patient).toMatchObject({
      name: 'NHS number 999 000 0018 (not traced): search by this',
      identity: 'Born 9 March 1947 (79 years)   Title: Mrs   Surname: الحسيني   First name: فاطمة',
      numberNote: expect.stringContaining(
        'Search by NHS number. Without it, date of birth and address must both match.',
      ),
    });
  });

  it.each([
    ['王', '芳', '9990000018', 'NHS number 999 000 0018 (not traced): search by this'],
    ['王', '芳', undefined, 'NAME NOT IN LATIN LETTERS: search by date of birth and address'],
    ['王 (Wang)', '芳 (Fang)', '9990000018', 'WANG, Fang'],
  ])('has what can be printed of the name %s %s, number %s', async (family_name, given_name, number, printed) => {
    const { title: _, nhs_number: __, ...patient } = content.patient;
    const known = { ...patient, family_name, given_name, ...(number && { nhs_number: number }) };
    const given = { content: { patient: known } };
    expect(composeLetter(exampleReferral(given), toPractice).letter.toPractice!.patient.name).toBe(printed);
    expect(await textOf(toPractice, given)).not.toContain('See http');
  });

  it('has the title of the patient beside the name', async () => {
    const patient = { ...content.patient, title: 'Dr' };
    expect(await textOf(toPractice, { content: { patient } })).toContain(
      'ŻÓŁKIEWSKA-LLŶR, Małgorzata Siân (Dr)',
    );
    expect(await textOf(toService, { content: { patient } })).toContain(
      'ŻÓŁKIEWSKA-LLŶR, Małgorzata Siân (Dr)',
    );
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

  it('says who is a child, and if the telephone’s owner is unknown', async () => {
    const patient = { ...content.patient, birth_date: '2015-06-18' };
    expect(await textOf(toPractice, { content: { patient } })).toMatch(/\(11 years, a child\)/);
    const line = 'Telephone: 01632 960123. Interpreter: Polish. Whether a parent knows was not recorded.';
    expect(await textOf(toPractice, { content: { patient } })).toContain(line);
    const agreement = { basis: 'parental_responsibility' } as const;
    expect(await textOf(toPractice, { content: { patient, agreement } })).toContain(
      'A parent or guardian knows of the referral.',
    );
  });

  it('hides both codes where a second one comes later', async () => {
    const consent = { ...content.consent, share_with_gp: 'codes_only' as const };
    const text = await end({ consent, declines_social_prescribing: true });
    expect(text).toContain(
      'hide this letter, our earlier letter and both codes, 871731000000106 and 871711000000103, from the online record',
    );
    expect(await end({ consent })).toContain('hide this letter, our earlier letter and its code from');
  });

  it('sends nobody to a child who is not to be asked directly', async () => {
    const patient = { ...content.patient, birth_date: '2011-06-18' };
    const line = async (contact: NonNullable<GivenContent>['contact']) =>
      /(?:Ask the child before you tell a parent|Whether a parent knows [^.]*\. [^.]*)/.exec(
        await textOf(toPractice, { content: { patient, ...(contact && { contact }) } }),
      )?.[0];
    const onlyAt = { safe: 'only_at', channel: 'telephone' } as const;
    expect(await line({ ...onlyAt, only_at: 'her mother’s number, 01632 961940' })).toBeUndefined();
    expect(await line({ safe: 'no' })).toBe(
      'Whether a parent knows was not recorded. Ask Asha Patel (who referred) before you tell a parent',
    );
    for (const contact of [undefined, { ...onlyAt, only_at: 'after school' }])
      expect(await line(contact), 'in the limits of the box').toBe('Ask the child before you tell a parent');
  });

  it('marks a number that nobody may ring, also of a safe patient', async () => {
    const marked = async (channel: string, options: LetterInput) =>
      /01632 960123( \([^)]*\))?/.exec(
        (await textOf(options, { content: { contact: { safe: 'yes', channel } } })).split(
          'Patient’s tele',
        )[1]!,
      )?.[1];
    for (const options of [toPractice, atTheEnd, toService]) {
      expect(await marked('letter', options)).toBe(' (do not ring)');
      expect(await marked('email', options)).toBe(' (do not ring)');
      expect(await marked('text', options)).toBe(' (text only)');
      expect(await marked('telephone', options)).toBeUndefined();
    }
  });

  it('has the email address only where nothing but email is safe', async () => {
    const limits = async (contact: NonNullable<GivenContent>['contact'], patient = content.patient) =>
      /Contact limits: .*?(?= Reception)/.exec(
        await textOf(atTheEnd, completed({ patient, ...(contact && { contact }) })),
      )?.[0];
    const byEmail = { safe: 'yes', channel: 'email' } as const;
    expect(await limits(byEmail)).toBe(
      'Contact limits: email only. Do not ring. Address: margaret@example.org.',
    );
    const { email: _, ...unknown } = content.patient;
    expect(await limits(byEmail, unknown)).toBe(
      'Contact limits: email only. Do not ring. For the address, ring 01632 960200.',
    );
    expect(await limits({ safe: 'yes', channel: 'text' })).not.toContain('@');
  });

  it('says beside the number whether contact is safe', async () => {
    const letter = async (contact?: NonNullable<GivenContent>['contact']) =>
      textOf(toPractice, { content: contact ? { contact } : {} });
    const number =
      '4 Mill Lane, Sarrowby, ZT1 2AB. Patient’s telephone: 01632 960123. Interpreter: Polish. Contact: ';
    expect(await letter()).toContain(`${number}Whether it is safe to contact the patient was not asked.`);
    for (const [contact, limits, mark] of [
      [
        { safe: 'yes', channel: 'email' },
        'email only. Do not ring. Address: margaret@example.org.',
        ' (do not ring)',
      ],
      [
        { safe: 'yes', channel: 'telephone', voicemail: false },
        'telephone only. No voicemail. Number: 01632',
        '',
      ],
    ] as const) {
      const text = await letter(contact);
      expect(text).toContain(`Contact limits: ${limits}`);
      expect(text).toContain('At once: put on the record the contact limits above.');
      expect(text).toContain(
        `${number.replace('. Interpreter', `${mark}. Interpreter`)}only as the box says.`,
      );
    }
    expect((await letter({ safe: 'yes' })).match(/safe to contact/gi), 'once').toHaveLength(1);
  });

  it('allows no voicemail for a child: a parent may hear it', async () => {
    const patient = { ...content.patient, birth_date: '2015-06-18' };
    const contact = { safe: 'yes', channel: 'telephone', voicemail: true } as const;
    const changes = [{ field: 'contact', from: { safe: 'yes', voicemail: true }, to: contact }];
    const replacing = { ...toPractice, replacesLetterOf: toPractice.date, changes };
    for (const options of [toPractice, atTheEnd, replacing]) {
      const text = await textOf(options, { content: { patient, contact } });
      expect(text).toContain(
        'Contact limits: telephone only. No voicemail or message: we do not know whose telephone this is.',
      );
      expect(text).not.toContain('You may leave');
    }
    const byText = await textOf(toPractice, {
      content: { patient, contact: { ...contact, channel: 'text' } },
    });
    expect(byText).toContain(
      'Contact limits: text only. Do not ring. No voicemail. Before you text, ask Asha Patel whose',
    );
  });

  it('says that nobody asked: of a child in the limits, else below', async () => {
    const notAsked = 'Whether it is safe to contact the patient was not asked.';
    const child = { ...content.patient, birth_date: '2015-06-18' };
    for (const given of [{}, { contact: { safe: 'not_asked' as const } }]) {
      const text = await textOf(toPractice, { content: { patient: child, ...given } });
      expect(text).toContain(
        `Contact limits: no voicemail or message: we do not know whose telephone this is. Number: 01632 960123. Ask the child before you tell a parent. ${notAsked} Reception 1. At once: hide this letter and its code from the online record, also from proxy access of parents, until the child says that a parent may know. 2. At once: put on the record the contact limits above, hidden online.`,
      );
      expect(text.split(notAsked)).toHaveLength(2);
    }
    const secret = { safe: 'not_asked', who_must_not_know: 'her son' } as const;
    expect(await textOf(toPractice, { content: { contact: secret } })).toContain(
      'Contact limits: whether it is safe to contact the patient was not asked. Number: 01632 960123. Do not tell: her son.',
    );
    const adult = await textOf(toPractice);
    expect(adult).not.toContain('Contact limits');
    expect(adult).toContain(`Contact: ${notAsked}`);
  });

  it('allows a voicemail only where the patient may be rung', async () => {
    const told = async (channel: 'email' | 'text' | 'telephone') =>
      (
        await textOf(toPractice, { content: { contact: { safe: 'yes', channel, voicemail: true } } })
      ).includes('You may leave a voicemail.');
    expect([await told('telephone'), await told('text'), await told('email')]).toEqual([true, false, false]);
  });

  it('warns beside the telephone number of what is not safe', async () => {
    const contact = {
      safe: 'only_at',
      only_at: 'weekdays before three',
      who_must_not_know: 'her husband',
    } as const;
    const text = await textOf(toPractice, { content: { contact, do_not_show_online: true } });
    expect(text).toContain(
      '4 Mill Lane, Sarrowby, ZT1 2AB (see the box). Patient’s telephone: 01632 960123 (see the box). Interpreter: Polish. Contact: only as the box says.',
    );
    expect(text).toContain(
      'Contact limits: only at these times or places: weekdays before three. Number: 01632 960123. Do not tell: her husband. Reception 1. At once: hide this letter and its code from the online record, also from proxy access. 2. At once: put on the record the contact limits above, hidden online.',
    );
    expect(text).toMatch(/ŻÓŁKIEWSKA.* HIDE FROM ONLINE RECORD\. Do not tell: her husband\./);
    expect(text.indexOf('Do not tell')).toBeLessThan(text.indexOf('Copy of a referral'));
  });

  it('marks each way that is not safe, for practices and services', async () => {
    const marks = async (
      contact: NonNullable<NonNullable<GivenContent>['contact']>,
      options: LetterInput = toService,
    ) => {
      const text = await textOf(options, { content: { contact } });
      return ['1 2AB', '960123', 'example.org'].map(
        (end) => new RegExp(`${end.replace(' ', '.?')} \\((do not use|see)`).exec(text)?.[1],
      );
    };
    expect(await marks({ safe: 'no' })).toEqual(['do not use', 'do not use', 'do not use']);
    const atWork = {
      safe: 'only_at',
      channel: 'telephone',
      only_at: 'At work: 01632 960514',
      who_must_not_know: 'her son',
    } as const;
    expect(await marks(atWork)).toEqual(['do not use', 'do not use', 'do not use']);
    expect(await marks({ ...atWork, only_at: 'weekdays' })).toEqual(['do not use', 'see', 'do not use']);
    expect((await marks({ safe: 'no' }, toPractice)).slice(0, 2)).toEqual(['do not use', 'do not use']);
    expect(await marks({ safe: 'yes' })).toEqual([undefined, undefined, undefined]);
  });

  it('says how contact was agreed, unless it is unsafe', async () => {
    const contact = { safe: 'only_at', channel: 'telephone', only_at: 'in the evening' } as const;
    for (const options of [toPractice, toService])
      expect(await textOf(options, { content: { contact } })).toContain(
        'ZT1 2AB (agreed contact: telephone)',
      );
    const never = { ...contact, only_at: 'evenings; never by post' };
    expect(await textOf(toPractice, { content: { contact: never } })).toContain('ZT1 2AB (see the box)');
  });

  it('says once that contact goes through the carer, and how', async () => {
    const carer = {
      name: 'Sarah Barker',
      relationship: 'mother',
      telephone: '07700 900233',
      share_with_gp: true,
    };
    const patient = { ...content.patient, birth_date: '2017-04-12', telephone: '07700 900233', carer };
    const contact = {
      safe: 'only_at',
      channel: 'telephone',
      only_at: 'to his mother, Sarah, 07700900233, after 3pm',
      voicemail: true,
    } as const;
    for (const options of [toPractice, toService]) {
      const text = await textOf(options, { content: { patient, contact } });
      expect(text).toMatch(
        /[Tt]elephone only, to his mother, Sarah, 07700900233, after 3pm\. You may leave a voicemail\./,
      );
      expect(text).toContain('Sarah Barker, mother. Contact goes through their number: see above');
      expect(text).not.toMatch(/No voicemail|not known to be safe/);
    }
    const other = { ...patient, carer: { ...carer, telephone: '07700 900234' } };
    expect(await textOf(toPractice, { content: { patient: other, contact } })).toMatch(
      /No voicemail or message: .*not known to be safe/,
    );
  });

  it('tells a service as much of a child’s telephone', async () => {
    const patient = { ...content.patient, birth_date: '2012-06-30' };
    const contact = {
      safe: 'only_at',
      channel: 'text',
      only_at: 'on school days',
      voicemail: false,
    } as const;
    for (const options of [toPractice, toService])
      expect(await textOf(options, { content: { patient, contact } })).toMatch(
        /[Tt]ext only, on school days\. Do not ring\. No voicemail\. Before you text, ask Asha Patel whose telephone it is\./,
      );
  });

  it('has the number in letters about an end, too', async () => {
    const contact = { safe: 'yes', channel: 'telephone' } as const;
    const text = await textOf(atTheEnd, { status: 'completed', content: { contact } });
    expect(text).toContain('Postcode ZT1 2AB. Patient’s telephone: 01632\u00A0960123'.replace('\u00A0', ' '));
  });

  it('says where another way was wished than the safe one', async () => {
    const contact = { safe: 'yes', channel: 'telephone' } as const;
    const patient = { ...content.patient, preferred_contact: 'text, then ring' };
    for (const options of [toPractice, toService])
      expect(await textOf(options, { content: { contact, patient } })).toContain(
        'text, then ring (but only telephone was said to be safe)',
      );
  });

  it('has a box with whom to ring where no contact is safe', async () => {
    const contact = { safe: 'no', who_must_not_know: 'her husband' } as const;
    const referrer = { ...content.referrer, telephone: '01632 960888' };
    const given = { content: { contact, referrer } };
    const box =
      /t is not safe to contact the patient in any way\. Ring instead: Asha Patel, Infirmary Lane Surgery \(who referred\), 01632 960888\./;
    for (const options of [toPractice, toService]) {
      const text = await textOf(options, given);
      expect(text).toMatch(/DO NOT CONTACT THE PATIENT\. Do not tell: her husband\./);
      expect(text).toMatch(box);
    }
    expect(await textOf(toPractice, given)).toContain(
      'put on the record the contact limits above, hidden online',
    );
    expect(await textOf(toPractice, given)).not.toMatch(/Contact: [^o]|Prefers/);
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
    const text = await textOf(toPractice, { content: { patient, agreement } });
    expect(text).toContain('HIDE FROM ONLINE RECORD');
    const until = ', until the child says that a parent may know';
    expect(text).toContain(`from proxy access of parents${until}`);
    const others: GivenContent[] = [{ do_not_show_online: true }, { risk: 'yes' }];
    for (const more of others)
      expect(await textOf(toPractice, { content: { patient, agreement, ...more } })).not.toContain(until);
    const byParent = { basis: 'parental_responsibility' } as const;
    expect(await textOf(toPractice, { content: { patient, agreement: byParent } })).not.toMatch(/online/i);
  });
});
