import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type Connection,
  describeFailure,
  listConnectionFailures,
} from '../../../platform/connections/index.ts';
import { minuteMs } from '../../../platform/durations.ts';
import { createMutualTlsClient, type MutualTls } from '../../../platform/outbound/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { CheckResult } from '../../../platform/process/check-result.ts';
import { StartupError } from '../../../platform/process/startup-error.ts';
import { readSecretFile, type Settings } from '../../../platform/settings/index.ts';
import { CannotDeliver } from '../channel.ts';
import { createExchange, type Exchange, type Mailbox } from './exchange.ts';
import { classify, ExpiredCertificate } from './failures.ts';
import { countUnmatchedMessages, isFullOfUnmatched } from './messages-store.ts';

/** The limit of the exchange for one request, and ours for one answer. */
const maxBytes = 100_000_000;

/** The system that its jobs call, for the limit of calls to one. */
export const exchangeSystem = 'the message exchange';

/** The exchange in the settings. @throws CannotDeliver when there is none; ExpiredCertificate. */
export function openExchange({ settings, clock }: Pick<Platform, 'settings' | 'clock'>): Exchange {
  const mailbox = readMailbox(settings);
  if (!mailbox) throw new CannotDeliver('This site has no mailbox at the NHS message exchange.');
  const { tls } = mailbox;
  if (tls?.cert) checkCertificate(tls.cert as Buffer, clock.now());
  const call = createMutualTlsClient(settings.mode, { tls, timeoutMs: minuteMs, maxBytes });
  return createExchange({ mailbox, call, clock, maxRequestBytes: maxBytes });
}

/** Servers refuse an expired certificate in many ways, or just hang up. So the site checks it first. */
function checkCertificate(pem: Buffer, now: Date): void {
  const end = new Date(new X509Certificate(pem).validTo);
  if (end > now) return;
  const day = end.toISOString().slice(0, 10);
  throw new ExpiredCertificate(
    `The certificate in ONWARD_MESH_CERT_FILE, by which the NHS message exchange knows this site, ended on ${day}.`,
  );
}

/** The site's mailbox, if it has one. @throws StartupError when a file in the settings cannot be read. */
export function readMailbox(settings: Settings): Mailbox | undefined {
  const { meshUrl: url, meshMailbox: id } = settings;
  if (url === undefined || id === undefined) return undefined;
  return {
    url: url.replace(/\/$/, ''),
    id,
    password: readSecret('ONWARD_MESH_PASSWORD_FILE', settings.meshPasswordFile!),
    sharedKey: readSecret('ONWARD_MESH_SHARED_KEY_FILE', settings.meshSharedKeyFile!),
    tls: readTls(settings),
  };
}

function readTls({ meshCertFile, meshKeyFile, meshCaFile }: Settings): MutualTls | undefined {
  const tls = {
    ...(meshCertFile && { cert: readPem('ONWARD_MESH_CERT_FILE', meshCertFile) }),
    ...(meshKeyFile && { key: readPem('ONWARD_MESH_KEY_FILE', meshKeyFile) }),
    ...(meshCaFile && { ca: readPem('ONWARD_MESH_CA_FILE', meshCaFile) }),
  };
  return Object.keys(tls).length > 0 ? tls : undefined;
}

function readSecret(variable: string, path: string): string {
  const content = readSecretFile(path);
  if (content !== undefined && content.length > 0 && content.length <= 1000) return content;
  throw new StartupError(`${variable} must name a file that holds the secret and can be read.`);
}

function readPem(variable: string, path: string): Buffer {
  try {
    const content = readFileSync(path);
    if (content.includes('-----BEGIN ')) return content;
  } catch {
    // Reported below.
  }
  throw new StartupError(`${variable} must name a PEM file that can be read.`);
}

/** The `handshake-with-exchange` job: tells the exchange once a day that the mailbox is in use, and so finds out whether it opens. */
export async function handshakeWithExchange(deps: Platform): Promise<void> {
  const { mode, meshUrl } = deps.settings;
  if (mode === 'live' && meshUrl !== undefined) await openExchange(deps).handshake();
}

/** The connections that `checkExchange` reports on. */
export const exchangeConnections: readonly Connection[] = ['message-exchange', 'message-exchange-workflow'];

/**
 * For `site check`: whether the mailbox opens now, whether the site's last attempt to use it worked, and whether it has
 * unmatched messages.
 */
export async function checkExchange(deps: Platform): Promise<CheckResult> {
  const { mode, meshUrl } = deps.settings;
  if (mode === 'test') return { result: 'no mailbox at the NHS message exchange' };
  const isSet = meshUrl !== undefined;
  const refusal = isSet ? await tryMailbox(deps) : undefined;
  if (refusal) return refusal;
  const failure = await findRecordedFailure(deps, isSet);
  if (failure) return failure;
  if (!isSet) return { result: 'no mailbox at the NHS message exchange' };
  const count = await countUnmatchedMessages(deps.db);
  if (count === 0) return { result: 'the mailbox at the NHS message exchange opens' };
  const isFull = await isFullOfUnmatched(deps.db);
  return {
    result: `${count} messages from the NHS message exchange could not be matched${isFull ? ', and no more are kept' : ''}`,
    remedy: `Review them at /operator/deliveries/unmatched: somebody may be waiting for an answer.${isFull ? ' Newer ones stay at the exchange, which tells their senders after five days.' : ''}`,
  };
}

async function tryMailbox(deps: Platform): Promise<CheckResult | undefined> {
  try {
    await handshakeWithExchange(deps);
    return undefined;
  } catch (error) {
    const failure = classify(error);
    if (!failure) throw error;
    return {
      result: failure.detail,
      remedy: 'See docs/mesh.md: address, mailbox, password, key and certificates.',
    };
  }
}

/** The failure that the site last had with the exchange, maybe with other settings than this command’s. */
async function findRecordedFailure(
  { db, clock }: Platform,
  isSet: boolean,
): Promise<CheckResult | undefined> {
  const all = await listConnectionFailures(db, clock.now());
  const failure = all.find(({ connection }) => exchangeConnections.includes(connection));
  if (!failure) return undefined;
  const { reason, remedy, consequence } = describeFailure(failure);
  const now = isSet
    ? 'the mailbox at the NHS message exchange opens now'
    : 'no mailbox at the NHS message exchange is set';
  return {
    result: `${now}; but at ${failure.triedAt.toISOString()}: ${reason}`,
    remedy: isSet
      ? `The site tries again every five minutes. If this stays: ${remedy} ${consequence}`
      : `Set it again, as docs/mesh.md says. ${consequence}`,
  };
}
