import { createCipheriv, createHash } from 'node:crypto';
import { newRandomBytes } from '../../../platform/secrets/index.ts';

/** What pdfkit made of a document’s encryption: revision 5, which PDF 2.0 withdrew, and which some readers do not open. */
export type PdfSecurity = { encryptionKey: Uint8Array; dictionary: { data: Record<string, unknown> } };

/**
 * Replaces the password entries by those of revision 6 (ISO 32000-2, 7.6.4). The document itself stays encrypted with the same key
 * (AES with 256 bits). pdfkit, our library, has no option for it, so this changes the dictionary before it is written.
 */
export function protectWithPassword(security: PdfSecurity, password: string): void {
  const prepared = preparePassword(password);
  const key = security.encryptionKey;
  const user = passwordEntries(prepared, key, new Uint8Array());
  const owner = passwordEntries(prepared, key, user.hashed);
  Object.assign(security.dictionary.data, {
    R: 6,
    U: user.hashed,
    UE: user.encryptedKey,
    O: owner.hashed,
    OE: owner.encryptedKey,
  });
}

/** SASLprep as far as it changes what people type (RFC 4013), and at most 127 bytes. */
function preparePassword(password: string): Uint8Array {
  const mapped = password
    .replaceAll(/\u00AD|\u034F|\u1806|[\u180B-\u180D]|[\u200B-\u200D]|\u2060|[\uFE00-\uFE0F]|\uFEFF/gu, '')
    .replaceAll(/\p{Zs}/gu, ' ')
    .normalize('NFKC');
  return new TextEncoder().encode(mapped).slice(0, 127);
}

/** Algorithms 8 and 9: what tells a right password, with its two salts, and the document’s key encrypted with the password. */
function passwordEntries(password: Uint8Array, key: Uint8Array, userEntry: Uint8Array) {
  const [validationSalt, keySalt] = [newRandomBytes(8), newRandomBytes(8)];
  const hash = hashOfPassword(password, validationSalt, userEntry);
  const keyOfPassword = hashOfPassword(password, keySalt, userEntry);
  const cipher = createCipheriv('aes-256-cbc', keyOfPassword, new Uint8Array(16)).setAutoPadding(false);
  return {
    hashed: new Uint8Array(Buffer.concat([hash, validationSalt, keySalt])),
    encryptedKey: new Uint8Array(Buffer.concat([cipher.update(key), cipher.final()])),
  };
}

/** Algorithm 2.B. @returns 32 bytes */
function hashOfPassword(password: Uint8Array, salt: Uint8Array, userEntry: Uint8Array): Uint8Array {
  let hash = digest('sha256', Buffer.concat([password, salt, userEntry]));
  let lastByte = 0;
  for (let round = 0; round < 64 || lastByte > round - 32; round++) {
    const repeated = Buffer.concat(Array(64).fill(Buffer.concat([password, hash, userEntry])));
    const cipher = createCipheriv('aes-128-cbc', hash.subarray(0, 16), hash.subarray(16, 32));
    const encrypted = cipher.setAutoPadding(false).update(repeated);
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    hash = digest((['sha256', 'sha384', 'sha512'] as const)[remainder]!, encrypted);
    lastByte = encrypted.at(-1)!;
  }
  return hash.subarray(0, 32);
}

function digest(algorithm: 'sha256' | 'sha384' | 'sha512', bytes: Uint8Array): Buffer {
  return createHash(algorithm).update(bytes).digest();
}
