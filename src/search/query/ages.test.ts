import { describe, expect, it } from 'vitest';
import { agesIn } from './ages.ts';

describe('the ages in a text', () => {
  it.each([
    ['lonely older man', 60, 150],
    ['lunch for over 65s', 65, 150],
    ['bored teenagers', 13, 19],
    ['14 year old carer', 14, 14],
    ['woman aged 83 with a cat', 83, 83],
    ['bored since retiring', 60, 150],
    ['under 5s', 0, 5],
    ['new baby', 0, 55],
    ['grandmother with a toddler, retired', 0, 150],
    ['depressed for over 10 years', undefined, undefined],
    ['walks under 3 miles', undefined, undefined],
  ])('“%s” are %s to %s', (text, from, to) => {
    expect(agesIn(text)).toEqual(from === undefined ? undefined : { from, to });
  });
});
