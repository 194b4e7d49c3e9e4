import { Type } from 'typebox';
import { linkEnded } from '../../accounts/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { inTransaction } from '../../platform/database/index.ts';
import { type App, anyone, page, type Reply, type Request } from '../../platform/http/index.ts';
import { addJobs } from '../../platform/jobs/index.ts';
import type { Platform, WebPlatform } from '../../platform/platform.ts';
import { Problem } from '../../platform/problem/index.ts';
import { isSecret } from '../../platform/secrets/index.ts';
import { recordAddressChange, subjectOf } from './address-history.ts';
import { channelLabels } from './addresses.ts';
import {
  codeTelephone,
  confirmPendingAddress,
  findPendingByLink,
  findReceiver,
  isForCodes,
  type LinkedAddress,
  listDeliveryAddresses,
  lockReceiver,
} from './addresses-store.ts';
import {
  everybodyToNotify,
  listResponsibleEmails,
  notifyInvolvedPeople,
  tellFormerMobile,
} from './announce-change.ts';
import { hashOfLink } from './change-addresses.ts';
import { findReferralSettings, markSettingsChanged } from './settings-store.ts';

/** The address that a link confirms, with its receiver's name. Reading it does not use up the link. */
async function readLinkedAddress(
  deps: Platform,
  secret: string,
): Promise<(LinkedAddress & { name: string; organizationId: string | null }) | undefined> {
  const linked = isSecret(secret)
    ? await findPendingByLink(deps.db, hashOfLink(deps, secret), deps.clock.now())
    : undefined;
  const receiver = linked && (await findReceiver(deps.db, linked.receiver));
  return receiver && { ...linked!, ...receiver };
}

/** From now on, messages go to the address. @throws Problem `link-ended`. */
async function confirmAddress(deps: Platform, secret: string, ipAddress: string): Promise<void> {
  const linked = await readLinkedAddress(deps, secret);
  if (!linked) throw new Problem(linkEnded);
  const { receiver, channel, name, organizationId } = linked;
  const at = deps.clock.now();
  await inTransaction(deps.db, async (trx) => {
    await lockReceiver(trx, receiver);
    // Read again under the lock, because the link may have been used or replaced meanwhile.
    const pending = await findPendingByLink(trx, hashOfLink(deps, secret), at);
    if (!pending) throw new Problem(linkEnded);
    const inUse = await listDeliveryAddresses(trx, receiver);
    await confirmPendingAddress(trx, receiver, channel, at);
    if ('serviceId' in receiver) await markSettingsChanged(trx, receiver.serviceId, at);
    const by = {
      name: `Somebody with the link in the ${channel === codeTelephone ? 'text message' : 'email'}`,
    };
    const line = { channel, what: 'confirmed', from: inUse[channel] ?? null, to: pending.address } as const;
    await recordAddressChange(trx, deps, receiver, { ...line, by: by.name, at });
    await recordAudit(trx, {
      at,
      actor: { name: by.name, ipAddress },
      action: 'serviceId' in receiver ? 'service.address_confirmed' : 'practice.address_confirmed',
      subject: subjectOf(receiver),
      details: { address: channel },
    });
    const involved = everybodyToNotify(await listResponsibleEmails(trx, { organizationId }), inUse);
    await notifyInvolvedPeople(trx, deps, { receiver, name, by, lines: [line], involved });
    if (channel === codeTelephone && line.from !== null) await tellFormerMobile(trx, deps, line.from);
    await addJobs(trx, 'release-held', [{}]);
  });
}

async function isSensitive({ db }: Platform, { receiver }: LinkedAddress): Promise<boolean> {
  if (!('serviceId' in receiver)) return false;
  const { sensitive, location_confidential } = await findReferralSettings(db, receiver.serviceId);
  return sensitive || location_confidential;
}

const template = 'library/templates/confirm-address.njk';
const params = Type.Object({ secret: Type.String({ maxLength: 200 }) });

/**
 * The page behind the link that confirms a new address. Opening it confirms nothing, because mail scanners open every link;
 * its button does.
 */
export function confirmAddressPages(app: App, deps: WebPlatform): void {
  const config = page(anyone, { countsAsCall: true });
  const sendEnded = (request: Request, reply: Reply) =>
    deps.pages.send(request, reply.code(linkEnded.status), template, { hasEnded: true });

  app.get('/delivery-address/confirmed', { config }, (request, reply) =>
    deps.pages.send(request, reply, template, { isConfirmed: true }),
  );

  app.get('/delivery-address/:secret', { config, schema: { params } }, async (request, reply) => {
    const { secret } = request.params;
    const linked = await readLinkedAddress(deps, secret);
    if (!linked) return sendEnded(request, reply);
    const label = channelLabels[linked.channel] ?? linked.channel;
    const isNumber = linked.channel === codeTelephone;
    return deps.pages.send(request, reply, template, {
      ...linked,
      label,
      // Others may have the number or the address, if somebody mistyped it.
      name: (await isSensitive(deps, linked)) ? 'a service' : linked.name,
      address: isNumber ? `ends in ${linked.address.slice(-3)}` : linked.address,
      secret,
      isForCodes: isForCodes(linked.channel),
      isNumber,
    });
  });

  app.post('/delivery-address/:secret', { config, schema: { params } }, async (request, reply) => {
    try {
      await confirmAddress(deps, request.params.secret, request.ip);
    } catch (error) {
      if (error instanceof Problem && error.kind === linkEnded) return sendEnded(request, reply);
      throw error;
    }
    return reply.redirect('/delivery-address/confirmed', 303);
  });
}
