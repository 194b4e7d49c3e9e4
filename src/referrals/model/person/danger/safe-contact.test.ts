import { describe, expect, it } from 'vitest';
import { agreedContactKind } from '../../after-acceptance/contacts.ts';
import { safeContactInWords, waysToLink } from './safe-contact.ts';

describe('the way to contact somebody, in words of the referrer', () => {
  it.each([
    ['By email', { telephone: false, email: true }, 'email', true],
    ['emails', { telephone: false, email: true }, 'email', true],
    ['SMS', { telephone: false, email: false }, 'text', true],
    ['in person', { telephone: false, email: false }, 'in-person', true],
    ['By phone', { telephone: true, email: false }, 'telephone', false],
    ['telephone or text', { telephone: true, email: false }, undefined, false],
  ])('is read alike everywhere: %s', (channel, links, kind, isNotToRing) => {
    expect(waysToLink({ safe: 'yes', channel })).toEqual(links);
    expect(agreedContactKind(channel)).toBe(kind);
    expect(safeContactInWords({ safe: 'yes', channel }).includes('Do not ring.')).toBe(isNotToRing);
  });
});
