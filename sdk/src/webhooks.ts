import { BadSignature } from './errors.ts';
import type { Event } from './events.ts';

// Webhooks are signed by the Standard Webhooks rules: https://www.standardwebhooks.com/

/** Of a `Request`, or of Node's `request.headers`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A call that was signed earlier, or by a clock that runs this far ahead, is refused. */
const toleranceSeconds = 300;
const maxBodyLength = 65_536;

/**
 * The event in a call to your webhook. Give it the body as it came, not parsed, and the secret that you were shown; both
 * secrets for 24 hours after you made a new one.
 * @throws BadSignature unless the site signed the call within the last five minutes
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
): Promise<Event> {
  const keys = await Promise.all([secrets].flat().map(keyOf));
  if (keys.length === 0) throw new TypeError('Give the secret of the webhook.');
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new BadSignature('A webhook- header is missing.');
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new BadSignature('It was not signed within the last five minutes, or your clock is wrong.');
  const body = textOf(rawBody);
  const signed = bytesOf(`${id}.${timestamp}.${body}`);
  const given = signatures.split(' ').filter((each) => each.startsWith('v1,'));
  for (const key of keys)
    for (const signature of given)
      if (await crypto.subtle.verify('HMAC', key, fromBase64(signature.slice(3)), signed))
        return JSON.parse(body);
  throw new BadSignature(
    'No signature is right. Is the body as it came, and is this the secret of this webhook?',
  );
}

/** The headers that the site would send with a body: for tests of your webhook. */
export async function signWebhook(
  body: string,
  { id, secret, at = new Date() }: { id: string; secret: string; at?: Date },
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = await crypto.subtle.sign(
    'HMAC',
    await keyOf(secret),
    bytesOf(`${id}.${timestamp}.${body}`),
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
}

export type ReceiverOptions = {
  secrets: string | readonly string[];
  /**
   * Stores the event; the site sends it again unless this succeeds. It may come more than once: let the id be a unique key. Do the
   * work later, from what is stored, because the site waits 10 seconds at most.
   */
  store: (event: Event) => unknown;
  /** Hears why a call was not stored. */
  onError?: ((error: unknown) => void) | undefined;
};

/** A webhook, for any server that has `Request` and `Response`. */
export function receiver({
  secrets,
  store,
  onError,
}: ReceiverOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    try {
      await store(await verifyWebhook(await readBody(request), request.headers, secrets));
      return new Response(null, { status: 204 });
    } catch (error) {
      onError?.(error);
      return new Response(null, { status: error instanceof BadSignature ? 400 : 500 });
    }
  };
}

/** Anybody can send something here, so no more is read than an event can be. */
async function readBody({ body }: Request): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
    text += decoder.decode(piece.value, { stream: true });
    if (text.length <= maxBodyLength) continue;
    await reader?.cancel();
    throw new BadSignature('The body is larger than an event can be.');
  }
  return text + decoder.decode();
}

/** @throws TypeError for a body that was parsed: what the site signed cannot be had back from it. */
function textOf(rawBody: string | Uint8Array): string {
  if (typeof rawBody === 'string') return rawBody;
  if (ArrayBuffer.isView(rawBody)) return new TextDecoder().decode(rawBody);
  throw new TypeError('Give the body of the webhook as it came, as text or bytes, before it is parsed.');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

/** @throws TypeError: a secret that was not copied whole is a fault on this side, and no reason to refuse the call. */
async function keyOf(secret: string) {
  const key = fromBase64(typeof secret === 'string' ? secret.trim().replace(/^whsec_/, '') : '');
  if (key.length === 0) throw new TypeError('The secret of the webhook is missing or not whole.');
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Empty for a text that is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
