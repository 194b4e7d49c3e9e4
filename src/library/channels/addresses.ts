import { type Static, Type } from 'typebox';
import { isMailAddress } from '../../platform/mail/index.ts';
import { whyNotCall } from '../../platform/outbound/index.ts';
import { type FieldError, Problem, unprocessable } from '../../platform/problem/index.ts';
import type { Settings } from '../../platform/settings/index.ts';
import { answerEmail, codeEmail } from './addresses-store.ts';

export const deliveryAddressesSchema = Type.Object(
  {
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 254,
        description:
          'The mailbox for letters sent by the channel `email`. Only people who may see the letters should be able to read it.',
      }),
    ),
    webhook: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 2000,
        description:
          'The https address of their own system, for the channel `webhook`. It needs a secret, too.',
      }),
    ),
    mesh: Type.Optional(
      Type.String({
        maxLength: 20,
        description:
          'Their mailbox at the NHS message exchange, for the channel `mesh`: capital letters and digits.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'The addresses of the channels that need one. If you leave this out, the addresses stay as they are.',
  },
);

export type DeliveryAddresses = Static<typeof deliveryAddressesSchema>;

/** The addresses that cannot be used, by name, and what is wrong with each. */
export function errorsInAddresses(
  { email, webhook, mesh }: DeliveryAddresses,
  mode: Settings['mode'],
): { name: keyof DeliveryAddresses; message: string }[] {
  const webhookFault = webhook === undefined ? undefined : whyNotCall(webhook, mode);
  return [
    ...(email === undefined || isMailAddress(email)
      ? []
      : [{ name: 'email' as const, message: 'Enter an email address such as name@example.org' }]),
    ...(webhookFault === undefined ? [] : [{ name: 'webhook' as const, message: webhookFault }]),
    ...(mesh === undefined || /^[A-Z0-9]{4,20}$/.test(mesh)
      ? []
      : [
          {
            name: 'mesh' as const,
            message: 'Enter a mailbox such as X26ABC1, in capital letters and digits',
          },
        ]),
  ];
}

/** @throws Problem `unprocessable`, with an error for each address that cannot be used. */
export function requireAddresses(addresses: DeliveryAddresses, mode: Settings['mode']): void {
  const errors: FieldError[] = errorsInAddresses(addresses, mode).map(({ name, message }) => ({
    pointer: `/addresses/${name}`,
    message,
  }));
  if (errors.length > 0) throw new Problem(unprocessable, 'An address cannot be used.', { errors });
}

/** Labels of the addresses by channel, and of the order of the channels. */
export const channelLabels: Readonly<Record<string, string>> = {
  email: 'Email address for letters',
  answer_email: 'Email address of those who answer',
  code_email: 'Email address for codes',
  code_telephone: 'Mobile number for codes',
  webhook: 'Address of their own system',
  mesh: 'MESH mailbox',
  channels: 'Channels, in the order in which they are tried',
};

export const isEmailChannel = (channel: string) => ['email', answerEmail, codeEmail].includes(channel);
