import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

/** Ways in which a test makes a device misbehave; each is one way to forge a passkey. */
export type Oddity = {
  origin?: string;
  rpId?: string;
  userVerified?: boolean;
  /** The device's count of signatures. */
  count?: number;
  userHandle?: string;
  /** A statement of the device's maker, although the browser should leave it out. */
  certificates?: Buffer[];
};

const present = 1;
const verified = 4;
const attested = 64;

/** A passkey without a device: makes the JSON that a browser's script sends, so that tests can forge it as well. */
export function softPasskey(site = 'http://localhost:8080') {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let userHandle = '';
  let count = 0;

  const clientData = (type: string, challenge: string, { origin = site }: Oddity) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  function authenticatorData(odd: Oddity, more = Buffer.alloc(0)): Buffer {
    const flags = present + (odd.userVerified === false ? 0 : verified) + (more.length > 0 ? attested : 0);
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(odd.count ?? count);
    const rpIdHash = createHash('sha256')
      .update(odd.rpId ?? new URL(site).hostname)
      .digest();
    return Buffer.concat([rpIdHash, Buffer.from([flags]), counted, more]);
  }

  const named = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };

  return {
    id: named.id,
    /** Answers the options of registering. */
    register(options: { challenge: string; user: { id: string } }, odd: Oddity = {}) {
      userHandle = options.user.id;
      const cose = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x!, 'base64url')],
          [-3, Buffer.from(y!, 'base64url')],
        ]) as never,
      );
      const idLength = Buffer.alloc(2);
      idLength.writeUInt16BE(id.length);
      const authData = authenticatorData(odd, Buffer.concat([Buffer.alloc(16), idLength, id, cose]));
      const statement = odd.certificates
        ? new Map<string, unknown>([
            ['alg', -7],
            ['sig', Buffer.alloc(70)],
            ['x5c', odd.certificates],
          ])
        : new Map();
      const attestationObject = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', odd.certificates ? 'packed' : 'none'],
          ['attStmt', statement],
          ['authData', authData],
        ]) as never,
      );
      const response = {
        clientDataJSON: clientData('webauthn.create', options.challenge, odd).toString('base64url'),
        attestationObject: Buffer.from(attestationObject).toString('base64url'),
        transports: ['internal'],
      };
      return { ...named, response, clientExtensionResults: {}, authenticatorAttachment: 'platform' };
    },
    /** Answers the options of signing in. */
    answer(options: { challenge: string }, odd: Oddity = {}) {
      count += 1;
      const client = clientData('webauthn.get', options.challenge, odd);
      const data = authenticatorData(odd);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: odd.userHandle ?? userHandle,
      };
      return { ...named, response, clientExtensionResults: {}, authenticatorAttachment: 'platform' };
    },
  };
}
