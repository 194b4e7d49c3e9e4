import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import { type Given, toPractice, toService } from '../../../../test/delivery/letters.ts';
import { atTheEnd, bloodPressure, facts } from '../../../../test/delivery/letters-to-practice.ts';
import { composeLetter } from '../compose-letter.ts';

const [copied, told, corrected] = ['2026-11-21T09:30:00Z', '2026-11-22T09:50:00Z', '2026-11-24T09:30:00Z'];
const died = { code: 'died', text: 'Her daughter told us.' } as const;
const alive = {
  status: 'accepted',
  content: { death_mistake: { told_at: told, corrected_at: corrected } },
} as const;
const series = {
  number: 3,
  earlier: [
    { at: copied, purpose: 'referral' as const, isWithdrawn: false },
    { at: told, purpose: 'outcome' as const, isWithdrawn: false },
  ],
};

describe('a letter after a death that was told by mistake', () => {
  const since = { date: new Date(corrected), replacesLetterOf: new Date(copied), series };
  const letterWith = (earlierLetters: typeof facts.earlierLetters) =>
    composeLetter(exampleReferral(alive), { ...toPractice, ...since, facts: { ...facts, earlierLetters } })
      .letter;

  it('says first that the patient is alive, and names our mistake', () => {
    const { heading, order, toPractice: top } = letterWith(series.earlier);
    expect(heading).toMatch(/^THE PATIENT IS ALIVE\. Updated: Copy of a referral/);
    expect(top!.box).toMatchObject({
      heading: 'THE PATIENT IS ALIVE – GP or nurse, at once: take the death out of the record',
      weight: 'danger',
      warnings: ['Our letter 2 said that the patient has died. That was a mistake.'],
    });
    expect(top!.box.tasks.map(({ text }) => text)).toEqual([
      'At once: give this letter to a clinician, and mark our letter 2 (same reference) as wrong.',
      'When you file this: mark our letter 1 (same reference) as superseded.',
      'At once: take the death out of the record, and restore what was ended because of it.',
    ]);
    expect(order!.words).toContain('Letter 2, of 22 November 2026 at 9:50am, was wrong.');
    expect(order!.words).not.toContain('stays on file');
  });

  it('says nothing of it to a practice that was not told', () => {
    const later = { at: corrected, purpose: 'outcome' as const };
    for (const earlier of [[], [{ at: copied, purpose: 'referral' as const }, later]])
      expect(JSON.stringify(letterWith(earlier))).not.toMatch(/ALIVE|mark our letter 2/);
  });

  it('says the same to the service', () => {
    const { letter } = composeLetter(exampleReferral(alive), { ...toService, ...since });
    expect(letter.heading).toMatch(/^THE PERSON IS ALIVE\./);
    expect(letter.toService!.box.warnings![0]).toBe(
      'THE PERSON IS ALIVE. Our letter that said otherwise was wrong.',
    );
    expect(letter.order!.words).toContain('was wrong: the person is alive.');
  });
});

describe('a letter about a death', () => {
  it('repeats what was asked only for a patient who is alive', () => {
    const given: Given = {
      status: 'cancelled',
      status_reason: died,
      content: { gp_actions: [bloodPressure] },
    };
    const { box } = composeLetter(exampleReferral(given), atTheEnd).letter.toPractice!;
    expect(box.heading).toBe('Reported death – GP or nurse, at once: check whether the patient is alive');
    expect(box.tasks.at(-1)!.text).toBe(
      'Only if the patient is alive, by Monday 1 March 2027: Check her blood pressure.',
    );
  });

  it('says who was told of it, and who passed it on', () => {
    const report = { reportedAt: told, toldBy: 'her niece', date: '2026-11-20' };
    const reportedBy = { name: 'Ellen Crabtree', organisation: 'Dales Good Neighbours' };
    const step = (death: NonNullable<typeof facts.death>) =>
      composeLetter(exampleReferral({ status: 'cancelled', status_reason: died }), {
        ...atTheEnd,
        facts: { ...facts, death },
      }).letter.toPractice!.box.tasks.find(({ role }) => role === 'clinician')!.details;
    expect(step({ ...report, reportedBy })).toBe(
      'Date of death: 20 November 2026. Told by: her niece, on 22 November 2026, to Ellen Crabtree, Dales Good Neighbours. Passed on by: Jo Hall, Sarrowby Arts Trust. This letter is not a confirmation of the death',
    );
    expect(step(report)).toContain('Passed on by: Jo Hall, Sarrowby Arts Trust.');
  });

  it.each([
    'requested',
    'accepted',
  ] as const)('tells a service not to ring until it is confirmed, once %s', (status) => {
    const given = { status, next_date: '2026-12-11', deathReportedAt: new Date(told) };
    const { letter } = composeLetter(exampleReferral(given), toService);
    expect(letter.heading).toMatch(/^We were told that the person has died\. Referral to/);
    const { heading, tasks, warnings } = letter.toService!.box;
    expect([heading, warnings]).toEqual(['We were told that the person has died', []]);
    expect(tasks.map(({ text }) => text)).toEqual([
      'Do not ring, write or visit. Tell everybody of yours who knows the person.',
      expect.stringContaining('or if you know that the person is alive: ask Asha Patel'),
      'Find out whether it is true. Then confirm it, or say that the person is alive, on the page of the referral.',
    ]);
  });

  it('tells a service first, and not to ring, write or visit', () => {
    const given = { status: 'cancelled', status_reason: died } as const;
    const { letter } = composeLetter(exampleReferral(given), { ...toService, purpose: 'outcome' });
    expect(letter.heading).toMatch(/^We were told that the person has died\./);
    expect(letter.toService!.box).toMatchObject({
      heading: 'We were told that the person has died',
      weight: 'action',
    });
    expect(letter.toService!.box.tasks[0]!.text).toBe(
      'Do not ring, write or visit. Tell everybody of yours who knows the person.',
    );
  });
});
