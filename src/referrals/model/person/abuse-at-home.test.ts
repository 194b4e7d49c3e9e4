import { describe, expect, it } from 'vitest';
import { mayTellOfAbuse, tellsOfAbuse } from './abuse-at-home.ts';

describe('abuse at home', () => {
  it.each([
    'Domestic violence at home',
    'Her partner is violent',
    'Partner is controlling and checks her phone',
    'coercive control',
    'MARAC case',
    'Fled her ex-partner',
    'honour-based abuse',
    'stalking by ex',
    'safeguarding concern about her husband',
    'Her son takes her money and shouts at her',
    'Her brother reads all of her emails',
    'Husband controls her phone and email. Domestic abuse.',
    'Partner is violent and reads her email',
    'walks on eggshells',
    'He checks her phone.',
    'Her husband is controlling.',
    'Her son is controlling her money.',
    'She has a non-molestation order.',
    'supported by Women’s Aid',
    'afraid of his wife',
  ])('is read in “%s”', (text) => {
    expect(mayTellOfAbuse(text)).toBe(true);
  });

  it.each([
    '',
    'She is lonely since her husband died.',
    'alcohol abuse, and smokes',
    'Her daughter reads to her and takes her shopping.',
    'Her son helps her with letters.',
    'afraid of falling',
    'likes to be in control of his diabetes',
    'Her partner is kind.',
    'Remote control for the door',
    'His diabetes is controlled.',
    'Blood pressure was controlled with tablets.',
    'He checks his emails once a week.',
    'She takes her phone everywhere.',
    'Nobody controls her money.',
    'He is controlling his weight.',
  ])('is not read in “%s”', (text) => {
    expect(mayTellOfAbuse(text)).toBe(false);
  });

  it('is looked for in every text of a referral', () => {
    expect(tellsOfAbuse({ reasons: [{ text: 'Lonely.' }], safety_notes: 'Her partner is violent.' })).toBe(
      true,
    );
    expect(tellsOfAbuse({ reasons: [{ text: 'Lonely.' }], safety_notes: 'A dog.' })).toBe(false);
  });
});
