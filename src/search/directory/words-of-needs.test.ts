import { describe, expect, it } from 'vitest';
import { needsNamedIn } from './words-of-needs.ts';

describe('the words of a search', () => {
  it.each([
    ['lonely', ['social-connection']],
    ['I’m so LONELY since my husband died', ['social-connection']],
    ['debt', ['benefits-debt']],
    ['debts and damp', ['benefits-debt', 'inadequate-housing']],
    ['meet people', ['social-connection']],
    ['people to meet', []],
    ['behind with the rent', ['benefits-debt', 'housing-instability']],
    ['food bank', ['food-insecurity']],
    ['volunteers', ['volunteering']],
    ['Margaret Example', []],
    ['', []],
    ['lonely '.repeat(21), []],
  ])('name the needs that people mean: %s', (search, needs) => {
    expect(needsNamedIn(search).toSorted()).toEqual([...needs].toSorted());
  });
});
