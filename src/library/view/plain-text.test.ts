import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emailLink, phoneLink, webLink } from './links.ts';
import { beginning, plainText } from './plain-text.ts';

describe('plainText', () => {
  it('removes markup and keeps words and paragraphs', () => {
    expect(plainText('<p>Tea &amp; <b>cake</b></p><p>Everyone <i>under</i> 5 &lt; 10</p>')).toBe(
      'Tea & cake\nEveryone under 5 < 10',
    );
    expect(plainText(undefined)).toBe('');
  });

  it('shows numeric characters that a page may contain', () => {
    expect(plainText('Jo&#8217;s caf&#xE9; &#9731;')).toBe('Jo’s café ☃');
    expect(plainText('a&#0;b&#00;c&#x0;d&#27;e&#128;f')).toBe('abcdef');
    expect(plainText('&#55296;|&#xDFFF;|&#1114112;|&#9999999;')).toBe('\ufffd|\ufffd|\ufffd|\ufffd');
  });
});

describe('beginning', () => {
  it('keeps the first sentences', () => {
    expect(beginning('A walk. With tea.')).toBe('A walk. With tea.');
    const long = `${'A walk of some length through the fields and woods by the river. '.repeat(3)}The end.`;
    expect(beginning(long).endsWith('river.')).toBe(true);
    expect(beginning('word '.repeat(200)).endsWith('word…')).toBe(true);
    expect(beginning('Visits are arranged between these hours.', 20)).toBe('Visits are arranged…');
    fc.assert(fc.property(fc.string(), (text) => beginning(text).length <= 262));
  });
});

describe('links', () => {
  it('are made of web, email and telephone addresses only', () => {
    expect(webLink('https://example.org/')).toEqual({ text: 'example.org', href: 'https://example.org/' });
    expect(webLink('www.example.org')?.href).toBe('https://www.example.org');
    expect(webLink('javascript:alert(1)')?.href).toBeUndefined();
    expect(webLink('example')?.href).toBeUndefined();
    expect(emailLink('a@example.org')?.href).toBe('mailto:a@example.org');
    expect(emailLink('a@example.org?bcc=b@example.org')?.href).toBeUndefined();
    expect(phoneLink('01632 960 001').href).toBe('tel:01632960001');
    expect(phoneLink('ask at the desk').href).toBeUndefined();
  });
});
