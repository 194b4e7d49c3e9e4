import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeBrowser } from './describe-browser.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const examples: [string, string][] = [
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/153.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/153.0.0.0 Safari/537.36 Edg/153.0.0.0`,
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Linux'],
  [
    `Mozilla/5.0 (Linux; Android 16; SM-S921B) ${webKit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
];

describe('the description of a browser', () => {
  it('has its name and system', async () => {
    for (const [userAgent, words] of examples) expect(await describeBrowser(userAgent)).toBe(words);
    for (const userAgent of [undefined, '', 'curl/8.5.0', 'x'.repeat(10_000)])
      expect(await describeBrowser(userAgent)).toBeUndefined();
  });

  it('repeats nothing that was sent', () => {
    const word = '[A-Za-z]+( Internet| OS| Explorer)?';
    const ours = new RegExp(`^((${word}|A browser)( on ${word})?)$`);
    const parts = fc.constantFrom(
      'Chrome/1 ',
      'Windows NT 10 ',
      'Firefox/1 ',
      '<script>',
      '; Android 9 ',
      'X/1 ',
    );
    const texts = fc.array(fc.oneof(parts, fc.string()), { maxLength: 6 }).map((all) => all.join(''));
    return fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const words = await describeBrowser(text);
        if (words !== undefined) expect(words).toMatch(ours);
      }),
    );
  });
});
