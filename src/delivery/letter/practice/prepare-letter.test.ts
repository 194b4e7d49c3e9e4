import { describe, expect, it } from 'vitest';
import { exampleReferral } from '../../../../test/delivery/example-referral.ts';
import { type Given, outcome, toPractice } from '../../../../test/delivery/letters.ts';
import {
  atTheEnd,
  bloodPressure,
  content,
  facts,
  hearing,
} from '../../../../test/delivery/letters-to-practice.ts';
import { prepareLetter } from './prepare-letter.ts';

const inCodes = { consent: { ...content.consent, share_with_gp: 'codes_only' as const } };
const told = { at: '2026-11-21T09:00:00Z', text: 'Her son moved in.', raisedUrgency: false };
const crisis = { ...told, text: 'She wants to die.' };

describe('a letter to a practice, before it is written', () => {
  it('warns of nothing with a code alone, a death or a mistake', () => {
    const mayWarn = (given: Given) => prepareLetter(exampleReferral(given), toPractice).mayWarn;
    expect(mayWarn({})).toBe(true);
    expect(mayWarn({ content: inCodes })).toBe(false);
    expect(mayWarn({ status: 'entered-in-error' })).toBe(false);
    expect(mayWarn({ status: 'failed', status_reason: { code: 'died', text: '' } })).toBe(false);
  });

  it('repeats what was asked until somebody confirms it', () => {
    const later = { ...hearing, by_date: '2027-04-01' };
    const referral = exampleReferral({ content: { gp_actions: [hearing, later, bloodPressure] } });
    const asks = (wasEarlierConfirmed: boolean) =>
      prepareLetter(referral, { ...atTheEnd, facts: { ...facts, wasEarlierConfirmed } }).actions;
    expect(asks(false), 'in the order in which it is due').toEqual([bloodPressure, later, hearing]);
    expect(asks(true)).toEqual([bloodPressure]);
  });

  it('has the practice ask about news, unless it tells of a crisis', () => {
    const about = (reported: (typeof told)[], options = toPractice) => {
      const {
        hasNews,
        crisis: found,
        hasNewsToAsk,
      } = prepareLetter(exampleReferral(), {
        ...options,
        facts: { ...facts, reported },
      });
      return { hasNews, hasNewsToAsk, isCrisis: found !== undefined };
    };
    expect(about([])).toEqual({ hasNews: false, hasNewsToAsk: false, isCrisis: false });
    expect(about([told])).toEqual({ hasNews: true, hasNewsToAsk: true, isCrisis: false });
    expect(about([crisis, told])).toEqual({ hasNews: true, hasNewsToAsk: false, isCrisis: true });
    expect(about([told], outcome), 'at the end').toEqual({
      hasNews: false,
      hasNewsToAsk: false,
      isCrisis: false,
    });
  });

  it('tells letters with details from those with only a code', () => {
    const first = { at: '2026-11-20T09:30:00Z', purpose: 'referral', version: 1 } as const;
    const second = { at: '2026-11-21T09:30:00Z', purpose: 'referral', version: 3 } as const;
    const options = { ...toPractice, facts: { ...facts, earlierLetters: [first, second] } };
    const letter = prepareLetter(exampleReferral({ content: { full_copies_since: 2 } }), options);
    expect(letter.earlierLetters).toEqual([first, second]);
    expect(letter.earlierFullLetters).toEqual([second]);
  });
});
