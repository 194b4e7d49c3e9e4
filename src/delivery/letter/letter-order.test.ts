import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../test/delivery/example-referral.ts';
import { type Given, pagesOf, toPractice, toService } from '../../../test/delivery/letters.ts';
import { atTheEnd, bloodPressure, facts, hearing } from '../../../test/delivery/letters-to-practice.ts';
import type { LetterSeries } from '../model/delivery.ts';
import { composeLetter } from './compose-letter.ts';
import type { LetterInput } from './letter.ts';
import { lettersInShort } from './letter-order.ts';

type Earlier = LetterSeries['earlier'][number];
const [first, second] = ['2026-11-21T09:30:00Z', '2026-11-24T14:05:00Z'];
const copy = (at: string, isWithdrawn = false): Earlier => ({ at, purpose: 'referral', isWithdrawn });
const end = (at: string): Earlier => ({ at, purpose: 'outcome', isWithdrawn: false });

const order = (options: LetterInput, earlier: Earlier[], given: Given = {}) => {
  const series = { number: earlier.length + 1, earlier };
  return composeLetter(exampleReferral(given), { ...options, series }).letter.order?.words;
};

describe('the number of a letter', () => {
  it('says of the first that it replaces no other', () => {
    expect(order(toPractice, [])).toBe('Letter 1 to you about this referral. It replaces no other letter.');
  });

  it('names the letter that it replaces, and the one to keep', () => {
    const replacing = { ...toPractice, replacesLetterOf: new Date(second) };
    expect(order(replacing, [copy(first), copy(second)])).toBe(
      'Letter 3 to you about this referral. It replaces letter 2, of 24 November 2026 at 2:05pm.',
    );
    expect(order(atTheEnd, [copy(first)])).toBe(
      'Letter 2 to you about this referral. Letter 1, of 21 November 2026 at 9:30am, stays on file; this one is newer.',
    );
    expect(order({ ...atTheEnd, replacesLetterOf: new Date(second) }, [copy(first), end(second)])).toContain(
      'It replaces letter 2, of 24 November 2026 at 2:05pm. Letter 1, of',
    );
  });

  it('says that what the one before it asked is in the box', () => {
    const ask = (given: NonNullable<Given['content']>, known: Partial<typeof facts> = {}) =>
      order({ ...atTheEnd, facts: { ...facts, ...known } }, [copy(first)], {
        status: 'completed',
        content: given,
      });
    expect(ask({ gp_actions: [hearing, bloodPressure] })).toContain(
      'this one is newer. What letter 1 asked, and is still to do, is in the box.',
    );
    // “It had no task” above a box with a task contradicts it.
    expect(ask({ gp_actions: [bloodPressure] })).not.toMatch(/task|asked/);
    expect(ask({ gp_actions: [hearing] }, { wasEarlierConfirmed: true })).not.toMatch(/task|asked/);
    // With a code alone, a letter tells of no task, and neither does the next.
    const { consent } = exampleReferral().content;
    const inCodes = { consent: { ...consent, share_with_gp: 'codes_only' as const }, gp_actions: [hearing] };
    expect(ask(inCodes)).not.toMatch(/task|asked/);
    expect(ask({ gp_actions: [hearing], full_copies_since: 3 })).not.toMatch(/task|asked/);
  });

  it('says what no longer holds, after a mistake and after the end', () => {
    const mistake: Given = { status: 'entered-in-error' };
    expect(order(atTheEnd, [copy(first), copy(second)], mistake)).toContain(
      'It withdraws letter 1, of 21 November 2026 at 9:30am, and letter 2, of 24 November 2026 at 2:05pm.',
    );
    const removal: Earlier = { at: second, purpose: 'removal', isWithdrawn: true };
    expect(order(toPractice, [copy(first, true), removal])).toContain(
      'Go by this one. Letter 1, of 21 November 2026 at 9:30am, and letter 2, of 24 November 2026 at 2:05pm, no longer hold.',
    );
    expect(order({ ...toService, purpose: 'outcome' }, [copy(first)], { status: 'cancelled' })).toContain(
      'Letter 1 no longer applies.',
    );
  });

  it('is another for each of two letters of one moment', () => {
    const series = { number: 3, earlier: [copy(first), end(first)] };
    expect(lettersInShort({ series }, [first, first])).toBe('our letters 1 and 2');
    expect(lettersInShort({ series }, [first])).toBe('our letter 2');
  });

  it('leaves details that may no longer be shared to the box', () => {
    const { consent } = exampleReferral().content;
    const content = { consent: { ...consent, share_with_gp: 'codes_only' as const } };
    const earlierLetters = [{ at: first, purpose: 'referral' as const, hadDetails: true }];
    const options = {
      ...toPractice,
      replacesLetterOf: new Date(first),
      facts: { ...facts, earlierLetters },
      series: { number: 2, earlier: [copy(first)] },
    };
    const { letter } = composeLetter(exampleReferral({ content }), options);
    expect(letter.order!.words).toBe(
      'Letter 2 to you about this referral. What to do with letter 1 is in the box.',
    );
    expect(letter.toPractice!.box.tasks[2]!.text).toContain('and our letter 1, of 21 November 2026');
  });

  it('is on each page, but not if the letter is read on the site', async () => {
    const series = { number: 2, earlier: [copy(first)] };
    const long = { content: { what_matters: 'One of very many words. '.repeat(400) } };
    for (const page of await pagesOf({ ...atTheEnd, series }, long))
      expect(page).toContain('Reference 7K3QF-XW29D, letter 2');
    expect((await pagesOf(toService)).join(' ')).not.toContain('to you about this referral');
  });
});
