import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto';

/** What the site key is used for. Each purpose has its own key, so that a value made for one cannot serve another. */
export type SiteSecrets = {
  /**
   * A keyed hash (SHA-256, 32 bytes), to store and find again a token, or a text that is easily guessed, such as a name
   * with a birth date. Without the site key nobody can try guesses against a copied database.
   */
  hash(purpose: string, text: string): Buffer;
  /** The same hash in base64, for look-ups in memory. It takes half the time. */
  hashText(purpose: string, text: string): string;
  /** A keyed code (HMAC-SHA-256) over a text of any length, which proves that this site wrote it. */
  authenticate(purpose: string, text: string): Buffer;
  /** AES-256-GCM: 12 bytes nonce, 16 bytes tag, then the text. `context` must be the same when opening. */
  seal(purpose: string, context: string, text: string): Buffer;
  /** @throws Error when it was sealed with another key or context, or was changed. */
  open(purpose: string, context: string, sealed: Buffer): string;
};

/** Hashes and seals under this site key of 32 bytes. Another key opens none of it. */
export function createSecrets(siteKey: Buffer): SiteSecrets {
  const keyFor = memoize((purpose) => Buffer.from(hkdfSync('sha256', siteKey, '', `onward ${purpose}`, 32)));
  const prefixFor = memoize((purpose) => `${keyFor(`hash ${purpose}`).toString('hex')}:`);
  return {
    // The key fills SHA-256's first block, so a hash cannot be worked out without it, however easily the text is guessed.
    // An HMAC also prevents length extension: from a hash alone, that of its text with SHA-256's padding and more behind it.
    // That padding begins with the byte 0x80, which UTF-8 never has after a whole text, so no other text's hash can be made.
    // This takes a third of an HMAC's time, and databases and backups have these hashes: another function would not find them.
    hash: (purpose, text) => hash('sha256', prefixFor(purpose) + text, 'buffer'),
    hashText: (purpose, text) => hash('sha256', prefixFor(purpose) + text, 'base64'),
    authenticate: (purpose, text) =>
      createHmac('sha256', keyFor(`authenticate ${purpose}`))
        .update(text)
        .digest(),
    seal(purpose, context, text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(`seal ${purpose}`), nonce).setAAD(
        Buffer.from(context),
      );
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(purpose, context, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', keyFor(`seal ${purpose}`), sealed.subarray(0, 12));
      decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(12, 28));
      return decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}

function memoize<T>(make: (purpose: string) => T): (purpose: string) => T {
  const results = new Map<string, T>();
  return (purpose) => {
    const value = results.get(purpose) ?? make(purpose);
    results.set(purpose, value);
    return value;
  };
}

/** A new secret of 256 random bits, in base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text has the shape of such a secret. Other text need not be looked up. */
export function isSecret(text: string): boolean {
  return /^[\w-]{43}$/.test(text);
}
