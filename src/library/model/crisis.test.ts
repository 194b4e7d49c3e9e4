import { describe, expect, it } from 'vitest';
import { mentionsCrisis } from './crisis.ts';

describe('words of crisis', () => {
  it.each([
    'kill myself',
    'She took all her tablets',
    'he will take all his tablets',
    'I am going to hurt the baby',
    'chest pain since this morning',
    'I think he is having a stroke',
    'has had a stroke today',
    'she is not waking up',
    'bleeding heavily',
    'hurting himself',
    'want to end it',
    'cant go on',
    'ligature',
    'jumping off bridge',
    'baby shaken',
    'starving baby',
    'kill him',
    'unalive',
    'samobójstwo',
    'samobojstwo',
    'hunanladdiad',
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
    'they would be better off dead',
    'thinking of hanging myself',
    'i will hang myself',
    'she swallowed bleach',
    'drank bleach',
    'going to jump off',
    'slit my wrists',
    'I keep cutting myself',
    'i want to die',
    'end my life',
    'no reason to live',
    'he is going to kill me',
    'my dad hit me',
    'strangled by ex',
    'forced to have sex',
    'uncle touched my child',
    'run away from home child',
    'can’t keep my child safe',
    "can't keep my child safe",
    'voices telling me to do it',
    'took pills',
    'took tablets tonight',
    'my son was stabbed',
    'kil myself',
    'suicidle',
    'sucide',
    'overdoze',
    'I don’t want to live',
  ])('are noticed in “%s”', (typed) => {
    expect(mentionsCrisis(typed)).toBe(true);
  });

  it.each([
    '',
    'rapeseed allotment',
    'stroke club',
    'stroke survivors group',
    'had a stroke last year',
    'life drawing',
    'bereavement',
    'skill myself up',
    'hit the gym',
    'dead end job',
    'die casting club',
    'killing time',
    'kill a weed gardening',
    'cutting garden',
    'swimming jump',
    'jump rope',
    'keep my child safe online',
    'hearing voices group',
    'living with a death',
    'pills and tablets explained',
    'home from hospital',
    'hit and miss choir',
    'beat the blues',
  ])('are not seen in “%s”', (typed) => {
    expect(mentionsCrisis(typed)).toBe(false);
  });

  it('include the site’s own phrases, without losing built-in ones', () => {
    expect(mentionsCrisis('rope', ['rope', 'a bridge'])).toBe(true);
    expect(mentionsCrisis('on A  Bridge tonight', ['rope', 'a bridge'])).toBe(true);
    expect(mentionsCrisis('rope')).toBe(false);
    expect(mentionsCrisis('overdose', ['rope'])).toBe(true);
  });

  it('leave out phrases that the site marks with a hyphen', () => {
    const own = ['rope', '-jump off', '-Self-harm'];
    expect(mentionsCrisis('a jump off the sofa', own)).toBe(false);
    expect(mentionsCrisis('self harm', own)).toBe(false);
    expect(mentionsCrisis('self harming', own)).toBe(true);
    expect(mentionsCrisis('rope', own)).toBe(true);
  });
});
