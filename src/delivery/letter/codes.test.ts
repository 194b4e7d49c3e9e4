import { describe, expect, it } from 'vitest';
import { type Given, textOf, toPractice } from '../../../test/delivery/letters.ts';
import {
  atTheEnd,
  bloodPressure,
  content,
  declined,
  end,
  facts,
  files,
  hearing,
  referred,
} from '../../../test/delivery/letters-to-practice.ts';

describe('the codes of a letter', () => {
  /** Those to file. One to keep is named without the words “SNOMED CT”, so that nobody files it twice. */
  const codesIn = (text: string) => text.match(/(?<=SNOMED CT )8717\d{11}\b/g) ?? [];
  const codes_only = { consent: { ...content.consent, share_with_gp: 'codes_only' as const } };
  const ticked = { declines_social_prescribing: true as const };

  it('are the only ones, even if a client system sent others', async () => {
    expect(content.reasons[0]!.code).toBe('105412007');
    expect(await textOf(toPractice)).not.toContain('105412007');
  });

  it('have the referral once an episode', async () => {
    expect(codesIn(await textOf(toPractice))).toEqual([referred]);
    expect(codesIn(await end())).toEqual([]);
    const atLast = await end({}, { facts: { ...facts, codeSentAt: null } });
    expect(codesIn(atLast)).toEqual([referred]);
    expect(atLast, 'the day of the referral').toContain('service”, dated 21 November 2026.');
    expect(codesIn(await end(codes_only))).toEqual([]);
  });

  it('name the one to keep, and the letter that brought it', async () => {
    const keep = (reference: string) =>
      `Code from before The record should have the code from our letter of 21 November 2026 at 9:30am${reference}, once: 871731000000106 “Referral to social prescribing service”, dated 21 November 2026.`;
    expect(await end()).toContain(keep(''));
    expect(await end({}, { facts: { ...facts, codeSentIn: '2AAAA-BBBBB' } })).toContain(
      keep(', reference 2AAAA-BBBBB'),
    );
    expect(await end({}, { facts: { ...facts, codeSentIn: '2AAAA-BBBBB' } })).toContain(
      'No new code to file: the code from our letter of 21 November 2026 (2AAAA-BBBBB) covers this referral.',
    );
    const { at } = facts.earlierLetters[0]!;
    const series = { number: 2, earlier: [{ at, purpose: 'referral' as const, isWithdrawn: false }] };
    const numbered = await end({}, { series });
    expect(numbered).toContain('from our letter 1 (same reference), once: 871731000000106');
    // What a clerk reads in the box has no condition.
    expect(numbered).toMatch(/for the record No new code to file\. /);
  });

  it('are one where the person agreed to codes only', async () => {
    const never = { facts: { ...facts, codeSentAt: null } };
    expect(codesIn(await textOf(toPractice, { content: codes_only }))).toEqual([referred]);
    expect(codesIn(await end({ ...codes_only, ...ticked }, never))).toEqual([declined]);
    expect(codesIn(await end({ ...codes_only, ...ticked }))).toEqual([declined]);
  });

  it('are named alike by box, safety and codes, with codes only', async () => {
    const coded = await end(codes_only);
    expect(coded).toContain('The patient agreed to a code and no details.');
    expect(coded).toContain(
      'put on the record, hidden online: before any contact about this referral, contact Asha Patel, to ask if it is safe. We may not say here whether there is a safety concern.',
    );
    expect(coded).toContain('No new code to file. Reception');
    expect(coded).not.toContain('Code to file');
    for (const given of [{}, ticked]) {
      const known = { facts: { ...facts, codeSentAt: null } };
      const first = await end({ ...codes_only, ...given }, known);
      expect(first).toContain('Code to file: SNOMED CT ');
      expect(first).not.toMatch(/no code/i);
    }
  });

  it('are in the box where the patient declined', async () => {
    const text = await textOf(atTheEnd, {
      status: 'rejected',
      status_reason: { code: 'client-declined', text: 'Not this year.' },
      content: ticked,
    });
    expect(text).toContain(
      'Code to file: SNOMED CT 871711000000103 “Social prescribing declined”, dated 1 February 2027.',
    );
    expect(codesIn(text)).toEqual([declined]);
  });

  it('have “declined” once, also if the last letter is replaced', async () => {
    const earlierLetters = [
      ...facts.earlierLetters,
      { at: '2027-02-01T10:00:00Z', purpose: 'outcome' as const },
    ];
    const again = { facts: { ...facts, statusAt: '2027-02-01T09:59:00Z', earlierLetters } };
    for (const given of [ticked, { ...codes_only, ...ticked }]) {
      const text = await end(given, again);
      expect(codesIn(text)).toEqual([]);
      expect(text).toContain(
        `once${'consent' in given ? ', hidden online' : ''}: ${declined} “Social prescribing`,
      );
      // The letter about an end that was taken back is about another one.
      const later = { facts: { ...again.facts, statusAt: '2027-02-03T10:00:00Z' } };
      expect(codesIn(await end(given, later))).toEqual([declined]);
    }
  });

  it('say nothing of actions if the person agreed to codes only', async () => {
    const box =
      'Reception only, at once: hide this letter from the online record and put a note on the record No new code to file. Reception 1. At once: hide this letter, our earlier letter and its code from the online record, also from proxy access. 2. At once: put on the record, hidden online: before any contact about this referral, contact Asha Patel, to ask if it is safe. We may not say here whether there is a safety concern. The patient agreed to a code and no details.';
    // With something to do and without, so that the letter does not tell that there is something.
    for (const gp_actions of [[bloodPressure], []]) {
      const text = await end({ ...codes_only, gp_actions });
      expect(text).toContain(box);
      expect(text).not.toContain('No action asked for');
    }
    const text = await end({ ...codes_only, gp_actions: [bloodPressure] });
    for (const each of [bloodPressure.text, 'Choir', 'Jo Hall', '4 Mill Lane'])
      expect(text).not.toContain(each);
  });
});

