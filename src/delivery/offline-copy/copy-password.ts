import type { Platform } from '../../platform/platform.ts';

const purpose = 'password of an offline copy';

/** The password as it is stored. The organisation is its context, so that it opens no other's. */
export function sealPassword({ secrets }: Platform, organisationId: string, password: string): Buffer {
  return secrets.seal(purpose, organisationId, password);
}

/** Undefined if it was sealed under another site key. */
export function openPassword(
  { secrets }: Platform,
  organisationId: string,
  sealed: Buffer,
): string | undefined {
  try {
    return secrets.open(purpose, organisationId, sealed);
  } catch {
    return undefined;
  }
}
