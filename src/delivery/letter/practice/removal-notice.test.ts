import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import { type Given, textOf } from '../../../../test/delivery/letters.ts';
import {
  atTheEnd,
  content,
  declined,
  facts,
  hearing,
  referred,
} from '../../../../test/delivery/letters-to-practice.ts';
import { composeLetter } from '../compose-letter.ts';

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
      'Summary The referral was withdrawn because of a mistake in it. What our earlier letter says may be wrong, or not about this patient. Another letter with the right details may follow, and names this reference, 7K3QF-XW29D: keep that one.',
    );
  });

  it('names the earlier letter by its number', async () => {
    const { at } = facts.earlierLetters[0]!;
    const series = { number: 2, earlier: [{ at, purpose: 'referral' as const, isWithdrawn: false }] };
    expect(await textOf({ ...atTheEnd, series }, withdrawn)).toContain(
      'Summary The referral should not have been made: another person was meant. What our letter 1 says is not about this patient.',
    );
    const wrong = { ...atTheEnd, series, purpose: 'removal' as const };
    expect(await textOf(wrong, { status: 'entered-in-error', status_reason: null })).toContain(
      'Summary Our letter 1 was for another GP practice',
    );
  });

  it('says in its heading that another patient was meant', async () => {
    expect(await textOf(atTheEnd, withdrawn)).toContain(
      'REMOVE FROM RECORD: letter sent to the wrong patient’s record',
    );
    expect(await textOf(atTheEnd, { ...withdrawn, status_reason: null })).toContain(
      'REMOVE FROM RECORD: referral sent by mistake',
    );
  });

  it('asks to stop only if the earlier letter asked for something', async () => {
    const unasked = await textOf(atTheEnd, { ...withdrawn, content: {} });
    expect(unasked).not.toContain('stop what');
    expect(unasked).toContain('It asked you for nothing.');
    expect(unasked).toContain('2. Once this is done: confirm it to');
    // With a code alone the notice must not tell whether there was something to do.
    const consent = { ...content.consent, share_with_gp: 'codes_only' as const };
    expect(await textOf(atTheEnd, { ...withdrawn, content: { consent, gp_actions: [hearing] } })).not.toMatch(
      /stop what|asked you for nothing/,
    );
  });

  it('breaks no number of the office over two lines', async () => {
    const site = { ...atTheEnd.site, operatorContact: 'Referrals office, 01632 960900' };
    const { letter } = composeLetter(exampleReferral(withdrawn), { ...atTheEnd, site });
    expect(JSON.stringify(letter.toPractice!.box)).toContain('Referrals office, 01632\u00A0960900');
    expect(JSON.stringify(letter)).not.toContain('01632 960900');
  });

  it('has one number to ring everywhere, and is confirmed last', () => {
    const site = { ...atTheEnd.site, operatorContact: 'Referrals office, 01632 960900' };
    const known = { ...facts, referrerTelephone: '01632 960888' };
    const { letter } = composeLetter(exampleReferral(withdrawn), { ...atTheEnd, facts: known, site });
    expect(letter.footer).toContain('ring Referrals office, 01632\u00A0960900');
    expect(JSON.stringify([letter.toPractice, letter.footer])).not.toContain('960888');
    expect(letter.toPractice!.box.tasks.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Once all steps are done: confirm it/),
    );
    expect(letter.toPractice!.box.tasks.at(-1)!.text, 'after the clinician’s').toContain('confirm it');
    const { box } = composeLetter(exampleReferral({ ...withdrawn, content: {} }), atTheEnd).letter
      .toPractice!;
    expect(JSON.stringify(box.tasks)).toContain('Once this is done: confirm it');
  });

  it('names once whom to ring who referred and withdrew', async () => {
    const by = {
      ...facts.by!,
      name: 'Asha Patel',
      organisation: 'Infirmary Lane Surgery',
      isReferrer: true,
      isOfReferrer: true,
      telephone: '01632 960888',
    };
    const known = { ...facts, by, referrerTelephone: '01632960888' };
    expect(await textOf({ ...atTheEnd, facts: known }, withdrawn)).toContain(
      'Questions: ring Asha Patel, Infirmary Lane Surgery (who referred and asks for this), 01632960888. Patient’s details',
    );
  });

  it('asks to remove the earlier letter, and to confirm that', async () => {
    const text = await textOf(atTheEnd, withdrawn);
    expect(text).toContain('REMOVE FROM RECORD');
    expect(text).toContain(
      'Reception, at once: show a clinician, then remove our earlier letter from this patient’s record; GP or nurse, at once: stop what was asked No new code to file. Code to remove in step 2: 871731000000106 “Referral to social prescribing service”, dated 21 November 2026. Reception 1. At once: give this notice to a clinician, before you remove anything. 2. The same day, after a clinician has seen it: remove our letter headed “Copy of a referral to Sarrowby Community Choir”, of 21 November 2026 at 9:30am, reference 7K3QF-XW29D, from this patient’s record. If you filed the code above from it, mark it as entered in error. The same code from any other letter stays.',
    );
    expect(text).toContain('Keep this notice. If it is not meant for you');
    expect(text).not.toContain('destroy');
    expect(text).toContain(
      'GP or nurse 3. At once: stop what our letter asked for: “Send the hearing test.” If it is done already, ring Jo Hall, Sarrowby Arts Trust, 01632 960200. Reception 4. Once all steps are done: confirm it to Jo Hall, Sarrowby Arts Trust, 01632 960200. Keep this notice with your information governance papers, not in a patient’s record.',
    );
  });

  it('says by which number the practice reaches the referrer', async () => {
    const by = {
      ...facts.by!,
      name: 'Asha Patel',
      organisation: 'Infirmary Lane Surgery',
      isReferrer: true,
      isOfReferrer: true,
    };
    const known = { ...facts, by, serviceTelephone: null, referrerTelephone: '01632 960 888' };
    const asked = 'Withdrawn by: Asha Patel, Infirmary Lane Surgery, 01632 960 888';
    const inCodes = { ...content.consent, share_with_gp: 'codes_only' as const };
    for (const purpose of ['outcome', 'removal'] as const)
      for (const consent of [content.consent, inCodes]) {
        const given = { ...withdrawn, content: { ...withdrawn.content, consent } };
        const text = await textOf({ ...atTheEnd, purpose, facts: known }, given);
        expect(text).toContain(asked);
        expect(text).toContain('confirm it to Asha Patel, Infirmary Lane Surgery, 01632 960 888.');
        expect(text).toMatch(
          /Referred by: Asha Patel, referrer, Infirmary Lane Surgery \(Z99001\), 01632 960 888/,
        );
      }
    const mailed = { ...known, referrerTelephone: null, by: { ...by, email: 'asha.patel@example.org' } };
    expect(await textOf({ ...atTheEnd, facts: mailed }, withdrawn)).toContain(
      'Withdrawn by: Asha Patel, Infirmary Lane Surgery, asha.patel@example.org',
    );
    const byColleague = { ...known, by: { ...by, name: 'Una Moor', isReferrer: false } };
    expect(await textOf({ ...atTheEnd, facts: byColleague }, withdrawn)).toContain(
      'Withdrawn by: Una Moor, Infirmary Lane Surgery, or Asha Patel, 01632 960 888',
    );
    const own = { ...byColleague, by: { ...byColleague.by, telephone: '01632 960 999' } };
    expect(await textOf({ ...atTheEnd, facts: own }, withdrawn)).toContain(
      'Una Moor, Infirmary Lane Surgery (who asks for this), 01632 960 999.',
    );
  });

  it('first asks a wrong practice if it has the patient', async () => {
    const wrong = { ...atTheEnd, purpose: 'removal' as const };
    const text = await textOf(wrong, { status: 'entered-in-error', status_reason: null });
    expect(text).toContain(
      '1. First: is the patient registered with you? YES: keep the letter, ring Jo Hall, Sarrowby Arts Trust, 01632 960200 now, and stop here. NO: go to step 2. 2. At once: give this notice and our letter to a clinician, before you remove anything. 3. The same day, after a clinician has seen it: remove our letter',
    );
    expect(text).toContain('GP or nurse 4. At once: stop what our letter asked for, if anything.');
    expect(text).toContain('the code above from it, mark it as entered in error');
    expect(await textOf(atTheEnd, withdrawn)).not.toContain('registered with you');
    expect(await textOf(wrong, { status: 'entered-in-error', status_reason: null })).toContain(
      'Withdrawn by: Jo Hall, Sarrowby Arts Trust, 01632 960200',
    );
  });

  it('carries no code to file, and nothing of the reason', async () => {
    const text = await textOf({ ...atTheEnd, facts: { ...facts, codeSentAt: null } }, withdrawn);
    for (const each of [referred, declined, 'lonely']) expect(text).not.toContain(each);
    expect(text).not.toContain('Codes to file');
  });

  it('names what goes and what stays of a referral sent twice', async () => {
    const status_reason = { code: 'sent-twice', text: '' } as const;
    const text = await textOf(atTheEnd, { ...withdrawn, content: {}, status_reason });
    expect(text).toContain('1. At once: remove our letter headed');
    expect(text).toContain(
      'reference 7K3QF-XW29D, from this patient’s record. If you filed the code above from it, mark it as entered in error. It asked you for nothing. 2. Keep the other letter about it, which has another reference, and the code filed from that letter. 3. Once all steps are done: confirm it',
    );
  });

  it('leaves the one code of two referrals, and the other’s tasks', async () => {
    const status_reason = { code: 'sent-twice', text: '' } as const;
    const noticeOf = (madeAt: string) => {
      const followedBy = { at: '2026-11-21T09:40:00Z', reference: '2AAAA-BBBBB', madeAt };
      return textOf({ ...atTheEnd, facts: { ...facts, followedBy } }, { ...withdrawn, status_reason });
    };
    const sameDay = await noticeOf('2026-11-21T09:40:00Z');
    expect(sameDay).toContain(
      'No new code to file. If the record has 871731000000106 “Referral to social prescribing service”, dated 21 November 2026, once, leave it. If twice, mark one as entered in error. Reception',
    );
    expect(sameDay).toContain(
      '3. Keep our letter of 21 November 2026 at 9:40am, reference 2AAAA-BBBBB: it is about the same referral. GP or nurse 4. At once: stop what our letter asked for, unless the other letter asks for it too: “Send the hearing test.”',
    );
    expect(sameDay).not.toContain('If you filed the code above');
    const nextDay = await noticeOf('2026-11-22T09:40:00Z');
    expect(nextDay).toContain('Code to remove in step 2: 871731000000106');
    expect(nextDay).toContain(
      'reference 2AAAA-BBBBB, and the code filed from it: it is about the same referral.',
    );
  });

  it('tells several letters apart by (a) and (b)', async () => {
    const second = { at: '2026-11-23T10:00:00Z', purpose: 'referral' as const };
    const two = { ...facts, earlierLetters: [...facts.earlierLetters, second] };
    expect(await textOf({ ...atTheEnd, facts: two }, { ...withdrawn, content: {} })).toContain(
      'remove our 2 letters, reference 7K3QF-XW29D, from this patient’s record: (a) headed “Copy of a referral to Sarrowby Community Choir”, of 21 November 2026 at 9:30am; (b) headed “Copy of a referral to Sarrowby Community Choir”, of 23 November 2026 at 10:00am. If you filed the code above from them',
    );
  });

  it('is not called urgent, as the referral was', async () => {
    expect(await textOf(atTheEnd, { ...withdrawn, urgency: 'urgent' })).not.toMatch(/urgency/i);
  });
});
