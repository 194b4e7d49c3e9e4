import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkNewPassword, isCommonPassword } from './password-rules.ts';

const about = ['olwen.operator@example.org', 'Olwen Operator', 'Sarrowby referrals'];
const alone = { hasSecondFactor: false, about };
const withSecondFactor = { hasSecondFactor: true, about };
const ofWords = fc
  .array(fc.constantFrom('walnut', 'bicycle', 'teapot', 'harbour', 'violet', 'ladder', 'pigeon', 'march'), {
    minLength: 4,
    maxLength: 8,
  })
  .filter((words) => new Set(words).size > 3);

describe('a new password', () => {
  it('needs 15 characters, or 8 with a second factor', () => {
    expect(checkNewPassword('teapot violet!', alone)[0]?.message).toBe('must have 15 characters or more');
    expect(checkNewPassword('teapot violet!!', alone)).toEqual([]);
    expect(checkNewPassword('teapot7', withSecondFactor)[0]?.message).toBe('must have 8 characters or more');
    expect(checkNewPassword('tea7pot!', withSecondFactor)).toEqual([]);
    for (const common of ['password', 'sunshine', 'Dragon12', 'trustno1!'])
      expect(checkNewPassword(common, withSecondFactor), common).toHaveLength(1);
  });

  it('may have 256 characters of any kind', () => {
    const long = (count: number) =>
      Array.from({ length: count }, (_, at) => String.fromCodePoint(0x1f400 + ((at * at) % 211))).join('');
    expect(checkNewPassword(long(256), alone)).toEqual([]);
    expect(checkNewPassword(long(257), alone)[0]?.message).toBe('must have 256 characters or fewer');
  });

  it('is judged the same in every spelling of its characters', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme' })),
        fc.boolean(),
        fc.array(fc.string(), { maxLength: 4 }),
        (password, hasSecondFactor, words) => {
          const errors = checkNewPassword(password, { hasSecondFactor, about: words });
          const length = [...password.normalize('NFKC')].length;
          expect(errors.length).toBeLessThanOrEqual(1);
          if (errors.length === 0) {
            expect(length).toBeGreaterThanOrEqual(hasSecondFactor ? 8 : 15);
            expect(length).toBeLessThanOrEqual(256);
          }
          for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
            expect(checkNewPassword(password.normalize(form), { hasSecondFactor, about: words })).toEqual(
              errors,
            );
        },
      ),
    );
  });

  it('may be a few words of one’s own', () => {
    fc.assert(
      fc.property(ofWords, (words) => {
        expect(checkNewPassword(words.join(' '), alone)).toEqual([]);
      }),
    );
  });

  it('is refused when it is one part repeated', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 20 }),
        fc.integer({ min: 2, max: 12 }),
        (part, times) => {
          const password = part.repeat(times);
          fc.pre(password.normalize('NFKC').length <= 256);
          expect(checkNewPassword(password, alone)).toHaveLength(1);
        },
      ),
    );
  });

  it('is refused when it is a common one with signs around it', () => {
    const common = fc.constantFrom('password', 'sunshine', 'football', 'iloveyou', 'michelle', 'starwars');
    const padding = fc.string({ unit: fc.constantFrom(...'0123456789!?._- '), maxLength: 12 });
    fc.assert(
      fc.property(padding, common, padding, (before, word, after) => {
        expect(isCommonPassword(word)).toBe(true);
        expect(checkNewPassword(before + word.toUpperCase() + after, withSecondFactor)).toHaveLength(1);
      }),
    );
  });

  it.each([
    'a long enough password',
    'correct horse battery staple',
    'k3y7q-2mznp-w8rtx-a5vhd',
    'żółta łódź na rzece',
    '🐢🐢🐙🐙🐢🐙🐢🐢🐢🐙🐙🐙🐢🐙🐙',
    '482910573829164',
    'Olwen walks to work on Tuesdays',
  ])('may be %s', (password) => expect(checkNewPassword(password, alone)).toEqual([]));

  it.each([
    'aaaaaaaaaaaaaaa',
    '!!!!!!!!!!!!!!!!',
    '               ',
    '123456789012345',
    '543210987654321',
    'abcdefghijklmnopq',
    'qwertyuiopasdfgh',
    '1qaz2wsx3edc4rfv',
    'abcabcabcabcabcab',
    'passwordpassword',
    'Password Password',
    'P-a-s-s-w-o-r-d 1234567',
    'password12345678',
    '1234567890qwerty',
    'dragon2024202420',
    'olwen.operator@example.org',
    'Olwen.Operator@example.org1',
    'OlwenOperator2024',
    'sarrowby referrals!',
    'Sarrowby referrals 2026',
    'ｐａｓｓｗｏｒｄ１２３４５６７８',
  ])('may not be %s', (password) =>
    expect(checkNewPassword(password, alone)[0]?.message).toMatch(/harder to guess/));
});
