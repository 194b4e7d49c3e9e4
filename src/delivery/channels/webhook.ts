import type { DeliveryAddress } from '../../library/index.ts';
import type { Db } from '../../platform/database/index.ts';
import {
  createUntrustedPost,
  describeNetworkError,
  isRetryable,
  NoAnswer,
  OutboundError,
  signedHeaders,
} from '../../platform/outbound/index.ts';
import type { Platform } from '../../platform/platform.ts';
import { CannotDeliver, type Channel, type Failure, type OutgoingMessage } from './channel.ts';
import { findReceiverAddress } from './receiver.ts';

type Deps = Pick<Platform, 'settings' | 'secrets' | 'clock'>;

/**
 * A signed call to the system of a service's organisation (Standard Webhooks). It says only where to read the referral and
 * its letter, which takes an account, so that reading is audited. Practices have no such accounts. `src/webhooks` is something else: it
 * posts events to those who asked for them.
 */
export function createWebhook(deps: Deps): Channel {
  const { settings, clock } = deps;
  const post = createUntrustedPost(settings.mode);
  return {
    name: 'webhook',
    idempotent: false,
    receiverCanConfirm: false,
    async systemToCall(db, about) {
      const endpoint = await findReceiverAddress(db, about, 'webhook');
      return endpoint && URL.parse(endpoint.address)?.host;
    },
    async render(db, message) {
      const { address, secret } = await requireAddress(db, deps, message);
      const body = JSON.stringify(messageBody(settings.baseUrl, message));
      const signed = signedHeaders({ id: message.id, body }, [secret], clock.now());
      const headers = { 'content-type': 'application/json', 'user-agent': 'Onward webhooks', ...signed };
      return { address, headers, body, files: [] };
    },
    async send(_message, { address, headers, body }) {
      const { status } = await post(address, { headers, body });
      if (status < 200 || status >= 300) throw new WebhookRefusal(status);
      return { status: 'sent', detail: `Their system accepted it (${status}).` };
    },
    classify,
  };
}

/** It says nothing about the person. */
function messageBody(baseUrl: string, { id, createdAt, referral, simulated }: OutgoingMessage) {
  const href = `${baseUrl}/api/referrals/${referral.id}`;
  return {
    id,
    type: 'referral.delivery',
    version: 1,
    created_at: createdAt.toISOString(),
    simulated,
    resource: { type: 'referral', id: referral.id, href },
    letter: { href: `${href}/letter.pdf` },
  };
}

async function requireAddress(db: Db, { secrets }: Deps, message: OutgoingMessage) {
  const { leg, receiver, referral } = message;
  if (leg !== 'service') throw new CannotDeliver('Only services can be sent webhooks.');
  const endpoint = await findReceiverAddress(db, message, 'webhook');
  if (!endpoint) throw new CannotDeliver(`No address of a system of ${receiver.name} is set.`);
  return { address: endpoint.address, secret: openSecret(secrets, referral.service_id, endpoint.secret) };
}

function openSecret({ open }: Deps['secrets'], serviceId: string, sealed: DeliveryAddress['secret']): string {
  if (!sealed) throw new CannotDeliver('There is no secret yet to sign messages to their system with.');
  try {
    return open('delivery webhook', serviceId, sealed);
  } catch {
    throw new CannotDeliver('The secret for their system was sealed under another site key: make a new one.');
  }
}

class WebhookRefusal extends Error {
  override name = 'WebhookRefusal';
  readonly status: number;
  constructor(status: number) {
    super(`answered ${status}`);
    this.status = status;
  }
}

function classify(error: unknown): Failure | undefined {
  if (error instanceof WebhookRefusal) {
    const kind = isRetryable(error.status) ? 'retry' : 'permanent';
    return { kind, detail: `Their system answered ${error.status}.` };
  }
  if (error instanceof NoAnswer) {
    const why = describeNetworkError(error.code);
    if (error.wasConnected)
      return { kind: 'uncertain', detail: `The message went out to their system. ${why}` };
    return { kind: 'retry', detail: `Their system: ${why}` };
  }
  if (error instanceof OutboundError)
    return { kind: 'permanent', detail: 'The address of their system is not a public address.' };
  return undefined;
}
