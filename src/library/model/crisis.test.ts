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
    'She said she wants to harm herself and does not want to be here any more',
    'Her husband punches her',
    'cuts herself',
    'burns himself when upset',
    'life is not worth living',
    'he took his own life last week',
    'thinks of taking her own life',
    'tried to end it',
    'took an OD',
    'is having a heart attack',
    'can’t breathe',
    'he kicked me in the face',
    'slapped her',
    'threatened with a knife',
    'afraid she may harm the baby',
    'wants to kill his neighbour',
    'sexually abused as a child',
    'scared of my dad',
    'not safe at home',
    'trafficked',
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
    'she cuts herself off from friends',
    'his mother kicked him out',
    'had a heart attack last year, wants to get fit',
    'it hurts him to walk',
    'does not want to be a burden here',
    'a kickboxing class',
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
