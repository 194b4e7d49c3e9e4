import { timingSafeEqual } from 'node:crypto';
import { isUuid } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';

/** Ids all have the same length, as the site's keyed hash requires. */
const signatureOf = ({ secrets }: Pick<Platform, 'secrets'>, messageId: string) =>
  secrets.hash('delivery confirmation', messageId);

/** Only somebody who has the message knows its link. It is the same in every attempt. */
export function confirmationLink(deps: Pick<Platform, 'secrets' | 'settings'>, messageId: string): string {
  return `${deps.settings.baseUrl}/confirm/${messageId}.${signatureOf(deps, messageId).toString('base64url')}`;
}

/** The message of a link; undefined when this site did not make the link. */
export function readConfirmationToken(deps: Pick<Platform, 'secrets'>, token: string): string | undefined {
  const [messageId = '', signature = ''] = token.split('.');
  if (!isUuid(messageId)) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(deps, messageId);
  return given.length === expected.length && timingSafeEqual(given, expected) ? messageId : undefined;
}
