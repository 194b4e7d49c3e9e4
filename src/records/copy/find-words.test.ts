import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasWords, patternOf, replaceWords } from './find-words.ts';

/** Letters that look like those of the words below, as somebody may have typed or pasted them. */
const homoglyphs: Readonly<Record<string, string>> = {
  ...{
    a: 'аα',
    b: 'В',
    c: 'сС',
    e: 'еΕ',
    h: 'Н',
    i: 'іΙ',
    k: 'Κк',
    m: 'Μм',
    n: 'Ν',
    o: 'оΟ',
    p: 'рΡ',
    r: 'r',
  },
  ...{ s: 'ѕ', t: 'Τ', u: 'υ', v: 'ν', x: 'хΧ', y: 'уΥ' },
};
const insides = [
  '\n',
  '\r\n',
  ' \n',
  '-\n',
  '-\r\n  ',
  '- ',
  '\u00ad',
  '\u00ad\n',
  '\u200b',
  '\u200d',
  '\u2060',
  '\ufeff',
  '/',
  '\\',
  '-',
  '‑',
  '\u00a0',
  '\u202f',
  ' ',
  '\t',
  ' -\n',
];
const betweens = [
  '  ',
  '\n',
  '\r\n',
  '\u00a0',
  ' \u00a0 ',
  '\u2009',
  '\t',
  ' \n ',
  '/',
  '\u00ad ',
  ' \u200b',
  '-\n',
];

/** What somebody reads: without what prints nothing, with every letter that looks Latin as one. */
function asRead(text: string): string {
  const latin = new Map(
    Object.entries(homoglyphs).flatMap(([letter, others]) => [...others].map((each) => [each, letter])),
  );
  const letters = [...text].map((each) => latin.get(each) ?? each);
  return letters
    .join('')
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
}

const words = fc.constantFrom(
  'Kevin',
  'Karen Smith',
  'Anna Maria Kovács',
  "O'Brien",
  'Moss-Hale',
  'Томаs',
  'thirdparty',
);

/** A way to write the words: something between two of their letters, and some letters of other alphabets. */
const disguised = fc
  .tuple(
    words,
    fc.nat(),
    fc.constantFrom(...insides),
    fc.constantFrom(...betweens),
    fc.array(fc.nat(3), { minLength: 20, maxLength: 20 }),
  )
  .map(([typed, at, inside, between, which]) => {
    const written = [...typed].map((letter, index) => {
      if (letter === ' ') return between;
      const others = homoglyphs[letter.toLowerCase()];
      const pick = which[index % which.length]!;
      return others !== undefined && pick > 0 ? ([...others][pick - 1] ?? letter) : letter;
    });
    const inner = written.flatMap((_, index) =>
      /\p{L}/u.test(written[index]!) && /\p{L}/u.test(written[index + 1] ?? '') ? [index] : [],
    );
    const place = inner[at % inner.length]!;
    written[place] += inside;
    return { typed, text: written.join('') };
  });

const around = fc.constantFrom('', 'The ', 'rang; ', '(', '“', '\n', '12 ', 'Ring ');
const after = fc.constantFrom('', ' rang', '.', ', too', '\n', '’s dog', ')', ' 12');

describe('words to black out', () => {
  it('are found whole in whatever form somebody wrote them', () => {
    fc.assert(
      fc.property(disguised, around, after, ({ typed, text }, before, behind) => {
        const whole = `${before}${text}${behind}`;
        const left = replaceWords(whole, patternOf(typed), '█████');
        expect(hasWords(whole, patternOf(typed))).toBe(true);
        expect(left).toBe(`${before}█████${behind}`);
        expect(asRead(left)).not.toContain(asRead(typed));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['Kev/in rang', 'Kevin'],
    ['Kev\u00adin rang', 'Kevin'],
    ['Κevin rang', 'Kevin'],
    ['Kevin rang', 'Κevin'],
    ['КЕVІN rang', 'kevin'],
    ['Ｋｅｖｉｎ rang', 'Kevin'],
    ['Kev-\n  in rang', 'Kevin'],
    ['Kev\nin rang', 'Kevin'],
    ['Karen\u00a0\n Smith rang', 'Karen Smith'],
    ['Zebe dee rang', 'Zebedee'],
    ['Z e b e d e e rang', 'Zebedee'],
    ['Z  e b e\u00ad d e e rang', 'Zebedee'],
    ['Zeb e-dee rang', 'Zebedee'],
    ['Zebe -\n dee rang', 'Zebedee'],
    ['Zebe\u00ad\n\u00addee rang', 'Zebedee'],
    ['Kev in rang', 'Kevin'],
    ['Zoë rang', 'Zoe'],
    ['Zoe rang', 'Zoë'],
    ['OBrien rang', 'O’Brien'],
    ['Søren rang', 'Soren'],
    ['ΝΙΚΟΣ rang', 'Νίκος'],
    ['нина rang', 'НИНА'],
  ])('stand in “%s” as %s', (text, typed) => {
    expect(replaceWords(text, patternOf(typed), '█████')).toBe('█████ rang');
  });

  it.each([
    ['She was in\na box', 'Ina'],
    ['It looked as if he was ill', 'Asif'],
    ['She may a little later', 'Maya'],
    ['Zebe, dee', 'Zebedee'],
    ['Zebe deed', 'Zebedee'],
    ['Kevins rang', 'Kevin'],
    ['Annual review', 'Ann'],
    ['Kev, in the morning', 'Kevin'],
    ['Ask Ken. Vin rang', 'Kenvin'],
    ['Νίκη rang', 'Νίκος'],
  ])('are not found in “%s” as %s', (text, typed) => {
    expect(hasWords(text, patternOf(typed))).toBe(false);
    expect(replaceWords(text, patternOf(typed), '█████')).toBe(text);
  });

  it('are found in time that grows with the length of any text', () => {
    for (const each of [
      '\ufeff',
      '\u200b',
      ' ',
      '\n',
      '-',
      "'",
      '-\n',
      ' \n',
      '\u00a0',
      'K-',
      'K\u200b',
      '0 ',
    ])
      for (const typed of ['Kevin', "K'evin Smith", 'K.evin', '01632 960123'])
        expect(
          hasWords(`K${each.repeat(5000)}x 0${each.repeat(5000)}x`, patternOf(typed)),
          JSON.stringify(each),
        ).toBe(false);
  }, 10_000);
});
