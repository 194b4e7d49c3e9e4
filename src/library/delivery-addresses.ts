import { type Static, Type } from 'typebox';
import { isMailAddress } from '../platform/mail/index.ts';
import { faultOfAddress } from '../platform/outbound/index.ts';
import { type FieldError, Problem, unprocessable } from '../platform/problem/index.ts';
import type { Settings } from '../platform/settings/index.ts';

/** The addresses of the channels that need one. */
export const deliveryAddressesSchema = Type.Object(
  {
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 254,
        description: 'Where letters go by the way `email`: a mailbox that only those read who may.',
      }),
    ),
    webhook: Type.Optional(
      Type.String({
        minLength: 8,
        maxLength: 2000,
        description: 'The https address of their own system, for the way `webhook`. It needs a secret, too.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Where the ways that need an address lead. Left out, the addresses stay as they are.',
  },
);

export type DeliveryAddresses = Static<typeof deliveryAddressesSchema>;

/** What is wrong with addresses, each under its name. */
export function faultsOfAddresses(
  { email, webhook }: DeliveryAddresses,
  mode: Settings['mode'],
): { name: 'email' | 'webhook'; message: string }[] {
  const webhookFault = webhook === undefined ? undefined : faultOfAddress(webhook, mode);
  return [
    ...(email === undefined || isMailAddress(email)
      ? []
      : [{ name: 'email' as const, message: 'Enter an email address such as name@example.org' }]),
    ...(webhookFault === undefined ? [] : [{ name: 'webhook' as const, message: webhookFault }]),
  ];
}

/** @throws Problem `unprocessable` that names each address that cannot be used. */
export function requireAddresses(addresses: DeliveryAddresses, mode: Settings['mode']): void {
  const errors: FieldError[] = faultsOfAddresses(addresses, mode).map(({ name, message }) => ({
    pointer: `/addresses/${name}`,
    message,
  }));
  if (errors.length > 0) throw new Problem(unprocessable, 'An address cannot be used.', { errors });
}
