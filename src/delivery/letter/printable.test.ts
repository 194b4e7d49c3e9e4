import { describe, expect, it } from 'vitest';
import { toPrintable } from './printable.ts';

const latin = (point: number) => point < 0x0250;

describe('printable text', () => {
  it.each([
    ['keeps letters with marks, in one form', 'Sia\u0302n Żółć', 'Siân Żółć'],
    ['keeps lines, however they were ended', 'a\r\nb\rc\nd', 'a\nb\nc\nd'],
    ['drops what cannot be seen', 'a\u0000\u0007\u200Bb\u202Ec\uFEFF', 'abc'],
    ['shows one sign for what the typeface lacks', 'for 👨‍👩‍👧 and বাংলা', 'for \uFFFD and \uFFFD'],
    ['survives half a character', 'a\uD800b', 'a\uFFFDb'],
  ])('%s', (_what, text, expected) => {
    expect(toPrintable(text, latin)).toBe(expected);
  });

  /** The lines as they are on paper: pdfkit sets each word, with the space behind it, from the right if its script is read so. */
  const onPaper = (text: string) =>
    toPrintable(text, () => true)
      .split('\n')
      .map((line) =>
        (line.match(/[^ ]+ ?| /g) ?? []).map((word) =>
          /[\p{Script=Arabic}\p{Script=Hebrew}\u0660-\u0669]/u.test(word)
            ? [...word].toReversed().join('').replaceAll('\u00A0', ' ')
            : word,
        ),
      )
      .map((words) => words.join('').replaceAll(/ +/g, ' ').trim());
  const seen = (text: string) => [...text].toReversed().join('');

  it.each([
    ['a name within a sentence', 'Dr عبد الله بن علي, 7', [`Dr ${seen('عبد الله بن علي')}, 7`]],
    ['Arabic digits', 'شارع ١٢', [`١٢ ${seen('شارع')}`]],
    ['a house number and brackets', 'שדרות 12 (בית 3)', [`(3 ${seen('בית')}) 12 ${seen('שדרות')}`]],
    ['digits beside a letter', 'בני 10 ו-12', [`12-${seen('ו')} 10 ${seen('בני')}`]],
    ['names in other scripts', 'رقم 12 Mill Lane بيت', [`${seen('بيت')} Mill Lane 12 ${seen('رقم')}`]],
    ['an address in a sentence', 'شارع ١٢, Leeds, LS1 1AA.', [`١٢ ${seen('شارع')}, Leeds, LS1 1AA.`]],
  ])('sets from the right what is read from there: %s', (_what, text, lines) => {
    expect(onPaper(text)).toEqual(lines);
  });

  it('gives a longer text lines of its own', () => {
    const long = 'واحد اثنان ثلاثة أربعة خمسة ستة سبعة';
    const lines = [seen('واحد اثنان ثلاثة أربعة خمسة'), seen('ستة سبعة')];
    expect(onPaper(long)).toEqual(lines);
    expect(onPaper(`She says: ${long} (in Arabic).`)).toEqual(['She says:', ...lines, '(in Arabic).']);
  });

  it('breaks a word of thousands of characters into lines', () => {
    const words = toPrintable('x'.repeat(10_000), latin).split('\u200B');
    expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(200);
    expect(words.join('')).toHaveLength(10_000);
  });
});
