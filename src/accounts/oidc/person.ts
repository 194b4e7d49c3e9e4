import type { IDToken } from 'openid-client';

/** Somebody at a provider. Issuer and subject together are who it is; the rest of what a provider says is not used. */
export type Person = {
  readonly issuer: string;
  readonly subject: string;
  /** How long ago they showed the provider who they are; undefined where it does not say. */
  readonly signedInMsAgo: number | undefined;
};

/** @throws Error where the subject is none by the standard: at most 255 ASCII characters. */
export function personOf(issuer: string, { sub, iat, auth_time: signedInAt }: IDToken): Person {
  if (!/^[\x20-\x7e]{1,255}$/.test(sub)) throw new Error('the subject is not of the expected form');
  return {
    issuer,
    subject: sub,
    // Both times are the provider's, so that a difference between its clock and ours does not count.
    signedInMsAgo: signedInAt === undefined ? undefined : Math.max(0, iat - signedInAt) * 1000,
  };
}
