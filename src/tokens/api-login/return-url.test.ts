import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/app/runs.ts';
import {
  forgedReturnUrls,
  honestReturnUrls,
  registeredAddresses,
} from '../../../test/people/forged-return-addresses.ts';
import { appendToken, type ReturnUrl, readReturnAddress, readReturnUrl } from './return-url.ts';

const registered = new Set<string>(registeredAddresses);

/** The return URL that a token would be sent to; undefined if it is refused. */
function accepted(text: string, mode: 'test' | 'live' = 'test'): ReturnUrl | undefined {
  const reading = readReturnUrl(text, mode);
  return 'error' in reading || !registered.has(reading.address) ? undefined : reading;
}

/** Texts that are nearly return URLs, made from parts that attackers use. */
const nearly = fc
  .array(
    fc.constantFrom(
      ...[
        'https://',
        'http://',
        'client.example',
        'localhost',
        '127.0.0.1',
        '[::1]',
        'evil.example',
        ':8443',
        ':443',
      ],
      ...[
        '/',
        '//',
        '/signed-in',
        '.',
        '..',
        '%2e',
        '%2F',
        '%5c',
        '\\',
        ';',
        '@',
        '#',
        '?',
        '&',
        '=',
        '%',
        '%25',
      ],
      ...[
        'token',
        'TOKEN',
        'access_token',
        '%74',
        '[]',
        '+',
        ' ',
        '\t',
        '\n',
        '\0',
        'é',
        '\u202e',
        'x',
        '-',
        '_',
      ],
    ),
    { maxLength: 9 },
  )
  .map((parts) => parts.join(''));
const anything = fc.oneof(
  nearly,
  nearly.map((rest) => `https://client.example/signed-in${rest}`),
  nearly.map((rest) => `https://client.example${rest}`),
  fc.string({ unit: 'binary' }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
);

describe('a return address', () => {
  it('stays the same when its stored form is registered again', () => {
    for (const address of registeredAddresses) {
      expect(readReturnAddress(address, 'test'), address).toMatchObject({ address });
      expect(accepted(address)?.text, address).toBe(address);
    }
  });

  it.each(honestReturnUrls)('is accepted: %s', (text) => {
    const { origin, address } = accepted(text)!;
    expect(new URL(text).origin).toBe(origin);
    expect(registered).toContain(address);
  });

  it('is refused in more than a hundred forged forms', () => {
    const forged = Object.values(forgedReturnUrls).flat();
    expect(new Set(forged).size).toBe(forged.length);
    expect(forged.length).toBeGreaterThan(100);
    expect(forged.filter((text) => accepted(text))).toEqual([]);
  });

  it('may be on the user’s computer only at a test site', () => {
    for (const address of registeredAddresses) {
      const there = address.startsWith('https:');
      expect('address' in readReturnAddress(address, 'live'), address).toBe(there);
      expect(accepted(address, 'live') !== undefined, address).toBe(there);
    }
  });

  it('is refused where a server could read another path', () => {
    const paths = [
      '//x',
      '/x//',
      '/x/..',
      '/../x',
      '/x..y',
      '/.',
      '/x;y',
      '/x%2Fy',
      '/x%2fy',
      '/x%5cy',
      '/%2e',
      '/%2E%2E',
    ];
    for (const path of [...paths, '/x%3By', '/x%252fy', '/x%00', '/x%7F', '/x\\y', '/é', '/x y'])
      expect(readReturnAddress(`https://client.example${path}`, 'test'), path).toHaveProperty('error');
    for (const path of ['/', '/x/', '/a.b/c-d_e~f', '/%C3%A9', "/(x)!*',@:$&=+"])
      expect(readReturnAddress(`https://client.example${path}`, 'test'), path).toHaveProperty('address');
  });

  it('has no query when it is registered', () => {
    for (const text of ['https://client.example/?', 'https://client.example/signed-in?a=b'])
      expect(readReturnAddress(text, 'test')).toHaveProperty('error');
  });

  it('gets the token appended without another change', () => {
    const appended = (text: string) => appendToken(accepted(text)!, 'ona_x');
    expect(appended('https://client.example/')).toBe('https://client.example/?token=ona_x');
    expect(appended('https://client.example/?')).toBe('https://client.example/?token=ona_x');
    expect(appended('https://client.example/?a=%7e')).toBe('https://client.example/?a=%7e&token=ona_x');
    expect(appended('https://client.example/?a?')).toBe('https://client.example/?a?&token=ona_x');
    expect(appended('https://client.example/?a&')).toBe('https://client.example/?a&token=ona_x');
  });

  it('is read by a browser exactly as it was compared', () => {
    const check = (text: string) => {
      const reading = readReturnUrl(text, 'test');
      if ('error' in reading) return;
      const target = new URL(appendToken(reading, 'ona_x'));
      expect(target.origin).toBe(reading.origin);
      expect(text.startsWith(target.origin + target.pathname)).toBe(true);
      expect([target.username, target.password, target.hash]).toEqual(['', '', '']);
      expect(target.searchParams.getAll('token')).toEqual(['ona_x']);
      expect(text).toMatch(/^[!-~]{1,2000}$/);
    };
    fc.assert(fc.property(anything, check), { numRuns: runs(3000) });
  });

  it('is not repeated in any error message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (secret) => {
        const reading = readReturnUrl(`https://${secret}secret/#`, 'test');
        expect('error' in reading && !reading.error.includes(`${secret}secret`)).toBe(true);
      }),
    );
  });
});
