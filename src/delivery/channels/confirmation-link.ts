import { timingSafeEqual } from 'node:crypto';
import { isUuid } from '../../platform/ids/index.ts';
import type { Platform } from '../../platform/platform.ts';

/** What is signed has always the same length, as the site's keyed hash demands. */
const signatureOf = ({ secrets }: Pick<Platform, 'secrets'>, messageId: string) =>
  secrets.hash('delivery confirmation', messageId);

/** By which whoever has the message, and nobody else, can say so. The same each time, like the message it is in. */
export function confirmationLink(deps: Pick<Platform, 'secrets' | 'settings'>, messageId: string): string {
  return `${deps.settings.baseUrl}/confirm/${messageId}.${signatureOf(deps, messageId).toString('base64url')}`;
}

/** The message that a link is about; undefined where this site has not made it. */
export function readConfirmationToken(deps: Pick<Platform, 'secrets'>, token: string): string | undefined {
  const [messageId = '', signature = ''] = token.split('.');
  if (!isUuid(messageId)) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(deps, messageId);
  return given.length === expected.length && timingSafeEqual(given, expected) ? messageId : undefined;
}
