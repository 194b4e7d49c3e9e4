import { describe, expect, it } from 'vitest';
import { isPlainLine } from './visible-text.ts';

describe('a plain line', () => {
  it.each([
    ['a ZWNJ between letters', 'علی\u200cرضا'],
    ['a ZWJ within an emoji', 'Jo 👩🏽\u200d⚕\ufe0f'],
    ['an accent', 'Zoë Ó Súilleabháin'],
    ['nothing at all', ''],
  ])('may have %s', (_, name) => expect(isPlainLine(name)).toBe(true));

  it.each([
    ['a line end', 'Two\nlines'],
    ['a line separator', 'Two\u2028lines'],
    ['a tab', 'Tab\tname'],
    ['a control character', 'Bell\u0007'],
    ['a reversed direction', 'Hidden\u202ename'],
    ['a mark of direction', 'Hidden\u200ename'],
    ['a zero-width space', 'Wide\u200bspace'],
    ['only zero-width joiners', '\u200d\u200c'],
  ])('must not have %s', (_, name) => expect(isPlainLine(name)).toBe(false));
});
