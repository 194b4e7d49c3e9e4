import { describe, expect, it } from 'vitest';
import { cannotBePrinted, foldName, mayShareLastName, normaliseName, printedPart } from './names.ts';

describe('a name', () => {
  it('is the same with and without characters that nobody sees', () => {
    for (const typed of ['Quill\u200bfeather', 'Quill\u3164feather', '\u2060QUILL-FE\u0301ATHER\u202e'])
      expect(normaliseName(typed), JSON.stringify(typed)).toBe('quillfeather');
  });
});

describe('a last name beside that of an account’s holder', () => {
  it.each([
    ['Ada Moss', 'moss', true],
    ['MOSS, Ada', 'Moss', true],
    ['Ada Ní Moss-Hale', 'Hale', true],
    ['Ada Ní Moss-Hale', 'Moss-Hale', true],
    ['Ada Smith-Jones', 'Smith', true],
    ['Ada Smith', 'Smith-Jones', true],
    ['Smith–Jones, Ada', 'Jones', true],
    ['Ada Smith Jones', 'Brown-Smith', true],
    ['Bo Sørensen', 'Sorensen', true],
    ['Ewa Łukasik', 'LUKASIK', true],
    ['Jan Groß', 'Gross', true],
    ['Ida Kjær', 'Kjaer', true],
    ['Ana Đurić', 'Duric', true],
    ['Leif Ólavsson', 'Olavsson', true],
    ['Pat O’Brien', 'OBrien', true],
    ['Pat OBrien', "O'Brien", true],
    ['Pat O Brien', 'O`Brien', true],
    ['Ada Moss', 'Ada', false],
    ['Ada Moss', 'Mossop', false],
    ['Ada Moss', '-', false],
    ['Ada van der Berg', 'van Dyke', false],
    ['Ada de la Cruz', 'de la Torre', false],
    ['Pat O’Brien', 'O’Hara', false],
  ])('finds in “%s”: %s is %s', (full, last, is) => {
    expect(mayShareLastName(full, last)).toBe(is);
  });

  it('is compared without capitals, accents and punctuation', () => {
    for (const [one, other] of [
      ['Ólav', 'OLAV'],
      ['Bjørn', 'bjorn'],
      ['Łucja', 'Lucja'],
      ['Ægir', 'aegir'],
      ['Smith-Jones', 'smith jones'],
      ['D’Arcy', 'DARCY'],
    ] as const)
      expect(foldName(one)).toBe(foldName(other));
  });
});

describe('a name in a letter', () => {
  it.each([
    ['王芳', true, ''],
    ['王 (Wang)', true, 'Wang'],
    ['রহিমা', true, ''],
    ['ਗੁਰਪ੍ਰੀਤ', true, ''],
    ['Żółkiewska-Llŷr', false, 'Żółkiewska-Llŷr'],
    ['O’Brien', false, 'O’Brien'],
    ['Шевченко', false, 'Шевченко'],
    ['فاطمة', false, 'فاطمة'],
    ['Παπαδόπουλος', false, 'Παπαδόπουλος'],
  ])('is looked at for letters that cannot be printed: %s', (name, cannot, part) => {
    expect([cannotBePrinted(name), printedPart(name)]).toEqual([cannot, part]);
  });
});
