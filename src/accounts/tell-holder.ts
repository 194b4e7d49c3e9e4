import type { Trx } from '../platform/database/index.ts';
import { queueMail } from '../platform/mail/index.ts';
import type { Platform } from '../platform/platform.ts';
import { contactOf } from '../platform/settings/index.ts';

/**
 * Tells the holder of an account by email that the ways into it changed: if it was somebody else's doing, this is how
 * they learn of it. `what` is a sentence without its full stop; `ifNot` says what to do if it was not meant, where they
 * can do anything but change their password.
 */
export async function tellHolder(
  trx: Trx,
  deps: Platform,
  holder: { readonly name: string; readonly email: string },
  what: string,
  { address, ifNot }: { address?: string | undefined; ifNot?: string } = {},
): Promise<void> {
  const { siteName, baseUrl } = deps.settings;
  const lines = [
    `Hello ${holder.name},`,
    `${what}.`,
    `Your account: ${holder.email} at ${siteName} (${baseUrl})`,
    `When: ${deps.clock.now().toUTCString()}${address === undefined ? '' : `\nFrom the address: ${address}`}`,
    'If you know of this, there is nothing to do.',
    ifNot ??
      `If not, somebody else may be using your account: change your password at ${baseUrl}/account and tell ` +
        `${contactOf(deps.settings)} at once.`,
  ];
  await queueMail(trx, deps, {
    to: holder.email,
    subject: `${what} – ${siteName}`,
    text: lines.join('\n\n'),
  });
}
