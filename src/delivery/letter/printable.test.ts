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

  it('turns round a name that pdfkit would set from the left', () => {
    const turned = (text: string) => toPrintable(text, () => true);
    expect(turned('Dr عبد الله بن علي, 7')).toBe('Dr علي, بن الله عبد 7');
  });

  it('gives a longer text lines of their own, each turned round', () => {
    const turned = (text: string) => toPrintable(text, () => true);
    const long = 'واحد اثنان ثلاثة أربعة خمسة ستة سبعة';
    const lines = 'خمسة أربعة ثلاثة اثنان واحد\nسبعة ستة';
    expect(turned(long)).toBe(lines);
    expect(turned(`She says: ${long} (in Arabic).`)).toBe(`She says:\n${lines}\n(in Arabic).`);
    // Names and numbers in other scripts keep their own order.
    expect(turned('رقم 12 Mill Lane بيت')).toBe('بيت 12 Mill Lane رقم');
    expect(turned('אני גר ברחוב שלום 7')).toBe('7 שלום ברחוב גר אני');
  });

  it('breaks a word of thousands of characters into lines', () => {
    const words = toPrintable('x'.repeat(10_000), latin).split('\u200B');
    expect(Math.max(...words.map((word) => word.length))).toBeLessThanOrEqual(200);
    expect(words.join('')).toHaveLength(10_000);
  });
});