describe('a letter with a code and no details', () => {
  const consent = { ...content.consent, share_with_gp: 'codes_only' as const };

  it('says that an earlier letter may hold more than is agreed now', async () => {
    const full = { ...facts, earlierLetters: [{ ...facts.earlierLetters[0]!, hadDetails: true }] };
    const narrowed =
      'Reception, at once: hide our letters online; GP or nurse, today: if our earlier letter asks for anything, contact Asha Patel No new code to file. Reception 1. At once: hide this letter, our earlier letter and its code from the online record, also from proxy access. 2. At once: put on the record, hidden online: before any contact about this referral, contact Asha Patel, to ask if it is safe. We may not say here whether there is a safety concern. 3. At once: give this letter and our letter of 21 November 2026 at 9:30am, reference 7K3QF-XW29D, to a clinician. GP or nurse 4. Today: if our earlier letter asks you to do something, contact Asha Patel, and ask whether that still stands. Reception 5. Once a clinician has seen them: restrict our earlier letter: only staff who need it may open it. Leave the code, hidden online. The patient now wants you to have only the code, not the details. Questions';
    const text = await end({ consent }, { facts: full });
    expect(text).toContain(narrowed);
    expect(text, 'step 1 says that the practice asks').not.toContain('will contact you');
    for (const other of [await end({ consent }), await end({}, { facts: full })])
      expect(other).not.toContain('now wants you to have only the code');
    const second = { ...full.earlierLetters[0]!, at: '2026-11-22T09:30:00Z' };
    const ofTwo = { ...facts, earlierLetters: [...full.earlierLetters, second] };
    expect(await end({ consent }, { facts: ofTwo })).toContain(
      'if our earlier letters ask you to do something, contact Asha Patel, and ask whether that still stands.',
    );
  });

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
  const by = {
    ...facts.by!,
    name: 'Asha Patel',
    organisation: 'Infirmary Lane Surgery',
    isReferrer: true,
    isOfReferrer: true,
  };
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
