import { describe, expect, it } from 'vitest';
import { crisisIn, mentionsCrisis } from './crisis.ts';

describe('words of crisis', () => {
  it.each([
    'kill myself',
    'sui\u00ADcide, copied from a PDF',
    'over\u200Bdose',
    'she can´t go on',
    'ｋｉｌｌ ｍｙｓｅｌｆ',
    'quiere matarse',
    'Ich will nicht mehr leben',
    'She has the pills ready',
    'he has a rope in the garage',
    'she said goodbye to everyone',
    "he doesn't see the point any more",
    'She cuts her arms when she is low',
    'he has been self-harming again',
    'wants it all to be over',
    'she would rather be dead',
    'he wishes he would not wake up',
    'thinks her family would be better off without her',
    'she has written a suicide note',
    'has thoughts of ending her life',
    'planning to take her own life',
    'has been stockpiling medication',
    'she tried to hang herself last week',
    'he jumped off the bridge last year',
    'she took 30 paracetamol',
    'he has been researching ways to die',
    'standing on the bridge last night',
    'feels life is not worth living',
    "he says he can't carry on",
    'she said she has had enough of life',
    'she wants to disappear and never come back',
    'je veux mourir',
    'quiero morir',
    'no quiere vivir',
    'vuole morire',
    'quero morrer',
    'ich will sterben',
    'sie will sich umbringen',
    'он хочет умереть',
    'не хочу жить',
    'ölmek istiyorum',
    'intihar',
    'mujhe marna hai',
    'atmahatya',
    'আত্মহত্যা',
    'தற்கொலை',
    'khudkhushi',
    'dua të vdes',
    'KMS',
    'She has tablets to sleep for-ever',
    'enough pills to sleep forever',
    'He does not want to wake up again',
    'wishes she would never wake up',
    'She does not want to be alive any more',
    'he didn’t want to exist',
    'no longer wants to be alive',
    'wants to not wake up',
    'He sees no point in living',
    'does not want to live any more',
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
    'on chce się zabić',
    'chce umrzec',
    'zostałam zgwałcona',
    'dw i eisiau marw',
    'vreau să mor',
    'vreau sa mor',
    'M-a violat.',
    'Я не хочу жити',
    'передозування',
    'أريد أن أموت',
    'محاولة انتحار',
    'میں مرنا چاہتی ہوں',
    'خودکشی',
    'ਖੁਦਕੁਸ਼ੀ',
    'main marna chahti hoon',
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
    'She wishes she was dead',
    'I wish I were dead',
    'Cannot see a way out',
    'has bruises and is scared of dad',
    'He locks her in the house',
    'has stopped eating and drinking',
    'lying on the floor since yesterday',
    'is experiencing domestic violence',
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
    'my knees are killing me',
    'cancer killed him last year',
    'stabbing pains in her foot',
    'was kicked out by her landlord',
    'a choking hazard',
    'burnt himself out at work',
    'is burning out as a carer',
    'does not like people to touch him',
    'takes tablets for his blood pressure',
    'a history of domestic abuse',
    'locked himself out',
    'exercises on the floor',
    'scared of dogs',
  ])('are not seen in “%s”', (typed) => {
    expect(mentionsCrisis(typed)).toBe(false);
  });

  it.each([
    'hit, hits, hitting him',
    'beat, beats, beaten, beating her',
    'punch, punches, punched, punching them',
    'kick, kicks, kicked, kicking me',
    'slap, slaps, slapped, slapping me',
    'strangle, strangles, strangled, strangling her',
    'choke, chokes, choked, choking me',
    'throttle, throttles, throttled, throttling his wife',
    'stab, stabs, stabbed, stabbing him',
    'suffocate, suffocates, suffocated, suffocating the baby',
    'rape, rapes, raped, raping her',
    'attack, attacks, attacked, attacking my mum',
    'assault, assaults, assaulted, assaulting us',
    'abuse, abuses, abused, abusing her daughter',
    'molest, molests, molested, molesting me',
    'burn, burns, burned, burnt, burning him',
    'harm, harms, harmed, harming them',
    'shoot, shoots, shot, shooting her',
    'poison, poisons, poisoned, poisoning him',
    'drown, drowns, drowned, drowning the children',
    'kill, kills, killing her',
    'hurt, hurts, hurting my children',
    'shake, shakes, shook, shaken, shaking the baby',
    'starve, starves, starved, starving the child',
    'touches, touched, touching my daughter',
    'kill, kills, killed, killing himself',
    'hurt, hurts, hurting herself',
    'cut, cuts, cutting themselves',
    'hang, hangs, hanged, hung, hanging himself',
    'stab, stabs, stabbed, stabbing herself',
    'starve, starves, starved, starving myself',
    'injure, injures, injured, injuring myself',
    'take, takes, took, taken, taking her own life',
    'end, ends, ended, ending his life',
    'want, wants, wanted, wanting to die',
    'slit, slits, slitting their wrists',
    'swallow, swallows, swallowed, swallowing bleach',
    'drink, drinks, drank, drunk, drinking bleach',
    'take, takes, took, taken, taking all her pills',
    'jump, jumps, jumped, jumping in front of a train',
    'throw, throws, threw, thrown, throwing herself under a bus',
    'threaten, threatens, threatened, threatening to stab',
    'force, forces, forced, forcing her to have sex',
    'make, makes, made, making me have sex',
    'scared, afraid, frightened, terrified of my boyfriend',
  ])('are noticed in every form: %s', (verb) => {
    const forms = verb.split(', ');
    const [last, ...rest] = forms.pop()!.split(' ');
    for (const form of [...forms, last])
      expect([form, mentionsCrisis(`he keeps ${form} ${rest.join(' ')} again`)]).toEqual([form, true]);
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

describe('the words of a crisis in a text', () => {
  it.each([
    'He has thought of walking into the river.',
    'She has written a letter to her son.',
    'He gave away his dog and his tools.',
    'He gave his dog away.',
    'He says that he will be with his late wife before Christmas.',
    'She left a goodbye letter.',
  ])('are found: %s', (text) => {
    expect(mentionsCrisis(text)).toBe(true);
  });

  it.each([
    ['She has no thoughts of harming herself.', true],
    ['She has never thought of suicide.', true],
    ['He denies suicide.', true],
    ['Low mood. Denies suicidal thoughts.', true],
    ['No suicidal ideation or plans', true],
    ['No suicidal thoughts today, but had some.', false],
    ['Denies suicidal thoughts but has a plan.', false],
    ['Denies suicidal thoughts. Has a plan and a date.', false],
    ['Denies suicidal thoughts. Then she said yes.', false],
    ['She no longer denies suicidal thoughts.', false],
    ['He has not denied suicidal thoughts.', false],
    ['Denies suicidal thoughts. Likes gardening.', true],
    ['She has no thoughts of suicide today, but did.', false],
    ['She has thoughts of suicide.', false],
    ['There are no plans. She talks of suicide.', false],
  ])('are denied just before them or at the end of a sentence: %s', (text, isDenied) => {
    expect(crisisIn(text).map((each) => each.isDenied)).toEqual([isDenied]);
  });

  it('come with their sentence, and later ones while they fit', () => {
    expect(
      crisisIn('It is bad. On Friday, Jo said “I want to die” and cried all evening. He went home.'),
    ).toEqual([
      {
        words: 'On Friday, Jo said I want to die and cried all evening. He went home.',
        goesOn: true,
        isDenied: false,
      },
    ]);
    expect(crisisIn('She wants to die.')).toEqual([
      { words: 'She wants to die.', goesOn: false, isDenied: false },
    ]);
    const next = 'He talks of his dog. '.repeat(12).trim();
    const { words, goesOn } = crisisIn(`He wants to die tonight. ${next}`)[0]!;
    expect(words).toMatch(/^He wants to die tonight\. (He talks of his dog\. ?){8}$/);
    expect(goesOn).toBe(true);
  });

  it('have as many words on each side where the sentence is long', () => {
    const before = 'and he went on '.repeat(20);
    const after = ' and on, if she leaves him'.repeat(20);
    const { words } = crisisIn(`${before}that he wants to die${after}.`)[0]!;
    expect(words.length).toBeLessThanOrEqual(202);
    expect(words).toMatch(/^….+that he wants to die and on, if she leaves him and.+…$/);
  });
});
