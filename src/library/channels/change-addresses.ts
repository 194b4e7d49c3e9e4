import { type Caller, requireMailServer } from '../../accounts/index.ts';
import type { Trx } from '../../platform/database/index.ts';
import { dayMs } from '../../platform/durations.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { newSecret } from '../../platform/secrets/index.ts';
import { recordAddressChange } from './address-history.ts';
import {
  allChannels,
  answerEmail,
  deleteDeliveryAddress,
  deletePendingAddress,
  listDeliveryAddresses,
  listPendingAddresses,
  type PendingAddress,
  type Receiver,
  replacePendingAddress,
} from './addresses-store.ts';
import {
  type ChangeLine,
  everybodyToNotify,
  listResponsibleEmails,
  notifyInvolved,
  sendConfirmationLink,
} from './announce-change.ts';

type Deps = Pick<Platform, 'clock' | 'settings' | 'secrets'>;

const linkLifetimeMs = 7 * dayMs;

export type AddressesChange = {
  receiver: Receiver;
  /** The receiver's name, and the library's organisation that is responsible for it. */
  name: string;
  organizationId: string | null;
  /** Unchanged if left out. */
  addresses?: Readonly<Record<string, string>> | undefined;
  /** Of the people who answer a service's referrals; left out for a practice. */
  answerEmail?: string | null | undefined;
  channels: { before: readonly string[]; after: readonly string[] };
  /**
   * The channel whose address does not work, to replace that alone. The old one is no longer used, even before the new one is
   * confirmed.
   */
  broken?: string;
};

/**
 * Changes where messages go. A new address is used once somebody confirms it, and the old one until then; a removed address
 * is no longer used at once. Everybody involved is told, so that nobody can divert letters unnoticed. The caller must have
 * locked the service or the practice.
 */
export async function changeAddresses(
  deps: Platform,
  trx: Trx,
  caller: Caller,
  change: AddressesChange,
): Promise<void> {
  const { receiver, channels } = change;
  const current = await listDeliveryAddresses(trx, receiver);
  const pending = new Map((await listPendingAddresses(trx, receiver)).map((each) => [each.channel, each]));
  const responsible = await listResponsibleEmails(trx, change);
  const lines: ChangeLine[] = [];
  for (const { channel, address } of wantedAddresses(change, [...Object.keys(current), ...pending.keys()])) {
    const was = { address: current[channel], pending: pending.get(channel) };
    if (channel === change.broken && was.address !== undefined && was.address !== address) {
      const line = await removeAddress(trx, receiver, channel, was);
      await recordAddressChange(trx, deps, receiver, { ...line, by: caller.name, at: deps.clock.now() });
      lines.push(line);
      was.address = undefined;
      was.pending = undefined;
    }
    const line = await changeAddress(deps, trx, receiver, { channel, address, was });
    if (!line) continue;
    lines.push(line);
    const at = deps.clock.now();
    await recordAddressChange(trx, deps, receiver, { ...line, by: caller.name, at });
    if (line.link === undefined) continue;
    // Without a mail server nothing is sent to the people who answer anyway, so their address is accepted.
    if (channel !== answerEmail) requireMailServer(deps);
    await sendConfirmationLink(trx, deps, caller, {
      ...change,
      line: { ...line, link: line.link },
      responsible,
    });
  }
  const isReordered = channels.before.join() !== channels.after.join();
  if (isReordered) await recordOrder(trx, deps, change, caller);
  if (lines.length === 0 && !isReordered) return;
  const involved = everybodyToNotify(responsible, current);
  await notifyInvolved(trx, deps, { ...change, by: caller, lines, involved });
  await addJobs(trx, 'release-held', [{}]);
}

async function recordOrder(
  trx: Trx,
  deps: Deps,
  { receiver, channels: { before, after } }: AddressesChange,
  { name: by }: Caller,
): Promise<void> {
  const [from, to] = [before, after].map((channels) => channels.join(', '));
  const order = { channel: allChannels, what: 'reordered', from: from || null, to: to || null } as const;
  await recordAddressChange(trx, deps, receiver, { ...order, by, at: deps.clock.now() });
}

/** Every address that is set now or is to be set, with its new value. */
function wantedAddresses(
  { addresses, answerEmail: answers, broken }: AddressesChange,
  known: readonly string[],
) {
  const wanted = new Map<string, string | null>();
  for (const channel of known) if (channel !== answerEmail && addresses && !broken) wanted.set(channel, null);
  for (const [channel, address] of Object.entries(addresses ?? {})) wanted.set(channel, address);
  if (answers !== undefined) wanted.set(answerEmail, answers);
  return [...wanted].map(([channel, address]) => ({ channel, address }));
}

type AddressToSet = {
  channel: string;
  address: string | null;
  was: { address: string | undefined; pending: PendingAddress | undefined };
};

async function changeAddress(
  deps: Deps,
  trx: Trx,
  receiver: Receiver,
  { channel, address, was }: AddressToSet,
): Promise<ChangeLine | undefined> {
  const at = deps.clock.now();
  const inUse = was.address ?? null;
  if (address === null) {
    if (inUse === null && !was.pending) return undefined;
    return removeAddress(trx, receiver, channel, was);
  }
  if (address === inUse) {
    if (!was.pending) return undefined;
    await deletePendingAddress(trx, receiver, channel);
    return { channel, what: 'taken-back', from: was.pending.address, to: inUse };
  }
  // The same address again needs a new link only once the old one has expired.
  if (was.pending?.address === address && was.pending.expiresAt > at) return undefined;
  const secret = newSecret();
  const expiresAt = new Date(at.getTime() + linkLifetimeMs);
  const linkHash = hashOfLink(deps, secret);
  await replacePendingAddress(trx, receiver, { channel, address, linkHash, at, expiresAt });
  return {
    channel,
    what: 'asked',
    from: inUse,
    to: address,
    link: `${deps.settings.baseUrl}/delivery-address/${secret}`,
  };
}

async function removeAddress(
  trx: Trx,
  receiver: Receiver,
  channel: string,
  { address, pending }: AddressToSet['was'],
): Promise<ChangeLine> {
  await deleteDeliveryAddress(trx, receiver, channel);
  await deletePendingAddress(trx, receiver, channel);
  return { channel, what: 'removed', from: address ?? pending!.address, to: null };
}

export function hashOfLink({ secrets }: Pick<Platform, 'secrets'>, secret: string): Buffer {
  return secrets.hash('delivery address link', secret);
}
