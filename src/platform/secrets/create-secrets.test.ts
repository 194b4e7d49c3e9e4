import { isUtf8 } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { createSecrets } from './create-secrets.ts';

const secrets = createSecrets(Buffer.alloc(32, 7));

describe('the keyed hash', () => {
  it('stays as it is, because databases and backups have it', () => {
    const hash = secrets.hash('patient number', '9434765919');
    expect(hash.toString('hex')).toBe('681479cfadabaf5269875976347deec0d0e9907d506bc14c9f3bdeabebcff561');
    expect(secrets.hashText('patient number', '9434765919')).toBe(hash.toString('base64'));
  });

  it('is another one for each key, purpose and text', () => {
    const hashes = [
      secrets.hash('a', 'text'),
      secrets.hash('b', 'text'),
      secrets.hash('a', 'text '),
      createSecrets(Buffer.alloc(32, 8)).hash('a', 'text'),
    ];
    expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(4);
  });

  // From a hash alone follows that of its text with SHA-256's padding behind it, which begins with 0x80.
  it('cannot be extended to the hash of a longer text', () => {
    for (const text of ['', 'Łukasz 1980-01-01', '😀', 'é', '\ud83d'])
      expect(isUtf8(Buffer.concat([Buffer.from(text), Buffer.from([0x80])])), text).toBe(false);
  });
});
