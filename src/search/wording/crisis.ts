import { typedWords } from '../../library/index.ts';

/** Said by people in danger, or about them. A site’s safety officer can set a list of their own. */
const defaultCrisisPhrases: readonly string[] = [
  ...['suicide', 'suicidal', 'end my life', 'end her life', 'end his life', 'end their life', 'want to die'],
  ...['wants to die', 'kill myself', 'kill herself', 'kill himself', 'kill themselves', 'killing herself'],
  ...[
    'killing himself',
    'killing myself',
    'took an overdose',
    'overdose',
    'overdosed',
    'self harm',
    'self harming',
  ],
  ...[
    'cutting myself',
    'cutting herself',
    'cutting himself',
    'hurting myself',
    'hang myself',
    'hang himself',
  ],
  ...['rape', 'raped', 'sexual assault', 'sexually assaulted', 'being abused', 'being hurt', 'being beaten'],
  ...[
    'beats me',
    'beats her',
    'beats him',
    'hits me',
    'hits her',
    'hits him',
    'threatens to kill',
    'forced marriage',
  ],
  ...['child abuse', 'strangled', 'stabbed', 'self harms', 'selfharm', 'over dose', 'took too many pills'],
  ...[
    'end it all',
    'ending it all',
    'kill my self',
    'killed myself',
    'jump off a bridge',
    'no reason to live',
  ],
  ...['hit by her husband', 'hit by my husband', 'hit by husband', 'hit by his wife', 'scared of my husband'],
  ...['scared of her husband', 'scared of my partner', 'scared of her partner', 'afraid of my husband'],
  ...['afraid of her husband', 'touches me', 'touched me', 'touches her', 'fgm', 'female genital mutilation'],
];

/** Whether somebody who searches for this may be in danger, or sit beside somebody who is. */
export function mentionsCrisis(typed: string, phrases: readonly string[] = defaultCrisisPhrases): boolean {
  const text = ` ${typedWords(typed).join(' ')} `;
  return phrases.some((phrase) => text.includes(` ${typedWords(phrase).join(' ')} `));
}
