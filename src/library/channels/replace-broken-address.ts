import { actorOf, type Caller } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import type { Db, Trx } from '../../platform/database/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { notFound, Problem, unprocessable } from '../../platform/problem/index.ts';
import { subjectOf } from './address-history.ts';
import { errorsInAddresses } from './addresses.ts';
import {
  answerEmail,
  codeEmail,
  findReceiver,
  listDeliveryAddresses,
  lockReceiver,
  type Receiver,
} from './addresses-store.ts';
import { replaceAddress } from './change-addresses.ts';
import { loadAddresses, requireSecondMailbox } from './second-mailbox.ts';
import { markSettingsChanged, setAnswerEmail } from './settings-store.ts';

/** The channels whose address an operator can replace at once. That of a webhook has a secret, which its service sets with it. */
export type AddressChannel = 'email' | 'mesh';

/** The confirmed address to which messages go by a channel, if any. */
export async function addressInUse(
  db: Db,
  receiver: Receiver,
  channel: AddressChannel,
): Promise<string | undefined> {
  const addresses = await listDeliveryAddresses(db, receiver);
  return addresses[channel] ?? (channel === 'email' ? addresses[answerEmail] : undefined);
}

/**
 * Replaces an address at which messages did not arrive. It is no longer used from now on, and the new one once somebody confirms
 * it. The caller must be allowed to set addresses of this receiver.
 * @throws Problem `unprocessable`, `not-found`, `no-mail-server`.
 */
export async function replaceBrokenAddress(
  trx: Trx,
  deps: Platform,
  { caller, ipAddress }: { caller: Caller; ipAddress: string },
  { receiver, channel, address }: { receiver: Receiver; channel: AddressChannel; address: string },
): Promise<void> {
  const [fault] = errorsInAddresses({ [channel]: address }, deps.settings.mode);
  if (fault) throw invalidProblem(fault.message);
  await lockReceiver(trx, receiver);
  const about = await findReceiver(trx, receiver);
  if (!about) throw new Problem(notFound);
  const inUse = await listDeliveryAddresses(trx, receiver);
  if (address === (await addressInUse(trx, receiver, channel)))
    throw invalidProblem('Enter another address than the one that does not work');
  if (channel === 'email') {
    const stored = await loadAddresses(trx, receiver);
    requireSecondMailbox({ codes: stored(codeEmail), letters: [address] }, '/address');
  }
  // A service without a mailbox for letters gets them at the address of the people who answer.
  const broken =
    channel === 'email' && inUse.email === undefined && inUse[answerEmail] ? answerEmail : channel;
  await replaceAddress(trx, deps, caller, { receiver, ...about, channel: broken, address });
  if ('serviceId' in receiver) {
    if (broken === answerEmail) await setAnswerEmail(trx, receiver.serviceId, address);
    await markSettingsChanged(trx, receiver.serviceId, deps.clock.now());
  }
  await recordAudit(trx, {
    at: deps.clock.now(),
    actor: actorOf(caller, ipAddress),
    action: 'delivery_address.replaced',
    subject: subjectOf(receiver),
    details: { channel: broken },
  });
}

function invalidProblem(message: string): Problem {
  return new Problem(unprocessable, undefined, { errors: [{ pointer: '/address', message }] });
}
