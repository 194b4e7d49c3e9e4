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
  codeEmail,
  codeTelephone,
  deleteDeliveryAddress,
  deletePendingAddress,
  isForCodes,
  listDeliveryAddresses,
  listPendingAddresses,
  lockReceiver,
  type PendingAddress,
  type Receiver,
  replacePendingAddress,
} from './addresses-store.ts';
import {
  type ChangeLine,
  everybodyToNotify,
  linkLifetimeDays,
  listResponsibleEmails,
  type NamedReceiver,
  notifyInvolvedPeople,
  sendConfirmationLink,
  tellFormerMobile,
} from './announce-change.ts';

type Deps = Pick<Platform, 'clock' | 'settings' | 'secrets'>;

/** A receiver, and the library's organisation that is responsible for it. */
type ResponsibleReceiver = NamedReceiver & { organizationId: string | null };

export type NewAddresses = ResponsibleReceiver & {
  /** The new addresses. If they are left out, the old ones stay. */
  addresses?: Readonly<Record<string, string>> | undefined;
  /** Of the people who answer a service's referrals; left out for a practice. */
  answerEmail?: string | null | undefined;
  /** Where a service gets codes; left out, they stay. */
  codeEmail?: string | null | undefined;
  codeTelephone?: string | null | undefined;
  channels: { before: readonly string[]; after: readonly string[] };
};

/**
 * Sets where messages go. A new address is used once somebody confirms it, and the old one until then. Nothing
 * is sent to a removed address from now on. Everybody involved is told, so that nobody can divert letters unnoticed.
 */
export async function setAddresses(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  newAddresses: NewAddresses,
): Promise<void> {
  const known = await lockAddresses(trx, newAddresses);
  const lines: ChangeLine[] = [];
  for (const { channel, address } of wantedAddresses(newAddresses, known)) {
    const before = { address: known.inUse[channel], pending: known.pending.get(channel) };
    const line = await changeAddress(trx, deps, newAddresses.receiver, { channel, address, before });
    if (!line) continue;
    lines.push(line);
    await recordAndSendLink(trx, deps, caller, known, line);
  }
  const isReordered = newAddresses.channels.before.join() !== newAddresses.channels.after.join();
  if (isReordered) await recordNewOrder(trx, deps, newAddresses, caller);
  if (lines.length > 0 || isReordered)
    await tellInvolvedPeople(trx, deps, caller, known, lines, newAddresses.channels);
}

/** Replaces one address that does not work. It is no longer used from now on, although nobody has confirmed the new one yet. */
export async function replaceAddress(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  { channel, address, ...about }: ResponsibleReceiver & { channel: string; address: string },
): Promise<void> {
  const { receiver } = about;
  const known = await lockAddresses(trx, about);
  const lines: ChangeLine[] = [];
  let before: AddressToSet['before'] = { address: known.inUse[channel], pending: known.pending.get(channel) };
  if (before.address !== undefined) {
    lines.push(await removeAddress(trx, receiver, channel, before));
    before = { address: undefined, pending: undefined };
  }
  const addedLine = await changeAddress(trx, deps, receiver, { channel, address, before });
  if (addedLine) lines.push(addedLine);
  for (const line of lines) await recordAndSendLink(trx, deps, caller, known, line);
  if (lines.length > 0) await tellInvolvedPeople(trx, deps, caller, known, lines);
}

/** A receiver with its addresses before the change, and the people responsible. */
type KnownAddresses = ResponsibleReceiver & {
  inUse: Readonly<Record<string, string>>;
  pending: ReadonlyMap<string, PendingAddress>;
  responsible: readonly string[];
};

async function lockAddresses(
  trx: Trx,
  { receiver, name, organizationId }: ResponsibleReceiver,
): Promise<KnownAddresses> {
  await lockReceiver(trx, receiver);
  const inUse = await listDeliveryAddresses(trx, receiver);
  const pending = new Map((await listPendingAddresses(trx, receiver)).map((each) => [each.channel, each]));
  const responsible = await listResponsibleEmails(trx, { organizationId });
  return { receiver, name, organizationId, inUse, pending, responsible };
}

