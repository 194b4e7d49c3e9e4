import { describe, expect, it } from 'vitest';
import { headingWithUrgency } from './urgency.ts';

const [routine, urgent, dangerous, both] = [
  { isUrgent: false, isDangerous: false },
  { isUrgent: true, isDangerous: false },
  { isUrgent: false, isDangerous: true },
  { isUrgent: true, isDangerous: true },
];

describe('the heading of an email about referrals', () => {
  it.each([
    ['News', [routine, routine]],
    ['News (1 urgent)', [urgent, routine]],
    ['News (1 with a risk of harm)', [dangerous, routine]],
    ['News (1 urgent, 2 with a risk of harm)', [dangerous, both, routine]],
    ['Urgent: news (1 with a risk of harm)', [urgent, both]],
    ['News (with a risk of harm)', [dangerous]],
    ['Urgent: news (with a risk of harm)', [both]],
  ])('says “%s”', (heading, referrals) => {
    expect(headingWithUrgency('News', referrals)).toBe(heading);
  });

  it('says “urgent” once, however many referrals are', () => {
    expect(headingWithUrgency('An urgent referral', [both])).toBe('An urgent referral (with a risk of harm)');
  });
});
