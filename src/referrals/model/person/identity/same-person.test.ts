import { describe, expect, it } from 'vitest';
import { haveDifferentFirstNames } from './same-person.ts';

describe('two first names', () => {
  it.each([
    ['Anna', 'Amelia', true],
    ['Rosalind', 'Ruth', true],
    ['Emma', 'Emily', true],
    ['Ellie', 'Edward', true],
    ['Tom', 'Jack', true],
    ['A.', 'Amelia', false],
    ['Anna', 'Annabel', false],
    ['Steven', 'Stephen', false],
    ['Jon', 'John', false],
    ['Mohammed', 'Muhammad', false],
    ['Susan', 'Sue', false],
    ['James', 'Jim', false],
    ['Margaret', 'Peggy', false],
    ['Christine', 'Chrissie', false],
    ['', 'Anna', false],
  ])('“%s” and “%s” are of two people: %s', (one, other, is) => {
    expect(haveDifferentFirstNames({ given_name: one }, { given_name: other })).toBe(is);
  });
});