/** Every address that is set now or is to be set, with its new value. */
function wantedAddresses(
  { addresses, answerEmail: answers, codeEmail: codes, codeTelephone: mobile }: NewAddresses,
  { inUse, pending }: KnownAddresses,
) {
  const wanted = new Map<string, string | null>();
  for (const channel of [...Object.keys(inUse), ...pending.keys()])
    if (channel !== answerEmail && !isForCodes(channel) && addresses) wanted.set(channel, null);
  for (const [channel, address] of Object.entries(addresses ?? {})) wanted.set(channel, address);
  if (answers !== undefined) wanted.set(answerEmail, answers);
  if (codes !== undefined) wanted.set(codeEmail, codes);
  if (mobile !== undefined) wanted.set(codeTelephone, mobile);
  return [...wanted].map(([channel, address]) => ({ channel, address }));
}

/** Puts one change in the history, and sends the link that confirms a new address. @throws Problem `no-mail-server`. */
async function recordAndSendLink(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  { receiver, name, responsible }: KnownAddresses,
  line: ChangeLine,
): Promise<void> {
  const at = deps.clock.now();
  await recordAddressChange(trx, deps, receiver, { ...line, by: caller.name, at });
  if (line.link === undefined) return;
  // Without a mail server nothing is sent to the people who answer anyway, so their address is accepted. A mobile gets its link by text.
  if (line.channel !== answerEmail && line.channel !== codeTelephone) requireMailServer(deps);
  await sendConfirmationLink(trx, deps, caller, {
    receiver,
    name,
    line: { ...line, link: line.link },
    responsible,
  });
}

async function recordNewOrder(
  trx: Trx,
  deps: Deps,
  { receiver, channels: { before, after } }: NewAddresses,
  { name: by }: Caller,
): Promise<void> {
  const [from, to] = [before, after].map((channels) => channels.join(', '));
  const order = { channel: allChannels, what: 'reordered', from: from || null, to: to || null } as const;
  await recordAddressChange(trx, deps, receiver, { ...order, by, at: deps.clock.now() });
}

async function tellInvolvedPeople(
  trx: Trx,
  deps: Platform,
  caller: Caller,
  { receiver, name, responsible, inUse }: KnownAddresses,
  lines: readonly ChangeLine[],
  channels?: NewAddresses['channels'],
): Promise<void> {
  const involved = everybodyToNotify(responsible, inUse);
  await notifyInvolvedPeople(trx, deps, {
    receiver,
    name,
    by: caller,
    lines,
    involved,
    ...(channels && { channels }),
  });
  const mobile = inUse[codeTelephone];
  const isRemoved = lines.some(({ channel, what }) => channel === codeTelephone && what === 'removed');
  if (mobile !== undefined && isRemoved) await tellFormerMobile(trx, deps, mobile);
  await addJobs(trx, 'release-held', [{}]);
}

type AddressToSet = {
  channel: string;
  address: string | null;
  before: { address: string | undefined; pending: PendingAddress | undefined };
};

async function changeAddress(
  trx: Trx,
  deps: Deps,
  receiver: Receiver,
  { channel, address, before }: AddressToSet,
): Promise<ChangeLine | undefined> {
  const at = deps.clock.now();
  const inUse = before.address ?? null;
  if (address === null) {
    if (inUse === null && !before.pending) return undefined;
    return removeAddress(trx, receiver, channel, before);
  }
  if (address === inUse) {
    if (!before.pending) return undefined;
    await deletePendingAddress(trx, receiver, channel);
    return { channel, what: 'taken-back', from: before.pending.address, to: inUse };
  }
  // The same address again needs a new link only once the old one has expired.
  if (before.pending?.address === address && before.pending.expiresAt > at) return undefined;
  const secret = newSecret();
  const expiresAt = new Date(at.getTime() + linkLifetimeDays * dayMs);
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
  { address, pending }: AddressToSet['before'],
): Promise<ChangeLine> {
  await deleteDeliveryAddress(trx, receiver, channel);
  await deletePendingAddress(trx, receiver, channel);
  return { channel, what: 'removed', from: address ?? pending!.address, to: null };
}

export function hashOfLink({ secrets }: Pick<Platform, 'secrets'>, secret: string): Buffer {
  return secrets.hash('delivery address link', secret);
}
