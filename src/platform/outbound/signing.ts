import { createHmac } from 'node:crypto';
import { newRandomBytes } from '../secrets/index.ts';

// Signatures by the Standard Webhooks rules, version 1: https://www.standardwebhooks.com/

const prefix = 'whsec_';

/** A new secret as its holder gets it: 256 random bits in base64. */
export function newSigningSecret(): string {
  return prefix + newRandomBytes(32).toString('base64');
}

/** The headers that prove who sent a text and when. With several secrets, any one of them will do to check it. */
export function signedHeaders(
  message: { id: string; body: string },
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
