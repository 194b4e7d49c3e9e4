import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCommonPassword, passwordErrors } from './password-rules.ts';

const about = ['olwen.operator@example.org', 'Olwen Operator', 'Sarrowby referrals'];
const alone = { hasSecondFactor: false, about };
const withSecondFactor = { hasSecondFactor: true, about };
const ofWords = fc
  .array(fc.constantFrom('walnut', 'bicycle', 'teapot', 'harbour', 'violet', 'ladder', 'pigeon', 'march'), {
    minLength: 4,
    maxLength: 8,
  })
  .filter((words) => new Set(words).size > 3);

test.each([
  'a long enough password',
  'correct horse battery staple',
  'k3y7q-2mznp-w8rtx-a5vhd',
  'żółta łódź na rzece',
  '🐢🐢🐙🐙🐢🐙🐢🐢🐢🐙🐙🐙🐢🐙🐙',
  '482910573829164',
  'Olwen walks to work on Tuesdays',
])('%s may be a password', (password) => expect(passwordErrors(password, alone)).toEqual([]));

test.each([
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
])('%s may not', (password) =>
  expect(passwordErrors(password, alone)[0]?.message).toMatch(/harder to guess/));

test('fifteen characters are needed, or eight where there is a second factor too', () => {
  expect(passwordErrors('teapot violet!', alone)[0]?.message).toBe('must have 15 characters or more');
  expect(passwordErrors('teapot violet!!', alone)).toEqual([]);
  expect(passwordErrors('teapot7', withSecondFactor)[0]?.message).toBe('must have 8 characters or more');
  expect(passwordErrors('tea7pot!', withSecondFactor)).toEqual([]);
  for (const common of ['password', 'sunshine', 'Dragon12', 'trustno1!'])
    expect(passwordErrors(common, withSecondFactor), common).toHaveLength(1);
});

test('256 characters are enough for anybody, whatever they are', () => {
  const long = (count: number) =>
    Array.from({ length: count }, (_, at) => String.fromCodePoint(0x1f400 + ((at * at) % 211))).join('');
  expect(passwordErrors(long(256), alone)).toEqual([]);
  expect(passwordErrors(long(257), alone)[0]?.message).toBe('must have 256 characters or fewer');
});

test('whatever is typed gets an answer, and the same however its characters are written', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme' })),
      fc.boolean(),
      fc.array(fc.string(), { maxLength: 4 }),
      (password, hasSecondFactor, words) => {
        const errors = passwordErrors(password, { hasSecondFactor, about: words });
        const length = [...password.normalize('NFKC')].length;
        expect(errors.length).toBeLessThanOrEqual(1);
        if (errors.length === 0) {
          expect(length).toBeGreaterThanOrEqual(hasSecondFactor ? 8 : 15);
          expect(length).toBeLessThanOrEqual(256);
        }
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
          expect(passwordErrors(password.normalize(form), { hasSecondFactor, about: words })).toEqual(errors);
      },
    ),
  );
});

test('what somebody thinks of in a few words of their own passes', () => {
  fc.assert(
    fc.property(ofWords, (words) => {
      expect(passwordErrors(words.join(' '), alone)).toEqual([]);
    }),
  );
});

test('one part over and over is refused, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.integer({ min: 2, max: 12 }),
      (part, times) => {
        const password = part.repeat(times);
        fc.pre(password.normalize('NFKC').length <= 256);
        expect(passwordErrors(password, alone)).toHaveLength(1);
      },
    ),
  );
});

test('a common password is refused with digits, signs and capitals around it', () => {
  const common = fc.constantFrom('password', 'sunshine', 'football', 'iloveyou', 'michelle', 'starwars');
  const padding = fc.string({ unit: fc.constantFrom(...'0123456789!?._- '), maxLength: 12 });
  fc.assert(
    fc.property(padding, common, padding, (before, word, after) => {
      expect(isCommonPassword(word)).toBe(true);
      expect(passwordErrors(before + word.toUpperCase() + after, withSecondFactor)).toHaveLength(1);
    }),
  );
});
