import type { MailToPeople } from '../../platform/mail/index.ts';
import { contactOf, type Settings } from '../../platform/settings/index.ts';
import { linkLifetimeInWords } from './links.ts';

type Person = { readonly name: string; readonly email: string };

/** The email with the link of an invitation. */
export function composeInvitation(settings: Settings, { name, email }: Person, link: string): MailToPeople {
  const { siteName } = settings;
  return {
    to: [email],
    subject: 'Your new account',
    paragraphs: [
      `Hello ${name},`,
      `An account has been made for you at ${siteName}, with this email address: ${email}`,
      `Open this address to choose your password. It works once, ${linkLifetimeInWords.invitation}:\n\n${link}`,
      'Anyone with this link can open your account. Do not pass this email on.',
      `If you did not expect it, do nothing, or tell ${contactOf(settings)}.`,
    ],
  };
}

/** The email with the link to choose a new password. */
export function composeReset(settings: Settings, { name, email }: Person, link: string): MailToPeople {
  const { siteName } = settings;
  return {
    to: [email],
    subject: 'Choose a new password',
    paragraphs: [
      `Hello ${name},`,
      `Somebody, most likely you, asked for a new password for your account at ${siteName}: ${email}`,
      `Open this address to choose one. It works once, ${linkLifetimeInWords.reset}:\n\n${link}`,
      'If you did not ask for it, do nothing: your password stays as it is. Do not pass this email on.',
      `If it happens again, tell ${contactOf(settings)}.`,
    ],
  };
}

/** The email to somebody who asked for a new password and has none to replace. */
export function composeNoPassword(settings: Settings, { name, email }: Person): MailToPeople {
  const { siteName, baseUrl } = settings;
  return {
    to: [email],
    subject: 'Your account has no password',
    paragraphs: [
      `Hello ${name},`,
      `Somebody, most likely you, asked for a new password for your account at ${siteName}: ${email}`,
      'It has no password yet. If you were invited and the link in that email no longer works, ask for a new ' +
        `invitation: ${contactOf(settings)}.`,
      `If you sign in another way, keep using it: ${baseUrl}/signin`,
    ],
  };
}
