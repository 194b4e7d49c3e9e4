import type { Account } from '../accounts/index.ts';
import type { Mail } from '../platform/mail/index.ts';
import type { Settings } from '../platform/settings/index.ts';
import type { Sighting } from './key-addresses-store.ts';

type Told = Sighting & {
  readonly address: string;
  /** Whether no more such emails are sent today. */
  readonly isLast: boolean;
};

/** Tells the holder of a refresh token that it was used, or refused, at an address where it was not before. */
export function addressMail(
  { siteName, baseUrl }: Settings,
  holder: Pick<Account, 'name' | 'email'>,
  { at, refused, address, isLast }: Told,
): Mail {
  const what = refused
    ? 'Your refresh token was refused at a new address'
    : 'Your refresh token was used from a new address';
  const lines = [
    `Hello ${holder.name},`,
    refused
      ? 'Somebody tried to use your refresh token from an address that you do not allow. They were given nothing.'
      : 'Your refresh token was used from an address from where it was not used before.',
    `Your account: ${holder.email} at ${siteName} (${baseUrl})\nWhen: ${at.toUTCString()}\nFrom the address: ${address}`,
    refused
      ? `If this is your own system, add its address at ${baseUrl}/apikeys/guards.`
      : 'If you have just set up or moved your own system, there is nothing to do.',
    `If not, somebody else may have your keys: sign in at ${baseUrl}/apikeys and choose “Make new keys”. The old ones ` +
      'then stop working at once.',
  ];
  if (isLast)
    lines.push(
      'There were several new addresses today. You will get no more of these emails until tomorrow.',
    );
  return { to: holder.email, subject: `${what} – ${siteName}`, text: lines.join('\n\n') };
}
