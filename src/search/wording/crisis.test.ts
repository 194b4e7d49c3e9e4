import { describe, expect, it } from 'vitest';
import { mentionsCrisis } from './crisis.ts';

describe('words of crisis', () => {
  it.each([
    'kill myself',
    'She says she wants to DIE',
    'took 30 paracetamol, an overdose, tonight',
    'self-harm',
    'my husband hits me',
    'raped',
    'he wants to end it all',
    'selfharm',
    'scared of my husband',
    'my dad touches me',
    'FGM',
  ])('are noticed in “%s”', (typed) => {
    expect(mentionsCrisis(typed)).toBe(true);
  });

  it.each([
    '',
    'rapeseed allotment',
    'life drawing',
    'bereavement',
    'skill myself up',
    'hit the gym',
  ])('are not seen in “%s”', (typed) => {
    expect(mentionsCrisis(typed)).toBe(false);
  });

  it('are those of the site’s own list if it has one', () => {
    expect(mentionsCrisis('rope', ['rope', 'a bridge'])).toBe(true);
    expect(mentionsCrisis('on A  Bridge tonight', ['rope', 'a bridge'])).toBe(true);
    expect(mentionsCrisis('overdose', ['rope'])).toBe(false);
  });
});
